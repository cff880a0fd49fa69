#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs Saltus into an empty prefix, moves the tree, and builds a program outside the repository
# against it: once with find_package(Saltus), once with pkg-config. Both must run, print the
# installed version and need no shared library but those of the C library.
#
#   outside_program.sh BUILD_DIR SOURCE_DIR VERSION CC

set -eu
build=$1 source=$2 version=$3 cc=$4

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/first" >"$scratch/install.log"
mv "$scratch/first" "$scratch/moved"
prefix=$scratch/moved
cp -r "$source/tests/packaging/outside" "$scratch/outside"

for file in man/man1/saltus.1 man/man1/saltus-simulate.1 bash-completion/completions/saltus \
    zsh/site-functions/_saltus fish/vendor_completions.d/saltus.fish; do
    if [ ! -s "$prefix/share/$file" ]; then
        echo "$file is not installed"
        exit 1
    fi
done

check() { # check HOW PROGRAM
    printed=$("$2")
    if [ "$printed" != "$version" ]; then
        echo "$1: printed '$printed', expected '$version'"
        exit 1
    fi
    "$source/tests/packaging/runtime_libraries.sh" "$2"
    echo "$1: fine"
}

cmake -S "$scratch/outside" -B "$scratch/with-cmake" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$scratch/with-cmake"
check find_package "$scratch/with-cmake/outside"

pc=$(find "$prefix" -name saltus.pc)
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion saltus)" = "$version" ]
# shellcheck disable=SC2046 # the flags are meant to be split
"$cc" "$scratch/outside/main.c" -o "$scratch/with-pkg-config" \
    $(pkg-config --cflags --libs saltus)
check pkg-config "$scratch/with-pkg-config"

# With the shared library, which needs no others.
# shellcheck disable=SC2046
"$cc" "$scratch/outside/main.c" -o "$scratch/with-shared" \
    $(pkg-config --cflags --libs saltus-shared)
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libsaltus.so)")
export LD_LIBRARY_PATH
printed=$("$scratch/with-shared")
[ "$printed" = "$version" ]
objdump -p "$scratch/with-shared" | grep -q 'NEEDED *libsaltus.so'
echo "shared library: fine"
