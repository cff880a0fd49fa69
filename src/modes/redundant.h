// SPDX-License-Identifier: MIT
//
// Equations that follow from others: the third of three clutches in a ring, the current into an
// island of a circuit whose switches are all open. What the rest leaves open (a torque, a
// potential) need not matter, but has to have a value.
//
// An equation that can be shown to follow is taken out, and a sum of those that contain what is
// open (or one of them, where it is not linear) stands there in its place: the structure is
// regular, the numbers are not, and the solution of least norm is found where the equations are
// solved (program_stage.c), which also says what was open. Not if something is open that is
// differentiated.

#ifndef SALTUS_MODES_REDUNDANT_H
#define SALTUS_MODES_REDUNDANT_H

#include "base/diagnostics.h"
#include "structure/system.h"

// The system without them, and its signature. The same system if there are none, or if nothing
// helps.
const System *redundant_replace(Arena *arena, const System *system, const Signature **signature,
                                Diagnostics *diagnostics);

// Where more equations follow from others than the structure has too many (three clutches between
// two shafts), the motion seems to be open without them. So only as many are taken out as the
// structure has too many; then the sums of the equations of motion in which what is open cancels
// are found (structure/conversion.h), and what is left of the others is nothing and goes, too.
const System *redundant_convert(Arena *arena, const System *system, const Signature **signature,
                                Diagnostics *diagnostics);

#endif
