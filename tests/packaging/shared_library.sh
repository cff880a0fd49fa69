#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The shared library: its name, what it needs, and that it shows the public interface, all of it and
# nothing else, as versioned symbols.
#
#   shared_library.sh LIBRARY FOLDER-OF-HEADERS VERSION

set -eu
library=$1 headers=$2 version=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

minor=${version%.*}
name=$(objdump -p "$library" | sed -n 's/^ *SONAME *//p')
if [ "$name" != "libsaltus.so.$minor" ]; then
    echo "its name is $name, not libsaltus.so.$minor"
    exit 1
fi
"$(dirname "$0")/runtime_libraries.sh" "$library"

# (Without what belongs to the version itself.)
nm -D --defined-only "$library" | sed -n 's/.* T \([^@]*\)@@SALTUS_0\.1$/\1/p' | sort >"$scratch/shown"
sed 's://.*::' "$headers"/*.h | grep -o '\bsaltus_[a-z_]*(' | tr -d '(' | sort -u >"$scratch/public"
nm -D --defined-only "$library" | grep -vc ' A ' >"$scratch/all"
if ! diff "$scratch/public" "$scratch/shown"; then
    echo "the headers (<) and the library (>) differ"
    exit 1
fi
if [ "$(cat "$scratch/all")" -ne "$(wc -l <"$scratch/shown")" ]; then
    echo "the library shows more than functions of the public interface:"
    nm -D --defined-only "$library" | grep -v '@@SALTUS_0.1'
    exit 1
fi
echo "$(wc -l <"$scratch/shown") symbols"
