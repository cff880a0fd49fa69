# SPDX-License-Identifier: MIT
#
# How every C file of Saltus is compiled. Results must be the same bits on every machine of an
# architecture, so: no contraction into fused multiply-adds, no -march=native, no -ffast-math; and
# no LAPACK or BLAS, which are another library with other roundings on every machine. (Wider vectors
# round as narrow ones do: solvers/kernel.h takes them where the machine has them.)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# assert() is for debug builds; a release build defines NDEBUG.
set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")

option(SALTUS_HARDEN "Checked copies, stack canaries, read-only tables in release builds" ON)

function(saltus_compile_options target)
    # Strict C17 hides POSIX (threads, clocks) and M_PI; this asks for them.
    target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off)
    # Most systems have few states. A vector load of numbers that were just stored one by one waits
    # until they have left the store buffer (a step of dopri5 with two states took a third longer),
    # so short loops stay scalar; from eight numbers on vectors pay. Nor are loops that copy a few
    # numbers made into calls of memcpy.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE
            -fno-tree-slp-vectorize --param=min-vect-loop-bound=3
            -fno-tree-loop-distribute-patterns)
    endif()
    if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT SALTUS_SANITIZE AND SALTUS_HARDEN)
        target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now,-z,noexecstack)
    endif()
    if(SALTUS_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(SALTUS_SANITIZE)
        target_compile_options(${target} PRIVATE
            -fsanitize=${SALTUS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE -fsanitize=${SALTUS_SANITIZE})
    endif()
    if(SALTUS_COVERAGE)
        target_compile_options(${target} PRIVATE --coverage)
        target_link_options(${target} PRIVATE --coverage)
    endif()
endfunction()

# A program whose lines are counted, wherever it ends.
function(saltus_count_exits target)
    if(SALTUS_COVERAGE)
        target_sources(${target} PRIVATE cmake/coverage.c)
        target_link_options(${target} PRIVATE LINKER:--wrap=_exit)
    endif()
endfunction()

# What a mistake in reading files could be used for is made harder where files are read: checked
# copies, canaries on stacks. The engine and what it evaluates at every step are left as they are.
function(saltus_harden)
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR SALTUS_SANITIZE OR NOT SALTUS_HARDEN)
        return()
    endif()
    file(GLOB readers CONFIGURE_DEPENDS
        src/cli/*.c src/external/*.c src/modelica/*.c src/plot/*.c src/results/*.c)
    set_source_files_properties(${readers} PROPERTIES COMPILE_OPTIONS
        "-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2;-fstack-protector-strong;-fstack-clash-protection")
endfunction()

# The engine calls itself across its files at every step and event. In a release build gcc optimises
# it as a whole and joins it into one ordinary object file (an event costs 0.92 of the time); there
# is nothing of link-time optimisation left in the archive, so every compiler can link it.
function(saltus_join_engine target)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_BUILD_TYPE STREQUAL "Release"
            OR SALTUS_SANITIZE OR SALTUS_COVERAGE)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    set(engine ${sources})
    list(FILTER engine INCLUDE REGEX "/src/(events|hybrid|solvers)/")
    list(FILTER sources EXCLUDE REGEX "/src/(events|hybrid|solvers)/")
    add_library(saltus-engine OBJECT ${engine})
    saltus_compile_options(saltus-engine)
    target_compile_options(saltus-engine PRIVATE -flto=auto -fno-semantic-interposition)
    target_include_directories(saltus-engine PRIVATE
        "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(saltus-engine PRIVATE SundialsStatic::SundialsStatic Threads::Threads)
    set(joined "${PROJECT_BINARY_DIR}/saltus-engine.o")
    separate_arguments(optimise UNIX_COMMAND "${CMAKE_C_FLAGS_RELEASE}")
    add_custom_command(OUTPUT "${joined}"
        COMMAND ${CMAKE_C_COMPILER} ${optimise} -ffp-contract=off -fPIC -fno-semantic-interposition
            -flto=auto -r -nostdlib
            -flinker-output=nolto-rel -o "${joined}" $<TARGET_OBJECTS:saltus-engine>
        DEPENDS saltus-engine $<TARGET_OBJECTS:saltus-engine>
        COMMAND_EXPAND_LISTS VERBATIM COMMENT "Joining the engine")
    set_source_files_properties("${joined}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    set_property(TARGET ${target} PROPERTY SOURCES ${sources} "${joined}")
endfunction()
