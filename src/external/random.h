// SPDX-License-Identifier: MIT
//
// Random numbers, by S. Vigna: An experimental exploration of Marsaglia's xorshift generators,
// scrambled (ACM TOMS 42, 2016), and: Further scramblings of Marsaglia's xorshift generators
// (J. Comput. Appl. Math. 315, 2017). Modelica has Integers of 32 bits: a word of the state is two
// of them, the lower half first.
//
// In xorshift64* and xorshift128+ the scrambled number is what is kept of the state, not the number
// before it was scrambled, as the papers have it: that is what the reference results of the
// Modelica library were made with, and equal seeds have to give equal noise. xorshift1024* is that
// of the paper.

#ifndef SALTUS_EXTERNAL_RANDOM_H
#define SALTUS_EXTERNAL_RANDOM_H

#include <stdint.h>

enum { RANDOM_WORDS = 16 };

// Of xorshift1024*: the words, and which is the present one.
typedef struct RandomState {
    uint64_t words[RANDOM_WORDS];
    uint32_t place;
    int32_t id; // that impureRandom has to name; 0: there is no state yet
} RandomState;

uint64_t random_64star(uint64_t *state);
uint64_t random_128plus(uint64_t state[2]);
uint64_t random_1024star(RandomState *state);
// A number of 64 bits as one of [0, 1]: read as a signed one, over 2^64, plus a half.
double random_unit(uint64_t number);

#endif
