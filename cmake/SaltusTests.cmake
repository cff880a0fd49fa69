# SPDX-License-Identifier: MIT
#
# Finds and registers the tests, examples and benchmarks (see the list in CMakeLists.txt).
#
# CTest labels: the part's name; and `threads` for a test whose file name contains "thread".

find_package(cmocka REQUIRED)

# Seconds a test may take, on a machine that is busy with other things, too.
set(test_timeout 1800) # what hangs ends; on a busy machine others take minutes

function(saltus_program target sources folder)
    add_executable(${target} ${sources})
    saltus_compile_options(${target})
    # A check made with assert() must not vanish in a release build.
    target_compile_options(${target} PRIVATE -UNDEBUG)
    set_target_properties(${target} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${folder}")
    target_link_libraries(${target} PRIVATE saltus m)
endfunction()

# ---- examples/models/*.c: systems that examples, tests and benchmarks share ----------------------

file(GLOB model_sources CONFIGURE_DEPENDS examples/models/*.c)
add_library(saltus-models STATIC ${model_sources})
saltus_compile_options(saltus-models)
target_include_directories(saltus-models PUBLIC "${PROJECT_SOURCE_DIR}/examples")
target_link_libraries(saltus-models PUBLIC saltus m)

# ---- tests/<part>/test_*.c -----------------------------------------------------------------------

file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
add_library(saltus-test-support STATIC ${support_sources})
saltus_compile_options(saltus-test-support)
target_compile_options(saltus-test-support PRIVATE -UNDEBUG)
target_include_directories(saltus-test-support
    PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" ${CMOCKA_INCLUDE_DIR})
target_link_libraries(saltus-test-support PUBLIC
    saltus-application saltus SundialsStatic::SundialsStatic)

# Helpers of one folder, a library that its programs are linked with: each is compiled once.
function(saltus_test_helpers part)
    if(TARGET saltus-test-${part})
        return()
    endif()
    file(GLOB helpers CONFIGURE_DEPENDS tests/${part}/*.c)
    list(FILTER helpers EXCLUDE REGEX "/test_[^/]*$")
    if(part STREQUAL "faults") # of the command, too
        list(APPEND helpers tests/cli/command.c src/cli/terminal.c)
    endif()
    if(helpers)
        add_library(saltus-test-${part} STATIC ${helpers})
        saltus_compile_options(saltus-test-${part})
        saltus_test_settings(saltus-test-${part} ${part})
    endif()
endfunction()

# What a program of tests/<part>/, or the library of its helpers, is compiled with.
function(saltus_test_settings target part)
    target_compile_options(${target} PRIVATE -UNDEBUG)
    target_include_directories(${target} PRIVATE
        "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests" ${CMOCKA_INCLUDE_DIR})
    target_compile_definitions(${target} PRIVATE SALTUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    if(part STREQUAL "fmi")
        target_compile_definitions(${target} PRIVATE
            SALTUS_FMU_LIBRARY="$<TARGET_FILE:saltus-fmu>")
        add_dependencies(${target} saltus-fmu)
        target_link_libraries(${target} PRIVATE ArchiveStatic::ArchiveStatic)
    endif()
    target_link_libraries(${target} PRIVATE saltus-test-support saltus-application saltus-models
        SundialsStatic::SundialsStatic ${CMOCKA_LIBRARIES} Threads::Threads)
endfunction()

add_custom_target(tests-with-threads) # those of the label `threads`
file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c)
foreach(source IN LISTS test_sources)
    get_filename_component(part "${source}" DIRECTORY)
    get_filename_component(part "${part}" NAME)
    get_filename_component(name "${source}" NAME_WE)
    string(REGEX REPLACE "^test_" "" name "${name}")
    set(target "test-${part}-${name}")
    saltus_test_helpers(${part})

    saltus_program(${target} "${source}" "tests/${part}")
    if(TARGET saltus-test-${part})
        target_link_libraries(${target} PRIVATE saltus-test-${part})
    endif()
    saltus_test_settings(${target} ${part})

    set(labels "${part}")
    if(name MATCHES "thread")
        list(APPEND labels threads)
        add_dependencies(tests-with-threads ${target})
    endif()
    add_test(NAME "${part}/${name}" COMMAND ${target})
    set_tests_properties("${part}/${name}" PROPERTIES
        LABELS "${labels}" TIMEOUT ${test_timeout})
endforeach()

# Counts every allocation, also those behind the hooks (SUNDIALS).
if(TARGET test-hybrid-allocation)
    target_link_options(test-hybrid-allocation PRIVATE
        LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc)
endif()

# It replaces malloc itself; tools/mutants links all programs with the leak sanitizer.
if(TARGET test-solvers-sundials_memory AND NOT SALTUS_SANITIZE)
    target_link_options(test-solvers-sundials_memory PRIVATE -fno-sanitize=leak)
endif()

# ---- examples/*.c and docs/hello.c ---------------------------------------------------------------

file(GLOB example_sources CONFIGURE_DEPENDS examples/*.c docs/hello.c)
foreach(source IN LISTS example_sources)
    get_filename_component(name "${source}" NAME_WE)
    saltus_program(example-${name} "${source}" examples)
    target_link_libraries(example-${name} PRIVATE saltus-models)
    add_test(NAME "examples/${name}" COMMAND example-${name})
    set_tests_properties("examples/${name}" PROPERTIES
        LABELS examples TIMEOUT ${test_timeout})
endforeach()

# ---- benchmarks/*/bench_*.c ----------------------------------------------------------------------

file(GLOB bench_support_sources CONFIGURE_DEPENDS benchmarks/support/*.c)
add_library(saltus-bench-support STATIC ${bench_support_sources})
saltus_compile_options(saltus-bench-support)
target_include_directories(saltus-bench-support PUBLIC
    "${PROJECT_SOURCE_DIR}/benchmarks" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(saltus-bench-support PUBLIC saltus)
file(GLOB bench_sources CONFIGURE_DEPENDS benchmarks/*/bench_*.c)
foreach(source IN LISTS bench_sources)
    get_filename_component(name "${source}" NAME_WE)
    string(REPLACE "_" "-" target "${name}")
    saltus_program(${target} "${source}" benchmarks)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_compile_definitions(${target} PRIVATE SALTUS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    if(name STREQUAL "bench_fmi")
        target_compile_definitions(${target} PRIVATE
            SALTUS_FMU_LIBRARY="$<TARGET_FILE:saltus-fmu>")
        add_dependencies(${target} saltus-fmu)
        target_link_libraries(${target} PRIVATE ArchiveStatic::ArchiveStatic)
    endif()
    target_link_libraries(${target} PRIVATE
        saltus-bench-support saltus-application saltus-models SundialsStatic::SundialsStatic Threads::Threads)
endforeach()
# Kernels are compiled for this machine; the loops that they are compared to must be, too.
if(NOT SALTUS_SANITIZE)
    target_compile_options(bench-sweep PRIVATE -march=native -ffp-contract=fast -fno-math-errno)
endif()

# ---- documentation -------------------------------------------------------------------------------

file(GLOB pages CONFIGURE_DEPENDS README.md docs/*.md)
add_test(NAME docs/examples
    COMMAND "${PROJECT_SOURCE_DIR}/tools/check-docs" "${PROJECT_BINARY_DIR}" ${pages})
add_test(NAME docs/reference
    COMMAND "${PROJECT_SOURCE_DIR}/tools/check-reference" ${pages})
add_test(NAME docs/library
    COMMAND "${PROJECT_SOURCE_DIR}/tools/check-library" "${PROJECT_BINARY_DIR}")
add_test(NAME docs/names COMMAND "${PROJECT_SOURCE_DIR}/tools/check-names")
# Objects of a sanitized or instrumented build have symbols that are not ours.
if(NOT SALTUS_SANITIZE AND NOT SALTUS_COVERAGE)
    if(NOT CMAKE_C_COMPILER_NM)
        set(CMAKE_C_COMPILER_NM ${CMAKE_NM})
    endif()
    add_test(NAME docs/layers COMMAND "${PROJECT_SOURCE_DIR}/tools/check-layers"
        "${PROJECT_BINARY_DIR}" "${CMAKE_C_COMPILER_NM}")
    set_tests_properties(docs/layers PROPERTIES LABELS docs TIMEOUT ${test_timeout})
endif()
set_tests_properties(docs/examples docs/library docs/reference docs/names PROPERTIES LABELS docs TIMEOUT ${test_timeout})

find_program(SALTUS_PYTHON3 python3)
if(SALTUS_PYTHON3)
    add_test(NAME docs/shape COMMAND "${PROJECT_SOURCE_DIR}/tools/check-shape")
    set_tests_properties(docs/shape PROPERTIES LABELS docs TIMEOUT ${test_timeout})
endif()

# What the command prints is what it printed before.
file(GLOB golden_texts CONFIGURE_DEPENDS tests/golden/*.txt)
if(SALTUS_PYTHON3 AND TARGET saltus-cli AND NOT SALTUS_SANITIZE) # many calls, each a moment
    foreach(text IN LISTS golden_texts)
        get_filename_component(name "${text}" NAME_WE)
        add_test(NAME "golden/${name}" COMMAND "${SALTUS_PYTHON3}"
            "${PROJECT_SOURCE_DIR}/tools/check-golden" "${PROJECT_BINARY_DIR}" "${name}")
        set_tests_properties("golden/${name}" PROPERTIES LABELS golden TIMEOUT ${test_timeout})
    endforeach()
endif()

# Models as FMUs, run by Saltus itself, and by fmusim where that is found.
if(SALTUS_PYTHON3 AND TARGET saltus-cli AND NOT SALTUS_SANITIZE)
    add_test(NAME fmi/roundtrip COMMAND "${SALTUS_PYTHON3}"
        "${PROJECT_SOURCE_DIR}/tools/check-fmus" --saltus "$<TARGET_FILE:saltus-cli>")
    add_test(NAME fmi/sources COMMAND "${PROJECT_SOURCE_DIR}/tests/fmi/sources.sh"
        "$<TARGET_FILE:saltus-cli>" "${CMAKE_C_COMPILER}" "${PROJECT_SOURCE_DIR}/models")
    set_tests_properties(fmi/roundtrip fmi/sources PROPERTIES LABELS fmi TIMEOUT ${test_timeout})
endif()

# What CONTRIBUTING.md says is enough to add a solver, a result format and a command.
if(NOT SALTUS_SANITIZE AND NOT SALTUS_COVERAGE)
    add_test(NAME contributing/build
        COMMAND "${PROJECT_SOURCE_DIR}/tests/contributing/build.sh" "${PROJECT_SOURCE_DIR}"
            "${CMAKE_C_COMPILER}" ${SundialsStatic_LIBRARIES})
    set_tests_properties(contributing/build PROPERTIES LABELS contributing TIMEOUT ${test_timeout}
        ENVIRONMENT "SUNDIALS_INCLUDE=${SUNDIALS_INCLUDE_DIR} ${KLU_INCLUDE_DIR};\
SALTUS_LIBRARIES=$<TARGET_FILE:saltus-application> $<TARGET_FILE:saltus>;\
SALTUS_ARCHIVE=${MINIZIP_ARCHIVE} ${ZLIB_ARCHIVE} ${EXPAT_ARCHIVE}")
endif()

# ---- many machines -------------------------------------------------------------------------------

# Open MPI itself does not please the sanitizers.
find_program(SALTUS_MPIRUN mpirun)
if(TARGET saltus-mpi AND SALTUS_MPIRUN AND NOT SALTUS_SANITIZE)
    add_test(NAME mpi/sweep
        COMMAND "${PROJECT_SOURCE_DIR}/tools/check-mpi" "${PROJECT_BINARY_DIR}")
    set_tests_properties(mpi/sweep PROPERTIES LABELS mpi TIMEOUT ${test_timeout})
endif()

# ---- packaging -----------------------------------------------------------------------------------

# An instrumented library cannot be linked by a program that is not.
if(NOT SALTUS_SANITIZE AND NOT SALTUS_COVERAGE)
    add_test(NAME packaging/outside_program
        COMMAND "${PROJECT_SOURCE_DIR}/tests/packaging/outside_program.sh"
            "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}" "${PROJECT_VERSION}"
            "${CMAKE_C_COMPILER}")
    set_tests_properties(packaging/outside_program PROPERTIES
        LABELS packaging TIMEOUT ${test_timeout})
    add_test(NAME packaging/shared_library
        COMMAND "${PROJECT_SOURCE_DIR}/tests/packaging/shared_library.sh"
            $<TARGET_FILE:saltus-shared> "${PROJECT_SOURCE_DIR}/include/saltus"
            "${PROJECT_VERSION}")
    set_tests_properties(packaging/shared_library PROPERTIES LABELS packaging)
    if(TARGET saltus-cli)
        add_test(NAME packaging/command_libraries
            COMMAND "${PROJECT_SOURCE_DIR}/tests/packaging/runtime_libraries.sh"
                $<TARGET_FILE:saltus-cli>)
        set_tests_properties(packaging/command_libraries PROPERTIES LABELS packaging)
    endif()
endif()
