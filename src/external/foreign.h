// SPDX-License-Identifier: MIT
//
// Functions of a user's own C code or library (Modelica specification, section 12.9): where the
// user has allowed it, and only there.
//
// Around each function the C compiler of the machine makes a library of its own, with the code of
// the clause's Include annotation and one function that takes an ExternalCall: so a foreign
// function is called as those that Saltus has. A constructor of external objects makes an object
// once for equal arguments; destructors are called when the store ends.

#ifndef SALTUS_EXTERNAL_FOREIGN_H
#define SALTUS_EXTERNAL_FOREIGN_H

#include "external/external.h"

enum { FOREIGN_MOST = 16 }; // of each list

// Texts of an annotation.
typedef struct ForeignList {
    const char *items[FOREIGN_MOST];
    uint32_t count;
} ForeignList;

typedef struct ForeignDef {
    const char *name;      // of the C function
    const char *signature; // see ExternalInfo
    // For each letter: ' ', or 'b' and then 'm's for the members of a record, which C sees as the
    // pointer to a struct of them (section 12.9.1.3); 'r' and 'm's: the struct is the result.
    const char *members;
    bool is_fortran;        // FORTRAN 77: pointers to everything, matrices by columns
    const char *destructor; // of the objects that it makes; NULL: it makes none
    ForeignList includes;   // C code
    ForeignList folders;    // of headers
    ForeignList libraries;  // names without "lib" and ".so", or files
    ForeignList paths;      // of libraries
} ForeignDef;

// The same function again is the same. NULL: it cannot be made; the message, in the arena, says
// why.
const ExternalInfo *foreign_load(ExternalStore *store, Arena *arena, const ForeignDef *def,
                                 const char **message);

// What a store keeps of them.
typedef struct Foreign Foreign;
void foreign_free(Foreign *list); // NULL is allowed

#endif
