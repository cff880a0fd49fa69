// SPDX-License-Identifier: MIT
//
// Modifications. The modifications of a component are a list of layers, one for each place in the
// text that modifies it, the outermost first: what an outer layer says wins (section 7.2.4).
// Nothing is merged or copied; the layers point into the syntax tree.
//
// A layer knows the scope of its text, and the instance in which its names are components. Layers
// of classes have no instance yet: it is the nearest enclosing one whose class has the scope's
// text.

#ifndef SALTUS_FLATTEN_MODIFICATION_H
#define SALTUS_FLATTEN_MODIFICATION_H

#include "flatten/class.h"

// The element of an array of components that a value has to be subscripted with.
typedef struct Subscripts {
    const struct Subscripts *outer;
    const Instance *element;
} Subscripts;

struct Layer {
    const Layer *next; // further in
    // What is left of the modification: if part < argument->name->count, the argument's name from
    // there on is still to be matched; else `modification` is what it says.
    const Argument *argument; // NULL: the modification of a declaration, or of an extends clause
    uint32_t part;
    const Modification *modification;
    const Element *redeclaration; // of this element itself; NULL: none
    Class *scope;
    Instance *context; // NULL: see above
    uint32_t depth;    // of the context in the instance tree: the less the further out
    bool is_final;
    const Subscripts *subscripts;
};

// The layers of `name` inside what `layers` modifies. `element` (NULL: none) is the element of an
// array that is being modified: its place goes to all values that are not `each`.
const Layer *layers_select(Flattener *f, const Layer *layers, const Name *name,
                           const Instance *element);
// `first` before `second`; copies the first.
const Layer *layers_join(Flattener *f, const Layer *first, const Layer *second);
// The layer of a modification; NULL if there is none.
const Layer *layer_create(Flattener *f, const Modification *modification, Class *scope,
                          Instance *context, const Layer *next);
// The outermost layer with a value (`= e`); NULL: none. `= break` removes the inner ones.
const Layer *layers_value(const Layer *layers);
// The outermost value of `name` inside what `layers` modifies, without memory: in *found. False:
// there is none.
bool layers_find_value(const Layer *layers, const Name *name, Layer *found);
// The outermost redeclaration; NULL: none.
const Layer *layers_redeclaration(const Layer *layers);
// The layers further out than `layer`.
const Layer *layers_before(Flattener *f, const Layer *layers, const Layer *layer);
// Without those of redeclarations that another one further out replaces: what they say of their
// component is not said of the one that replaces it (section 7.3.2).
const Layer *layers_without_replaced(Flattener *f, const Layer *layers);
// Gives every layer without an instance that one.
const Layer *layers_bind(Flattener *f, const Layer *layers, Instance *instance);
// The value of a layer, NULL: none.
const Expression *layer_value(const Layer *layer);
Span layer_span(const Layer *layer);
// The arguments of a layer one by one: 0, 1, ...; NULL: no more.
const Argument *layer_argument(const Layer *layer, uint32_t index);
// The name an argument modifies at this layer.
const Name *layer_argument_name(const Layer *layer, uint32_t index, Span *span);
// Reports arguments that no member of the class (or attribute of the simple type) answers to,
// arguments given twice, and modifications of final members, of protected ones (`is_outside`: not
// in an extends clause) and redeclarations of what is not replaceable.
void layers_check(Flattener *f, const Layer *layers, Class *c, bool is_outside);

#endif
