// SPDX-License-Identifier: MIT
//
// The version of the library. CMakeLists.txt is the one place where it is written.

#include <saltus/saltus.h>

const char *saltus_version(void)
{
    return SALTUS_VERSION_STRING;
}
