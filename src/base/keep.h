// SPDX-License-Identifier: MIT
//
// Keeping a little of what was made in an arena that is going to be destroyed: copies of what lies
// in it, in another arena. What lies elsewhere is shared and stays where it is.

#ifndef SALTUS_BASE_KEEP_H
#define SALTUS_BASE_KEEP_H

#include "base/arena.h"

typedef struct Keeper {
    Arena *to;
    const Arena *from;
    Arena *given; // `from` or a child of it whose large arrays nobody else needs; NULL: none. They
                  // are handed over instead of being copied, each through one pointer only
} Keeper;

// Whether it has to be copied: it lies in that arena or in a child of it, unless that is where
// copies go.
bool keep_is_needed(const Keeper *k, const void *address);
// The array, or its copy; NULL for NULL.
void *keep_array(const Keeper *k, const void *array, size_t count, size_t size);
const char *keep_text(const Keeper *k, const char *text);
const char *const *keep_texts(const Keeper *k, const char *const *texts, size_t count);

// Puts what is to be kept of the array in its place.
#define KEEP(keeper, array, count)                                                                 \
    ((array) = keep_array((keeper), (array), (size_t)(count), sizeof *(array)))

#endif
