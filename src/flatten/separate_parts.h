// SPDX-License-Identifier: MIT
//
// What the files of separate share: separate.c finds the parts, separate_read.c goes through them.

#ifndef SALTUS_FLATTEN_SEPARATE_PARTS_H
#define SALTUS_FLATTEN_SEPARATE_PARTS_H

#include "flatten/separate.h"

// Lists of a flat model whose items are the elements that variables are connected by.
typedef enum SeparateList {
    SEPARATE_EQUATIONS,
    SEPARATE_INITIAL_EQUATIONS,
    SEPARATE_CONDITIONALS,
    SEPARATE_WHENS,
    SEPARATE_ALGORITHMS,
    SEPARATE_INITIAL_ALGORITHMS,
    SEPARATE_ASSERTIONS,
    SEPARATE_LISTS,
} SeparateList;

typedef struct SeparateSeen {
    const FlatExpression *node;
    FlatExpression *copy;
    uint32_t number;
    uint32_t element; // that it was first met in
} SeparateSeen;

// Goes through what belongs to a part, and does one of three things.
typedef enum SeparateAim {
    SEPARATE_MARK, // notes which variables are read
    SEPARATE_JOIN, // connects what an element contains
    SEPARATE_READ, // writes down the part, so that two that are the same have the same words
    SEPARATE_COPY, // makes a model of it
} SeparateAim;

typedef struct Separator {
    Arena *arena;
    const FlatModel *flat;
    const double *values;
    SeparateAim aim;
    bool is_refused;
    uint32_t first[SEPARATE_LISTS + 1]; // element of each list, behind the variables
    uint32_t *parent;                   // union-find
    // Observers: equations that determine a variable which nothing else reads but other observers.
    bool *is_read;              // by variable: by what is no observer
    uint32_t *observer;         // by variable: the equation, or UINT32_MAX
    FlatVariable **observed;    // by equation: its variable, or NULL
    uint32_t *list, list_count; // variables that were found to be read, and not looked at yet
    uint32_t element;           // SEPARATE_JOIN: the present one
    // Of the present part:
    uint32_t part;
    uint32_t *part_of;   // by variable and element; of a parameter: the last one that it was met in
    uint32_t *number;    // by variable: in the part
    uint32_t *start;     // by variable: the parameter that is its start value
    uint32_t *variables; // of the part
    uint32_t count, room;
    struct {
        uint64_t *words;
        size_t count, room;
    } written;
    SeparateSeen *seen; // calls that were met: a hash table
    uint32_t seen_count, seen_room;
    FlatModel *model;
    FlatVariable *copies;  // by number in the part
    FlatIf **conditionals; // by number in the whole
    uint32_t relation_room;
    // What was written down of each model: a hash table.
    struct {
        struct {
            const uint64_t *words;
            size_t count;
            uint64_t hash;
            uint32_t next; // with the same hash, modulo the size of the table; from 1
        } * items;
        uint32_t *heads; // from 1
        uint32_t count, mask;
    } classes;
} Separator;

static inline bool separate_is_parameter(const FlatVariable *v)
{
    return v->kind <= FLAT_PARAMETER;
}

// A word of what is written down.
void separate_word(Separator *s, uint64_t word);
void separate_address(Separator *s, const void *address);
// The variable is the next one of the part.
void separate_add(Separator *s, const FlatVariable *v);
// Forgets the calls that were met.
void separate_forget(Separator *s);
// The list that an element is of.
SeparateList separate_list_of(const Separator *s, uint32_t element);
// Whether numbers are computed by operators on Reals alone, without events and this variable.
bool separate_is_plain(const FlatExpression *e, const FlatVariable *but);
// Goes through an item of a list, and through the attributes of a variable, which are copied.
void separate_element(Separator *s, SeparateList list, uint32_t i);
const FlatAttributes *separate_attributes(Separator *s, const FlatVariable *v);

#endif
