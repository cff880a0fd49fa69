# SPDX-License-Identifier: MIT
#
# The libFuzzer targets, tests/fuzz/fuzz_*.c, in one program: fuzz --target=NAME. It needs clang and
# a library that is built with coverage instrumentation, which the preset `fuzz` asks for. The
# runtimes of C++ are linked into it, so that it runs where there is only a C library.

file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/*.c)
add_executable(saltus-fuzz ${fuzz_sources} tests/support/printer.c)
set_target_properties(saltus-fuzz PROPERTIES OUTPUT_NAME fuzz)
saltus_compile_options(saltus-fuzz)
target_include_directories(saltus-fuzz PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
target_link_options(saltus-fuzz PRIVATE -fsanitize=fuzzer -static-libgcc -static-libstdc++)
target_link_libraries(saltus-fuzz PRIVATE saltus-application saltus ArchiveStatic::ArchiveStatic m)

# One large function: with instrumentation and sanitizers clang's optimizer needs minutes for it.
set_source_files_properties(src/code/interpret.c PROPERTIES
    COMPILE_DEFINITIONS INTERPRET_BY_SWITCH COMPILE_OPTIONS -O0)
