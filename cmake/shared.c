// SPDX-License-Identifier: MIT
//
// libsaltus.so consists of libsaltus.a; CMake wants a source file.

extern int saltus_shared_has_no_code_of_its_own;
