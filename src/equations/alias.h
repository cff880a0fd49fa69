// SPDX-License-Identifier: MIT
//
// Alias elimination: equations a = b, a = -b, a = constant that make a variable another name.
//
// A union-find over the variables, with signs. Of a class of aliases one variable is kept: the one
// with the highest rank, then the one with the smallest number. A class with a value (a = 3, or
// a = -a) is constant. If two variables are aliases, so are their derivatives and theirs; but
// der(x) = v makes nothing an alias.

#ifndef SALTUS_EQUATIONS_ALIAS_H
#define SALTUS_EQUATIONS_ALIAS_H

#include "equations/dag.h"
#include "equations/walk.h"

typedef enum AliasKind {
    ALIAS_NONE,     // the variable stands for itself
    ALIAS_VARIABLE, // it is sign * target
    ALIAS_VALUE,    // it is `value`, which has the variability of a parameter or less
} AliasKind;

typedef struct Alias {
    AliasKind kind;
    int8_t sign; // +1, -1
    uint32_t target;
    Node value;
} Alias;

// What became of an equation.
typedef enum AliasUse {
    ALIAS_KEPT,          // it is no alias equation
    ALIAS_USED,          // the table says the same
    ALIAS_REDUNDANT,     // it follows from others
    ALIAS_CONTRADICTION, // it contradicts others (a = 1, a = 2)
} AliasUse;

typedef struct AliasTable {
    Alias *aliases; // one per variable that was there before; derivatives made since have none
    uint32_t variable_count;
    AliasUse *uses; // one per equation
    uint32_t used_count;
} AliasTable;

// Ranks: one per variable; those with a negative one are not touched. Makes the derivative of a
// variable that is kept where an alias has one.
AliasTable alias_find(Dag *dag, uint32_t count, const DagEquation *equations, const int *ranks);
// Fills an empty memo with the replacements, for walk_substitute.
void alias_map(Dag *dag, const AliasTable *table, DagMemo *map);

#endif
