// SPDX-License-Identifier: MIT
//
// External functions (section 12.9) that Saltus has itself, and external objects: their classes,
// constructors and calls. What they compute is in external/.

#ifndef SALTUS_FLATTEN_EXTERNAL_H
#define SALTUS_FLATTEN_EXTERNAL_H

#include "flatten/evaluate.h"
#include "flatten/function.h"

// The external part of a function or of what it extends; NULL: it has none.
// modelica://Package.Inner/Resources/file.txt: the file beside the text of the class
// (section 13.5). NULL: there is no such class; other texts are what they are.
const char *external_resource(Flattener *f, const char *text);
const External *external_of(const Class *c);
// Whether Saltus has the function of an external part; false after a message at its use.
bool external_is_known(Flattener *f, Class *c, const External *external, Span use);
// Makes fn->external of a function whose variables are declared. The outputs that it writes count
// as assigned.
void external_bind(Flattener *f, FunctionBuilder *b, const External *external);
// Runs it at compile time, in the frame of the evaluation.
bool external_run(Evaluation *ev, const FlatFunction *fn);

// Every object must have a value.
void external_check_objects(Flattener *f);
// The constructor of a class that extends ExternalObject; NULL after a message.
Class *external_constructor(Flattener *f, Class *c, Span use);

#endif
