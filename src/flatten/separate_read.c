// SPDX-License-Identifier: MIT
//
// Goes through what belongs to a part of a flat model: to connect it, to write it down, to copy it.
// One walk does all three (`aim`), so that they cannot see different things.
//
// What is written down is a list of words in which two parts are equal if and only if one model can
// run both: kinds, operations and texts as they are; a variable as its number in the part, in the
// order in which it was first met; a parameter without its value, unless that shaped the model.
// What both share (types, functions) is its address.

#include "flatten/separate_parts.h"

#include "base/sets.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

void separate_word(Separator *s, uint64_t word)
{
    if (s->aim != SEPARATE_READ)
        return;
    if (s->written.count == s->written.room) {
        const size_t room = s->written.room ? 2 * s->written.room : 1024;
        s->written.words =
            arena_regrow(s->arena, s->written.words, s->written.room * sizeof *s->written.words,
                         room * sizeof *s->written.words);
        s->written.room = room;
    }
    s->written.words[s->written.count++] = word;
}

static void separate_real(Separator *s, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    separate_word(s, word);
}

static void separate_text(Separator *s, const char *text)
{
    separate_word(s, text ? strlen(text) : UINT64_MAX);
    for (size_t i = 0; text && text[i]; i++)
        separate_word(s, (unsigned char)text[i]);
}

void separate_address(Separator *s, const void *address)
{
    separate_word(s, (uintptr_t)address);
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static void separate_append(Separator *s, uint32_t number)
{
    if (s->count == s->room) {
        const uint32_t room = s->room ? 2 * s->room : 64;
        s->variables = arena_regrow(s->arena, s->variables, s->room * sizeof *s->variables,
                                    room * sizeof *s->variables);
        s->room = room;
    }
    s->variables[s->count++] = number;
}

void separate_add(Separator *s, const FlatVariable *v)
{
    s->part_of[v->index] = s->part;
    s->number[v->index] = s->count;
    separate_append(s, v->index);
}

// A parameter is written down where it is first met, but for its value, unless that shaped the
// model.
static void separate_read_parameter(Separator *s, const FlatVariable *v)
{
    const FlatTypeKind kind = FLAT_TYPE(v)->kind;
    separate_add(s, v);
    separate_address(s, FLAT_TYPE(v));
    separate_word(s, v->is_evaluated + 2u * v->is_structural);
    if (v->is_evaluated && kind == FLAT_TYPE_STRING)
        separate_text(s, v->value.string);
    else if (v->is_evaluated && kind == FLAT_TYPE_REAL)
        separate_real(s, v->value.real);
    else if (v->is_evaluated)
        separate_word(s, (uint64_t)v->value.integer);
    else
        s->is_refused |=
            kind == FLAT_TYPE_STRING || kind == FLAT_TYPE_OBJECT || isnan(s->values[v->index]);
}

static FlatVariable *separate_variable(Separator *s, const FlatVariable *v)
{
    if (!v) {
        separate_word(s, UINT64_MAX);
        return NULL;
    }
    if (s->aim == SEPARATE_MARK && !separate_is_parameter(v) && !s->is_read[v->index]) {
        s->is_read[v->index] = true;
        s->list[s->list_count++] = v->index;
    }
    if (s->aim == SEPARATE_JOIN && !separate_is_parameter(v))
        sets_join(s->parent, s->element, v->index);
    if (s->aim <= SEPARATE_JOIN)
        return NULL;
    if (s->aim == SEPARATE_COPY)
        return &s->copies[s->number[v->index]];
    if (separate_is_parameter(v) && s->part_of[v->index] != s->part)
        separate_read_parameter(s, v);
    separate_word(s, s->number[v->index]);
    return NULL;
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static SeparateSeen *separate_find_seen(const Separator *s, const FlatExpression *e)
{
    const uint32_t mask = s->seen_room - 1;
    uint32_t at = (uint32_t)(((uintptr_t)e >> 4) * 2654435761u) & mask;
    while (s->seen[at].node && s->seen[at].node != e)
        at = (at + 1) & mask;
    return &s->seen[at];
}

void separate_forget(Separator *s)
{
    if (s->seen_count)
        memset(s->seen, 0, s->seen_room * sizeof *s->seen);
    s->seen_count = 0;
}

// Notes a call, which several results may share. False: it was met before.
static bool separate_is_new(Separator *s, const FlatExpression *e, SeparateSeen **seen)
{
    if (2 * (s->seen_count + 1) > s->seen_room) {
        const SeparateSeen *old = s->seen;
        const uint32_t old_room = s->seen_room;
        s->seen_room = old_room ? 2 * old_room : 64;
        s->seen = ARENA_ARRAY(s->arena, s->seen_room, SeparateSeen);
        for (uint32_t i = 0; i < old_room; i++)
            if (old[i].node)
                *separate_find_seen(s, old[i].node) = old[i];
    }
    *seen = separate_find_seen(s, e);
    if ((*seen)->node)
        return false;
    **seen = (SeparateSeen){.node = e, .number = s->seen_count++, .element = s->element};
    return true;
}

static void separate_head(Separator *s, const FlatExpression *e)
{
    separate_word(s, e->kind | (uint64_t)e->variability << 8 | (uint64_t)e->rank << 16 |
                         (uint64_t)e->is_silent << 24 | (uint64_t)e->count << 32);
    separate_word(s, e->span.begin);
    separate_address(s, e->type);
    for (uint32_t i = 0; i < e->rank && e->dims; i++)
        separate_word(s, e->dims[i]);
}

static void separate_operation(Separator *s, const FlatExpression *e, FlatExpression *copy)
{
    separate_word(s, e->operation);
    separate_word(s, e->relation != FLAT_NO_RELATION);
    s->is_refused |= e->operation == OPERATION_TERMINAL;
    if (!copy || e->relation == FLAT_NO_RELATION)
        return;
    FlatModel *m = s->model;
    ARENA_ROOM(s->arena, m->relations.items, m->relations.count, s->relation_room);
    copy->relation = m->relations.count;
    m->relations.items[m->relations.count++] =
        (FlatRelation){copy, s->flat->relations.items[e->relation].component};
}

// What it is, but for its operands.
static void separate_leaf(Separator *s, const FlatExpression *e, FlatExpression *copy)
{
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
        separate_real(s, e->real);
        break;
    case FLAT_INTEGER:
    case FLAT_ENUMERATION:
        separate_word(s, (uint64_t)e->integer);
        break;
    case FLAT_BOOLEAN:
        separate_word(s, e->boolean);
        break;
    case FLAT_STRING:
        separate_text(s, e->string);
        break;
    case FLAT_VARIABLE: {
        FlatVariable *v = separate_variable(s, e->variable);
        if (copy)
            copy->variable = v;
        break;
    }
    case FLAT_OPERATION:
        separate_operation(s, e, copy);
        break;
    case FLAT_CALL:
        separate_address(s, e->function);
        s->is_refused |= e->function->is_impure;
        break;
    case FLAT_RESULT:
        separate_word(s, e->result.output);
        separate_word(s, e->result.element);
        break;
    case FLAT_LOCAL:
        separate_word(s, e->local->index);
        break;
    case FLAT_MEMBER:
        separate_word(s, e->field);
        break;
    case FLAT_IF:
    case FLAT_SELECT:
    case FLAT_ARRAY:
    case FLAT_RECORD:
    case FLAT_COLON:
        break;
    case FLAT_ACTIVE:
    case FLAT_STATE_TIME:
    case FLAT_STATE_TICKS:
    case FLAT_COMPREHENSION:
        s->is_refused = true;
        break;
    }
}

static FlatExpression *separate_expression(Separator *s, const FlatExpression *e)
{
    if (!e) {
        separate_word(s, UINT64_MAX);
        return NULL;
    }
    SeparateSeen *seen = NULL;
    if (e->kind == FLAT_CALL && !separate_is_new(s, e, &seen)) {
        separate_word(s, seen->number);
        if (s->aim == SEPARATE_JOIN) // with what is in it
            sets_join(s->parent, s->element, seen->element);
        return seen->copy;
    }
    FlatExpression *copy = NULL;
    if (s->aim == SEPARATE_COPY) {
        copy = ARENA_NEW(s->arena, FlatExpression);
        *copy = *e;
        copy->operands = ARENA_ARRAY(s->arena, e->count, FlatExpression *);
        if (seen)
            seen->copy = copy;
    }
    separate_head(s, e);
    separate_leaf(s, e, copy);
    for (uint32_t i = 0; i < e->count; i++) {
        FlatExpression *operand = separate_expression(s, e->operands[i]);
        if (copy)
            copy->operands[i] = operand;
    }
    return copy;
}

static FlatExpression **separate_expressions(Separator *s, uint32_t count,
                                             FlatExpression *const *items)
{
    FlatExpression **copies =
        s->aim == SEPARATE_COPY && items ? ARENA_ARRAY(s->arena, count, FlatExpression *) : NULL;
    separate_word(s, count);
    for (uint32_t i = 0; i < count && items; i++) {
        FlatExpression *copy = separate_expression(s, items[i]);
        if (copies)
            copies[i] = copy;
    }
    return copies;
}

// ---------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------

static FlatStatement **separate_statements(Separator *s, uint32_t count,
                                           FlatStatement *const *statements);

static FlatBranch *separate_branches(Separator *s, uint32_t count, const FlatBranch *branches)
{
    FlatBranch *copies = ARENA_ARRAY(s->arena, s->aim == SEPARATE_COPY ? count : 0, FlatBranch);
    separate_word(s, count);
    for (uint32_t i = 0; i < count; i++) {
        FlatBranch copy = branches[i];
        copy.condition = separate_expression(s, branches[i].condition);
        copy.statements = separate_statements(s, branches[i].count, branches[i].statements);
        if (s->aim == SEPARATE_COPY)
            copies[i] = copy;
    }
    return copies;
}

static void separate_statement(Separator *s, const FlatStatement *st, FlatStatement *copy)
{
    *copy = *st;
    separate_word(s, st->kind);
    separate_word(s, st->span.begin);
    switch (st->kind) {
    case FLAT_ASSIGN:
    case FLAT_MULTIPLE:
    case FLAT_REINIT:
        copy->target = separate_expression(s, st->target);
        copy->value = separate_expression(s, st->value);
        copy->targets = separate_expressions(s, st->target_count, st->targets);
        break;
    case FLAT_ASSERT:
    case FLAT_TERMINATE:
        separate_word(s, st->check.level);
        copy->check.condition = separate_expression(s, st->check.condition);
        copy->check.message = separate_expression(s, st->check.message);
        break;
    case FLAT_CHOICE:
    case FLAT_WHEN:
        copy->branches.items = separate_branches(s, st->branches.count, st->branches.items);
        break;
    case FLAT_FOR:
    case FLAT_WHILE:
        separate_word(s, st->loop.iterator ? st->loop.iterator->index : UINT64_MAX);
        copy->loop.range = separate_expression(s, st->loop.range);
        copy->loop.body = separate_statements(s, st->loop.count, st->loop.body);
        break;
    case FLAT_BREAK:
    case FLAT_RETURN:
        break;
    }
}

static FlatStatement **separate_statements(Separator *s, uint32_t count,
                                           FlatStatement *const *statements)
{
    const bool is_copied = s->aim == SEPARATE_COPY;
    FlatStatement **copies = ARENA_ARRAY(s->arena, is_copied ? count : 0, FlatStatement *);
    separate_word(s, count);
    for (uint32_t i = 0; i < count; i++) {
        FlatStatement copy;
        separate_statement(s, statements[i], &copy);
        if (!is_copied)
            continue;
        copies[i] = ARENA_NEW(s->arena, FlatStatement);
        *copies[i] = copy;
    }
    return copies;
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

static const FlatGuard *separate_guard(Separator *s, const FlatGuard *guard)
{
    if (!guard) {
        separate_word(s, UINT64_MAX);
        return NULL;
    }
    if (guard->state) {
        s->is_refused = true;
        return NULL;
    }
    if (s->aim == SEPARATE_JOIN)
        sets_join(s->parent, s->element,
                  s->first[SEPARATE_CONDITIONALS] + guard->conditional->index);
    separate_word(s, guard->branch);
    separate_word(s, guard->conditional->span.begin);
    const FlatGuard *outer = separate_guard(s, guard->outer);
    if (s->aim != SEPARATE_COPY)
        return NULL;
    FlatGuard *copy = ARENA_NEW(s->arena, FlatGuard);
    *copy = (FlatGuard){.outer = outer,
                        .conditional = s->conditionals[guard->conditional->index],
                        .branch = guard->branch};
    return copy;
}

static void separate_origin(Separator *s, const FlatOrigin *origin)
{
    separate_word(s, origin->span.begin);
    separate_word(s, origin->element);
}

static FlatVariable **separate_defined(Separator *s, uint32_t count, FlatVariable *const *variables)
{
    FlatVariable **copies =
        ARENA_ARRAY(s->arena, s->aim == SEPARATE_COPY ? count : 0, FlatVariable *);
    separate_word(s, count);
    for (uint32_t i = 0; i < count; i++) {
        FlatVariable *copy = separate_variable(s, variables[i]);
        if (s->aim == SEPARATE_COPY)
            copies[i] = copy;
    }
    return copies;
}

static FlatEquation separate_equation(Separator *s, const FlatEquation *e)
{
    FlatEquation copy = *e;
    separate_word(s, e->kind);
    separate_origin(s, &e->origin);
    copy.guard = separate_guard(s, e->guard);
    copy.left = separate_expression(s, e->left);
    copy.right = separate_expression(s, e->right);
    copy.tick = separate_variable(s, e->tick);
    copy.slope = separate_variable(s, e->slope);
    copy.targets = separate_expressions(s, e->target_count, e->targets);
    s->is_refused |= e->clock != NULL;
    return copy;
}

static FlatIf separate_conditional(Separator *s, const FlatIf *c)
{
    FlatIf copy = *c;
    separate_word(s, c->is_initial);
    separate_word(s, c->span.begin);
    copy.guard = separate_guard(s, c->guard);
    copy.conditions = separate_expressions(s, c->count, c->conditions);
    return copy;
}

static FlatWhen separate_when(Separator *s, const FlatWhen *w)
{
    FlatWhen copy = *w;
    separate_origin(s, &w->origin);
    copy.guard = separate_guard(s, w->guard);
    separate_word(s, w->count);
    copy.branches = ARENA_ARRAY(s->arena, s->aim == SEPARATE_COPY ? w->count : 0, FlatWhenBranch);
    for (uint32_t i = 0; i < w->count; i++) {
        FlatWhenBranch branch = w->branches[i];
        branch.conditions =
            separate_expressions(s, w->branches[i].condition_count, w->branches[i].conditions);
        branch.statements = separate_statements(s, w->branches[i].count, w->branches[i].statements);
        if (s->aim == SEPARATE_COPY)
            copy.branches[i] = branch;
    }
    copy.defined = separate_defined(s, w->defined_count, w->defined);
    return copy;
}

static FlatAlgorithm separate_algorithm(Separator *s, const FlatAlgorithm *a)
{
    FlatAlgorithm copy = *a;
    separate_origin(s, &a->origin);
    copy.guard = separate_guard(s, a->guard);
    copy.statements = separate_statements(s, a->count, a->statements);
    copy.defined = separate_defined(s, a->defined_count, a->defined);
    return copy;
}

static FlatAssertion separate_assertion(Separator *s, const FlatAssertion *a)
{
    FlatAssertion copy = *a;
    separate_origin(s, &a->origin);
    separate_word(s, a->is_initial + 2u * a->is_termination + 4u * (unsigned)a->level);
    copy.guard = separate_guard(s, a->guard);
    copy.condition = separate_expression(s, a->condition);
    copy.message = separate_expression(s, a->message);
    s->is_refused |= a->clock != NULL;
    return copy;
}

// Appends a copy to a list of the model, which has room.
#define SEPARATE_KEEP(s, list, counter, type, made)                                                \
    do {                                                                                           \
        const type kept = made;                                                                    \
        if ((s)->aim == SEPARATE_COPY) {                                                           \
            type *item = ARENA_NEW((s)->arena, type);                                              \
            *item = kept;                                                                          \
            (s)->model->list[(s)->model->counter++] = item;                                        \
        }                                                                                          \
    } while (0)

void separate_element(Separator *s, SeparateList list, uint32_t i)
{
    const FlatModel *f = s->flat;
    separate_word(s, list);
    switch (list) {
    case SEPARATE_EQUATIONS:
        SEPARATE_KEEP(s, equations, equation_count, FlatEquation,
                      separate_equation(s, f->equations[i]));
        break;
    case SEPARATE_INITIAL_EQUATIONS:
        SEPARATE_KEEP(s, initial_equations, initial_equation_count, FlatEquation,
                      separate_equation(s, f->initial_equations[i]));
        break;
    case SEPARATE_CONDITIONALS: {
        const FlatIf copy = separate_conditional(s, f->conditionals[i]);
        if (s->aim == SEPARATE_COPY) {
            FlatIf *kept = s->conditionals[i]; // which guards may point to already
            const uint32_t index = kept->index;
            *kept = copy;
            kept->index = index;
        }
        break;
    }
    case SEPARATE_WHENS:
        SEPARATE_KEEP(s, whens, when_count, FlatWhen, separate_when(s, f->whens[i]));
        break;
    case SEPARATE_ALGORITHMS:
        SEPARATE_KEEP(s, algorithms, algorithm_count, FlatAlgorithm,
                      separate_algorithm(s, f->algorithms[i]));
        break;
    case SEPARATE_INITIAL_ALGORITHMS:
        SEPARATE_KEEP(s, initial_algorithms, initial_algorithm_count, FlatAlgorithm,
                      separate_algorithm(s, f->initial_algorithms[i]));
        break;
    case SEPARATE_ASSERTIONS:
        SEPARATE_KEEP(s, assertions, assertion_count, FlatAssertion,
                      separate_assertion(s, f->assertions[i]));
        break;
    case SEPARATE_LISTS:
        break;
    }
}

SeparateList separate_list_of(const Separator *s, uint32_t element)
{
    SeparateList list = SEPARATE_EQUATIONS;
    while (element >= s->first[list + 1])
        list++;
    return list;
}

// Of numbers that are computed without events: see Separation.
bool separate_is_plain(const FlatExpression *e, const FlatVariable *but)
{
    if (e->kind == FLAT_REAL || e->kind == FLAT_INTEGER)
        return true;
    if (e->kind == FLAT_VARIABLE)
        return e->variable != but && FLAT_TYPE(e->variable)->kind <= FLAT_TYPE_INTEGER &&
               e->variable->kind != FLAT_DISCRETE; // whose changes would be mere outputs then
    if (e->kind != FLAT_OPERATION)
        return false;
    const Operation op = (Operation)e->operation;
    const bool is_operator = operation_operator(op) != OPERATOR_COUNT;
    if (e->type != &flat_type_real || e->relation != FLAT_NO_RELATION || operation_has_steps(op) ||
        !(is_operator || op == OPERATION_TIME || op == OPERATION_NO_EVENT))
        return false;
    for (uint32_t i = 0; i < e->count; i++)
        if ((e->operands[i]->type != &flat_type_real && op != OPERATION_TO_REAL) ||
            !separate_is_plain(e->operands[i], but))
            return false;
    return true;
}

double separate_evaluate(const FlatExpression *e, double t, SeparateRead *read, const void *user)
{
    double x[3] = {0};
    if (e->kind != FLAT_OPERATION)
        return e->kind == FLAT_REAL      ? e->real
               : e->kind == FLAT_INTEGER ? (double)e->integer
                                         : read(user, e->variable);
    if (e->operation == OPERATION_TIME)
        return t;
    for (uint32_t i = 0; i < e->count && i < 3; i++)
        x[i] = separate_evaluate(e->operands[i], t, read, user);
    if (e->operation == OPERATION_NO_EVENT)
        return x[0];
    const Operator op = operation_operator((Operation)e->operation);
    double value = operator_apply(op, x[0], x[1], x[2]);
    for (uint32_t i = operator_info(op)->count; i < e->count; i++) // a sum has many operands
        value = operator_apply(
            op, value, i < 3 ? x[i] : separate_evaluate(e->operands[i], t, read, user), 0.0);
    return value;
}

// The start value of a state, as a parameter: in an array of states, each has its own.
static FlatExpression *separate_start(Separator *s, const FlatVariable *v)
{
    const FlatExpression *start = v->attributes->start;
    if (!start || !v->is_differentiated || s->aim < SEPARATE_READ ||
        start->variability > FLAT_PARAMETER || start->type != &flat_type_real ||
        !separate_is_plain(start, NULL))
        return separate_expression(s, start);
    separate_word(s, UINT64_MAX - 1);
    if (s->aim == SEPARATE_READ) {
        s->start[v->index] = s->count;
        separate_append(s, v->index + s->flat->variable_count);
        return NULL;
    }
    FlatExpression *reference = ARENA_NEW(s->arena, FlatExpression);
    *reference = s->copies[s->start[v->index]].reference;
    reference->span = start->span;
    return reference;
}

// v: its number is in the whole.
const FlatAttributes *separate_attributes(Separator *s, const FlatVariable *v)
{
    const FlatAttributes *a = v->attributes;
    FlatAttributes copy = *a;
    separate_word(s, a->is_fixed + 2u * a->has_fixed + 4u * (unsigned)a->state_select);
    copy.start = separate_start(s, v);
    copy.nominal = separate_expression(s, a->nominal);
    copy.minimum = separate_expression(s, a->minimum);
    copy.maximum = separate_expression(s, a->maximum);
    if (s->aim != SEPARATE_COPY)
        return NULL;
    FlatAttributes *kept = ARENA_NEW(s->arena, FlatAttributes);
    *kept = copy;
    return kept;
}
