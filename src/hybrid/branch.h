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

// Whether the step that the solver has just made ends on another branch than it began on. Looked at
// only where an algebraic variable changed much: in the middle, the solution that is found from the
// beginning has to be the one that is found from the end; and where nearly all of the change is in
// one half, that half is looked at in the same way, until the change is seen to be gradual. What
// stays concentrated in a 4096th of the step is left as well: a shorter step shows what it is. The
// end is kept for branch_take.
bool branch_was_left(SaltusRun *run);

// Whether the algebraic equations have a solution just behind the present time that is far from the
// present one. It is kept for branch_take.
bool branch_find(SaltusRun *run);

// Before that event: sees to it that there are left limits. The state is the active instance's own.
void branch_hold(SaltusRun *run);
// The action of the event.
void branch_take(SaltusEvent *event);

#endif
