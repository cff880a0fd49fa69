// SPDX-License-Identifier: MIT
//
// The past of one quantity, for delays: what it was at every time of a window that ends now.
//
// It is kept as polynomials of degree four, one after the other, each through five values of the
// solver's dense output; where one is not near enough to two values between those, the interval is
// halved. Where there was an event, the quantity or its derivatives may *jump*. Those who read see
// the past between two jumps only, up to the next one that was not passed: so which side of a jump
// they see does not depend on the rounding of times. The first jump is the start; before it the
// quantity is what it was at the start, which is what all values are counted from.
//
// Of a history that is read *anywhere*, at times that are not known before, all of it can be seen;
// what was not recorded yet, or is dropped, is NAN, so that no step is taken that reads it.
//
// What always holds: it belongs to one run. What is appended never changes; what has left the
// window is dropped, so that it takes memory in proportion to the window.

#ifndef SALTUS_BASE_HISTORY_H
#define SALTUS_BASE_HISTORY_H

#include <saltus/saltus.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HISTORY_NODES = 5 };

typedef struct HistoryPiece {
    double from, to;
    double c[HISTORY_NODES]; // by powers of 4 (t - from) / (to - from)
    bool is_jump;            // the quantity, or one of its first three derivatives, jumps there
} HistoryPiece;

typedef struct History {
    // The derivative of this order of what the quantity was, minus what it was at the start. First:
    // emitted code calls it.
    double (*at)(const struct History *history, double t, double order);
    SaltusAllocator allocator;
    HistoryPiece *pieces;
    size_t room, count;
    size_t low;      // of what can be seen: the first piece, after the last jump that was passed
    size_t limit;    // and the end: the next jump, or all
    bool is_pending; // there is a jump at the limit
    double start, origin;            // time and value
    double window;                   // older pieces are dropped
    double step;                     // where the last one that was recorded began
    double end;                      // the last value
    double relative, absolute, size; // tolerances, and the largest value so far
    bool is_interrupted;             // there was an event since the last piece
} History;

// The derivative of this order of a piece's polynomial, there and beyond its ends.
double history_piece(const HistoryPiece *piece, double t, int order);

// A handle as a number, for equations to carry: a NaN that no operation makes, with the address in
// it. 0.0, and any other number: none, which is zero at all times. (Emitted code says the same.)
#define HISTORY_TAG 0x7FFDu // its first 16 bits
double history_handle(const History *history);
// What equations read; its name is that in emitted code.
double past(double handle, double t, double order);

// What the quantity is at a time of the last step; false: that cannot be said. `eighth`: of the
// step that is recorded, 0 to 8, or -1.
typedef bool (*HistorySample)(void *data, double t, int eighth, double *value);

void history_begin(History *history, double t, double value, double window, double relative,
                   double absolute);
// After history_begin: from now on it is read anywhere in the window.
void history_open(History *history);
// Appends the step. False: out of memory, or a sample is missing.
bool history_record(History *history, double from, double to, HistorySample sample, void *data);
// When the next jump was; INFINITY: there is none.
double history_next_jump(const History *history);
void history_pass_jump(History *history);
// What the quantity was just after the last jump that was passed.
double history_first(const History *history);
bool history_copy(History *to, const History *from);
void history_free(History *history);

#endif
