// SPDX-License-Identifier: MIT
//
// Tables of small models with their right answers. Every solver must give them and agree on the
// events. A model that is not right today is open: the test notes what happens, and fails when it
// has become right, so that it is closed.

#ifndef SALTUS_TESTS_INSTANT_EXAMPLE_H
#define SALTUS_TESTS_INSTANT_EXAMPLE_H

#include "instant/chance.h"

enum { EXAMPLE_VALUES = 8 };

typedef struct ExampleValue {
    const char *name;
    double value; // at the end
} ExampleValue;

// What an open example does today; a set.
enum {
    TODAY_REFUSED = 1u << OUTCOME_REFUSED,
    TODAY_WRONG = 1u << OUTCOME_WRONG,
    TODAY_HANGS = 1u << OUTCOME_HANGS,
};

typedef struct Example {
    const char *name;
    const char *text; // Modelica
    double stop_time; // 0: 1
    ExampleValue values[EXAMPLE_VALUES];
    int events;          // how many after the start; 0: not said, all solvers the same
    const char *refusal; // right is that it is refused, with this in the message
    double bound;        // relative to 1 + |value|; 0: 1e-6, a thousand times the tolerance
    double apart; // events that are no further apart count as one, and agree if they are no further
                  // apart than twice that, relative to 1 + t; 0: 1e-6, likewise
    bool is_open;
    unsigned today; // of an open one
} Example;

void example_check_all(const Example *examples, int count);
// The same values are right where all that happens takes `scale` times as long: der(x) is
// scale*der(x), and time is time/scale. What is open, refused, or says more of time than that (a
// sample, a delay) is left out; events are not compared.
void example_check_scaled(const Example *examples, int count, double scale);

#define EXAMPLE_CHECK_ALL(examples)                                                                \
    example_check_all(examples, (int)(sizeof(examples) / sizeof *(examples)))
#define EXAMPLE_CHECK_SCALED(examples, scale)                                                      \
    example_check_scaled(examples, (int)(sizeof(examples) / sizeof *(examples)), scale)

#endif
