# SPDX-License-Identifier: MIT
#
# SUNDIALS (CVODE, IDA, KINSOL) and KLU as static archives, so that a program with Saltus inside
# needs none of them at run time. Installed with the package, because whoever links libsaltus.a
# needs it.
#
#   find_package(SundialsStatic 6.4 REQUIRED)   ->  target SundialsStatic::SundialsStatic
#
# SUNDIALS' own package configuration is not used: Debian's wants MPI, PETSc and hypre for targets
# that Saltus never touches.

include(FindPackageHandleStandardArgs)

# In link order: an archive stands before those it takes symbols from.
set(_saltus_archives
    sundials_cvode sundials_ida sundials_kinsol
    sundials_sunlinsolklu sundials_sunlinsoldense
    sundials_sunmatrixsparse sundials_sunmatrixdense
    sundials_sunnonlinsolnewton sundials_sunnonlinsolfixedpoint
    sundials_nvecserial sundials_generic
    klu btf amd colamd suitesparseconfig)

find_path(SUNDIALS_INCLUDE_DIR sundials/sundials_config.h)
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
mark_as_advanced(SUNDIALS_INCLUDE_DIR KLU_INCLUDE_DIR)

set(SundialsStatic_LIBRARIES "")
set(_saltus_required SUNDIALS_INCLUDE_DIR KLU_INCLUDE_DIR)
foreach(_saltus_archive IN LISTS _saltus_archives)
    string(TOUPPER "${_saltus_archive}_ARCHIVE" _saltus_variable)
    find_library(${_saltus_variable} NAMES "lib${_saltus_archive}.a")
    mark_as_advanced(${_saltus_variable})
    list(APPEND _saltus_required ${_saltus_variable})
    list(APPEND SundialsStatic_LIBRARIES "${${_saltus_variable}}")
endforeach()

if(SUNDIALS_INCLUDE_DIR)
    file(STRINGS "${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h" _saltus_line
        REGEX "^#define SUNDIALS_VERSION \"")
    string(REGEX REPLACE ".*\"([0-9.]+)\".*" "\\1" SundialsStatic_VERSION "${_saltus_line}")
endif()

find_package_handle_standard_args(SundialsStatic
    REQUIRED_VARS ${_saltus_required}
    VERSION_VAR SundialsStatic_VERSION
    REASON_FAILURE_MESSAGE "On Debian: libsundials-dev, libsuitesparse-dev (tools/install-deps)")

if(SundialsStatic_FOUND AND NOT TARGET SundialsStatic::SundialsStatic)
    add_library(SundialsStatic::SundialsStatic INTERFACE IMPORTED)
    set_target_properties(SundialsStatic::SundialsStatic PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${SUNDIALS_INCLUDE_DIR};${KLU_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${SundialsStatic_LIBRARIES};m")
endif()
