# SPDX-License-Identifier: MIT
#
# Texts inside of programs: src/PART/NAME.inc becomes PART/NAME_bytes.h, its bytes as a list of
# numbers, below a folder of the build that the target's files see.

function(saltus_embed target)
    set(folder "${PROJECT_BINARY_DIR}/embedded")
    foreach(file IN LISTS ARGN)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
        file(READ "${file}" bytes HEX)
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
        string(REPLACE "0x0a," "0x0a,\n" bytes "${bytes}")
        string(REGEX REPLACE "^src/(.*)\\.inc$" "\\1_bytes.h" header "${file}")
        file(CONFIGURE OUTPUT "${folder}/${header}" CONTENT "${bytes}\n" @ONLY)
    endforeach()
    target_include_directories(${target} PRIVATE "${folder}")
endfunction()
