# SPDX-License-Identifier: MIT
#
# What FMUs are read and written with: minizip and zlib (ZIP), expat (XML), as static archives, so
# that the command starts without looking for them.
#
#   find_package(ArchiveStatic REQUIRED)   ->  target ArchiveStatic::ArchiveStatic

include(FindPackageHandleStandardArgs)

find_path(MINIZIP_INCLUDE_DIR minizip/zip.h)
find_path(EXPAT_INCLUDE_DIR expat.h)
find_library(MINIZIP_ARCHIVE NAMES libminizip.a)
find_library(ZLIB_ARCHIVE NAMES libz.a)
find_library(EXPAT_ARCHIVE NAMES libexpat.a)
mark_as_advanced(MINIZIP_INCLUDE_DIR EXPAT_INCLUDE_DIR MINIZIP_ARCHIVE ZLIB_ARCHIVE EXPAT_ARCHIVE)

find_package_handle_standard_args(ArchiveStatic
    REQUIRED_VARS MINIZIP_INCLUDE_DIR EXPAT_INCLUDE_DIR MINIZIP_ARCHIVE ZLIB_ARCHIVE EXPAT_ARCHIVE
    REASON_FAILURE_MESSAGE
        "On Debian: libminizip-dev, zlib1g-dev, libexpat1-dev (tools/install-deps)")

if(ArchiveStatic_FOUND AND NOT TARGET ArchiveStatic::ArchiveStatic)
    add_library(ArchiveStatic::ArchiveStatic INTERFACE IMPORTED)
    set_target_properties(ArchiveStatic::ArchiveStatic PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${MINIZIP_INCLUDE_DIR};${EXPAT_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES "${MINIZIP_ARCHIVE};${ZLIB_ARCHIVE};${EXPAT_ARCHIVE};m")
endif()
