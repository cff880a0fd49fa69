// SPDX-License-Identifier: MIT
//
// Ticks: where an axis is divided and how that is labelled.
//
// A tick of a linear axis is an integer times a power of ten, and its label is made from these two
// integers, so it is never off by a rounding. Labels are short: a common power of ten goes to the
// unit, as an SI prefix where the unit takes one; a common offset goes to the axis label.

#ifndef SALTUS_PLOT_TICKS_H
#define SALTUS_PLOT_TICKS_H

#include "base/text.h"
#include "plot/figure.h"

enum { TICKS_MOST = 64, TICKS_LABEL_LENGTH = 48 };

typedef struct Tick {
    double value;                   // on the axis, as in the data
    bool is_minor;                  // short and without label
    char label[TICKS_LABEL_LENGTH]; // with markup
} Tick;

typedef struct Ticks {
    Tick ticks[TICKS_MOST];
    size_t count;
    int exponent;                    // labels stand for multiples of 10^exponent
    char offset[TICKS_LABEL_LENGTH]; // is to be added to what the labels say; "": nothing
} Ticks;

// About `wanted` ticks (at least two) in from < to, both finite and below 1e300; for a logarithmic
// scale both positive. `unit` decides which powers of ten are worth a prefix.
Ticks ticks_make(PlotScale scale, double from, double to, int wanted, const char *unit);
// Of Booleans: false and true.
Ticks ticks_boolean(void);
// Of counts: `from`, from + 1, ..., `count` of them (at most TICKS_MOST).
Ticks ticks_whole(double from, int count);

// The label of the axis with unit, prefix or power of ten, and offset, appended as markup.
void ticks_axis_label(const Ticks *ticks, const PlotAxis *axis, StringBuilder *out);
// A Modelica unit as markup: m/s2 as m/s^{2}, Ohm as its sign.
void ticks_unit(const char *unit, StringBuilder *out);

// The SI prefix that makes a number of this unit handy, "" if none; *value is divided by it.
const char *ticks_prefix(double *value, const char *unit);

#endif
