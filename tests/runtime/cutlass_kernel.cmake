# Compiles one kernel of the CUTLASS set by the rule of the build, without a GPU. KERNEL is its target. PYTHON_TOOLS is
# where scripts/test.sh puts the PyPI package with the headers; without it or nvcc the test says so and is skipped.
cmake_minimum_required(VERSION 3.25)
set(cutlass $ENV{CUTLASS_PATH})
if(NOT cutlass)
  file(GLOB cutlass ${PYTHON_TOOLS}/lib/python3*/site-packages/cutlass_library)
endif()
if(NOT cutlass)
  message(STATUS "skipped: no CUTLASS headers in CUTLASS_PATH or ${PYTHON_TOOLS}")
  return()
endif()
find_program(nvcc nvcc PATHS $ENV{CUDA_HOME}/bin $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
if(NOT nvcc)
  message(STATUS "skipped: no nvcc on this machine")
  return()
endif()

file(REMOVE_RECURSE ${WORK_DIR})
cmake_path(GET nvcc PARENT_PATH toolkit)
set(step COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${PYC_SOURCE_DIR} -B ${WORK_DIR} -G ${CMAKE_GENERATOR}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC} -DCUDAToolkit_ROOT=${toolkit}/.. -DPYC_BUILD_TOOL=OFF
  -DPYC_BUILD_TESTS=OFF -DPYC_ENABLE_CUDA_RUNTIME=ON -DPYC_CUTLASS_PATH=${cutlass} ${step})
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR} --target ${KERNEL} ${step})

# What leaves the object is its row and nothing else: the linker must not merge it with another kernel's code.
file(GLOB_RECURSE object ${WORK_DIR}/src/compiler/cutlass_kernels/cutlass/*.o)
list(FILTER object EXCLUDE REGEX raw)
execute_process(COMMAND ${NM} --defined-only --extern-only ${object} OUTPUT_VARIABLE symbols ${step})
if(NOT symbols MATCHES "^[0-9a-f]+ [DR] ${KERNEL}\n$")
  message(FATAL_ERROR "expected ${object} to define ${KERNEL} and nothing else, got:\n${symbols}")
endif()
