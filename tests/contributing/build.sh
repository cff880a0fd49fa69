#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Does what CONTRIBUTING.md says, word by word: its solver and its result format are put where the
# page says, the line that it says into the list that it says, and nothing else. The engine and the
# results are compiled with them, and both are used by a program.
#
#   build.sh SOURCE_DIR CC LIBRARY...      the libraries of SUNDIALS, in link order

set -eu
source=$1 cc=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/src"
cp -r "$source/include" "$scratch"
for part in base numerics solvers events hybrid results; do
    cp -r "$source/src/$part" "$scratch/src"
done

# Blocks of the page that begin with "// FILE" are that file; those with "// in FILE, after: TEXT"
# are lines that go into it, behind the first line with this text.
awk -v root="$scratch" '
    /^```c$/ { getline; is_block = 1
        is_line = /^\/\/ in /
        file = $0; sub(/^\/\/ (in )?/, "", file); after = file
        sub(/, after: .*/, "", file); sub(/.*, after: /, "", after)
        is_ours = file ~ /^(src|include)\//
        if (is_ours) print file
        lines = ""; next }
    /^```$/ && is_block { is_block = 0
        if (is_ours && !is_line) { printf "%s", lines > (root "/" file); close(root "/" file) }
        if (is_ours && is_line) {
            text = ""; is_done = 0
            while ((getline line < (root "/" file)) > 0) {
                text = text line "\n"
                if (!is_done && index(line, after)) { text = text lines; is_done = 1 }
            }
            close(root "/" file)
            if (!is_done) { print "no line \"" after "\" in " file; exit 1 }
            printf "%s", text > (root "/" file); close(root "/" file)
        }
        next }
    is_block { lines = lines $0 "\n" }
' "$source/CONTRIBUTING.md" >"$scratch/files"
cat "$scratch/files"
[ "$(wc -l <"$scratch/files")" -eq 4 ] # two files, two lines

cp "$source"/tests/contributing/*.c "$scratch"
cd "$scratch"
cat >compile <<END
exec $cc -std=c17 -D_XOPEN_SOURCE=700 '-DSALTUS_VERSION_STRING="0"' -ffp-contract=off \\
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude -Isrc \\
    $(printf ' -I%s' ${SUNDIALS_INCLUDE:-}) -O0 -c "\$1" -o "\$(echo "\$1" | tr ./ __).o"
END
for file in src/*/*.c ./*.c; do
    printf '%s\0' "$file"
done | xargs -0 -P 2 -n 1 sh ./compile
$cc ./*.o "$@" -lm -lpthread -lz -o added
./added "$scratch/table.tsv"
