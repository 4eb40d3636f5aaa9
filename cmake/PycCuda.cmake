# Finds the CUDA toolkit when the CUDA rungs are wanted, and compiles .cu files with its nvcc. The CUDA language of
# CMake stays off: a promoted kernel is built with its own recorded flags, whatever the build type or sanitizer is.
include_guard(GLOBAL)

if(PYC_ENABLE_CUDA_RUNTIME)
  find_package(CUDAToolkit QUIET)
  if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE OR NOT TARGET CUDA::cudart_static)
    message(FATAL_ERROR
      "PYC_ENABLE_CUDA_RUNTIME is ON and no CUDA toolkit with nvcc was found.\n"
      "Install one (12.4 or newer), or point to it with -DCUDAToolkit_ROOT=/path/to/cuda, or configure with "
      "-DPYC_ENABLE_CUDA_RUNTIME=OFF for the CPU rung alone.")
  endif()
  if(CUDAToolkit_VERSION VERSION_LESS 12.4)
    message(FATAL_ERROR
      "The CUDA toolkit at ${CUDAToolkit_BIN_DIR} is ${CUDAToolkit_VERSION}; PyC needs 12.4 or newer.\n"
      "Point to another one with -DCUDAToolkit_ROOT=/path/to/cuda.")
  endif()
  set(PYC_NVCC ${CUDAToolkit_NVCC_EXECUTABLE})
  message(STATUS "CUDA rungs: ${PYC_NVCC} ${CUDAToolkit_VERSION}")
endif()

# pyc_nvcc_object(OUT file.o SOURCE file.cu FLAGS flag...) adds the rule that compiles SOURCE, a path from the project's
# root, with exactly `nvcc FLAGS -I include -c` and position-independent host code. Headers are tracked.
function(pyc_nvcc_object)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT;SOURCE" "FLAGS")
  cmake_path(GET arg_OUT PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  # Full paths: a dependency file with relative ones would be read from the build folder.
  set(source ${PROJECT_SOURCE_DIR}/${arg_SOURCE})
  add_custom_command(
    OUTPUT ${arg_OUT}
    COMMAND ${PYC_NVCC} ${arg_FLAGS} -Xcompiler=-fPIC -I ${PROJECT_SOURCE_DIR}/include
            -MD -MF ${arg_OUT}.d -MT ${arg_OUT} -c ${source} -o ${arg_OUT}
    DEPENDS ${source} ${PYC_NVCC}
    DEPFILE ${arg_OUT}.d
    COMMENT "Compiling ${arg_SOURCE} with nvcc"
    VERBATIM)
endfunction()

# pyc_reduced_object(OUT file.o RAW raw.o KEEP symbol...) adds the rule that makes every symbol of RAW local but KEEP. Two
# sources may well define kernels of the same name, or instantiate one template for two archs, and the linker would merge
# them and run one source's code for both. `ld -r` dissolves the COMDAT groups, objcopy makes the names local; the code
# itself is not touched.
function(pyc_reduced_object)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT;RAW" "KEEP")
  list(TRANSFORM arg_KEEP PREPEND --keep-global-symbol=)
  add_custom_command(
    OUTPUT ${arg_OUT}
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation ${arg_RAW} -o ${arg_OUT}
    COMMAND ${CMAKE_OBJCOPY} ${arg_KEEP} ${arg_OUT}
    DEPENDS ${arg_RAW}
    VERBATIM)
endfunction()
