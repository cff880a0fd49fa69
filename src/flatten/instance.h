// SPDX-License-Identifier: MIT
//
// The instance tree: every component of the model, down to the variables.
//
// The tree is gone when the model is flat; what is left of an instance is its FlatComponent.
//
// What always holds:
// - An instance is made together with its siblings, as soon as the enclosing instance is opened;
//   but its type, its sizes and its condition are found on first use (instance_declare), and what
//   is inside of it when something asks for it (instance_open).
// - A component with sizes of a class that is not simple is an array instance; its children are its
//   elements, each an instance without a name. Arrays of simple types are one instance with many
//   variables.
// - An `outer` instance is empty; instance_target gives the inner one. What is both inner and outer
//   has two instances, the outer one in the place of its member, its twin behind all others.

#ifndef SALTUS_FLATTEN_INSTANCE_H
#define SALTUS_FLATTEN_INSTANCE_H

#include "flatten/class.h"
#include "flatten/modification.h"

typedef enum InstanceStage {
    INSTANCE_NEW,
    INSTANCE_DECLARING,
    INSTANCE_DECLARED, // class, prefixes, layers, condition, sizes
    INSTANCE_OPENING,
    INSTANCE_OPEN, // children, elements or variables
} InstanceStage;

typedef enum InstanceKind {
    INSTANCE_COMPLEX, // children: one for each component of its class
    INSTANCE_ARRAY,   // children: its elements
    INSTANCE_SIMPLE,  // variables: one for each element
    INSTANCE_OUTER,   // an outer component: see instance_target
} InstanceKind;

struct Instance {
    FlatComponent *flat;    // what the flat model has of it
    Member *member;         // of the enclosing class; of an element: as its array. NULL: the top
    const Element *element; // the declaration, after redeclaration; NULL: the top
    Class *scope;           // of the declaration
    Class *class_;
    const Layer *layers; // its modifications, with the declaration's own
    Class **indices;     // by dimension: Boolean or the enumeration that counts it; NULL: Integer
    union {
        Instance *children;
        FlatVariable *variables;
        Instance *target; // of an outer component
    };
    struct {
        FlatExpression *to; // of the whole component, NULL: none
        uint32_t depth;     // of its layer
        bool is_binding;    // it is being looked for
        bool is_bound;      // it was looked for
    } bound;
    const FlatGuard *guard; // of the states around it
    uint32_t count;         // of children or variables
    uint32_t occurrences;   // in connect equations
    float times;            // how many there are at least of its kind, as far as its parents tell
    uint16_t depth;
    uint8_t stage;       // InstanceStage
    uint8_t kind;        // InstanceKind
    uint8_t variability; // FlatVariability as declared, with the enclosing components' prefixes
    uint8_t direction;   // Direction
    uint8_t role;        // ConnectorRole
    struct {
        bool is_inner : 1, is_outer : 1;
        bool is_twin : 1; // the inner side of an `inner outer` component: see inner.c
        bool is_final : 1;
    } prefix;
    struct {
        bool is_mentioned : 1;  // an expression names one of its variables
        bool is_attributed : 1; // the variables have their attributes
    } seen;
    bool is_absent : 1;      // its condition is false
    bool is_conditional : 1; // it has a condition: only connections may name it
    bool is_static : 1;      // of a package: only constants count
    bool is_element : 1;     // of an array
    bool is_varied : 1;      // a modification may make it other than those that `times` counts
    bool is_broken : 1;      // an error was reported
    bool is_shared : 1;      // an inner component that states define
};

static inline Instance *instance_parent(const Instance *i)
{
    return i->flat->parent ? i->flat->parent->instance : NULL;
}
static inline Instance *variable_instance(const FlatVariable *v)
{
    return v->component->instance;
}

// An instance that is nothing yet.
Instance *instance_new(Flattener *f);
// Gives `i` a component like that of `other`.
void instance_be_like(Instance *i, const Instance *other);
// The instance of a model; its children are not opened.
Instance *instance_create_top(Flattener *f, Class *c, const Layer *layers);
// The constants of a package or any class, as an instance; made once.
Instance *instance_statics(Flattener *f, Class *c);
// Finds type, prefixes, condition and sizes.
void instance_declare(Flattener *f, Instance *i);
// And children, elements or variables.
void instance_open(Flattener *f, Instance *i);
// The component `name` of a complex instance, declared; NULL: none.
Instance *instance_child(Flattener *f, Instance *i, const Name *name);
// inner.c:
// The component itself, or the inner one that an outer component stands for; NULL after a message.
Instance *instance_target(Flattener *f, Instance *i, Span use);
// The same for an outer constant of a package that is used in `from`.
Instance *instance_target_from(Flattener *f, Instance *i, Instance *from, Span use);
// The class itself, or the inner one that an outer class stands for in `from` (NULL: nowhere).
Class *instance_target_class(Flattener *f, Member *member, Instance *from);
// Rules of outer components: no modifications, sizes as the inner one.
void instance_check_outer(Flattener *f, Instance *i);
// The nearest instance around `i` (or `i`) whose class has the text of `scope`; NULL: none.
Instance *instance_of_scope(Flattener *f, Instance *i, const Class *scope);
const FlatType *instance_type(Flattener *f, Instance *i);
// Dotted, for messages.
const char *instance_name(Flattener *f, const Instance *i);
// Binding, attributes: binding.c.
// The binding of a component: its own, or its share of an enclosing record's. NULL: none.
FlatExpression *instance_binding(Flattener *f, Instance *i);
// The binding of a variable, of the type of the variable. NULL: none.
FlatExpression *variable_binding(Flattener *f, FlatVariable *v);
// Gives all variables of a simple instance their attributes.
void instance_attributes(Flattener *f, Instance *i);

#endif
