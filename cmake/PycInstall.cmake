# The install tree: headers, libpyc, and the package that find_package(pyc) loads. All in the component pyc_runtime.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pyc)

set_target_properties(pyc_headers PROPERTIES EXPORT_NAME headers)
set(targets pyc_runtime pyc_headers)
if(kind STREQUAL "STATIC")
  list(APPEND targets pyc_cutlass_kernels)
endif()
install(TARGETS ${targets} EXPORT pyc_targets COMPONENT pyc_runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/pyc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT pyc_runtime
  FILES_MATCHING PATTERN "*.h")
install(EXPORT pyc_targets NAMESPACE pyc:: FILE pycTargets.cmake DESTINATION ${package_folder} COMPONENT pyc_runtime)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pycConfig.cmake.in ${PROJECT_BINARY_DIR}/pycConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pycConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pycConfig.cmake ${PROJECT_BINARY_DIR}/pycConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT pyc_runtime)
