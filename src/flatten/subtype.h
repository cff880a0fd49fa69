// SPDX-License-Identifier: MIT
//
// Whether what a redeclaration puts in place of an element fits its constraining type (sections 6.4
// and 7.3.2): whatever can be used of that, the new one must have, too.

#ifndef SALTUS_FLATTEN_SUBTYPE_H
#define SALTUS_FLATTEN_SUBTYPE_H

#include "flatten/class.h"

// Notes a redeclaration. Classes may be in the making, so it is checked at the end. `element` is
// the one whose constraining clause, or else type, counts; `redeclared` is the new element.
void subtypes_note(Flattener *f, const Element *element, Class *scope, const Element *redeclared,
                   Class *given);
// Notes a replaceable element with a constraining clause, which it must fit itself. If it is a
// redeclaration, `element` is the one whose constraint the new clause must fit in its turn.
void subtypes_note_constraint(Flattener *f, const Element *element, Class *scope,
                              const Element *redeclared, Class *redeclared_scope, Class *given);
// Both for `redeclared`, which takes the place of `member`; `inner` are the modifications before
// it: the last one of these with a constraining clause counts, or else the declaration.
void subtypes_note_redeclaration(Flattener *f, const Member *member, const Layer *inner,
                                 const Element *redeclared, Class *scope, Class *given);
// Why a class cannot be used as another, as in "it has no component 'x'"; NULL: it can.
const char *subtype_misfit(Flattener *f, Class *wanted, Class *given);
// Reports what does not fit.
void subtypes_check(Flattener *f);

#endif
