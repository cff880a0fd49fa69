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

#include <saltus/saltus.h>
#include <stdbool.h>

// h, and if dh is not NULL its derivative along the flow, at time t. 0 or a code.
typedef int (*LocateFunction)(void *user, double t, double *h, double *dh);

typedef struct LocateBracket {
    double a, h_a, b, h_b;
    int direction; // the new sign; h_a may be zero, or of this sign by rounding
} LocateBracket;

typedef struct LocateResult {
    double t;       // the event: right end of the final bracket, or the last
                    // estimate if the iterations were limited
    bool converged; // the bracket is not wider than the tolerance
    int iterations;
} LocateResult;

// Narrows the bracket to `tolerance` (0: to neighbouring numbers, nearly), or stops after
// `most` iterations if that is positive. Returns 0 or the function's code.
int locate_refine(SaltusLocate method, LocateFunction function, void *user, LocateBracket *bracket,
                  double tolerance, int most, LocateResult *result);

// The finest resolution of time at t that makes sense.
double locate_resolution(double t);

#endif
