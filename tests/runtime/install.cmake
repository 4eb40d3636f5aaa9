# Installs the runtime, builds the C example against the install tree with find_package, and runs it on the CPU.
file(REMOVE_RECURSE ${WORK_DIR})
set(step COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${PYC_BINARY_DIR} --component pyc_runtime --prefix ${WORK_DIR}/prefix
  OUTPUT_QUIET ${step})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${PYC_SOURCE_DIR}/examples/c -B ${WORK_DIR}/build -G ${CMAKE_GENERATOR}
  -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix -DCMAKE_C_COMPILER=${CC} -DCMAKE_C_FLAGS=${C_FLAGS} ${step})
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/build ${step})
execute_process(COMMAND ${WORK_DIR}/build/pyc_example_gemm --device host --m 100 --n 70 --k 30
  OUTPUT_VARIABLE output ${step})
if(NOT output MATCHES "rung: cpu.*result: right")
  message(FATAL_ERROR "unexpected output of the installed example:\n${output}")
endif()
