#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Fails if a program needs a shared library other than the C library's.
#
#   runtime_libraries.sh PROGRAM...

set -eu

status=0
for program in "$@"; do
    needed=$(objdump -p "$program" | sed -n 's/^ *NEEDED *//p')
    for library in $needed; do
        case $library in
        libc.so.* | libm.so.* | ld-linux*.so.*) ;;
        *)
            echo "$program needs $library"
            status=1
            ;;
        esac
    done
done
exit $status
