// SPDX-License-Identifier: MIT
//
// Branches of the solutions of algebraic equations. Where these have several solutions, as an
// amplifier with positive feedback has, the one that the run is on is followed; it may end, in a
// fold, where it meets another one.
//
// A step whose ends lie on different branches is tried again, shorter; and where no step succeeds
// because the branch has ended, the run goes on from another one, in an event that the log shows.
// So the time of the jump is as exact as time is to be known, whatever the steps are.

#ifndef SALTUS_HYBRID_BRANCH_H
#define SALTUS_HYBRID_BRANCH_H

#include "hybrid/run.h"

// What the time of a jump has to be known to.
double branch_resolution(const SaltusRun *run);

// Whether the step that the solver has just made left the branch that it began on, at its end or in
// an evaluation on the way. Looked at only where an algebraic variable went elsewhere than its
// slope leads (problem_watch): the solution at the beginning is followed, in pieces that are nearly
// straight, to the point where that was, and has to be the one that was found there. What stays
// concentrated in a 2^18th of the way counts as left as well: a shorter step shows what it is. The
// solution that was found is kept for branch_take.
bool branch_was_left(SaltusRun *run);
// After an accepted step: guesses and slopes.
void branch_follow(SaltusRun *run);

// Whether the algebraic equations have a solution just behind the present time, where the states
// are x, that is not z. The nearest that is found is kept for branch_take.
bool branch_find(SaltusRun *run, const double *x, const double *z);

// Before that event: sees to it that there are left limits. The state is the active instance's own.
void branch_hold(SaltusRun *run);
// The action of the event.
void branch_take(SaltusEvent *event);

#endif
