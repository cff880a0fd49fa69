// SPDX-License-Identifier: MIT
//
// Where libraries are on disk, and in which versions. A library NAME is, in a folder of the search
// path, the folder NAME with its package.mo, the file NAME.mo, the FMU NAME.fmu, or a folder with
// its version, "NAME 4.1.0" (section 13.4), as OpenModelica's package manager and Dymola have them;
// a folder of the search path may also be that of the package itself.

#ifndef SALTUS_FLATTEN_LIBRARY_PATH_H
#define SALTUS_FLATTEN_LIBRARY_PATH_H

#include "flatten/collections.h"

#include <stdbool.h>

bool path_is_file(const char *path);
bool path_is_folder(const char *path);
const char *path_join(Arena *arena, const char *folder, const char *name);
// The folder that a path is in.
const char *path_folder(Arena *arena, const char *path);

// The outermost package that a file or folder belongs to: the highest folder above it with a
// package.mo in it and in all between. NULL: none.
const char *path_package(Arena *arena, const char *path);

// Folders in which other programs keep libraries: OpenModelica's, Dymola's.
void path_standard(Arena *arena, List *folders);

// What a folder has of a library: the wanted version (NULL: any), or else without a version in its
// name, or else the highest one. NULL: nothing. *version is that in the name; NULL: none.
const char *path_find(Arena *arena, const char *folder, const char *name, const char *wanted,
                      const char **version);

// Versions (section 18.8.1: numbers with dots, then maybe a text): below, equal or above. What
// follows a '+' does not count: 4.1.0+maint.om is 4.1.0.
int version_compare(const char *a, const char *b);

#endif
