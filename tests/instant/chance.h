// SPDX-License-Identifier: MIT
//
// Reproducible chance, text that grows, and the counting of outcomes, for random tests.
//
// A family of random models has a Requirement: how many of its models may be refused today, and how
// many once the search at an instant is complete. None may be wrong.

#ifndef SALTUS_TESTS_INSTANT_CHANCE_H
#define SALTUS_TESTS_INSTANT_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

// ---- chance -------------------------------------------------------------------------------------

typedef struct Chance {
    uint64_t state;
} Chance;

// Two seeds that differ give sequences that differ from the first number on.
Chance chance_from(uint64_t seed);
double chance_between(Chance *c, double low, double high);
int chance_below(Chance *c, int limit); // 0 to limit - 1
bool chance_is(Chance *c, double probability);
// Two decimals, so that texts are short and read back as the same number.
double chance_rounded(Chance *c, double low, double high);

// How many cases of a family: `usual`, or as many as the environment's SALTUS_RANDOM says.
int chance_cases(int usual);

// ---- text ---------------------------------------------------------------------------------------

enum { WRITING_SIZE = 16384 };

typedef struct Writing {
    int length;
    char text[WRITING_SIZE];
} Writing;

void writing_clear(Writing *w);
__attribute__((format(printf, 2, 3))) void writing_add(Writing *w, const char *format, ...);

// ---- outcomes -----------------------------------------------------------------------------------

typedef enum Outcome { OUTCOME_RIGHT, OUTCOME_REFUSED, OUTCOME_WRONG } Outcome;

typedef struct Requirement {
    const char *family;
    int cases;          // by default
    int refused_today;  // at most, of these cases
    int refused_target; // what is to be reached
} Requirement;

typedef struct Tally {
    const Requirement *requirement;
    int cases, right, refused, wrong;
} Tally;

Tally tally_begin(const Requirement *requirement);
// Prints what is not right with its seed and the reason. With SALTUS_FAILING=FOLDER in the
// environment the text is kept in FOLDER/<family>-<seed>.mo.
void tally_add(Tally *t, Outcome outcome, int seed, const char *reason, const char *text);
// Prints the counts and fails if they are not what is required. With another number of cases than
// the usual one, only wrong ones fail.
void tally_end(const Tally *t);

#endif
