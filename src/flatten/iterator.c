// SPDX-License-Identifier: MIT
//
// Ranges of loops and comprehensions (sections 10.4.1 and 11.2.2). A missing range is that of the
// dimension in which the iterator is used as a subscript: the first use that is found decides, in
// the order of the text, and the others are checked like any subscript.
//
// All loops of a model together have at most LIMIT_ITERATIONS rounds. Nested loops are counted
// ahead by the product of their ranges, so that one that would take hours is refused before it
// begins.

#include "flatten/iterator.h"

#include "flatten/builtin.h"
#include "flatten/evaluate.h"
#include "flatten/function.h"
#include "flatten/lookup.h"
#include "flatten/overload.h"

Class *iterator_type(Flattener *f, Scope *s, const Expression *e)
{
    if (e->kind != EXPRESSION_REFERENCE)
        return NULL;
    const Reference *r = e->reference;
    for (uint32_t k = 0; k < r->count; k++)
        if (r->parts[k].subscript_count || !r->parts[k].name)
            return NULL;
    if (s->function && function_local(f, s->function, r->parts[0].name))
        return NULL;
    for (const ScopeIterator *i = s->iterators; i; i = i->outer)
        if (i->name == r->parts[0].name)
            return NULL;
    Class *c = lookup_class_quietly(f, s->class_, r);
    if (!c || !class_is_simple(f, c))
        return NULL;
    return c->simple == PREDEFINED_BOOLEAN || c->simple == PREDEFINED_ENUMERATION ? c : NULL;
}

bool iterator_count(Flattener *f, Span span)
{
    if (++f->limits.iteration_count <= LIMIT_ITERATIONS && !f->limits.has_overflowed)
        return true;
    if (!f->limits.has_overflowed)
        report_error(f, span, "loops have more than %d iterations in all", LIMIT_ITERATIONS);
    f->limits.has_overflowed = true;
    return false;
}

// The loops around may have fewer iterations of this one later, but as a rule not ten times fewer.
double iterator_rounds(Flattener *f, Span span, const ScopeIterator *outer, uint32_t count)
{
    static const double surely = 10.0;
    const double rounds = (outer && outer->rounds > 0.0 ? outer->rounds : 1.0) * count;
    if (rounds <= surely * LIMIT_ITERATIONS)
        return rounds;
    if (!f->limits.has_overflowed)
        report_error(f, span, "loops have more than %d iterations in all: here about %.3g",
                     LIMIT_ITERATIONS, rounds);
    f->limits.has_overflowed = true;
    return 0.0;
}

// ---------------------------------------------------------------------------
// The use of an iterator
// ---------------------------------------------------------------------------

// The subscript that an iterator without a range is found as; reference NULL: none yet.
typedef struct IteratorUse {
    const Name *name;
    const Reference *reference;
    uint32_t part;
    uint32_t dimension;
} IteratorUse;

static bool find_in_expression(const Expression *e, IteratorUse *use);

static bool find_in_reference(const Reference *r, IteratorUse *use)
{
    for (uint32_t p = 0; p < r->count; p++) {
        for (uint32_t k = 0; k < r->parts[p].subscript_count; k++) {
            const Expression *e = r->parts[p].subscripts[k];
            if (e->kind == EXPRESSION_REFERENCE && e->reference->count == 1 &&
                e->reference->parts[0].name == use->name &&
                e->reference->parts[0].subscript_count == 0) {
                use->reference = r;
                use->part = p;
                use->dimension = k;
                return true;
            }
            if (find_in_expression(e, use))
                return true;
        }
    }
    return false;
}

static bool find_in_call(const Expression *e, IteratorUse *use)
{
    for (uint32_t i = 0; i < e->call.count; i++)
        if (find_in_expression(e->call.arguments[i], use))
            return true;
    for (uint32_t i = 0; i < e->call.named_count; i++)
        if (find_in_expression(e->call.named[i].value, use))
            return true;
    return false;
}

static bool find_in_matrix(const Expression *e, IteratorUse *use)
{
    for (uint32_t i = 0; i < e->matrix.count; i++)
        for (uint32_t k = 0; k < e->matrix.rows[i].count; k++)
            if (find_in_expression(e->matrix.rows[i].items[k], use))
                return true;
    return false;
}

static bool find_in_if(const Expression *e, IteratorUse *use)
{
    for (uint32_t i = 0; i < e->conditional.count; i++)
        if (find_in_expression(e->conditional.branches[i].condition, use) ||
            find_in_expression(e->conditional.branches[i].value, use))
            return true;
    return find_in_expression(e->conditional.otherwise, use);
}

static bool find_in_expression(const Expression *e, IteratorUse *use)
{
    if (!e)
        return false;
    switch (e->kind) {
    case EXPRESSION_REFERENCE:
        return find_in_reference(e->reference, use);
    case EXPRESSION_CALL:
        return find_in_call(e, use);
    case EXPRESSION_COMPREHENSION:
        return find_in_expression(e->comprehension.body, use);
    case EXPRESSION_UNARY:
        return find_in_expression(e->unary.operand, use);
    case EXPRESSION_BINARY:
        while (e->kind == EXPRESSION_BINARY) {
            if (find_in_expression(e->binary.right, use))
                return true;
            e = e->binary.left;
        }
        return find_in_expression(e, use);
    case EXPRESSION_IF:
        return find_in_if(e, use);
    case EXPRESSION_ARRAY:
    case EXPRESSION_TUPLE:
        for (uint32_t i = 0; i < e->array.count; i++)
            if (find_in_expression(e->array.items[i], use))
                return true;
        return false;
    case EXPRESSION_MATRIX:
        return find_in_matrix(e, use);
    case EXPRESSION_SUBSCRIPTED:
        return find_in_expression(e->subscripted.base, use);
    case EXPRESSION_MEMBER:
        return find_in_expression(e->member.base, use);
    default:
        return false;
    }
}

static bool find_in_equations(uint32_t count, Equation *const *equations, IteratorUse *use)
{
    for (uint32_t i = 0; i < count; i++) {
        const Equation *e = equations[i];
        bool found = false;
        if (e->kind == EQUATION_EQUALITY)
            found = find_in_expression(e->equality.left, use) ||
                    find_in_expression(e->equality.right, use);
        else if (e->kind == EQUATION_CALL)
            found = find_in_expression(e->call, use);
        else if (e->kind == EQUATION_CONNECT)
            found =
                find_in_reference(e->connect.from, use) || find_in_reference(e->connect.to, use);
        else if (e->kind == EQUATION_FOR)
            found = find_in_equations(e->loop.count, e->loop.equations, use);
        else
            for (uint32_t k = 0; k < e->branches.count && !found; k++)
                found = find_in_expression(e->branches.items[k].condition, use) ||
                        find_in_equations(e->branches.items[k].count,
                                          e->branches.items[k].equations, use);
        if (found)
            return true;
    }
    return false;
}

static bool find_in_targets(const Statement *st, IteratorUse *use)
{
    bool found = false;
    for (uint32_t i = 0; i < st->call_assignment.count && !found; i++)
        if (st->call_assignment.targets[i])
            found = find_in_expression(st->call_assignment.targets[i], use);
    return found;
}

static bool find_in_statements(uint32_t count, Statement *const *statements, IteratorUse *use)
{
    for (uint32_t i = 0; i < count; i++) {
        const Statement *st = statements[i];
        bool found = false;
        if (st->kind == STATEMENT_ASSIGNMENT)
            found = find_in_reference(st->assignment.target, use) ||
                    find_in_expression(st->assignment.value, use);
        else if (st->kind == STATEMENT_CALL_ASSIGNMENT)
            found = find_in_targets(st, use) || find_in_expression(st->call_assignment.call, use);
        else if (st->kind == STATEMENT_CALL)
            found = find_in_expression(st->call, use);
        else if (st->kind == STATEMENT_FOR)
            found = find_in_statements(st->loop.count, st->loop.statements, use);
        else if (st->kind == STATEMENT_WHILE)
            found = find_in_expression(st->while_loop.condition, use) ||
                    find_in_statements(st->while_loop.count, st->while_loop.statements, use);
        else if (st->kind == STATEMENT_IF || st->kind == STATEMENT_WHEN)
            for (uint32_t k = 0; k < st->branches.count && !found; k++)
                found = find_in_expression(st->branches.items[k].condition, use) ||
                        find_in_statements(st->branches.items[k].count,
                                           st->branches.items[k].statements, use);
        if (found)
            return true;
    }
    return false;
}

// The type that counts dimension `k` of the component that a reference without subscripts names;
// NULL: it is Integer, or not known.
static Class *counting_type(Flattener *f, const Scope *s, const Reference *r, uint32_t k)
{
    Member *member = lookup_simple(f, s->class_, r->parts[0].name).member;
    for (uint32_t i = 1; member && i < r->count; i++) {
        Class *c = member_class(f, member);
        member = c ? class_member(f, c, r->parts[i].name) : NULL;
    }
    if (!member || !member->is_component)
        return NULL;
    const Component *c = member->element->component;
    List subscripts = {0};
    List scopes = {0};
    for (uint32_t i = 0; i < c->subscript_count; i++)
        list_append(f->arena, &subscripts, c->subscripts[i]);
    for (uint32_t i = 0; i < c->clause->subscript_count; i++)
        list_append(f->arena, &subscripts, c->clause->subscripts[i]);
    const uint32_t own = subscripts.count;
    class_sizes(f, member_class(f, member), &subscripts, &scopes);
    if (k >= subscripts.count)
        return NULL;
    Scope at = scope_of_class(k < own ? member->scope : scopes.items[k - own]);
    return iterator_type(f, &at, subscripts.items[k]);
}

static FlatExpression *type_range(Flattener *f, Class *c, Span span)
{
    if (c->simple == PREDEFINED_BOOLEAN)
        return build_range(f, build_boolean(f, false, span), NULL, build_boolean(f, true, span),
                           span);
    const FlatType *type = class_type(f, c);
    return build_range(f, build_enumeration(f, type, 1, span), NULL,
                       build_enumeration(f, type, type->count, span), span);
}

// 1:size(x, k) for the array x and the dimension k where the iterator is used, or all values of the
// type that counts it.
static FlatExpression *implicit_range(Flattener *f, Scope *s, const NamedExpression *iterator,
                                      const IteratorUse *use)
{
    if (!use->reference) {
        report_error(f, iterator->span,
                     "the range of '%s' cannot be found: it is not used as a subscript",
                     iterator->name->text);
        return build_none(f, iterator->span);
    }
    // The reference without the subscripts of that part.
    const Reference *r = use->reference;
    Reference *array =
        arena_allocate(f->arena, sizeof *array + (use->part + 1) * sizeof(ReferencePart));
    *array = *r;
    array->count = use->part + 1;
    for (uint32_t k = 0; k <= use->part; k++)
        array->parts[k] = r->parts[k];
    array->parts[use->part].subscript_count = 0;
    Class *type = counting_type(f, s, array, use->dimension);
    if (type)
        return type_range(f, type, iterator->span);
    FlatExpression *shape = elaborate_shape(f, s, array);
    if (!shape)
        shape = elaborate_reference(f, s, array);
    if (expression_is_none(shape))
        return shape;
    FlatExpression *pair[] = {shape, build_integer(f, use->dimension + 1, iterator->span)};
    FlatExpression *size = build_call(f, OPERATION_SIZE, 2, pair, iterator->span);
    return build_range(f, build_integer(f, 1, iterator->span), NULL, size, iterator->span);
}

static FlatExpression *iterator_values_of(Flattener *f, Scope *s, const Expression *e,
                                          bool may_stay)
{
    if (!may_stay || e->kind != EXPRESSION_RANGE)
        return elaborate(f, s, e);
    FlatExpression *start = elaborate(f, s, e->range.start);
    FlatExpression *step = e->range.step ? elaborate(f, s, e->range.step) : NULL;
    FlatExpression *stop = elaborate(f, s, e->range.stop);
    return s->function ? build_counting_range(f, start, step, stop, e->span)
                       : build_loop_range(f, start, step, stop, e->span);
}

static FlatExpression *find_range(Flattener *f, Scope *s, const NamedExpression *iterator,
                                  const IteratorUse *use, bool may_stay)
{
    if (!iterator->value)
        return implicit_range(f, s, iterator, use);
    const Expression *e = iterator->value;
    Class *c = iterator_type(f, s, e);
    if (c)
        return type_range(f, c, e->span);
    FlatExpression *range = iterator_values_of(f, s, e, may_stay);
    if (expression_is_none(range))
        return range;
    if (range->rank != 1) {
        report_error(f, e->span, "a loop needs a vector of values, but this is %s",
                     expression_type_text(f, range));
        return build_none(f, e->span);
    }
    if (s->function || expression_is_literal(range))
        return range;
    FlatExpression *known = evaluate(f, range, may_stay ? NULL : "the range of a loop");
    return known ? known : may_stay ? range : build_none(f, e->span);
}

// In the body of a comprehension.
static FlatExpression *iterator_range(Flattener *f, Scope *s, const NamedExpression *iterator,
                                      const Expression *body)
{
    IteratorUse use = {.name = iterator->name};
    if (!iterator->value)
        find_in_expression(body, &use);
    return find_range(f, s, iterator, &use, false);
}

FlatExpression *iterator_equation_range(Flattener *f, Scope *s, const NamedExpression *iterator,
                                        const Equation *loop)
{
    IteratorUse use = {.name = iterator->name};
    if (!iterator->value)
        find_in_equations(loop->loop.count, loop->loop.equations, &use);
    return find_range(f, s, iterator, &use, false);
}

FlatExpression *iterator_statement_range(Flattener *f, Scope *s, const NamedExpression *iterator,
                                         const Statement *loop)
{
    IteratorUse use = {.name = iterator->name};
    if (!iterator->value)
        find_in_statements(loop->loop.count, loop->loop.statements, &use);
    return find_range(f, s, iterator, &use, true);
}

// ---------------------------------------------------------------------------
// Comprehensions
// ---------------------------------------------------------------------------

// The loops that stay, inside functions: nested from the last iterator in.
static FlatExpression *remaining_loop(Flattener *f, Scope *s, const Expression *e, uint32_t level);

// All iterators with index below `level` are still open; the last one is the outermost loop.
static FlatExpression *iterator_loop_level(Flattener *f, Scope *s, const Expression *e,
                                           uint32_t level)
{
    if (level == 0)
        return elaborate(f, s, e->comprehension.body);
    const NamedExpression *iterator = &e->comprehension.iterators[level - 1];
    FlatExpression *range = iterator_range(f, s, iterator, e->comprehension.body);
    if (expression_is_none(range))
        return range;
    if (!expression_is_literal(range))
        return remaining_loop(f, s, e, level);
    const double rounds = iterator_rounds(f, e->span, s->iterators, range->count);
    FlatExpression **items = ARENA_ARRAY(f->arena, range->count + 1, FlatExpression *);
    for (uint32_t i = 0; i < range->count; i++) {
        if (rounds == 0.0 || !iterator_count(f, e->span))
            return build_none(f, e->span);
        ScopeIterator at = {s->iterators, iterator->name, range->operands[i], rounds};
        s->iterators = &at;
        items[i] = iterator_loop_level(f, s, e, level - 1);
        s->iterators = at.outer;
        if (expression_is_none(items[i]))
            return items[i];
    }
    return build_array(f, range->count, items, e->span);
}

static FlatExpression *remaining_loop(Flattener *f, Scope *s, const Expression *e, uint32_t level)
{
    const NamedExpression *iterator = &e->comprehension.iterators[level - 1];
    FlatExpression *range = iterator_range(f, s, iterator, e->comprehension.body);
    FlatLocal *local =
        function_iterator(f, s->function, iterator->name, range->type, iterator->span);
    ScopeIterator at = {s->iterators, iterator->name, &local->reference, 0.0};
    s->iterators = &at;
    FlatExpression *body = iterator_loop_level(f, s, e, level - 1);
    s->iterators = at.outer;
    return iterator_loop(f, local, range, body, e->span);
}

FlatExpression *iterator_loop(Flattener *f, FlatLocal *iterator, FlatExpression *range,
                              FlatExpression *body, Span span)
{
    if (expression_is_none(body))
        return body;
    FlatExpression *loop = build_node(f, FLAT_COMPREHENSION, body->type, 2, span);
    loop->iterators = ARENA_ARRAY(f->arena, 1, FlatLocal *);
    loop->iterators[0] = iterator;
    loop->operands[0] = body;
    loop->operands[1] = range;
    uint32_t *dims = ARENA_ARRAY(f->arena, body->rank + 1u, uint32_t);
    dims[0] = range->dims[0];
    for (uint32_t k = 0; k < body->rank; k++)
        dims[k + 1] = body->dims[k];
    loop->rank = (uint8_t)(body->rank + 1);
    loop->dims = dims;
    build_vary(loop);
    return loop;
}

FlatExpression *iterator_over(Flattener *f, Scope *s, FlatExpression *vector, FlatLocal **iterator,
                              FlatExpression **range)
{
    const Span span = vector->span;
    if (vector->kind == FLAT_COMPREHENSION) {
        *iterator = vector->iterators[0];
        *range = vector->operands[1];
        return vector->operands[0];
    }
    FlatExpression *pair[] = {vector, build_integer(f, 1, span)};
    FlatExpression *size = build_call(f, OPERATION_SIZE, 2, pair, span);
    *range = build_range(f, build_integer(f, 1, span), NULL, size, span);
    *iterator = function_iterator(f, s->function, names_intern_text(f->names, "i"),
                                  &flat_type_integer, span);
    FlatExpression *place = &(*iterator)->reference;
    return build_subscripted(f, vector, 1, &place, span);
}

FlatExpression *elaborate_comprehension(Flattener *f, Scope *s, const Expression *e)
{
    const Reference *function = e->comprehension.function;
    Operation op = OPERATION_STACK;
    if (function) {
        const Name *name = function->count == 1 ? function->parts[0].name : NULL;
        const OperationInfo *info = name ? map_find(&f->operations, name) : NULL;
        op = info ? (Operation)(info - operation_info((Operation)0)) : OPERATION_COUNT;
        if (op != OPERATION_SUM && op != OPERATION_PRODUCT && op != OPERATION_MINIMUM &&
            op != OPERATION_MAXIMUM && op != OPERATION_STACK) {
            report_error(f, function->span,
                         "only sum, product, min, max and array can be used "
                         "with 'for', not '%s'",
                         reference_text(f, function));
            return build_none(f, e->span);
        }
    }
    FlatExpression *array = iterator_loop_level(f, s, e, e->comprehension.iterator_count);
    if (op == OPERATION_STACK || expression_is_none(array))
        return array;
    return op == OPERATION_SUM && overload_concerns(array) ? overload_sum(f, s, array, e->span)
                                                           : build_call(f, op, 1, &array, e->span);
}
