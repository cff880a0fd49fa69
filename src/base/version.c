// SPDX-License-Identifier: MIT
//
// The version of the library, as the build knows it.

const char *saltus_version(void);

const char *saltus_version(void) {
    return SALTUS_VERSION_STRING;
}
