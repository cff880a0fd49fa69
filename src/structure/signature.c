// SPDX-License-Identifier: MIT
//
// Entries are collected equation by equation and merged at once: `place` knows where the variable
// stands in the last equation. Sorting comes at the end, by two transpositions, so that everything
// is linear in the number of entries.

#include "structure/signature.h"

#include <assert.h>
#include <math.h>

struct SignatureBuilder {
    Arena *arena;
    const SignatureVariable *given; // all variables, not copied; NULL: the next
    SignatureVariable *variables, *inputs;
    SignatureEquation *equations;
    uint32_t variable_count, variable_room, input_count, input_room, equation_count, equation_room;

    SignatureEntry *entries, *input_entries;
    uint32_t *start, *input_start; // of each equation
    uint32_t *place;               // of each variable: entry in the last equation, if it has one
    uint32_t entry_count, entry_room, input_entry_count, input_entry_room, start_room,
        input_start_room, place_room;

    struct {
        uint32_t equation;
        uint32_t variable, factor;
    } * factors;
    uint32_t factor_count, factor_room;
};

// Room for one more item.
static void *with_room(Arena *arena, void *items, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return items;
    uint32_t larger = *room ? *room * 2 : 16;
    items = arena_regrow(arena, items, *room * size, larger * size);
    *room = larger;
    return items;
}

// No more will come: an array of its own size.
static void *without_room(Arena *arena, void *items, uint32_t count, uint32_t room, size_t size)
{
    return arena_regrow(arena, items, room * size, count * size);
}

#define CUT(b, items, count, room)                                                                 \
    without_room((b)->arena, (b)->items, (b)->count, (b)->room, sizeof *(b)->items)
// Nobody needs them any more.
#define DROP(b, items, room) arena_regrow((b)->arena, (b)->items, (b)->room * sizeof *(b)->items, 0)

#define ROOM(b, items, count, room)                                                                \
    ((b)->items = with_room((b)->arena, (b)->items, (b)->count, &(b)->room, sizeof *(b)->items))

SignatureBuilder *signature_begin(Arena *arena)
{
    SignatureBuilder *b = ARENA_NEW(arena, SignatureBuilder);
    b->arena = arena;
    return b;
}

uint32_t signature_variable(SignatureBuilder *b, const SignatureVariable *variable)
{
    assert(!b->given);
    ROOM(b, variables, variable_count, variable_room);
    ROOM(b, place, variable_count, place_room);
    b->variables[b->variable_count] = *variable;
    return b->variable_count++;
}

void signature_variables(SignatureBuilder *b, const SignatureVariable *variables, uint32_t count)
{
    assert(b->variable_count == 0);
    b->given = variables;
    b->variable_count = b->place_room = count;
    b->place = arena_regrow(b->arena, NULL, 0, count * sizeof *b->place);
}

uint32_t signature_input(SignatureBuilder *b, const SignatureVariable *input)
{
    ROOM(b, inputs, input_count, input_room);
    b->inputs[b->input_count] = *input;
    return b->input_count++;
}

uint32_t signature_equation(SignatureBuilder *b, const SignatureEquation *equation)
{
    ROOM(b, equations, equation_count, equation_room);
    ROOM(b, start, equation_count, start_room);
    ROOM(b, input_start, equation_count, input_start_room);
    b->equations[b->equation_count] = *equation;
    b->start[b->equation_count] = b->entry_count;
    b->input_start[b->equation_count] = b->input_entry_count;
    return b->equation_count++;
}

// ---------------------------------------------------------------------------
// Entries
// ---------------------------------------------------------------------------

static SignatureKind worse(uint8_t a, uint8_t b)
{
    return (SignatureKind)(a > b ? a : b);
}

// A number times something else that contains the variable too: no longer only a number.
static void merge_same_order(SignatureEntry *into, const SignatureEntry *add)
{
    bool are_numbers = into->kind == SIGNATURE_NUMBER && add->kind == SIGNATURE_NUMBER;
    into->is_nonzero = are_numbers;
    into->has_inverse = false;
    into->kind = (uint8_t)worse(into->kind, add->kind);
    into->value = are_numbers ? into->value + add->value : 0.0;
    into->least = into->most = 0.0f;
}

static void merge(SignatureEntry *into, const SignatureEntry *add)
{
    SignatureEntry result = add->order > into->order ? *add : *into;
    const SignatureEntry *low = add->order > into->order ? into : add;
    if (add->order == into->order) {
        merge_same_order(&result, add);
    } else {
        result.lower |= (uint16_t)(1u << low->order);
        result.lower_kind = (uint8_t)worse(result.lower_kind, low->kind);
    }
    result.lower |= low->lower;
    result.lower_kind = (uint8_t)worse(result.lower_kind, low->lower_kind);
    result.is_partial = into->is_partial || add->is_partial;
    result.is_vanishing = into->is_vanishing || add->is_vanishing;
    *into = result;
}

static void signature_add_entry(SignatureBuilder *b, const SignatureEntry *entry)
{
    assert(b->equation_count > 0 && entry->variable < b->variable_count);
    assert(entry->order <= SIGNATURE_HIGHEST_ORDER);
    uint32_t at = b->place[entry->variable];
    bool is_there = at >= b->start[b->equation_count - 1] && at < b->entry_count &&
                    b->entries[at].variable == entry->variable;
    if (is_there) {
        merge(&b->entries[at], entry);
        return;
    }
    ROOM(b, entries, entry_count, entry_room);
    b->place[entry->variable] = b->entry_count;
    b->entries[b->entry_count++] = *entry;
}

void signature_number(SignatureBuilder *b, uint32_t variable, uint32_t order, double value)
{
    signature_add_entry(b, &(SignatureEntry){.variable = variable,
                                             .order = (uint8_t)order,
                                             .kind = SIGNATURE_NUMBER,
                                             .is_nonzero = true,
                                             .value = value});
}

void signature_entry(SignatureBuilder *b, uint32_t variable, uint32_t order, SignatureKind kind,
                     bool is_nonzero)
{
    signature_add_entry(b, &(SignatureEntry){.variable = variable,
                                             .order = (uint8_t)order,
                                             .kind = (uint8_t)kind,
                                             .is_nonzero = is_nonzero});
}

void signature_copy_entry(SignatureBuilder *b, uint32_t variable, const SignatureEntry *entry)
{
    SignatureEntry copy = *entry;
    copy.variable = variable;
    signature_add_entry(b, &copy);
}

void signature_input_entry(SignatureBuilder *b, uint32_t input, uint32_t order)
{
    assert(b->equation_count > 0 && input < b->input_count);
    ROOM(b, input_entries, input_entry_count, input_entry_room);
    b->input_entries[b->input_entry_count++] =
        (SignatureEntry){.variable = input, .order = (uint8_t)order, .kind = SIGNATURE_NONLINEAR};
}

void signature_factor(SignatureBuilder *b, uint32_t variable, uint32_t factor)
{
    ROOM(b, factors, factor_count, factor_room);
    b->factors[b->factor_count].equation = b->equation_count - 1;
    b->factors[b->factor_count].variable = variable;
    b->factors[b->factor_count++].factor = factor;
}

// ---------------------------------------------------------------------------
// The end
// ---------------------------------------------------------------------------

// Entries that cancelled are left out.
static bool is_left_out(const SignatureEntry *e)
{
    return e->kind == SIGNATURE_NUMBER && e->value == 0.0 && e->lower == 0;
}

// What remains if only the highest derivative cancelled: the next one, of which less is known.
static SignatureEntry signature_without_zero(SignatureEntry e)
{
    if (e.kind != SIGNATURE_NUMBER || e.value != 0.0)
        return e;
    uint8_t order = SIGNATURE_HIGHEST_ORDER;
    while (!(e.lower & (1u << order)))
        order--;
    e.order = order;
    e.lower = (uint16_t)(e.lower & ~(1u << order));
    e.kind = e.lower_kind == SIGNATURE_NUMBER ? SIGNATURE_PARAMETER : e.lower_kind;
    e.lower_kind = e.lower ? e.lower_kind : 0;
    e.is_nonzero = false;
    return e;
}

// Distributes the entries over their variables, then back over the equations: now each equation's
// entries ascend.
static void sort_entries(SignatureBuilder *b, Signature *s)
{
    uint32_t n = b->variable_count, m = b->equation_count;
    uint32_t *start = ARENA_ARRAY(b->arena, m + 2u, uint32_t);
    SignatureEntry *sorted = ARENA_ARRAY(b->arena, b->entry_count, SignatureEntry);
    ArenaMark mark = arena_mark(b->arena);
    uint32_t *head = ARENA_ARRAY(b->arena, n, uint32_t);
    uint32_t *next = ARENA_ARRAY(b->arena, b->entry_count, uint32_t);
    uint32_t *equation = ARENA_ARRAY(b->arena, b->entry_count, uint32_t);

    for (uint32_t j = 0; j < n; j++)
        head[j] = GRAPH_NONE;
    for (uint32_t i = 0; i < m; i++) {
        uint32_t end = i + 1 < m ? b->start[i + 1] : b->entry_count;
        for (uint32_t e = b->start[i]; e < end; e++) {
            equation[e] = i;
            if (is_left_out(&b->entries[e]))
                continue;
            start[i + 2]++;
            next[e] = head[b->entries[e].variable];
            head[b->entries[e].variable] = e;
        }
    }
    for (uint32_t i = 0; i < m; i++)
        start[i + 2] += start[i + 1];
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t e = head[j]; e != GRAPH_NONE; e = next[e])
            sorted[start[equation[e] + 1]++] = signature_without_zero(b->entries[e]);
    }
    arena_release(b->arena, mark);
    s->start = start;
    s->entries = sorted;
}

// The entry of the variable in the equation, GRAPH_NONE if it does not occur.
static uint32_t signature_find_entry(const Signature *s, uint32_t equation, uint32_t variable)
{
    uint32_t low = s->start[equation], high = s->start[equation + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->entries[middle].variable < variable)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < s->start[equation + 1] && s->entries[low].variable == variable;
    return found ? low : GRAPH_NONE;
}

static void place_factors(SignatureBuilder *b, Signature *s)
{
    uint32_t entries = signature_entry_count(s);
    uint32_t *start = ARENA_ARRAY(b->arena, entries + 2u, uint32_t);
    uint32_t *factors = ARENA_ARRAY(b->arena, b->factor_count, uint32_t);
    ArenaMark mark = arena_mark(b->arena);
    uint32_t *of = ARENA_ARRAY(b->arena, b->factor_count, uint32_t);
    uint32_t *to = ARENA_ARRAY(b->arena, b->factor_count, uint32_t);
    for (uint32_t f = 0; f < b->factor_count; f++) {
        of[f] = signature_find_entry(s, b->factors[f].equation, b->factors[f].variable);
        to[f] = signature_find_entry(s, b->factors[f].equation, b->factors[f].factor);
        if (of[f] != GRAPH_NONE && to[f] != GRAPH_NONE)
            start[of[f] + 2]++;
    }
    for (uint32_t e = 0; e < entries; e++)
        start[e + 2] += start[e + 1];
    for (uint32_t f = 0; f < b->factor_count; f++) {
        if (of[f] != GRAPH_NONE && to[f] != GRAPH_NONE)
            factors[start[of[f] + 1]++] = to[f];
    }
    arena_release(b->arena, mark);
    s->factor_start = start;
    s->factors = factors;
}

Signature *signature_finish(SignatureBuilder *b)
{
    Signature *s = ARENA_NEW(b->arena, Signature);
    s->equation_count = b->equation_count;
    s->variable_count = b->variable_count;
    s->input_count = b->input_count;
    s->equations = CUT(b, equations, equation_count, equation_room);
    s->variables = b->given ? b->given : CUT(b, variables, variable_count, variable_room);
    s->inputs = CUT(b, inputs, input_count, input_room);
    sort_entries(b, s);
    place_factors(b, s);
    ROOM(b, input_start, equation_count, input_start_room);
    b->input_start[b->equation_count] = b->input_entry_count;
    b->equation_count++; // input_start has one more
    s->input_start = CUT(b, input_start, equation_count, input_start_room);
    s->input_entries = CUT(b, input_entries, input_entry_count, input_entry_room);
    DROP(b, entries, entry_room);
    DROP(b, start, start_room);
    DROP(b, place, place_room);
    DROP(b, factors, factor_room);
    return s;
}

// The arrays are its own, and nobody has seen them yet.
const Signature *signature_choose(Signature *s, const uint32_t *chosen)
{
    SignatureEquation *equations = (SignatureEquation *)(uintptr_t)s->equations;
    SignatureEntry *entries = (SignatureEntry *)(uintptr_t)s->entries;
    uint32_t *start = (uint32_t *)(uintptr_t)s->start, *factors = (uint32_t *)(uintptr_t)s->factors;
    uint32_t *factor_start = (uint32_t *)(uintptr_t)s->factor_start;
    uint32_t count = 0, entry = 0, factor = 0;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        const uint32_t first = start[i], end = start[i + 1], shift = first - entry;
        if (chosen[i] == GRAPH_NONE)
            continue;
        equations[count] = equations[i];
        start[count++] = entry;
        for (uint32_t e = first; e < end; e++) {
            const uint32_t first_factor = factor_start[e], end_factor = factor_start[e + 1];
            factor_start[entry] = factor;
            entries[entry++] = entries[e];
            for (uint32_t f = first_factor; f < end_factor; f++)
                factors[factor++] = factors[f] - shift;
        }
    }
    start[count] = entry;
    factor_start[entry] = factor;
    s->equation_count = count;
    return s;
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

Graph signature_graph(Arena *arena, const Signature *s)
{
    uint32_t *columns = ARENA_ARRAY(arena, signature_entry_count(s), uint32_t);
    for (uint32_t e = 0; e < signature_entry_count(s); e++)
        columns[e] = s->entries[e].variable;
    return (Graph){.row_count = s->equation_count,
                   .column_count = s->variable_count,
                   .start = s->start,
                   .columns = columns};
}

static bool signature_is_constant(uint8_t kind)
{
    return kind <= SIGNATURE_PARAMETER;
}

bool signature_size(const SignatureEntry *entry, double size[2])
{
    const bool is_number = entry->kind == SIGNATURE_NUMBER;
    size[0] = is_number ? fabs(entry->value) : (double)entry->least;
    size[1] = is_number ? fabs(entry->value) : (double)entry->most;
    return is_number || entry->least > 0.0f;
}

bool signature_has_order(const SignatureEntry *entry, uint32_t times, uint32_t order)
{
    uint32_t top = entry->order + times;
    if (order == top ||
        (!signature_is_constant(entry->kind) && order >= entry->order && order < top))
        return true;
    for (uint32_t o = 0; o < entry->order; o++) {
        bool occurs = entry->lower >> o & 1u;
        uint32_t least = signature_is_constant(entry->lower_kind) ? o + times : o;
        if (occurs && order >= least && order <= o + times)
            return true;
    }
    return false;
}
