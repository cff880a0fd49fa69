// SPDX-License-Identifier: MIT
//
// Written out kind by kind: what a new member of the tree would need here shows in a review.

#include "modelica/equality.h"

#include <string.h>

// Two lists: equal counts, and the items equal by a function.
#define EQUAL_LISTS(a_items, a_count, b_items, b_count, equal)                                     \
    ((a_count) == (b_count) && equal_lists_##equal((a_items), (b_items), (a_count)))

#define DEFINE_EQUAL_LISTS(type, equal)                                                            \
    static bool equal_lists_##equal(type *const *a, type *const *b, uint32_t count)                \
    {                                                                                              \
        for (uint32_t i = 0; i < count; i++)                                                       \
            if (!equal(a[i], b[i]))                                                                \
                return false;                                                                      \
        return true;                                                                               \
    }

static bool element_equal(const Element *a, const Element *b);
static bool equation_equal(const Equation *a, const Equation *b);
static bool statement_equal(const Statement *a, const Statement *b);
static bool modification_equal(const Modification *a, const Modification *b);

DEFINE_EQUAL_LISTS(Expression, expression_equal)
DEFINE_EQUAL_LISTS(Equation, equation_equal)
DEFINE_EQUAL_LISTS(Statement, statement_equal)
DEFINE_EQUAL_LISTS(Modification, modification_equal)

// True if both are missing; otherwise *differ says whether only one is.
static bool both_missing(const void *a, const void *b, bool *differ)
{
    *differ = !a != !b;
    return !a && !b;
}

#define RETURN_IF_MISSING(a, b)                                                                    \
    do {                                                                                           \
        bool differ;                                                                               \
        if (both_missing((a), (b), &differ))                                                       \
            return true;                                                                           \
        if (differ)                                                                                \
            return false;                                                                          \
    } while (0)

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

bool reference_equal(const Reference *a, const Reference *b)
{
    RETURN_IF_MISSING(a, b);
    if (a->is_global != b->is_global || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const ReferencePart *x = &a->parts[i], *y = &b->parts[i];
        if (x->name != y->name || !EQUAL_LISTS(x->subscripts, x->subscript_count, y->subscripts,
                                               y->subscript_count, expression_equal))
            return false;
    }
    return true;
}

static bool named_equal(const NamedExpression *a, const NamedExpression *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].name != b[i].name || !expression_equal(a[i].value, b[i].value))
            return false;
    return true;
}

static bool branches_equal(const IfBranch *a, const IfBranch *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!expression_equal(a[i].condition, b[i].condition) ||
            !expression_equal(a[i].value, b[i].value))
            return false;
    return true;
}

static bool rows_equal(const MatrixRow *a, const MatrixRow *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!EQUAL_LISTS(a[i].items, a[i].count, b[i].items, b[i].count, expression_equal))
            return false;
    return true;
}

static bool call_equal(const Expression *a, const Expression *b)
{
    return reference_equal(a->call.function, b->call.function) &&
           EQUAL_LISTS(a->call.arguments, a->call.count, b->call.arguments, b->call.count,
                       expression_equal) &&
           a->call.named_count == b->call.named_count &&
           named_equal(a->call.named, b->call.named, a->call.named_count);
}

static bool comprehension_equal(const Expression *a, const Expression *b)
{
    return reference_equal(a->comprehension.function, b->comprehension.function) &&
           expression_equal(a->comprehension.body, b->comprehension.body) &&
           a->comprehension.iterator_count == b->comprehension.iterator_count &&
           named_equal(a->comprehension.iterators, b->comprehension.iterators,
                       a->comprehension.iterator_count);
}

bool expression_equal(const Expression *a, const Expression *b)
{
    RETURN_IF_MISSING(a, b);
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case EXPRESSION_ERROR:
    case EXPRESSION_END:
    case EXPRESSION_COLON:
        return true;
    case EXPRESSION_REAL:
        return memcmp(&a->real, &b->real, sizeof a->real) == 0;
    case EXPRESSION_INTEGER:
        return a->integer == b->integer;
    case EXPRESSION_BOOLEAN:
        return a->boolean == b->boolean;
    case EXPRESSION_STRING:
        return string_equal(a->string, b->string);
    case EXPRESSION_REFERENCE:
        return reference_equal(a->reference, b->reference);
    case EXPRESSION_CALL:
        return call_equal(a, b);
    case EXPRESSION_COMPREHENSION:
        return comprehension_equal(a, b);
    case EXPRESSION_PARTIAL:
        return reference_equal(a->partial.function, b->partial.function) &&
               a->partial.named_count == b->partial.named_count &&
               named_equal(a->partial.named, b->partial.named, a->partial.named_count);
    case EXPRESSION_UNARY:
        return a->unary.op == b->unary.op && expression_equal(a->unary.operand, b->unary.operand);
    case EXPRESSION_BINARY:
        return a->binary.op == b->binary.op && expression_equal(a->binary.left, b->binary.left) &&
               expression_equal(a->binary.right, b->binary.right);
    case EXPRESSION_IF:
        return a->conditional.count == b->conditional.count &&
               branches_equal(a->conditional.branches, b->conditional.branches,
                              a->conditional.count) &&
               expression_equal(a->conditional.otherwise, b->conditional.otherwise);
    case EXPRESSION_RANGE:
        return expression_equal(a->range.start, b->range.start) &&
               expression_equal(a->range.step, b->range.step) &&
               expression_equal(a->range.stop, b->range.stop);
    case EXPRESSION_ARRAY:
    case EXPRESSION_TUPLE:
        return EQUAL_LISTS(a->array.items, a->array.count, b->array.items, b->array.count,
                           expression_equal);
    case EXPRESSION_MATRIX:
        return a->matrix.count == b->matrix.count &&
               rows_equal(a->matrix.rows, b->matrix.rows, a->matrix.count);
    case EXPRESSION_SUBSCRIPTED:
        return expression_equal(a->subscripted.base, b->subscripted.base) &&
               EQUAL_LISTS(a->subscripted.subscripts, a->subscripted.count,
                           b->subscripted.subscripts, b->subscripted.count, expression_equal);
    case EXPRESSION_MEMBER:
        return a->member.name == b->member.name && expression_equal(a->member.base, b->member.base);
    }
    return false;
}

// ---------------------------------------------------------------------------
// Modifications and elements
// ---------------------------------------------------------------------------

static bool description_equal(const Description *a, const Description *b)
{
    RETURN_IF_MISSING(a, b);
    return string_equal(a->text, b->text) && modification_equal(a->annotation, b->annotation);
}

static bool argument_equal(const Argument *a, const Argument *b)
{
    return a->kind == b->kind && a->is_each == b->is_each && a->is_final == b->is_final &&
           reference_equal(a->name, b->name) &&
           modification_equal(a->modification, b->modification) &&
           description_equal(a->description, b->description) &&
           element_equal(a->element, b->element) && reference_equal(a->from, b->from) &&
           reference_equal(a->to, b->to);
}

DEFINE_EQUAL_LISTS(Argument, argument_equal)

static bool modification_equal(const Modification *a, const Modification *b)
{
    RETURN_IF_MISSING(a, b);
    return a->has_arguments == b->has_arguments && a->is_assignment == b->is_assignment &&
           a->is_break == b->is_break &&
           EQUAL_LISTS(a->arguments, a->count, b->arguments, b->count, argument_equal) &&
           expression_equal(a->value, b->value);
}

static bool names_equal(const ReferencePart *a, const ReferencePart *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].name != b[i].name)
            return false;
    return true;
}

static bool import_equal(const Import *a, const Import *b)
{
    return a->kind == b->kind && reference_equal(a->path, b->path) &&
           a->alias.name == b->alias.name && a->count == b->count &&
           names_equal(a->imported, b->imported, a->count);
}

static bool clause_equal(const ComponentClause *a, const ComponentClause *b)
{
    return a->role == b->role && a->variability == b->variability && a->direction == b->direction &&
           reference_equal(a->type, b->type) &&
           EQUAL_LISTS(a->subscripts, a->subscript_count, b->subscripts, b->subscript_count,
                       expression_equal);
}

static bool component_equal(const Component *a, const Component *b)
{
    return clause_equal(a->clause, b->clause) && a->name == b->name &&
           EQUAL_LISTS(a->subscripts, a->subscript_count, b->subscripts, b->subscript_count,
                       expression_equal) &&
           modification_equal(a->modification, b->modification) &&
           expression_equal(a->condition, b->condition);
}

static bool constraint_equal(const Constraint *a, const Constraint *b)
{
    RETURN_IF_MISSING(a, b);
    return reference_equal(a->type, b->type) &&
           modification_equal(a->modification, b->modification) &&
           description_equal(a->description, b->description);
}

static bool element_content_equal(const Element *a, const Element *b)
{
    switch (a->kind) {
    case ELEMENT_IMPORT:
        return import_equal(a->import, b->import);
    case ELEMENT_EXTENDS:
        return reference_equal(a->extends.type, b->extends.type) &&
               modification_equal(a->extends.modification, b->extends.modification);
    case ELEMENT_CLASS:
        return class_equal(a->class_definition, b->class_definition);
    case ELEMENT_COMPONENT:
        return component_equal(a->component, b->component);
    }
    return false;
}

static bool element_equal(const Element *a, const Element *b)
{
    RETURN_IF_MISSING(a, b);
    return a->kind == b->kind && a->is_protected == b->is_protected &&
           a->is_redeclare == b->is_redeclare && a->is_final == b->is_final &&
           a->is_inner == b->is_inner && a->is_outer == b->is_outer &&
           a->is_replaceable == b->is_replaceable &&
           constraint_equal(a->constraint, b->constraint) &&
           description_equal(a->description, b->description) && element_content_equal(a, b);
}

bool element_means_same(const Element *a, const Element *b)
{
    Element x = *a, y = *b;
    x.description = y.description = NULL;
    if (a->kind != ELEMENT_CLASS || b->kind != ELEMENT_CLASS)
        return element_equal(&x, &y);
    ClassDefinition c = *a->class_definition, d = *b->class_definition;
    c.description = d.description;
    c.annotations = d.annotations;
    c.annotation_count = d.annotation_count;
    x.class_definition = &c;
    y.class_definition = &d;
    return element_equal(&x, &y);
}

// Whether an element and the one before it are of one clause.
static bool continues_clause(Element *const *elements, uint32_t i)
{
    return i > 0 && elements[i]->kind == ELEMENT_COMPONENT &&
           elements[i - 1]->kind == ELEMENT_COMPONENT &&
           elements[i]->component->clause == elements[i - 1]->component->clause;
}

static bool elements_equal(Element *const *a, Element *const *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!element_equal(a[i], b[i]) || continues_clause(a, i) != continues_clause(b, i))
            return false;
    return true;
}

// ---------------------------------------------------------------------------
// Equations and statements
// ---------------------------------------------------------------------------

static bool section_equal(const Section *a, const Section *b)
{
    if (a->is_initial != b->is_initial || a->is_algorithm != b->is_algorithm ||
        !expression_equal(a->condition, b->condition))
        return false;
    if (a->is_algorithm)
        return EQUAL_LISTS(a->statements, a->count, b->statements, b->count, statement_equal);
    return EQUAL_LISTS(a->equations, a->count, b->equations, b->count, equation_equal);
}

static bool all_branches_equal(const Section *a, const Section *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!section_equal(&a[i], &b[i]))
            return false;
    return true;
}

static bool equation_equal(const Equation *a, const Equation *b)
{
    if (a->kind != b->kind || !description_equal(a->description, b->description))
        return false;
    switch (a->kind) {
    case EQUATION_EQUALITY:
        return expression_equal(a->equality.left, b->equality.left) &&
               expression_equal(a->equality.right, b->equality.right);
    case EQUATION_CALL:
        return expression_equal(a->call, b->call);
    case EQUATION_CONNECT:
        return reference_equal(a->connect.from, b->connect.from) &&
               reference_equal(a->connect.to, b->connect.to);
    case EQUATION_IF:
    case EQUATION_WHEN:
        return a->branches.count == b->branches.count &&
               all_branches_equal(a->branches.items, b->branches.items, a->branches.count);
    case EQUATION_FOR:
        return a->loop.iterator_count == b->loop.iterator_count &&
               named_equal(a->loop.iterators, b->loop.iterators, a->loop.iterator_count) &&
               EQUAL_LISTS(a->loop.equations, a->loop.count, b->loop.equations, b->loop.count,
                           equation_equal);
    }
    return false;
}

static bool statement_equal(const Statement *a, const Statement *b)
{
    if (a->kind != b->kind || !description_equal(a->description, b->description))
        return false;
    switch (a->kind) {
    case STATEMENT_ASSIGNMENT:
        return reference_equal(a->assignment.target, b->assignment.target) &&
               expression_equal(a->assignment.value, b->assignment.value);
    case STATEMENT_CALL_ASSIGNMENT:
        return EQUAL_LISTS(a->call_assignment.targets, a->call_assignment.count,
                           b->call_assignment.targets, b->call_assignment.count,
                           expression_equal) &&
               expression_equal(a->call_assignment.call, b->call_assignment.call);
    case STATEMENT_CALL:
        return expression_equal(a->call, b->call);
    case STATEMENT_BREAK:
    case STATEMENT_RETURN:
        return true;
    case STATEMENT_IF:
    case STATEMENT_WHEN:
        return a->branches.count == b->branches.count &&
               all_branches_equal(a->branches.items, b->branches.items, a->branches.count);
    case STATEMENT_FOR:
        return a->loop.iterator_count == b->loop.iterator_count &&
               named_equal(a->loop.iterators, b->loop.iterators, a->loop.iterator_count) &&
               EQUAL_LISTS(a->loop.statements, a->loop.count, b->loop.statements, b->loop.count,
                           statement_equal);
    case STATEMENT_WHILE:
        return expression_equal(a->while_loop.condition, b->while_loop.condition) &&
               EQUAL_LISTS(a->while_loop.statements, a->while_loop.count, b->while_loop.statements,
                           b->while_loop.count, statement_equal);
    }
    return false;
}

// ---------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------

DEFINE_EQUAL_LISTS(Section, section_equal)

static bool external_equal(const External *a, const External *b)
{
    RETURN_IF_MISSING(a, b);
    return string_equal(a->language, b->language) && reference_equal(a->result, b->result) &&
           a->function == b->function &&
           EQUAL_LISTS(a->arguments, a->count, b->arguments, b->count, expression_equal) &&
           modification_equal(a->annotation, b->annotation);
}

static bool body_equal(const ClassBody *a, const ClassBody *b)
{
    return a->element_count == b->element_count &&
           elements_equal(a->elements, b->elements, a->element_count) &&
           EQUAL_LISTS(a->sections, a->section_count, b->sections, b->section_count,
                       section_equal) &&
           external_equal(a->external, b->external) &&
           modification_equal(a->modification, b->modification);
}

static bool literals_equal(const EnumerationLiteral *a, const EnumerationLiteral *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i].name != b[i].name || !description_equal(a[i].description, b[i].description))
            return false;
    return true;
}

static bool class_content_equal(const ClassDefinition *a, const ClassDefinition *b)
{
    switch (a->form) {
    case FORM_LONG:
    case FORM_EXTENDING:
        return body_equal(&a->body, &b->body);
    case FORM_SHORT:
        return a->alias.direction == b->alias.direction &&
               reference_equal(a->alias.type, b->alias.type) &&
               EQUAL_LISTS(a->alias.subscripts, a->alias.subscript_count, b->alias.subscripts,
                           b->alias.subscript_count, expression_equal) &&
               modification_equal(a->alias.modification, b->alias.modification);
    case FORM_ENUMERATION:
        return a->enumeration.is_open == b->enumeration.is_open &&
               a->enumeration.count == b->enumeration.count &&
               literals_equal(a->enumeration.literals, b->enumeration.literals,
                              a->enumeration.count);
    case FORM_DERIVATIVE:
        return reference_equal(a->derivative.function, b->derivative.function) &&
               a->derivative.count == b->derivative.count &&
               names_equal(a->derivative.variables, b->derivative.variables, a->derivative.count);
    }
    return false;
}

bool class_equal(const ClassDefinition *a, const ClassDefinition *b)
{
    return a->kind == b->kind && a->form == b->form && a->purity == b->purity &&
           a->is_encapsulated == b->is_encapsulated && a->is_partial == b->is_partial &&
           a->is_final == b->is_final && a->name == b->name &&
           string_equal(a->description, b->description) &&
           EQUAL_LISTS(a->annotations, a->annotation_count, b->annotations, b->annotation_count,
                       modification_equal) &&
           class_content_equal(a, b);
}
