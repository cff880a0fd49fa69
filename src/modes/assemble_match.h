// SPDX-License-Identifier: MIT
//
// Which variable each of some equations determines, where equations have no direction: a matching
// (H. W. Kuhn: The Hungarian method for the assignment problem, Naval Research Logistics 2, 1955:
// augmenting paths). Each equation is offered the variables that it can be solved for, with what
// they are then.
//
// Two equations that are never there together, in branches of one if-equation or states of one
// machine, may determine the same variable. So an equation may have to move several others away,
// and what is found is a matching in each mode.

#ifndef SALTUS_MODES_ASSEMBLE_MATCH_H
#define SALTUS_MODES_ASSEMBLE_MATCH_H

#include "modes/assemble.h"

typedef struct MatchCandidate {
    GraphVariable variable;
    Node value;
    bool is_left_limit; // of initial equations, see AssembledInitial
} MatchCandidate;

typedef struct Match Match;

Match *match_begin(Assembly *a, const AssembledEquations *equations);
// A candidate for an equation; the first one for each variable counts, the first ones are
// preferred.
void match_offer(Match *m, uint32_t equation, const MatchCandidate *candidate);
// Finds a variable for the equation, which has none; others may get another one. False: nothing has
// changed.
bool match_place(Match *m, uint32_t equation);
// What the equation is solved for; NULL: nothing.
const MatchCandidate *match_taken(const Match *m, uint32_t equation);
uint32_t match_count(const Match *m, uint32_t equation); // of its candidates
// Whether another equation that is there together with this one is solved for the variable.
bool match_has_rival(const Match *m, uint32_t equation, GraphVariable variable);

// What operand i of `side` must be for the side to be `value`; NODE_NONE: that is not exact.
// Exact are `not`, the sign, sums of Integers or Reals, a multiple of a Real, and == and <> of
// Booleans.
Node match_inverse(Dag *dag, Node side, uint32_t i, Node value);

#endif
