// SPDX-License-Identifier: MIT

#include "flatten/separate.h"

#include "external/external.h"

#include <math.h>
#include <stdlib.h>

// Lists of a flat model whose items are the elements that variables are connected by.
typedef enum SeparateList {
    SEPARATE_EQUATIONS,
    SEPARATE_INITIAL_EQUATIONS,
    SEPARATE_CONDITIONALS,
    SEPARATE_WHENS,
    SEPARATE_ALGORITHMS,
    SEPARATE_INITIAL_ALGORITHMS,
    SEPARATE_ASSERTIONS,
    SEPARATE_LISTS,
} SeparateList;

typedef struct SeparateSeen {
    const FlatExpression *node;
    FlatExpression *copy;
    uint32_t number;
    uint32_t element; // that it was first met in
} SeparateSeen;

// Goes through what belongs to a part, and does one of three things.
typedef enum SeparateAim {
    SEPARATE_MARK, // notes which variables are read
    SEPARATE_JOIN, // connects what an element contains
    SEPARATE_READ, // writes down the part, so that two that are the same have the same words
    SEPARATE_COPY, // makes a model of it
} SeparateAim;

typedef struct Separator {
    Arena *arena;
    const FlatModel *flat;
    const double *values;
    SeparateAim aim;
    bool is_refused;
    uint32_t first[SEPARATE_LISTS + 1]; // element of each list, behind the variables
    uint32_t *parent;                   // union-find
    // Observers: equations that determine a variable which nothing else reads but other observers.
    bool *is_read;              // by variable: by what is no observer
    uint32_t *observer;         // by variable: the equation, or UINT32_MAX
    FlatVariable **observed;    // by equation: its variable, or NULL
    uint32_t *list, list_count; // variables that were found to be read, and not looked at yet
    uint32_t element;           // SEPARATE_JOIN: the present one
    // Of the present part:
    uint32_t part;
    uint32_t *part_of;   // by variable and element; of a parameter: the last one that it was met in
    uint32_t *number;    // by variable: in the part
    uint32_t *start;     // by variable: the parameter that is its start value
    uint32_t *variables; // of the part
    uint32_t count, room;
    uint64_t *words;
    size_t word_count, word_room;
    SeparateSeen *seen; // calls that were met: a hash table
    uint32_t seen_count, seen_room;
    FlatModel *model;
    FlatVariable *copies;  // by number in the part
    FlatIf **conditionals; // by number in the whole
    uint32_t relation_room;
} Separator;

// ---------------------------------------------------------------------------
// Words
// ---------------------------------------------------------------------------

static void separate_word(Separator *s, uint64_t word)
{
    if (s->aim != SEPARATE_READ)
        return;
    if (s->word_count == s->word_room) {
        const size_t room = s->word_room ? 2 * s->word_room : 1024;
        s->words = arena_regrow(s->arena, s->words, s->word_room * sizeof *s->words,
                                room * sizeof *s->words);
        s->word_room = room;
    }
    s->words[s->word_count++] = word;
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

static void separate_address(Separator *s, const void *address)
{
    separate_word(s, (uintptr_t)address);
}

// ---------------------------------------------------------------------------
// Variables
// ---------------------------------------------------------------------------

static uint32_t separate_root(Separator *s, uint32_t element)
{
    while (s->parent[element] != element) {
        s->parent[element] = s->parent[s->parent[element]];
        element = s->parent[element];
    }
    return element;
}

static void separate_join(Separator *s, uint32_t x, uint32_t y)
{
    const uint32_t a = separate_root(s, x), b = separate_root(s, y);
    if (a < b)
        s->parent[b] = a;
    else
        s->parent[a] = b;
}

static bool separate_is_parameter(const FlatVariable *v)
{
    return v->kind <= FLAT_PARAMETER;
}

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

static void separate_add(Separator *s, const FlatVariable *v)
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
        separate_join(s, s->element, v->index);
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

static void separate_forget(Separator *s)
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
    if (m->relation_count == s->relation_room) {
        const uint32_t room = s->relation_room ? 2 * s->relation_room : 16;
        m->relations = arena_grow(s->arena, m->relations, s->relation_room * sizeof *m->relations,
                                  room * sizeof *m->relations);
        s->relation_room = room;
    }
    copy->relation = m->relation_count;
    m->relations[m->relation_count++] =
        (FlatRelation){copy, s->flat->relations[e->relation].component};
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
            separate_join(s, s->element, seen->element);
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
        separate_join(s, s->element, s->first[SEPARATE_CONDITIONALS] + guard->conditional->index);
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

static void separate_element(Separator *s, SeparateList list, uint32_t i)
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

static SeparateList separate_list_of(const Separator *s, uint32_t element)
{
    SeparateList list = SEPARATE_EQUATIONS;
    while (element >= s->first[list + 1])
        list++;
    return list;
}

// Of numbers that are computed without events: see SeparateObserver.
static bool separate_is_plain(const FlatExpression *e, const FlatVariable *but)
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
static const FlatAttributes *separate_attributes(Separator *s, const FlatVariable *v)
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

static void separate_begin(Separator *s)
{
    const FlatModel *f = s->flat;
    const uint32_t counts[SEPARATE_LISTS] = {
        f->equation_count,  f->initial_equation_count,  f->conditional_count, f->when_count,
        f->algorithm_count, f->initial_algorithm_count, f->assertion_count};
    s->first[0] = f->variable_count;
    for (int i = 0; i < SEPARATE_LISTS; i++)
        s->first[i + 1] = s->first[i] + counts[i];
    const uint32_t count = s->first[SEPARATE_LISTS];
    s->parent = ARENA_ARRAY(s->arena, count, uint32_t);
    s->part_of = ARENA_ARRAY(s->arena, count, uint32_t);
    s->number = ARENA_ARRAY(s->arena, f->variable_count, uint32_t);
    s->start = ARENA_ARRAY(s->arena, f->variable_count, uint32_t);
    for (uint32_t i = 0; i < count; i++)
        s->parent[i] = i;
}

// ---------------------------------------------------------------------------
// Observers
// ---------------------------------------------------------------------------

// Whether the equation may determine the variable on one of its sides, and nothing else.
static bool separate_observes(const Separator *s, const FlatExpression *side,
                              const FlatExpression *value)
{
    const FlatVariable *v = side->kind == FLAT_VARIABLE ? side->variable : NULL;
    return v && v->kind == FLAT_CONTINUOUS && side->type == &flat_type_real &&
           !v->is_differentiated && !v->is_reinitialised && v->direction != FLAT_INPUT &&
           !v->attributes->is_fixed && s->observer[v->index] == UINT32_MAX &&
           separate_is_plain(value, v);
}

static void separate_find_candidates(Separator *s)
{
    const FlatModel *f = s->flat;
    for (uint32_t i = 0; i < f->variable_count; i++)
        s->observer[i] = UINT32_MAX;
    for (uint32_t i = 0; i < f->equation_count; i++) {
        const FlatEquation *e = f->equations[i];
        if (e->kind == FLAT_EQUATION_CALL || e->guard || e->tick || e->slope || e->clock)
            continue;
        FlatVariable *v = separate_observes(s, e->left, e->right)   ? e->left->variable
                          : separate_observes(s, e->right, e->left) ? e->right->variable
                                                                    : NULL;
        s->observed[i] = v;
        if (v)
            s->observer[v->index] = i;
    }
}

// What anything else reads is no observer; then what its equation reads is none either.
static void separate_find_observers(Separator *s)
{
    const FlatModel *f = s->flat;
    s->is_read = ARENA_ARRAY(s->arena, f->variable_count, bool);
    s->observer = ARENA_ARRAY(s->arena, f->variable_count, uint32_t);
    s->observed = ARENA_ARRAY(s->arena, f->equation_count, FlatVariable *);
    s->list = ARENA_ARRAY(s->arena, f->variable_count, uint32_t);
    separate_find_candidates(s);
    s->aim = SEPARATE_MARK;
    for (uint32_t i = 0; i < f->variable_count; i++)
        if (!separate_is_parameter(f->variables[i]))
            separate_attributes(s, f->variables[i]);
    for (uint32_t e = s->first[0]; e < s->first[SEPARATE_LISTS]; e++) {
        const SeparateList list = separate_list_of(s, e);
        if (list != SEPARATE_EQUATIONS || !s->observed[e - s->first[0]])
            separate_element(s, list, e - s->first[list]);
    }
    while (s->list_count > 0) {
        const uint32_t v = s->list[--s->list_count], equation = s->observer[v];
        s->observer[v] = UINT32_MAX;
        if (equation == UINT32_MAX)
            continue;
        s->observed[equation] = NULL;
        separate_element(s, SEPARATE_EQUATIONS, equation);
    }
    separate_forget(s);
}

// The root of all that an expression reads, UINT32_MAX if there is nothing; false: there are
// several, or one of them is an observer of several.
static bool separate_one_root(Separator *s, const FlatExpression *e, uint32_t *root)
{
    if (e->kind == FLAT_VARIABLE && !separate_is_parameter(e->variable)) {
        const uint32_t own = separate_root(s, e->variable->index);
        if (s->observer[e->variable->index] != UINT32_MAX || (*root != UINT32_MAX && *root != own))
            return false;
        *root = own;
    }
    for (uint32_t i = 0; i < e->count; i++)
        if (!separate_one_root(s, e->operands[i], root))
            return false;
    return true;
}

static const FlatExpression *separate_observed_value(const Separator *s, uint32_t equation)
{
    const FlatEquation *e = s->flat->equations[equation];
    const FlatVariable *v = s->observed[equation];
    const bool is_left = e->left->kind == FLAT_VARIABLE && e->left->variable == v;
    return is_left ? e->right : e->left;
}

static void separate_place_observer(Separator *s, uint32_t equation, Separation *result);

static void separate_place_read(Separator *s, const FlatExpression *e, Separation *result)
{
    if (e->kind == FLAT_VARIABLE && s->observer[e->variable->index] != UINT32_MAX)
        separate_place_observer(s, s->observer[e->variable->index], result);
    for (uint32_t i = 0; i < e->count; i++)
        separate_place_read(s, e->operands[i], result);
}

// After those that it reads: an observer of one part belongs to it.
static void separate_place_observer(Separator *s, uint32_t equation, Separation *result)
{
    const uint32_t element = s->first[0] + equation;
    FlatVariable *v = s->observed[equation];
    enum { IN_PROGRESS = 1, PLACED };
    s->is_refused |= v && s->part_of[element] == IN_PROGRESS; // they form a loop
    if (!v || s->part_of[element])
        return;
    s->part_of[element] = IN_PROGRESS;
    const FlatExpression *value = separate_observed_value(s, equation);
    separate_place_read(s, value, result);
    s->part_of[element] = PLACED;
    uint32_t root = UINT32_MAX;
    if (separate_one_root(s, value, &root)) {
        s->observed[equation] = NULL;
        s->observer[v->index] = UINT32_MAX;
        s->element = element;
        separate_element(s, SEPARATE_EQUATIONS, equation);
        return;
    }
    SeparateObserver *observers = (SeparateObserver *)(uintptr_t)result->observers;
    observers[result->observer_count++] = (SeparateObserver){v->index, value};
}

static void separate_place_observers(Separator *s, Separation *result)
{
    s->aim = SEPARATE_JOIN;
    result->observers = ARENA_ARRAY(s->arena, s->flat->equation_count, SeparateObserver);
    for (uint32_t i = 0; i < s->flat->equation_count; i++)
        separate_place_observer(s, i, result);
    separate_forget(s);
}

// ---------------------------------------------------------------------------
// Parts
// ---------------------------------------------------------------------------

static void separate_connect(Separator *s)
{
    s->aim = SEPARATE_JOIN;
    for (uint32_t i = 0; i < s->flat->variable_count && !s->is_refused; i++) {
        const FlatVariable *v = s->flat->variables[i];
        const bool is_found = separate_is_parameter(v) && !v->is_evaluated &&
                              v->attributes->has_fixed && !v->attributes->is_fixed;
        s->is_refused |= v->guard || v->is_shared || v->live || is_found ||
                         FLAT_TYPE(v)->kind == FLAT_TYPE_OBJECT ||
                         (FLAT_TYPE(v)->kind == FLAT_TYPE_STRING && !separate_is_parameter(v));
        s->element = i;
        if (!separate_is_parameter(v))
            separate_attributes(s, v);
    }
    for (uint32_t e = s->first[0]; e < s->first[SEPARATE_LISTS] && !s->is_refused; e++) {
        const SeparateList list = separate_list_of(s, e);
        s->element = e;
        if (list != SEPARATE_EQUATIONS || !s->observed[e - s->first[0]])
            separate_element(s, list, e - s->first[list]);
    }
    separate_forget(s);
}

// Observers of several parts are in none.
static bool separate_is_apart(const Separator *s, uint32_t i)
{
    return i < s->first[0]   ? s->observer[i] != UINT32_MAX
           : i < s->first[1] ? s->observed[i - s->first[0]] != NULL
                             : false;
}

// Numbers the parts from 1 on; 0 is what has no states and no when clauses.
static uint32_t separate_number(Separator *s)
{
    const uint32_t variables = s->flat->variable_count, all = s->first[SEPARATE_LISTS];
    bool *is_lively = ARENA_ARRAY(s->arena, all, bool);
    for (uint32_t i = 0; i < variables; i++) {
        const FlatVariable *v = s->flat->variables[i];
        if (v->is_differentiated)
            is_lively[separate_root(s, i)] = true;
    }
    for (uint32_t i = s->first[SEPARATE_WHENS]; i < s->first[SEPARATE_ASSERTIONS]; i++)
        is_lively[separate_root(s, i)] = true; // algorithms may have when clauses, too
    uint32_t count = 1;
    for (uint32_t i = 0; i < all; i++) { // roots come first
        const uint32_t root = separate_root(s, i);
        s->part_of[i] = !is_lively[root] ? 0 : root == i ? count++ : s->part_of[root];
    }
    for (uint32_t i = 0; i < all; i++)
        if (separate_is_apart(s, i))
            s->part_of[i] = UINT32_MAX;
    return count;
}

static bool separate_is_item(const Separator *s, uint32_t i)
{
    const bool is_parameter = i < s->first[0] && separate_is_parameter(s->flat->variables[i]);
    return !is_parameter && s->part_of[i] != UINT32_MAX;
}

// Variables (no parameters) and elements, part by part; starts has one more than there are parts.
static uint32_t *separate_sort(Separator *s, uint32_t count, uint32_t *starts)
{
    const uint32_t all = s->first[SEPARATE_LISTS];
    uint32_t *items = ARENA_ARRAY(s->arena, all, uint32_t);
    uint32_t *next = ARENA_ARRAY(s->arena, count + 1, uint32_t);
    for (uint32_t i = 0; i < all; i++)
        if (separate_is_item(s, i))
            starts[s->part_of[i] + 1]++;
    for (uint32_t k = 0; k < count; k++) {
        starts[k + 1] += starts[k];
        next[k] = starts[k];
    }
    for (uint32_t i = 0; i < all; i++)
        if (separate_is_item(s, i))
            items[next[s->part_of[i]]++] = i;
    return items;
}

static void separate_read(Separator *s, uint32_t part, const uint32_t *items, uint32_t count)
{
    const uint32_t variables = s->flat->variable_count;
    s->aim = SEPARATE_READ;
    s->part = part;
    s->count = 0;
    s->word_count = 0;
    separate_forget(s);
    uint32_t i = 0;
    for (; i < count && items[i] < variables; i++)
        separate_add(s, s->flat->variables[items[i]]);
    separate_word(s, i);
    for (uint32_t k = 0; k < i; k++) {
        const FlatVariable *v = s->flat->variables[items[k]];
        separate_address(s, FLAT_TYPE(v));
        separate_word(s, v->kind | (uint64_t)v->direction << 8 |
                             (uint64_t)v->is_differentiated << 16 |
                             (uint64_t)v->is_reinitialised << 17 | (uint64_t)v->is_invariant << 18 |
                             (uint64_t)v->is_flow << 19);
        separate_word(s, v->reference.span.begin);
        separate_attributes(s, v);
    }
    for (; i < count; i++) {
        const SeparateList list = separate_list_of(s, items[i]);
        separate_element(s, list, items[i] - s->first[list]);
    }
}

// A literal with the value of a parameter.
static FlatExpression *separate_value(Separator *s, const FlatVariable *v)
{
    const FlatTypeKind kind = FLAT_TYPE(v)->kind;
    const bool is_known = v->is_evaluated;
    const double value = !is_known                ? s->values[v->index]
                         : kind == FLAT_TYPE_REAL ? v->value.real
                                                  : 0.0;
    const int64_t whole = is_known ? v->value.integer : isnan(value) ? 0 : (int64_t)value;
    FlatExpression *e = ARENA_NEW(s->arena, FlatExpression);
    *e = (FlatExpression){
        .variability = FLAT_CONSTANT, .span = v->reference.span, .type = FLAT_TYPE(v)};
    switch (kind) {
    case FLAT_TYPE_REAL:
        e->kind = FLAT_REAL;
        e->real = value;
        break;
    case FLAT_TYPE_BOOLEAN:
        e->kind = FLAT_BOOLEAN;
        e->boolean = whole != 0;
        break;
    case FLAT_TYPE_INTEGER:
        e->kind = FLAT_INTEGER;
        e->integer = whole;
        break;
    case FLAT_TYPE_STRING:
        e->kind = FLAT_STRING;
        e->string = v->value.string;
        break;
    default:
        e->kind = FLAT_ENUMERATION;
        e->integer = whole;
    }
    return e;
}

static double separate_read_value(const void *user, const FlatVariable *v)
{
    const Separator *s = user;
    return !v->is_evaluated                       ? s->values[v->index]
           : FLAT_TYPE(v)->kind == FLAT_TYPE_REAL ? v->value.real
                                                  : (double)v->value.integer;
}

static FlatExpression *separate_number_node(Separator *s, const FlatVariable *v, double value)
{
    FlatExpression *e = ARENA_NEW(s->arena, FlatExpression);
    *e = (FlatExpression){.kind = FLAT_REAL,
                          .variability = FLAT_CONSTANT,
                          .span = v->reference.span,
                          .type = &flat_type_real,
                          .real = value};
    return e;
}

static void separate_make_start(Separator *s, const FlatVariable *v, FlatVariable *copy)
{
    static const FlatAttributes none = {.state_select = FLAT_SELECT_DEFAULT};
    const size_t length = strlen(v->name);
    char *name = arena_allocate(s->arena, length + sizeof ".start");
    memcpy(name, v->name, length);
    memcpy(name + length, ".start", sizeof ".start");
    copy->name = name;
    copy->kind = FLAT_PARAMETER;
    copy->reference.variability = FLAT_PARAMETER;
    copy->attributes = &none;
    copy->binding = separate_number_node(
        s, v, separate_evaluate(v->attributes->start, 0.0, separate_read_value, s));
    copy->direction = FLAT_LOCAL_VARIABLE;
    copy->is_differentiated = copy->is_reinitialised = copy->is_flow = copy->is_invariant = false;
}

static void separate_copy_variables(Separator *s)
{
    FlatModel *m = s->model;
    s->copies = ARENA_ARRAY(s->arena, s->count, FlatVariable);
    m->variables = ARENA_ARRAY(s->arena, s->count, FlatVariable *);
    m->variable_count = s->count;
    const uint32_t whole = s->flat->variable_count;
    for (uint32_t i = 0; i < s->count; i++) {
        const bool is_start = s->variables[i] >= whole;
        const FlatVariable *v = s->flat->variables[s->variables[i] - (is_start ? whole : 0)];
        FlatVariable *copy = m->variables[i] = &s->copies[i];
        *copy = *v;
        copy->index = i;
        copy->reference.variable = copy;
        if (is_start)
            separate_make_start(s, v, copy);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        FlatVariable *copy = &s->copies[i];
        if (s->variables[i] >= whole)
            continue;
        if (!separate_is_parameter(copy)) {
            copy->attributes = separate_attributes(s, s->flat->variables[s->variables[i]]);
            continue;
        }
        FlatAttributes *plain = ARENA_NEW(s->arena, FlatAttributes);
        *plain = *copy->attributes;
        plain->start = plain->nominal = plain->minimum = plain->maximum = NULL;
        copy->attributes = plain;
        copy->binding = separate_value(s, s->flat->variables[s->variables[i]]);
    }
}

// The model of the part that was read last.
static const FlatModel *separate_copy(Separator *s, const uint32_t *items, uint32_t count)
{
    const FlatModel *f = s->flat;
    FlatModel *m = s->model = ARENA_NEW(s->arena, FlatModel);
    s->aim = SEPARATE_COPY;
    s->relation_room = 0;
    separate_forget(s);
    *m = (FlatModel){.name = f->name,
                     .description = f->description,
                     .span = f->span,
                     .root = f->root,
                     .experiment = f->experiment,
                     .method = f->method,
                     .externals = f->externals,
                     .functions = f->functions,
                     .function_count = f->function_count};
    m->equations = ARENA_ARRAY(s->arena, count, FlatEquation *);
    m->initial_equations = ARENA_ARRAY(s->arena, count, FlatEquation *);
    m->conditionals = ARENA_ARRAY(s->arena, count, FlatIf *);
    m->whens = ARENA_ARRAY(s->arena, count, FlatWhen *);
    m->algorithms = ARENA_ARRAY(s->arena, count, FlatAlgorithm *);
    m->initial_algorithms = ARENA_ARRAY(s->arena, count, FlatAlgorithm *);
    m->assertions = ARENA_ARRAY(s->arena, count, FlatAssertion *);
    separate_copy_variables(s);
    for (uint32_t i = 0; i < count; i++)
        if (items[i] >= s->first[SEPARATE_CONDITIONALS] && items[i] < s->first[SEPARATE_WHENS]) {
            FlatIf *copy = m->conditionals[m->conditional_count] = ARENA_NEW(s->arena, FlatIf);
            copy->index = m->conditional_count++;
            s->conditionals[items[i] - s->first[SEPARATE_CONDITIONALS]] = copy;
        }
    for (uint32_t i = 0; i < count; i++) {
        const SeparateList list =
            items[i] < s->first[0] ? SEPARATE_LISTS : separate_list_of(s, items[i]);
        if (list != SEPARATE_LISTS)
            separate_element(s, list, items[i] - s->first[list]);
    }
    return m;
}

// ---------------------------------------------------------------------------
// Parts that are the same
// ---------------------------------------------------------------------------

typedef struct SeparateClass {
    const uint64_t *words;
    size_t count;
    uint64_t hash;
    uint32_t next; // with the same hash, modulo the size of the table; from 1
} SeparateClass;

typedef struct SeparateTable {
    SeparateClass *classes;
    uint32_t *heads; // from 1
    uint32_t count, mask;
} SeparateTable;

static uint64_t separate_hash(const uint64_t *words, size_t count)
{
    uint64_t hash = 14695981039346656037u; // of Fowler, Noll and Vo
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 1099511628211u, hash ^= hash >> 29;
    return hash;
}

// The class of what was read; a new one if there is none like it, which *is_new tells.
static uint32_t separate_class(Separator *s, SeparateTable *t, bool *is_new)
{
    const uint64_t hash = separate_hash(s->words, s->word_count);
    uint32_t *head = &t->heads[hash & t->mask];
    for (uint32_t c = *head; c; c = t->classes[c - 1].next) {
        const SeparateClass *class = &t->classes[c - 1];
        if (class->hash == hash && class->count == s->word_count &&
            memcmp(class->words, s->words, s->word_count * sizeof *s->words) == 0) {
            *is_new = false;
            return c - 1;
        }
    }
    uint64_t *kept = ARENA_ARRAY(s->arena, s->word_count, uint64_t);
    memcpy(kept, s->words, s->word_count * sizeof *kept);
    t->classes[t->count] = (SeparateClass){kept, s->word_count, hash, *head};
    *head = ++t->count;
    *is_new = true;
    return t->count - 1;
}

const Separation *separate_find(Arena *arena, const FlatModel *flat, const double *values,
                                uint32_t fewest)
{
    Separator s = {.arena = arena, .flat = flat, .values = values};
    if (flat->machine_count || flat->sharing_count || store_guest(flat->externals))
        return NULL;
    separate_begin(&s);
    separate_find_observers(&s);
    separate_connect(&s);
    if (s.is_refused)
        return NULL;
    Separation *result = ARENA_NEW(arena, Separation);
    separate_place_observers(&s, result);
    if (s.is_refused)
        return NULL;
    const uint32_t count = separate_number(&s);
    if (count - 1 < fewest)
        return NULL;
    uint32_t *starts = ARENA_ARRAY(arena, count + 1u, uint32_t);
    const uint32_t *items = separate_sort(&s, count, starts);
    SeparateTable table = {.classes = ARENA_ARRAY(arena, count, SeparateClass), .mask = 1};
    while (table.mask < count)
        table.mask = 2 * table.mask + 1;
    table.heads = ARENA_ARRAY(arena, table.mask + 1u, uint32_t);
    SeparatePart *parts = ARENA_ARRAY(arena, count, SeparatePart);
    const FlatModel **models = ARENA_ARRAY(arena, count, const FlatModel *);
    s.conditionals = ARENA_ARRAY(arena, flat->conditional_count, FlatIf *);
    uint32_t *part_of = ARENA_ARRAY(arena, flat->variable_count + 1u, uint32_t);
    result->parts = parts;
    result->models = models;
    result->part_of = part_of;
    for (uint32_t i = 0; i < flat->variable_count; i++)
        part_of[i] = UINT32_MAX;
    for (uint32_t i = 0; i < flat->variable_count; i++)
        if (separate_is_parameter(flat->variables[i]))
            s.part_of[i] = UINT32_MAX;
    for (uint32_t k = 0; k < count && !s.is_refused; k++) {
        const uint32_t *own = items + starts[k], size = starts[k + 1] - starts[k];
        if (size == 0)
            continue;
        separate_read(&s, k, own, size);
        uint32_t *variables = ARENA_ARRAY(arena, s.count, uint32_t);
        memcpy(variables, s.variables, s.count * sizeof *variables);
        bool is_new;
        const uint32_t class = separate_class(&s, &table, &is_new);
        for (uint32_t i = 0; i < s.count; i++)
            if (variables[i] < flat->variable_count &&
                !separate_is_parameter(flat->variables[variables[i]]))
                part_of[variables[i]] = result->count;
        parts[result->count++] = (SeparatePart){class, variables, s.count};
        if (is_new)
            models[class] = separate_copy(&s, own, size);
    }
    result->model_count = table.count;
    return s.is_refused ? NULL : result;
}
