// SPDX-License-Identifier: MIT
//
// Calls of external functions by hand: the arguments one after the other, then hand_run.

#ifndef SALTUS_TESTS_EXTERNAL_HAND_H
#define SALTUS_TESTS_EXTERNAL_HAND_H

#include "external/external.h"

enum { HAND_MOST = 66 };

// Letters as in signatures, arrays with their sizes.
typedef struct Hand {
    ExternalCall call;
    ExternalArgument arguments[EXTERNAL_MOST_ARGUMENTS];
    double numbers[EXTERNAL_MOST_ARGUMENTS][HAND_MOST];
    const char *texts[EXTERNAL_MOST_ARGUMENTS][4];
    uint32_t dims[EXTERNAL_MOST_ARGUMENTS][2];
} Hand;

extern Hand hand;

void hand_begin(Arena *arena);
void hand_number(double value);
void hand_text(const char *value);
void hand_texts(uint32_t count); // that are written
// columns 0: a vector; values NULL: zeros
void hand_array(uint32_t rows, uint32_t columns, const double *values);
bool hand_run(const char *name);

#endif
