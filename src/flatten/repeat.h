// SPDX-License-Identifier: MIT
//
// Whether an element that a class has from two sides is one element (section 5.6.1.4 of the
// specification: after modification, the declarations must be the same).

#ifndef SALTUS_FLATTEN_REPEAT_H
#define SALTUS_FLATTEN_REPEAT_H

#include "flatten/class.h"

// `of_a`, `of_b`: modifications that the members do not have yet.
bool repeat_is_same(Flattener *f, const Member *a, const Layer *of_a, const Member *b,
                    const Layer *of_b);

#endif
