# Writes OUTPUT from TEMPLATE with PYC_VERSION and PYC_GIT or, if that is empty, the git description of SOURCE; run by
# every build, and cheap.
if("${PYC_GIT}" STREQUAL "")
  execute_process(
    COMMAND git -C ${SOURCE} describe --always --dirty --tags --abbrev=12
    OUTPUT_VARIABLE PYC_GIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT "${PYC_GIT}" MATCHES "^[A-Za-z0-9._-]+$")
  set(PYC_GIT unknown)
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
