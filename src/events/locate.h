// SPDX-License-Identifier: MIT
//
// Localisation: the zero of one event function in a bracket [a, b], where h has
// its old sign at a and its new one, or is zero, at b. All methods keep the
// bracket, so all converge; they differ in where they look next.
//
// Hénon's change of independent variable is not among them: it does not look
// for a zero of h(t), see henon.h.

#ifndef SALTUS_EVENTS_LOCATE_H
#define SALTUS_EVENTS_LOCATE_H

#include "events/detect.h"

// h, and if dh is not NULL its derivative along the flow, at time t. 0 or a code.
typedef int (*LocateFunction)(void *user, double t, double *h, double *dh);

typedef struct Localisation {
    // What is wanted.
    double tolerance; // of the time; 0: neighbouring numbers, nearly
    int most;         // iterations; 0: as many as it takes
    bool is_estimate; // the zero to the tolerance is enough, the bracket may stay wide
    // What was found.
    double t; // the event: right end of the final bracket; the last point if the iterations
              // were limited; an estimate: half the tolerance to the right of the zero
    bool has_converged; // to the tolerance
    int iterations;
} Localisation;

// Narrows the bracket of a crossing, in which h_a may be zero, or of the new sign by rounding.
// Returns 0 or the function's code.
int locate_refine(SaltusLocate method, LocateFunction function, void *user, Crossing *bracket,
                  Localisation *result);

// The finest resolution of time at t that makes sense.
double locate_resolution(double t);

#endif
