// SPDX-License-Identifier: MIT
//
// Conditions, and the sides of zero that their event functions are on.
//
// Zero is not a side. An event function that is zero, up to the accuracy with which events are
// located, says nothing about its condition: that keeps its value, or takes the one that the flow
// leads to just after; what stays zero may have either value.

#ifndef SALTUS_INSTANT_CONDITIONS_H
#define SALTUS_INSTANT_CONDITIONS_H

#include "instant/point.h"

typedef enum Side {
    SIDE_BELOW = -1,
    SIDE_ZERO = 0, // no side yet
    SIDE_ABOVE = 1,
    SIDE_LITERAL = 2, // as the condition itself says, evaluated
} Side;

static inline Side conditions_side_of(double h)
{
    return h > 0.0 ? SIDE_ABOVE : SIDE_BELOW;
}

// The value of what is held, by the side of its event function. x: what it rounds.
double conditions_value(const ModelHold *hold, Side side, double x);
// The side that goes with the value of what is held; SIDE_ZERO: there is none, or both do.
Side conditions_side(const ModelHold *hold, double value);

// The value just above or just below the surface: where a relation's function is zero, or x is a
// whole number.
double conditions_beside(const ModelHold *hold, bool is_above, double x);
// Whether the event function is positive above the surface: that of a relation is, up to
// is_below; sin(pi x) is above even numbers.
bool conditions_grows(const ModelHold *hold, double x);

// The condition with this event function; NULL: there is none.
const ModelHold *conditions_of_event(const Mode *mode, EventNumber event);

// Whether it is a relation that can be true or false where its function is zero.
static inline bool conditions_is_relation(const ModelHold *hold)
{
    return hold->op >= OPERATOR_LESS && hold->op <= OPERATOR_GREATER_EQUAL;
}

// What a relation is where its function is zero, by its text.
double conditions_at_zero(const ModelHold *hold);
// Whether an equation of the mode makes its function zero, and it is not held as its text says.
bool conditions_is_denied(const ModelHold *hold, const double *held);

// The event functions, and what each of them must not exceed to be zero.
bool conditions_zeros(Point *p, double *values, double *bounds);
// Tells the engine which of them are zero, where a mode is entered: they take the signs that they
// will have just after. Solves first.
bool conditions_mark(Point *p, SaltusEvent *event);
// Whether some of them are the signs of parameters of ideal switches.
bool conditions_has_ideal(const Mode *mode);
// What rounding leaves of an event function that is zero, after conditions_zeros(p, .., p->more).
double conditions_rounding(const Point *p, EventNumber event);
// The same in modes with ideal switches, whose parameters are found together: what is left of one
// that is zero is the rounding of the others.
bool conditions_mark_ideal(Point *p, SaltusEvent *event);
// How much the event functions move if time and states move by their rounding: where a small
// resistance turns the rounding of a voltage into a current, more than their terms suggest. `noise`
// has room for twice as many doubles, zero at first, `work` for all states and event functions. Of
// the flow only. It is solved again afterwards.
bool conditions_noise(Point *p, double *noise, double *work);
// Where event functions that are zero go, by the flow of the mode: SIDE_ZERO: they stay, as far as
// can be seen. False: no memory.
bool conditions_course(Point *p, signed char *course);
// The same of those that are SIDE_ZERO before, of a point without a course of its own: one that
// stays zero makes the others wait.
bool conditions_course_of(Point *p, signed char *course);

// Held values that time decides about, from a, b, d of each; *changed if one does.
void conditions_times(const Mode *mode, double t, const double *times, double *held, bool *changed);
// Schedules the times to come, cancels what is over.
void conditions_schedule(SaltusEvent *event, const Mode *mode, const double *times);

// The conditions whose held values differ from `before`, in words: "x > 0 (m.mo, line 3), ...".
void conditions_describe(const Mode *mode, const double *before, const double *held, char **text);

#endif
