// SPDX-License-Identifier: MIT
//
// Stream connectors (chapter 15 of the specification).
//
// What a stream variable is when its fluid flows into a component, inStream(v), follows from the
// connection set of v, which is known only when all connect equations were read. Until then
// inStream and actualStream are operations of one stream variable; streams_finish puts their
// meaning in their place.

#ifndef SALTUS_FLATTEN_STREAM_H
#define SALTUS_FLATTEN_STREAM_H

#include "flatten/elaborate.h"

// inStream(v), actualStream(v); v may be an array or a record.
FlatExpression *stream_call(Flattener *f, Scope *s, const Expression *e, Operation op);
// The rules for the component `i`: where `stream` may stand, and what a stream connector has.
// False after a message.
bool stream_check(Flattener *f, Instance *i, const ComponentClause *clause);
// What flows out of the set that `v` is in, seen from there, without what v itself brings.
FlatExpression *stream_mixture(Flattener *f, FlatVariable *v, bool is_outside, Span span);
// Replaces all inStream and actualStream in the model.
void streams_finish(Flattener *f);

#endif
