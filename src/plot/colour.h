// SPDX-License-Identifier: MIT
//
// Colours that can be told apart by readers with any colour vision, and in grey by their dashes,
// symbols and lightness. Curves: the palette of M. Okabe and K. Ito (2008) without its yellow,
// which is too light for a line on white.

#ifndef SALTUS_PLOT_COLOUR_H
#define SALTUS_PLOT_COLOUR_H

enum { COLOUR_SHADES = 6 };

// `index` counts from 0 and starts over behind the last.
const char *colour_curve(int index);         // "#0072b2"
const char *colour_shade(int index);         // of a band
const char *colour_dash(int index);          // the value of stroke-dasharray; "": a full line
double colour_dash_length(const char *dash); // of its period

// The colour of a fraction (0 ... 1) of a map's range: lighter is more.
void colour_map(double fraction, char out[8]);

#endif
