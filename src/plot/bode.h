// SPDX-License-Identifier: MIT
//
// Bode diagrams: gain and phase of G(s) = C (s - A)^-1 B + D on the imaginary axis, of each output
// by each input of a linearization.

#ifndef SALTUS_PLOT_BODE_H
#define SALTUS_PLOT_BODE_H

#include "plot/figure.h"

#include <saltus/saltus.h>

// From a tenth of the lowest to ten times the highest frequency of the eigenvalues, more densely
// around resonances: ascending, in Hz, *count of them.
double *bode_frequencies(Arena *arena, const SaltusLinearization *l, size_t *count);
// G at these frequencies: the gain in decibels, NAN where it is zero or not finite (a pole), and
// the phase in degrees, without jumps.
void bode_response(Arena *arena, const SaltusLinearization *l, int input, int output,
                   const double *frequencies, size_t count, double *gain, double *phase);

// Two panels with a curve for each pair. There must be an input and an output.
PlotFigure bode_figure(Arena *arena, const SaltusLinearization *l);

#endif
