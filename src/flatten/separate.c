// SPDX-License-Identifier: MIT
//
// In four steps, each linear in the size of the model but for the inverse of Ackermann's function:
//
// 1. Observers: equations that determine a variable which nothing reads but other observers. They
//    connect nothing.
// 2. Union-find over variables and elements (equations, if-equations, when clauses, algorithms,
//    assertions, with numbers behind those of the variables): an element is in one set with all
//    variables that it names.
// 3. Each set with states, when clauses or algorithms is a part; all others together are part 0.
// 4. Each part is read once more into words: kinds, operations, numbers of variables in the order
// of
//    their first occurrence, but no names and no values of parameters. Parts with the same words
//    are the same model, and only the first of them is copied.

#include "flatten/separate_parts.h"

#include "base/sets.h"
#include "external/external.h"

#include <math.h>

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
        const uint32_t own = sets_root(s->parent, e->variable->index);
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
    result->observers[result->observer_count].variable = v->index;
    result->observers[result->observer_count++].value = value;
}

static void separate_place_observers(Separator *s, Separation *result)
{
    s->aim = SEPARATE_JOIN;
    result->observers = arena_array(s->arena, s->flat->equation_count, sizeof *result->observers);
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
            is_lively[sets_root(s->parent, i)] = true;
    }
    for (uint32_t i = s->first[SEPARATE_WHENS]; i < s->first[SEPARATE_ASSERTIONS]; i++)
        is_lively[sets_root(s->parent, i)] = true; // algorithms may have when clauses, too
    uint32_t count = 1;
    for (uint32_t i = 0; i < all; i++) { // roots come first
        const uint32_t root = sets_root(s->parent, i);
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
    s->written.count = 0;
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

static uint64_t separate_hash(const uint64_t *words, size_t count)
{
    uint64_t hash = 14695981039346656037u; // of Fowler, Noll and Vo
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 1099511628211u, hash ^= hash >> 29;
    return hash;
}

// The class of what was read; a new one if there is none like it, which *is_new tells.
static uint32_t separate_class(Separator *s, bool *is_new)
{
    const uint64_t hash = separate_hash(s->written.words, s->written.count);
    uint32_t *head = &s->classes.heads[hash & s->classes.mask], c = *head;
    for (; c; c = s->classes.items[c - 1].next)
        if (s->classes.items[c - 1].hash == hash &&
            s->classes.items[c - 1].count == s->written.count &&
            memcmp(s->classes.items[c - 1].words, s->written.words,
                   s->written.count * sizeof *s->written.words) == 0)
            break;
    *is_new = c == 0;
    if (c)
        return c - 1;
    c = s->classes.count++;
    uint64_t *kept = ARENA_ARRAY(s->arena, s->written.count, uint64_t);
    memcpy(kept, s->written.words, s->written.count * sizeof *kept);
    s->classes.items[c].words = kept;
    s->classes.items[c].count = s->written.count;
    s->classes.items[c].hash = hash;
    s->classes.items[c].next = *head;
    *head = c + 1;
    return c;
}

const Separation *separate_find(Arena *arena, const FlatModel *flat, const double *values,
                                uint32_t fewest)
{
    Separator s = {.arena = arena, .flat = flat, .values = values};
    if (flat->machine_count || flat->sharings.count || store_guest(flat->externals))
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
    s.classes.items = arena_array(arena, count, sizeof *s.classes.items);
    s.classes.mask = 1;
    while (s.classes.mask < count)
        s.classes.mask = 2 * s.classes.mask + 1;
    s.classes.heads = ARENA_ARRAY(arena, s.classes.mask + 1u, uint32_t);
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
        const uint32_t class = separate_class(&s, &is_new);
        for (uint32_t i = 0; i < s.count; i++)
            if (variables[i] < flat->variable_count &&
                !separate_is_parameter(flat->variables[variables[i]]))
                part_of[variables[i]] = result->count;
        parts[result->count++] = (SeparatePart){class, variables, s.count};
        if (is_new)
            models[class] = separate_copy(&s, own, size);
    }
    result->model_count = s.classes.count;
    return s.is_refused ? NULL : result;
}
