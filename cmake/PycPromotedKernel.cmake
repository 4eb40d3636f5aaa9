# pyc_promoted_kernel(NAME x ARCH sm90 SOURCE kernels/prototypes/x/kernel.cu SHA256 digest FLAGS flag...)
#
# One row of generated_kernels.cmake. Configuring stops if the source is not the one that was promoted; with
# PYC_ENABLE_CUDA_RUNTIME the source is compiled with the recorded flags, and the object is appended to the directory
# property PYC_PROMOTED_OBJECTS.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/PycCuda.cmake)

function(pyc_promoted_kernel)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;ARCH;SOURCE;SHA256" "FLAGS")
  pyc_check_promoted_source(${arg_NAME} ${arg_SOURCE} ${arg_SHA256})
  if(PYC_ENABLE_CUDA_RUNTIME)
    pyc_compile_promoted_kernel(${arg_NAME} ${arg_ARCH} ${arg_SOURCE} "${arg_FLAGS}")
  endif()
endfunction()

function(pyc_check_promoted_source name source expected)
  set(path ${PROJECT_SOURCE_DIR}/${source})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  if(EXISTS ${path})
    file(SHA256 ${path} actual)
  else()
    set(actual "missing")
  endif()
  if(NOT actual STREQUAL expected)
    message(FATAL_ERROR
      "${source} is not the source that was promoted.\n"
      "  promoted: ${expected}\n"
      "  on disk:  ${actual}\n"
      "A promoted candidate is immutable: its record vouches for one exact source. Restore the file from version "
      "control. To go on from it, run\n"
      "  pyc hpc create gemm --from ${name} --name NEW\n"
      "make the change there, and promote NEW.")
  endif()
endfunction()

# Only the symbols of the kernel ABI stay global: two candidates may define kernels of the same name.
function(pyc_compile_promoted_kernel name arch source flags)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/promoted/${name}.${arch}.o)
  pyc_nvcc_object(OUT ${object}.raw.o SOURCE ${source} FLAGS ${flags})
  pyc_reduced_object(OUT ${object} RAW ${object}.raw.o KEEP pyc_gemm_${name} pyc_gemm_${name}_workspace)
  set_property(DIRECTORY APPEND PROPERTY PYC_PROMOTED_OBJECTS ${object})
endfunction()
