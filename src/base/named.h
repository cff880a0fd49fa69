// SPDX-License-Identifier: MIT
//
// Names and their numbers, sorted for finding one; names and what they are set to.

#ifndef SALTUS_BASE_NAMED_H
#define SALTUS_BASE_NAMED_H

#include <stdlib.h>
#include <string.h>

typedef struct NamedNumber {
    const char *name;
    int number;
} NamedNumber;

static inline int named_compare(const void *a, const void *b)
{
    return strcmp(((const NamedNumber *)a)->name, ((const NamedNumber *)b)->name);
}

static inline void named_sort(NamedNumber *items, size_t count)
{
    if (count > 0)
        qsort(items, count, sizeof *items, named_compare);
}

// The number of the name; -1: it is not there.
static inline int named_find(const NamedNumber *items, size_t count, const char *name)
{
    const NamedNumber key = {.name = name};
    const NamedNumber *found =
        count > 0 ? bsearch(&key, items, count, sizeof key, named_compare) : NULL;
    return found ? found->number : -1;
}

// What a parameter or an option is set to.
typedef struct NamedSetting {
    const char *name;
    const char *text; // a number, a word (true, the literal of an enumeration), an expression, the
                      // text of a String; NULL: the value
    double value;     // Booleans: 0 and 1; enumerations: their number from 1
} NamedSetting;

#endif
