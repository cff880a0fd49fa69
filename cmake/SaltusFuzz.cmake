# SPDX-License-Identifier: MIT
#
# The libFuzzer targets, tests/fuzz/fuzz_*.c, a program each: fuzz-<name>. They need clang and a
# library that is built with coverage instrumentation, which the preset `fuzz` asks for.

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(source IN LISTS fuzz_sources)
    get_filename_component(name "${source}" NAME_WE)
    string(REPLACE "_" "-" target "${name}")
    add_executable(${target} ${source})
    saltus_compile_options(${target})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${target} PRIVATE saltus-application saltus m)
endforeach()

# One large function: with instrumentation and sanitizers clang's optimizer needs minutes for it.
set_source_files_properties(src/code/interpret.c PROPERTIES
    COMPILE_DEFINITIONS INTERPRET_BY_SWITCH COMPILE_OPTIONS -O0)
