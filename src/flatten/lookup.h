// SPDX-License-Identifier: MIT
//
// Names of classes, looked up from the inside out (section 5.3 of the specification): the class and
// its bases, its imports, the enclosing class, ..., the top level.

#ifndef SALTUS_FLATTEN_LOOKUP_H
#define SALTUS_FLATTEN_LOOKUP_H

#include "flatten/class.h"

// Where a simple name was found.
typedef struct Found {
    Class *scope;   // the class that has the member; NULL: nothing was found
    Member *member; // NULL: `scope` itself is what was found (a class by import or of top level)
} Found;

// A simple name from a place; no message if there is none. The first scope is `from` itself.
Found lookup_simple(Flattener *f, Class *from, const Name *name);
// The same without the search path of the library.
Found lookup_given(Flattener *f, Class *from, const Name *name);
// A name inside a class; NULL: none, without message.
Class *lookup_class_in(Flattener *f, Class *in, const Name *name);
// A (dotted) class name; NULL after a message. `what` says what is looked for, as in "class".
Class *lookup_class(Flattener *f, Class *from, const Reference *name, const char *what);
// The same without a message.
Class *lookup_class_quietly(Flattener *f, Class *from, const Reference *name);
// The class `in` has no element `name`: reports it, with the nearest one that it has.
void lookup_report_unknown(Flattener *f, Class *in, const Name *name, Span span, const char *what);
// The first part of a name cannot be seen from `from`: reports it, with the nearest one that can.
void lookup_report_unknown_first(Flattener *f, Class *from, const Reference *name,
                                 const char *what);
// The nearest name of an element, for a proposal; NULL: none is near.
const char *lookup_nearest_member(Flattener *f, Class *in, const Name *name);

#endif
