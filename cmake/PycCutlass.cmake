# PYC_CUTLASS_PATH: where the CUTLASS headers are. Sets PYC_CUTLASS_INCLUDE_DIR, or leaves it empty if none are wanted.
# Accepted are a checkout of CUTLASS, its include folder, and what the PyPI package nvidia-cutlass installs.
include_guard(GLOBAL)
set(PYC_CUTLASS_PATH "" CACHE PATH "CUTLASS 4.0 or newer, for the CUTLASS rung: a checkout, or where nvidia-cutlass is installed")
set(PYC_CUTLASS_INCLUDE_DIR "")

function(pyc_find_cutlass)
  foreach(folder include . cutlass_library/source/include source/include)
    cmake_path(ABSOLUTE_PATH PYC_CUTLASS_PATH BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE include)
    cmake_path(APPEND include ${folder})
    cmake_path(NORMAL_PATH include)
    if(EXISTS ${include}/cutlass/version.h AND EXISTS ${include}/cute/tensor.hpp)
      set(found ${include})
      break()
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR
      "PYC_CUTLASS_PATH is \"${PYC_CUTLASS_PATH}\": no cutlass/version.h is there or in its include folder.\n"
      "Give the root of a CUTLASS checkout, or the folder that\n"
      "  pip install --no-deps --target FOLDER nvidia-cutlass\n"
      "filled, or leave PYC_CUTLASS_PATH empty to build without the CUTLASS rung.")
  endif()
  file(STRINGS ${found}/cutlass/version.h lines REGEX "define CUTLASS_(MAJOR|MINOR|PATCH) +[0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" numbers "${lines}")
  string(REPLACE ";" "." version "${numbers}")
  if(version VERSION_LESS 4.0)
    message(FATAL_ERROR "CUTLASS at ${found} is ${version}; PyC needs 4.0 or newer.")
  endif()
  message(STATUS "CUTLASS rung: ${found} ${version}")
  set(PYC_CUTLASS_INCLUDE_DIR ${found} PARENT_SCOPE)
endfunction()

if(PYC_CUTLASS_PATH AND PYC_ENABLE_CUDA_RUNTIME)
  pyc_find_cutlass()
elseif(PYC_CUTLASS_PATH)
  message(WARNING "PYC_CUTLASS_PATH has no effect: the CUTLASS rung needs -DPYC_ENABLE_CUDA_RUNTIME=ON.")
endif()
