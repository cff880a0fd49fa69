// SPDX-License-Identifier: MIT
//
// Reproducible chance, text that grows, and the counting of outcomes, for random tests.
//
// A family of random models has a Requirement: how many of its models may be refused today, and how
// many once all is mended. None may be wrong.

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

// ---- text ---------------------------------------------------------------------------------------

enum { WRITING_SIZE = 16384 };

typedef struct Writing {
    int length;
    char text[WRITING_SIZE];
} Writing;

void writing_clear(Writing *w);
__attribute__((format(printf, 2, 3))) void writing_add(Writing *w, const char *format, ...);

// ---- outcomes -----------------------------------------------------------------------------------

typedef enum Outcome {
    OUTCOME_RIGHT,
    OUTCOME_REFUSED, // with a message
    OUTCOME_WRONG,   // other values, and no message
    OUTCOME_HANGS,   // or ends by a signal
} Outcome;

const char *outcome_name(Outcome outcome);

enum { REASON_SIZE = 200 };

// Tries a case in a process of its own, which is ended after some seconds of processor time.
typedef Outcome (*OutcomeTry)(const void *data, const char *text, char reason[REASON_SIZE]);
Outcome outcome_in_child(OutcomeTry try, const void *data, const char *text,
                         char reason[REASON_SIZE]);

enum { KNOWN_MAX = 16 };

typedef struct Requirement {
    const char *family;
    int cases;            // by default; seeds from 1 on
    int refused_today;    // at most, of these cases
    int refused_target;   // what is to be reached
    int known[KNOWN_MAX]; // seeds that are wrong or hang today, tried in any case; 0: no more
    int also[KNOWN_MAX]; // seeds beyond the usual cases that are tried, too: they were refused once
} Requirement;

typedef struct Tally {
    const Requirement *requirement;
    int cases, closed, count[OUTCOME_HANGS + 1];
} Tally;

Tally tally_begin(const Requirement *requirement);
// Seed after seed: false when there are no more. As many as the requirement says, or as
// SALTUS_RANDOM in the environment says, then those that are known, and the others; or the one
// SALTUS_SEED alone.
bool tally_next(const Tally *t, int *seed);
// Tries a case. Prints what is wrong, or hangs, with its seed and the reason. With
// SALTUS_FAILING=FOLDER in the environment all that is not right is printed, and its text kept in
// FOLDER/<family>-<seed>.mo.
void tally_try(Tally *t, int seed, OutcomeTry try, const void *data, const char *text);
// Prints the counts and fails if they are not what is required: if one is wrong or hangs that is
// not known, if a known one is right, or if too many are refused of the usual number of cases.
void tally_end(const Tally *t);

#endif
