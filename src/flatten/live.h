// SPDX-License-Identifier: MIT
//
// Inputs of a model whose values come from outside while it runs. They become variables with an
// equation of their own, over parameters that runs change at events:
//
//   u = u.value + u.rate s + u.rate2 s^2/2 + u.rate3 s^3/6,   s = time - u.since
//
// So what depends on an input knows how it goes on from the last change: its derivatives are there
// where constraints are differentiated, and the time at which it crosses a threshold can be found.
// An input that changes at events only (Boolean, Integer, an enumeration, `discrete`) has u.value.

#ifndef SALTUS_FLATTEN_LIVE_H
#define SALTUS_FLATTEN_LIVE_H

#include "flatten/context.h"

// What follows the name of the input, in this order.
enum { LIVE_VALUE, LIVE_RATE, LIVE_RATE2, LIVE_RATE3, LIVE_SINCE, LIVE_COUNT };
extern const char *const live_suffixes[LIVE_COUNT];

// Makes all inputs of the flat model live.
void live_inputs(Flattener *f);

// Which of these a parameter is, and the length of the input's name; LIVE_COUNT: none of a live
// input.
int live_part(const FlatVariable *parameter, size_t *length);

#endif
