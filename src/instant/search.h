// SPDX-License-Identifier: MIT
//
// The search for conditions that agree with what follows from them, when updating them one after
// the other goes in circles: all combinations, as long as there are few conditions. Every
// combination starts from the same left limits; none is kept unless it agrees.

#ifndef SALTUS_INSTANT_SEARCH_H
#define SALTUS_INSTANT_SEARCH_H

#include "modes/model_parts.h"

// More conditions are not searched: 2^12 combinations take as many solutions of the equations.
enum { SEARCH_MOST_CONDITIONS = 12 };

typedef struct Search {
    const Mode *mode;
    double *held;
    void *user;
    // Solves with the held values as they are, and says whether they are what then holds. It may
    // change them.
    bool (*agrees)(void *user);
} Search;

// True: found, the held values are set. False: there is none, or there are too many; the held
// values are as before.
bool search_conditions(const Search *search);

// The conditions whose held values differ from `before`, in words: "x > 0 (m.mo, line 3), ...".
void search_describe(const Mode *mode, const double *before, const double *held, char *text,
                     size_t size);

#endif
