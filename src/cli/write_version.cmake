# Writes OUTPUT from TEMPLATE with PYC_VERSION and the git description of SOURCE; run by every build, and cheap.
execute_process(
  COMMAND git -C ${SOURCE} describe --always --dirty --tags --abbrev=12
  OUTPUT_VARIABLE PYC_GIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT PYC_GIT MATCHES "^[A-Za-z0-9._-]+$")
  set(PYC_GIT unknown)
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
