// SPDX-License-Identifier: MIT
//
// Detection: does an event function cross zero inside a step, and where first?
//
// The event functions are sampled at equidistant times of the step. Over a cell
// of width w between two samples a function deviates from its chord by at most
// tau (w - tau) max|h''| / 2; second differences of the samples, and how much they
// turn, bound w^2 |h''|: for polynomials of degree 4, which the dense output of
// dopri5 is, strictly. With a = |h| at the left, b = |h| at the right end and
// c = w^2 max|h''| / 2, a function of one sign at both ends has no zero between them if
//     sqrt(a) + sqrt(b) > sqrt(c),
// and a function of different signs has exactly one if |h_b - h_a| > c. A cell
// that proves neither is halved and looked at again. So two crossings in one
// cell are found, three are told apart, and cells where h is far from zero cost
// nothing more.
//
// All that holds as long as the samples show what the function does. One of time alone can be as
// fast as it likes, while the solver's steps, which it has no part in, grow: sampled too seldom, a
// wave looks like another, slower one. So the slope with which a function came out of the step
// before, whose samples were nearer to each other then, must fit to the first cell; if it does not,
// all cells of the step are looked at closer.
//
// And the function's own derivative along the flow, its rate, must fit to the chords. The cubic p
// through the values and slopes at both ends of a cell, h_a, h_b and s = w h' there, has the second
// derivative
//     w^2 p'' = 6 (h_b - h_a) - 4 s_a - 2 s_b  at a,  -6 (h_b - h_a) + 2 s_a + 4 s_b  at b,
// and between them what lies between these two. The larger of them bounds w^2 |h''| if h is a cubic
// on the cell; twice that (and more with every halving that shows more) is taken for other
// functions. A chord that does not fit to its slopes makes it large, so that the cell is halved
// until they fit: what is between samples is found as far as the slopes at them can tell. Rates
// cost as much as a right-hand side. They are asked for where zero is near and the samples are not
// known to be near enough to each other: they look rough, or never fitted to rates at such
// distances. Where they do fit, the distance is trusted from then on, up to twice as long.
//
// Samples may also show a function far from zero that is not: a wave whose period is the distance
// between them. Such a function is looked at by its rates, and at one more place, which is on no
// grid, when samples are much farther from each other than before, and every few steps at that
// place. If that does not fit, it is looked at again as soon as it could have come near zero; and
// where it could be there, all cells are divided. What begins and ends within a few steps, and is
// not seen by any sample, is not found.
//
// For functions of time alone there are proofs instead of samples: bounds.h.
//
// Each function carries the sign it is known to have at the left end: its value
// there may be zero, or of the other sign by rounding.

#ifndef SALTUS_EVENTS_DETECT_H
#define SALTUS_EVENTS_DETECT_H

#include "base/memory.h"
#include <saltus/saltus.h>
#include <stdbool.h>

// All event functions at `count` times of the step, one row of h each. 0, or the problem's code.
typedef int (*DetectSample)(void *user, int count, const double *times, double *h);

// The derivatives of all event functions along the flow, likewise. Anything but 0: they are not
// known.
typedef int (*DetectRates)(void *user, int count, const double *times, double *dh);

// All event functions so long after the step, along the tangent at its end, likewise.
typedef int (*DetectBeyond)(void *user, double delta, double *h);

// The rounding noise of all event functions at a time of the step, likewise.
typedef int (*DetectNoise)(void *user, double t, double *noise);

// An error of the solution that does not matter, in one event function at a time of the step.
typedef double (*DetectError)(void *user, int event, double t);

// Bounds of an event function of time alone, see saltus.h.
typedef void (*DetectBounds)(void *user, int event, double from, double to, SaltusBounds *bounds);

// The first crossing of one event function: h has its old sign at a, its new one (or is zero) at b.
typedef struct Crossing {
    int event;
    int direction; // into which sign
    double a, h_a, b, h_b;
    double c, h_c;  // a point beside [a, b], where h is known, too; c = a: there is none
    double noise;   // |h| below this is zero here
    bool is_beyond; // zero still counts as the old sign: h is beyond it at b
    bool rests;     // it came to zero in the step before, and stays there: the crossing is at a
} Crossing;

// The sign that an event function is known to have.
typedef struct Armed {
    signed char sign; // -1, +1; 0: zero until it leaves its noise
    double noise;     // |h| below this is zero; what the locator left of a root included
    double rounding;  // the noise once the function has left that root
    double handled;   // |h| up to this is still the root just handled; 0 once it was left
    bool has_left;    // it has been beyond its noise, at the end of a step
} Armed;

typedef struct Detector {
    const SaltusEventDef *events;
    int count;            // event functions
    int cells;            // of the last step
    int most_cells;       // that there is room for
    double *parts;        // of a step where the cells begin
    double *times;        // of the samples, cells + 1
    double *samples;      // cells + 1 rows of count values
    double *seconds;      // |second difference| of one function at its samples
    double *rises, *runs; // the slopes at the end of the step before; a run of 0: there is none
    bool has_rises;       // false: nobody needs them in this step
    double *extra;        // one row
    double *rates;        // rows like those of the samples, if has_rates
    double *trusted;      // per function: the longest cells that its rates have fitted to; 0: none
    double *fitted;       // likewise, of a function far from zero; below 0: that do not fit
    int *credit;          // and for how many steps that is enough
    bool *is_far;         // per function: the samples of this step did not ask for more
    bool has_rates, lacks_rates; // in this step; neither: nobody asked for them yet
    double *looked;              // one row, between two samples, if has_looked
    bool has_looked;
    Crossing *crossings; // found in the step, at most one per function
    int crossing_count;
    int unfollowed; // a function that swings too often to be followed through the step; -1: none
} Detector;

// With room for so many cells. False: out of memory.
bool detector_create(Detector *detector, MemoryPool *pool, const SaltusModeDef *mode, int cells);

// The part of a run that is looked at. What comes after `reach` is the same in all steps of a mode.
typedef struct DetectStep {
    double t0, t1;
    int cells;              // that it is divided into, no more than there is room for; 0: as many
    const double *h0, *h1;  // the event functions at both ends
    double resolution;      // a zero so little after t1 counts as one at t1: not lost at a
                            // stop or time event; 0 where the run goes on smoothly
    double reach;           // the same for functions of states, which are as late as these are
    DetectRates rates;      // NULL: none
    DetectBeyond beyond;    // likewise
    DetectNoise noise;      // likewise: it is what it was when the functions were armed
    DetectError error;      // where crossings come without order; NULL, or 0: they do not
    DetectBounds bounds;    // of functions of time alone, which are found by them; NULL: none
    DetectSample look;      // samples and rates that are asked for now and then only; NULL: like
    DetectRates look_rates; // the others
} DetectStep;

// Fills `crossings` with the first crossing of each function in a direction that counts, in
// order of `a`. `armed` is not changed.
int detector_scan(Detector *detector, const Armed *armed, const DetectStep *step,
                  DetectSample sample, void *user);

// The sign of h for a function that is armed: in the noise it keeps the old one.
int detect_sign(const Armed *armed, double h);

#endif
