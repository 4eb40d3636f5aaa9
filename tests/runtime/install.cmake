# Installs the runtime, moves the tree, and builds the examples against it as a program elsewhere would: by find_package
# and by pkg-config, with the shared library and with the archive. Each runs on the CPU rung.
cmake_minimum_required(VERSION 3.25)
set(step COMMAND_ERROR_IS_FATAL ANY)
# A space in the path is escaped by pkgconf; the pkg-config before it, whose version is 0.29, knows no such thing.
set(prefix "${WORK_DIR}/moved here")
if(PKG_CONFIG)
  execute_process(COMMAND ${PKG_CONFIG} --version OUTPUT_VARIABLE pkg_config_version ${step})
  if(pkg_config_version VERSION_LESS 1)
    set(prefix ${WORK_DIR}/moved)
  endif()
endif()
file(REMOVE_RECURSE ${WORK_DIR})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${PYC_BINARY_DIR} --component pyc_runtime --prefix ${WORK_DIR}/prefix
  OUTPUT_QUIET ${step})
file(RENAME ${WORK_DIR}/prefix "${prefix}")

function(expect_right output what)
  if(NOT output MATCHES "cpu +chosen.*result: right")
    message(FATAL_ERROR "unexpected output of ${what}:\n${output}")
  endif()
  message(STATUS "${what}: right")
endfunction()

# Whether the program needs libpyc at run time must be as asked.
function(expect_linkage program linkage)
  execute_process(COMMAND ${READELF} -d ${program} OUTPUT_VARIABLE dynamic ${step})
  if(linkage STREQUAL "shared" AND NOT dynamic MATCHES "NEEDED.*libpyc\\.so\\.")
    message(FATAL_ERROR "${program} should load libpyc.so:\n${dynamic}")
  elseif(linkage STREQUAL "static" AND dynamic MATCHES "libpyc")
    message(FATAL_ERROR "${program} should hold libpyc:\n${dynamic}")
  endif()
endfunction()

function(by_find_package example linkage)
  set(build ${WORK_DIR}/${example}-${linkage})
  string(COMPARE EQUAL ${linkage} static static)
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${PYC_SOURCE_DIR}/examples/${example} -B ${build} -G ${CMAKE_GENERATOR}
    "-DCMAKE_PREFIX_PATH=${prefix}" -DPYC_EXAMPLE_STATIC=${static} -DCMAKE_C_COMPILER=${CC} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_C_FLAGS=${C_FLAGS} -DCMAKE_CXX_FLAGS=${CXX_FLAGS} --no-warn-unused-cli OUTPUT_QUIET ${step})
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} OUTPUT_QUIET ${step})
  file(GLOB program ${build}/pyc_example_*)
  execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE output ${step})
  expect_right("${output}" "examples/${example}, find_package, ${linkage}")
  expect_linkage(${program} ${linkage})
endfunction()

function(by_pkg_config package linkage)
  set(program ${WORK_DIR}/by-${package})
  execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${package} OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE ${step})
  separate_arguments(flags UNIX_COMMAND "${C_FLAGS} ${flags}")
  set(sources ${PYC_SOURCE_DIR}/examples/c/gemm.c ${PYC_SOURCE_DIR}/examples/c/memory_host.c)
  execute_process(COMMAND ${CC} -std=c11 ${sources} -o ${program} ${flags} -lm ${step})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env "LD_LIBRARY_PATH=${prefix}/${LIBDIR}" ${program} ${ARGN}
    OUTPUT_VARIABLE output ${step})
  expect_right("${output}" "examples/c, pkg-config ${package}")
  expect_linkage(${program} ${linkage})
endfunction()

# By the way that projects with CMake take for packages of pkg-config.
function(by_imported_target package linkage)
  set(build ${WORK_DIR}/imported-${package})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${PYC_SOURCE_DIR}/tests/runtime/imported_package -B ${build}
    -G ${CMAKE_GENERATOR} -DPACKAGE=${package} -DPKG_CONFIG_EXECUTABLE=${PKG_CONFIG}
    -DCMAKE_C_COMPILER=${CC} -DCMAKE_C_FLAGS=${C_FLAGS} OUTPUT_QUIET ${step})
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} OUTPUT_QUIET ${step})
  execute_process(COMMAND ${build}/gemm ${ARGN} OUTPUT_VARIABLE output ${step})
  expect_right("${output}" "examples/c, pkg_check_modules ${package}")
  expect_linkage(${build}/gemm ${linkage})
endfunction()

set(c_arguments --device host --m 100 --n 70 --k 30)
by_find_package(c ${LINKAGE} ${c_arguments})
by_find_package(c static ${c_arguments})
by_find_package(cpp ${LINKAGE} host)
if(NOT PKG_CONFIG)
  message(STATUS "not run: pkg-config is not on this machine")
  return()
endif()
set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
by_pkg_config(pyc ${LINKAGE} ${c_arguments})
by_pkg_config(pyc-static static ${c_arguments})
by_imported_target(pyc ${LINKAGE} ${c_arguments})
by_imported_target(pyc-static static ${c_arguments})
