// SPDX-License-Identifier: MIT
//
// How many random cases a test tries. SALTUS_RANDOM in the environment asks for so many, or for a
// part of what is usual, "25%": with sanitizers a case takes several times as long, and that all of
// them are right is shown without.

#ifndef SALTUS_TESTS_SUPPORT_CASES_H
#define SALTUS_TESTS_SUPPORT_CASES_H

#include <stdlib.h>
#include <string.h>

static inline int cases_asked(int usual)
{
    const char *given = getenv("SALTUS_RANDOM");
    const int number = given ? atoi(given) : 0;
    if (number <= 0)
        return usual;
    return strchr(given, '%') ? (usual * number + 99) / 100 : number;
}

#endif
