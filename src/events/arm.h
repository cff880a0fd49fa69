// SPDX-License-Identifier: MIT
//
// Arming: the sign that each event function has just after an event.
//
// An event function that is zero there, up to rounding, takes the sign that the
// flow gives it: the state is followed for a short time, longer and longer until
// the function has left its noise. So a simple root (a bounce), a double one (the
// lift-off of a ball that was deformed) and a triple one (the start of a
// pendulum's fall) are all armed alike. One that never leaves the noise is zero
// over an interval: it takes its sign when it moves.

#ifndef SALTUS_EVENTS_ARM_H
#define SALTUS_EVENTS_ARM_H

#include "events/detect.h"
#include "solvers/problem.h"

// A point of the run, about whose event functions is asked.
typedef struct ArmPoint {
    double t;
    const double *x, *z, *dx; // z is consistent
    const double *x_scale;    // how large the states have been lately: their rounding
    const double *h;          // event functions here
    double doubt;             // so many times more uncertain than usual; 0: as usual
    bool by_tolerance;        // states are no smaller than what their tolerances tell apart
    double step; // of an explicit method, which rounds derivatives so long; 0: that is not known
} ArmPoint;

// Doubles of work space.
size_t arm_work_size(const SaltusModeDef *mode);

// The rounding noise of each event function at the point: how much h changes when every state
// changes by a few units in the last place of its scale and time by its resolution.
int arm_noise(Problem *problem, const ArmPoint *point, double *noise, double *work);

// Sets the sign of those event functions that are not above their noise; literal for the others.
int arm_signs(Problem *problem, const ArmPoint *point, Armed *armed, double *work);

#endif
