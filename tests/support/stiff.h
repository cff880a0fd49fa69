// SPDX-License-Identifier: MIT
//
// Stiff problems and differential-algebraic equations with published end values.
//
// F. Mazzia, C. Magherini: Test Set for Initial Value Problem Solvers, release 2.4, 2008;
// E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, section IV.10.

#ifndef SALTUS_TESTS_SUPPORT_STIFF_H
#define SALTUS_TESTS_SUPPORT_STIFF_H

#include <saltus/saltus.h>

typedef struct StiffProblem {
    SaltusModeDef mode; // starts at t = 0
    double end;
    int count;        // of published values
    double values[8]; // first of x at the end, then of z (x and z in one row)
} StiffProblem;

// Chemical kinetics of Robertson to t = 1e11, with its Jacobian.
StiffProblem stiff_robertson(void);
// The same with 0 = x1 + x2 + z - 1 instead of the third rate, without a Jacobian.
StiffProblem stiff_robertson_dae(void);
// The same as 0 = F(t, x, z, x').
StiffProblem stiff_robertson_implicit(void);
// Van der Pol's oscillator, mu = 1000, to t = 2000, with its Jacobian.
StiffProblem stiff_van_der_pol(void);
// High irradiance responses of photomorphogenesis.
StiffProblem stiff_hires(void);
// The oregonator of Field and Noyes.
StiffProblem stiff_oregonator(void);

// Rentrop's transistor amplifier: C y' = f(t, y) with singular C, all eight y as states.
StiffProblem stiff_amplifier(void);
// The same with the voltages of the capacitors as states and three node voltages as algebraic
// variables; `amplifier_nodes` makes y of both.
StiffProblem stiff_amplifier_semi_explicit(void);
void stiff_amplifier_nodes(const double x[5], const double z[3], double y[8]);

// The largest |value - published| / (absolute + relative * |published|).
double stiff_error(const StiffProblem *problem, const double *values, double relative,
                   double absolute);

#endif
