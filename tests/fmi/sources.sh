#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The sources of an FMU build it: tests/fmi/sources.sh SALTUS CC MODELS
#
# As an importer would: the files that the description names, with no include folder but theirs. The
# library that comes of it gives the same results to the last bit, without the compiled code that was
# in the FMU. The FMU is unpacked and packed by Python, which is everywhere where ctest is.

set -eu
saltus=$1 cc=$2 models=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$saltus" fmu -q --sources "$models/modes/CupAndBall.mo" CupAndBall.Inelastic -o first.fmu
"$saltus" simulate -q first.fmu --allow-external -o first.csv
mkdir fmu
python3 -c 'import zipfile; zipfile.ZipFile("first.fmu").extractall("fmu")'
sed -n 's/ *<File name="\(.*\)"\/>/\1/p' fmu/modelDescription.xml >files
grep -q '^compiled/mode_2.c$' files
grep -q '^fmu/built_in.c$' files
(cd fmu/sources && xargs -P 2 -n 8 sh -c \
    'for f; do '"$cc"' -c -O0 -w -fPIC -I . "$f" -o "$f.o" || exit 255; done' sh <"$work/files")
rm -r fmu/binaries/linux64/*
"$cc" -shared -Wl,--no-undefined $(find fmu/sources -name '*.o') \
    -o fmu/binaries/linux64/CupAndBall_Inelastic.so \
    -lsundials_cvode -lsundials_ida -lsundials_sunlinsolklu -lsundials_sunlinsoldense \
    -lsundials_sunmatrixsparse -lsundials_sunmatrixdense -lsundials_nvecserial \
    -lsundials_generic -lklu -lm
find fmu/sources -name '*.o' -delete
python3 - <<'P'
import os, zipfile
with zipfile.ZipFile("second.fmu", "w") as archive:
    for folder, _, names in os.walk("fmu"):
        for name in names:
            path = os.path.join(folder, name)
            archive.write(path, os.path.relpath(path, "fmu"))
P
"$saltus" simulate -q second.fmu --allow-external -o second.csv
cmp first.csv second.csv
