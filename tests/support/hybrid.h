// SPDX-License-Identifier: MIT
//
// Hybrid systems in a few lines, for the tests of the engine. A call that should
// work and does not fails the running test.

#ifndef SALTUS_TESTS_SUPPORT_HYBRID_H
#define SALTUS_TESTS_SUPPORT_HYBRID_H

#include <saltus/saltus.h>

typedef struct Hybrid {
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
} Hybrid;

// The arguments of every evaluation callback that a small model does not use.
#define UNUSED_ARGUMENTS (void)c, (void)t, (void)x, (void)z

// One mode with this right-hand side, start values and event functions.
SaltusModeDef hybrid_mode(const char *name, int states, const double *start, SaltusRhs rhs,
                          int events, const SaltusEventDef *defs, SaltusEventFunctions functions);

// The definition of a system of these modes.
SaltusSystemDef hybrid_system(int count, const SaltusModeDef *modes);

// A system of these modes, and a run of it.
Hybrid hybrid_begin(const SaltusSystemDef *def, const SaltusOptions *options);
// A system of one mode without parameters, and a run of it with default options (NULL).
Hybrid hybrid_begin_mode(const SaltusModeDef *mode, const SaltusOptions *options);
void hybrid_end(Hybrid *hybrid);
// Fails the test unless a run with default options cannot begin: it ends with this status, there is
// none, and the message contains what is expected.
void hybrid_assert_refused(const SaltusSystemDef *def, SaltusStatus status, const char *expected);
// Fails the test unless advancing to this time ends with this status and message.
void hybrid_assert_ends(SaltusRun *run, double stop_time, SaltusStatus status,
                        const char *expected);

// The times of the crossings of one event function (of any mode), at most `most` of them.
int hybrid_times(const SaltusRun *run, int event, double *times, int most);

// Fails the test unless |value - expected| <= bound, showing all three.
void assert_close(double value, double expected, double bound);
// Fails the test unless text contains part.
void assert_contains(const char *text, const char *part);

#endif
