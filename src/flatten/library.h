// SPDX-License-Identifier: MIT
//
// The library: all classes that can be named. The files given by the user, and below the folders of
// the search path whatever a name asks for (section 13.4; see library_path.h), in the version that
// the files want. A package in a folder is read file by file, when a name asks for it.

#ifndef SALTUS_FLATTEN_LIBRARY_H
#define SALTUS_FLATTEN_LIBRARY_H

#include "flatten/class.h"

// Predefined types and the root; no files yet. `path`: folders separated by ':', may be NULL;
// is_standard: after them those of other programs are searched.
Library *library_create(Flattener *f, const char *path, bool is_standard);
Class *library_root(const Library *library);
// Libraries are searched beside this file, too, and in the folder above; the library that the file
// is part of comes first of all.
void library_search_beside(Flattener *f, const char *path);
// Reads a file, or the package in a folder, into the library. False after an error.
bool library_add(Flattener *f, const char *path);
// Adds what was parsed already.
void library_add_definition(Flattener *f, const StoredDefinition *definition);
// The last class of the files added that can be simulated: not partial; model, block or class. If
// all are in packages, the last one there.
// NULL: there is none.
Class *library_last_model(Flattener *f);
// The last class of the files added, whatever it is; NULL: they have none.
const ClassDefinition *library_last_class(const Flattener *f);
// A class of the top level, from the files or the search path; NULL: none.
Member *library_top(Flattener *f, const Name *name);
// The same without the search path: only what the user gave, or is predefined.
Member *library_given(Flattener *f, const Name *name);
// Says, as notes, where a library was looked for, and what to do.
void library_note_missing(Flattener *f, Diagnostic *error, const Name *name, Span span);
// The models and packages that the user's files have, not what is inside of them.
void library_list_given(Flattener *f, List *classes);
// The names of the top level that are known so far (texts).
void library_list_top(Flattener *f, List *names);
// Whether it is a predefined type.
bool library_is_prelude(const Flattener *f, const Member *member);
// Reads the file behind a member that was found in a folder. False after an error.
bool library_load(Flattener *f, Class *enclosing, Member *member);
// The members that the files in a package's folder make, appended to the package's own.
void library_list_folder(Flattener *f, Class *package);

// A class that is not in a library, but was in an earlier version of it: what its conversion script
// says (section 18.8.2.1).
void library_note_conversion(Flattener *f, Diagnostic *error, Class *in, const Name *name,
                             Span span);

#endif
