// SPDX-License-Identifier: MIT
//
// Sliding modes where a condition multiplies what it acts on, m(c) x' = f(c). Between the sides of
// the surface lies the rate (Filippov), u f(1)/m(1) + (1 - u) f(0)/m(0), and not the equation: that
// is another motion as soon as a second equation reads the condition. So the equations up to that
// one are solved on each side, for derivatives and algebraic variables, and what they give is what
// lies between. For several surfaces this is done at each of their corners.

#ifndef SALTUS_MODES_SLIDING_RATES_H
#define SALTUS_MODES_SLIDING_RATES_H

#include "modes/gather.h"

typedef struct Relation {
    Node function, negative;
    int side; // see sliding_side
} Relation;

typedef struct Sliding {
    Gathered *g;
    Dag *dag;
    DagMemo *side_of;    // by variable that is held: 2 * surface, + 1 if it holds below
    DagMemo *inlined;    // discrete variables that follow from these: what they are
    Relation *relations; // by hold
    bool *is_fixed;      // by surface: on one of its sides
    bool *is_done;       // by equation: it is what lies between already
    bool has_failed;
} Sliding;

// Of sliding.c: reports that there is no such mode, and is false.
bool sliding_fail_surface(Sliding *s, const GatheredSurface *surface, const char *why);
// A node on one side of a surface.
Node sliding_on_side(const Sliding *s, Node f, uint32_t surface, bool is_above);
// (1 - u) a + u b
Node sliding_between(Dag *dag, Node u, Node a, Node b);

// Replaces equations of this kind by what their unknowns are between the sides. False after an
// error: a condition decides about the coefficient of a derivative, and the rates of the two sides
// cannot be written down.
bool sliding_rates(Sliding *s);

#endif
