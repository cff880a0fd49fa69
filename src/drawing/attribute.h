// SPDX-License-Identifier: MIT
//
// Values in graphical annotations (Modelica specification, chapter 18): numbers, words and texts,
// which may depend on parameters, and with DynamicSelect on all variables of the model.
//
// What always holds: a value that is wrong or cannot be known is none, with a warning that says
// where and why; no annotation is an error of the model, and none makes a drawing fail.

#ifndef SALTUS_DRAWING_ATTRIBUTE_H
#define SALTUS_DRAWING_ATTRIBUTE_H

#include "flatten/evaluate.h"
#include "flatten/scope.h"
#include "results/table.h"

// Where and when values are asked for.
typedef struct DrawingStage {
    Flattener *f;
    Arena *arena;       // for what is kept
    const Table *table; // the trajectory of a run; NULL: the first arguments of DynamicSelect count
    size_t row;         // of it: the present
    const TableColumn *mode;
    Map names, constants;        // Name -> TableColumn, TableConstant
    Map columns, known, unknown; // the same by FlatVariable, as far as it was asked for
} DrawingStage;

DrawingStage stage_create(Flattener *f, const Table *table);

// A value in an annotation; zero: it is not given.
typedef struct Attribute {
    const Expression *source; // without DynamicSelect
    const Expression *before; // what it is instead where `source` cannot be known; or the same
    Scope scope;              // of its names
    bool moves;               // it may change during a run
    Map flat;                 // Expression -> FlatExpression
    bool is_kept;             // of one that does not move, its numbers:
    size_t count;
    double *numbers;
} Attribute;

Attribute attribute_create(const DrawingStage *stage, Scope scope, const Expression *e);
// One that has these numbers.
Attribute attribute_of_numbers(const DrawingStage *stage, const double *numbers, size_t count);

// The numbers of a scalar or an array, row by row, until the next call. False: it is not given, is
// wrong or has fewer than `least`.
bool attribute_numbers(DrawingStage *stage, Attribute *a, size_t least, const double **numbers,
                       size_t *count);
double attribute_number(DrawingStage *stage, Attribute *a, double otherwise);
bool attribute_boolean(DrawingStage *stage, Attribute *a, bool otherwise);
// The literal of an enumeration, LinePattern.Dash as "Dash"; of an array: element `index`.
const char *attribute_word(DrawingStage *stage, Attribute *a, size_t index, const char *otherwise);
// In the stage's scratch memory; NULL: not given.
const char *attribute_text(DrawingStage *stage, Attribute *a);

// The value of a component, for people: a number with its unit, a literal, a text; what is written
// where it is not known. NULL: there is no such component. `moves` becomes true if it is a
// variable.
const char *attribute_component_text(DrawingStage *stage, Instance *in, const char *name,
                                     size_t length, bool *moves);

// "in an annotation: ...", once for each place.
void attribute_warn(const DrawingStage *stage, Span span, const char *message);

// Fields of an annotation, written as a modification, Line(points = ...), or as a call.
typedef struct Fields {
    const Modification *modification;
    const Expression *call;
} Fields;

const Expression *fields_find(Fields fields, const char *name); // NULL: none
// A field that has fields itself, transformation(...); none: both are NULL.
Fields fields_inside(Fields fields, const char *name);
bool fields_are_given(Fields fields);
// annotation(name(...)) of an element, of an equation, or of a class itself.
Fields fields_of_annotation(const Modification *annotation, const char *name);
Fields fields_of_class(const Class *c, const char *name);

#endif
