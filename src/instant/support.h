// SPDX-License-Identifier: MIT
//
// What speaks for a mode.
//
// A relation that an equation of a mode makes zero may have to be held against its text there: a
// tank is full with `full = h > height` and `h = height`, and in the iteration in which `on = if
// pre(on) then i > 0 else u > 0` has become true, u is zero. But it must not be all that speaks for
// the mode if another relation could speak for it and does not: a diode with `on = i > 0 or u > 0`
// whose current becomes negative has ended, although u > 0 has led to u = 0.

#ifndef SALTUS_INSTANT_SUPPORT_H
#define SALTUS_INSTANT_SUPPORT_H

#include "instant/settle.h"

// Of a mode that its conditions ask for. True: it has support. What was held against its text is
// so no more, if it need not be, or if another relation that stays zero can take its place. False:
// by what is held now, the conditions ask for another mode.
bool support_is_there(Settling *s);

#endif
