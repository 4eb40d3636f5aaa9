# The install tree: headers, libpyc as a shared library and as an archive, the package that find_package(pyc) loads, and
# the pkg-config files pyc.pc and pyc-static.pc. All in the component pyc_runtime, and all relocatable.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pyc)
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR must be relative: the install tree can be moved.")
endif()

# Two export sets: the archive needs a C++ linker, threads and CUDA's static runtime, and a program that links the shared
# library should not have to have them.
set_target_properties(pyc_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS pyc_headers EXPORT pyc_targets COMPONENT pyc_runtime)
install(TARGETS pyc_cutlass_kernels EXPORT pyc_static_targets COMPONENT pyc_runtime)
if(kind STREQUAL "SHARED")
  install(TARGETS pyc_runtime EXPORT pyc_targets COMPONENT pyc_runtime)
  install(TARGETS pyc_runtime_static EXPORT pyc_static_targets COMPONENT pyc_runtime)
else()
  install(TARGETS pyc_runtime EXPORT pyc_static_targets COMPONENT pyc_runtime)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pyc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT pyc_runtime
  FILES_MATCHING PATTERN "*.h")
foreach(set targets static_targets)
  install(EXPORT pyc_${set} NAMESPACE pyc:: FILE pyc_${set}.cmake DESTINATION ${package_folder} COMPONENT pyc_runtime)
endforeach()

set(pyc_has_shared FALSE)
if(kind STREQUAL "SHARED")
  set(pyc_has_shared TRUE)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pycConfig.cmake.in ${PROJECT_BINARY_DIR}/pycConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pycConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pycConfig.cmake ${PROJECT_BINARY_DIR}/pycConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT pyc_runtime)

# pkg-config counts paths from the folder of the .pc file. What the archives need besides is spelt out here; find_package
# knows it from the targets.
file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" up ${up})
set(pc_prefix "\${pcfiledir}/${up}")
set(pc_static_libraries "-lstdc++ -lm -ldl -lpthread")
if(PYC_ENABLE_CUDA_RUNTIME)
  string(PREPEND pc_static_libraries "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lrt ")
endif()
set(pc_libraries "-L\${libdir} -lpyc")
set(pc_requires "")
if(kind STREQUAL "STATIC")
  set(pc_libraries "")
  set(pc_requires "pyc-static")
endif()
foreach(package pyc pyc-static)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT pyc_runtime)
endforeach()

# In a wheel the library stands beside the Python package that loads it: one file, because a wheel holds no links.
if(SKBUILD)
  set_property(TARGET pyc_runtime PROPERTY VERSION)
  set_property(TARGET pyc_runtime PROPERTY SOVERSION)
  install(TARGETS pyc_runtime LIBRARY DESTINATION pyc COMPONENT pyc_wheel)
endif()
