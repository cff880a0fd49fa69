# SPDX-License-Identifier: MIT
#
# The Python package: python/src/saltus with the extension module saltus/_core, which is built here and
# has the library inside. It uses the stable ABI of Python 3.11, so one file serves all later
# versions, and no header of NumPy: arrays come out of it by the buffer protocol.
#
#   SALTUS_PYTHON       the interpreter; by default one that has NumPy, Debian's first
#   SALTUS_PYTHON_DIR   where the package is installed, below the prefix
#
# In the build folder the package is build/python/saltus. Without an interpreter and its headers
# (Debian: python3-dev) there is none; nothing else depends on it.

set(SALTUS_PYTHON "" CACHE FILEPATH "Python interpreter to build the package for")
set(SALTUS_PYTHON_DIR "" CACHE STRING "Where the Python package is installed, below the prefix")

# Says where the headers are, the place for packages, and whether there is NumPy.
set(python_question [[
import os, sys, sysconfig
include = sysconfig.get_path("include")
assert sys.version_info >= (3, 11) and os.path.exists(os.path.join(include, "Python.h"))
try:
    import numpy
    numpy = numpy.__version__
except ImportError:
    numpy = "none"
is_debian = "deb_system" in sysconfig.get_scheme_names()
print(include, "lib/python%d.%d/%s" % (sys.version_info[:2] + (
    "dist-packages" if is_debian else "site-packages",)), numpy, sep=";")
]])

function(saltus_find_python result)
    set(${result} "" PARENT_SCOPE)
    find_program(saltus_path_python python3)
    mark_as_advanced(saltus_path_python)
    set(candidates /usr/bin/python3 ${saltus_path_python})
    if(SALTUS_PYTHON)
        set(candidates ${SALTUS_PYTHON})
    endif()
    foreach(candidate IN LISTS candidates)
        execute_process(COMMAND "${candidate}" -c "${python_question}"
            OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
            RESULT_VARIABLE failed ERROR_QUIET)
        if(NOT failed)
            list(GET answer 2 numpy)
            if(NOT found OR found_numpy STREQUAL "none")
                set(found "${candidate};${answer}")
                set(found_numpy "${numpy}")
            endif()
        endif()
    endforeach()
    set(${result} "${found}" PARENT_SCOPE)
endfunction()

if(NOT SALTUS_SANITIZE AND NOT SALTUS_COVERAGE AND NOT SALTUS_FUZZ AND NOT CMAKE_CROSSCOMPILING)
    saltus_find_python(python)
endif()
if(NOT python)
    message(STATUS "No Python package: no python3 (3.11 or later) with its headers")
    return()
endif()
list(GET python 0 python_interpreter)
list(GET python 1 python_include)
list(GET python 2 python_place)
list(GET python 3 python_numpy)
if(NOT SALTUS_PYTHON_DIR)
    set(SALTUS_PYTHON_DIR "${python_place}")
endif()
message(STATUS "Python package for ${python_interpreter}, NumPy: ${python_numpy}")

file(GLOB python_native CONFIGURE_DEPENDS python/native/*.c)
add_library(saltus-python MODULE ${python_native})
saltus_compile_options(saltus-python)
# Tables of slots have functions as `void *`, which ISO C does not know.
target_compile_options(saltus-python PRIVATE -Wno-pedantic)
target_compile_definitions(saltus-python PRIVATE Py_LIMITED_API=0x030B0000)
target_include_directories(saltus-python PRIVATE src)
target_include_directories(saltus-python SYSTEM PRIVATE "${python_include}")
set_target_properties(saltus-python PROPERTIES
    PREFIX "" OUTPUT_NAME _core SUFFIX .abi3.so
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/python/saltus"
    LINK_DEPENDS "${PROJECT_SOURCE_DIR}/python/native/core.map")
target_link_options(saltus-python PRIVATE
    "LINKER:--version-script=${PROJECT_SOURCE_DIR}/python/native/core.map,--gc-sections")
target_link_libraries(saltus-python PRIVATE saltus-application saltus Threads::Threads m)

file(GLOB python_files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/python/src/saltus"
    python/src/saltus/*.py python/src/saltus/*.pyi python/src/saltus/py.typed)
foreach(file IN LISTS python_files)
    configure_file("python/src/saltus/${file}" "${PROJECT_BINARY_DIR}/python/saltus/${file}" COPYONLY)
    install(FILES "python/src/saltus/${file}" DESTINATION "${SALTUS_PYTHON_DIR}/saltus")
endforeach()
install(TARGETS saltus-python LIBRARY DESTINATION "${SALTUS_PYTHON_DIR}/saltus")

# ---- tests/python/test_*.py: a program each, with unittest ----------------------------------------

if(NOT BUILD_TESTING)
    return()
endif()
file(GLOB python_tests CONFIGURE_DEPENDS tests/python/test_*.py)
foreach(source IN LISTS python_tests)
    get_filename_component(name "${source}" NAME_WE)
    string(REGEX REPLACE "^test_" "" name "${name}")
    add_test(NAME "python/${name}" COMMAND "${python_interpreter}" -W error "${source}")
    # 77: there is no NumPy.
    set_tests_properties("python/${name}" PROPERTIES LABELS python TIMEOUT 600 SKIP_RETURN_CODE 77
        ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python;SALTUS_SOURCE_DIR=${PROJECT_SOURCE_DIR};SALTUS_BINARY_DIR=${PROJECT_BINARY_DIR};PYTHONDONTWRITEBYTECODE=1")
endforeach()
