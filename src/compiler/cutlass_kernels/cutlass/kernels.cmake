# The sources of the CUTLASS set, one for each row of rows.h, and the rule that compiles one. With the headers the objects
# are in PYC_CUTLASS_OBJECTS; each kernel is a target of its own name too, so that one can be compiled alone.
include(${PROJECT_SOURCE_DIR}/cmake/PycCutlass.cmake)

# -DNDEBUG: an assertion in device code is a function call, and wgmma is not pipelined across one. -fno-gnu-unique: a
# static member of a template would be one object for the kernels of both archs.
set(pyc_cutlass_flags -O3 -std=c++17 -DNDEBUG --expt-relaxed-constexpr -Xcompiler=-fvisibility=hidden,-fno-gnu-unique
  -I ${PROJECT_SOURCE_DIR}/src -isystem ${PYC_CUTLASS_INCLUDE_DIR})
set(pyc_cutlass_code_sm89 -gencode=arch=compute_89,code=sm_89)
set(pyc_cutlass_code_sm90 -gencode=arch=compute_90a,code=sm_90a)

function(pyc_cutlass_kernel source arch)
  cmake_path(GET source STEM name)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/cutlass/${name}.o)
  pyc_nvcc_object(OUT ${object}.raw.o SOURCE src/compiler/cutlass_kernels/cutlass/${source}
    FLAGS ${pyc_cutlass_flags} ${pyc_cutlass_code_${arch}})
  pyc_reduced_object(OUT ${object} RAW ${object}.raw.o KEEP pyc_cutlass_${name})
  add_custom_target(pyc_cutlass_${name} DEPENDS ${object})
  set_property(DIRECTORY APPEND PROPERTY PYC_CUTLASS_OBJECTS ${object})
endfunction()

if(PYC_CUTLASS_INCLUDE_DIR)
  pyc_cutlass_kernel(fp32_nn_sm89.cu sm89)
  pyc_cutlass_kernel(fp32_nt_sm89.cu sm89)
  pyc_cutlass_kernel(fp16_nn_sm89.cu sm89)
  pyc_cutlass_kernel(fp16_nt_sm89.cu sm89)
  pyc_cutlass_kernel(bf16_nn_sm89.cu sm89)
  pyc_cutlass_kernel(bf16_nt_sm89.cu sm89)
  pyc_cutlass_kernel(fp32_nn_sm90.cu sm90)
  pyc_cutlass_kernel(fp32_nt_sm90.cu sm90)
  pyc_cutlass_kernel(fp16_nn_sm90.cu sm90)
  pyc_cutlass_kernel(fp16_nt_sm90.cu sm90)
  pyc_cutlass_kernel(bf16_nn_sm90.cu sm90)
  pyc_cutlass_kernel(bf16_nt_sm90.cu sm90)
endif()
