# SPDX-License-Identifier: MIT
#
# Installation: library, header, command, models, manual, saltus.pc and the CMake package `Saltus`. Both
# descriptions find their place relative to themselves, so an installed tree can be moved.
#
# The target `installed` builds all that is installed, and no tests.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Saltus")

add_custom_target(installed DEPENDS saltus)
install(TARGETS saltus EXPORT SaltusTargets)
if(TARGET saltus-shared)
    install(TARGETS saltus-shared EXPORT SaltusTargets)
endif()
foreach(target saltus-shared saltus-fmu saltus-python)
    if(TARGET ${target})
        add_dependencies(installed ${target})
    endif()
endforeach()
if(TARGET saltus-cli)
    add_dependencies(installed saltus-cli)
    install(TARGETS saltus-cli)
    if(TARGET saltus-mpi)
        install(TARGETS saltus-mpi OPTIONAL) # if it was built
    endif()
    install(TARGETS saltus-fmu LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/saltus")
    install(FILES "${fmu_archive}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/saltus")
    if(NOT CMAKE_CROSSCOMPILING)
        install(DIRECTORY "${PROJECT_BINARY_DIR}/share/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
        install(DIRECTORY "${PROJECT_BINARY_DIR}/share/bash-completion"
            "${PROJECT_BINARY_DIR}/share/zsh" "${PROJECT_BINARY_DIR}/share/fish"
            DESTINATION "${CMAKE_INSTALL_DATADIR}")
    endif()
endif()
install(DIRECTORY models/ DESTINATION "${CMAKE_INSTALL_DATADIR}/saltus/models"
    FILES_MATCHING PATTERN "*.mo" PATTERN "package.order")
foreach(benchmark c21 c7 c5)
    install(DIRECTORY benchmarks/${benchmark}
        DESTINATION "${CMAKE_INSTALL_DATADIR}/saltus/benchmarks" FILES_MATCHING PATTERN "*.mo")
endforeach()
# The manual's links lead from page to page, to docs/models, and to the README above them.
install(FILES README.md CONTRIBUTING.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs examples DESTINATION "${CMAKE_INSTALL_DOCDIR}"
    FILES_MATCHING REGEX "\\.(md|svg|png|mo|c|h|csv)$")
if(EXISTS "${PROJECT_SOURCE_DIR}/include/saltus")
    install(DIRECTORY include/saltus DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()

# ---- find_package(Saltus) ------------------------------------------------------------------------

install(EXPORT SaltusTargets NAMESPACE Saltus:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/SaltusConfig.cmake.in SaltusConfig.cmake
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(SaltusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/SaltusConfig.cmake"
    "${PROJECT_BINARY_DIR}/SaltusConfigVersion.cmake"
    cmake/FindSundialsStatic.cmake
    DESTINATION "${package_dir}")

# ---- pkg-config ----------------------------------------------------------------------------------

# `-l:name` takes exactly that archive; `-lname` would prefer the shared library.
set(pc_archives "")
foreach(archive IN LISTS SundialsStatic_LIBRARIES)
    get_filename_component(name "${archive}" NAME)
    string(APPEND pc_archives " -l:${name}")
endforeach()
file(RELATIVE_PATH pc_prefix
    "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(cmake/saltus.pc.in saltus.pc @ONLY)
configure_file(cmake/saltus-shared.pc.in saltus-shared.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/saltus.pc" "${PROJECT_BINARY_DIR}/saltus-shared.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
