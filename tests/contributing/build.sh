#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Does what CONTRIBUTING.md says, word by word: its solver, its result format and its command are put
# where the page says, the line that it says into the list that it says, and nothing else. The engine
# and the results are compiled with the first two, which are used by a program; the command line with
# the third, which is used as users do. Its function stands in the table as the page shows it.
#
#   build.sh SOURCE_DIR CC LIBRARY...      the libraries of SUNDIALS, in link order
#
# SALTUS_LIBRARIES: what the command is linked with before these, SALTUS_ARCHIVE: and after them.

set -eu
source=$1 cc=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/src"
cp -r "$source/include" "$scratch"
for part in base numerics solvers events hybrid results cli; do
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
[ "$(wc -l <"$scratch/files")" -eq 6 ] # three files, three lines

cp "$source"/tests/contributing/*.c "$scratch"
cd "$scratch"

# The row of the function is that of the table.
awk '/^```c$/ { getline; if (/^FUNCTION/) { is_row = 1 } } /^```$/ { is_row = 0 } is_row' \
    "$source/CONTRIBUTING.md" >row
[ "$(wc -l <row)" -eq 4 ]
first=$(grep -nFx "$(head -n 1 row)" src/base/operator_table.h | cut -d : -f 1)
sed -n "$first,$((first + 3))p" src/base/operator_table.h | cmp - row

# The command, with the libraries as they are.
mkdir command
mv src/cli command
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

cd command
sed -e "s|-Iinclude -Isrc|-I. -I$source/include -I$source/src '-DSALTUS_FMU_FOLDER=\"lib\"'|" ../compile >compile
for file in cli/*.c; do
    printf '%s\0' "$file"
done | xargs -0 -P 2 -n 1 sh ./compile
$cc ./*.o $SALTUS_LIBRARIES "$@" $SALTUS_ARCHIVE -lm -lpthread -o saltus
printf 'time,x\n0,1\n1,2\n2,3\n' >table.csv
[ "$(./saltus count table.csv)" = '3 rows' ]
[ "$(./saltus count --bare table.csv)" = 3 ]
./saltus help | grep -q '^  count *say how many rows a result file has$'
./saltus help count | grep -q -- '--bare *print the number alone'
./saltus help --write=share >/dev/null
grep -q bare share/man/man1/saltus-count.1
grep -q count share/bash-completion/completions/saltus
