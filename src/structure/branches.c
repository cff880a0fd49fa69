// SPDX-License-Identifier: MIT
//
// A context is "always" or a branch of a choice. It has items in the order of the text: equations,
// and choices inside. Merging walks the contexts of the mode; the equations that are one switched
// equation hang together in a list.

#include "structure/branches.h"

#include <math.h>
#include <string.h>

#include "structure/collision.h"
#include "structure/ideal.h"

typedef struct Merge {
    Arena *arena;
    const BranchSystem *system;
    const uint32_t *active;
    bool *is_structural, *is_there;
    bool *is_ideal;          // by choice: it might be an ideal switch
    uint32_t *first_context; // by choice: the context of its first branch
    // The items of a context as a list. An item is the number of an equation, or, behind these, of
    // a choice.
    uint32_t *head, *tail;     // by context: its first and last item, GRAPH_NONE: none
    uint32_t *next_item;       // by item
    uint32_t *next_source;     // by equation: the next of the same switched equation
    uint32_t *rows, row_count; // switched equations, each the first of its list
    // What the branches of one switched equation say, by variable.
    SignatureEntry *entry;
    uint32_t *branches; // so many branches have it with this order
    uint32_t *stamp;    // 1 + the equation it was last touched for
    uint32_t *touched, touched_count;
} Merge;

// ---------------------------------------------------------------------------
// Contexts
// ---------------------------------------------------------------------------

static uint32_t context_of(const Merge *m, BranchGuard guard)
{
    return guard.choice == GRAPH_NONE ? 0 : m->first_context[guard.choice] + guard.branch;
}

static void branches_add_item(Merge *m, uint32_t context, uint32_t item)
{
    m->next_item[item] = GRAPH_NONE;
    if (m->tail[context] == GRAPH_NONE)
        m->head[context] = item;
    else
        m->next_item[m->tail[context]] = item;
    m->tail[context] = item;
}

// A choice stands where its first equation does, inside choices that contain it likewise.
static void place_choice(Merge *m, bool *is_placed, uint32_t choice)
{
    if (choice == GRAPH_NONE || is_placed[choice])
        return;
    is_placed[choice] = true;
    BranchGuard inside = m->system->choices[choice].inside;
    place_choice(m, is_placed, inside.choice);
    branches_add_item(m, context_of(m, inside), m->system->all->equation_count + choice);
}

// Linear equations, one level of branches.
static void find_ideal(Merge *m)
{
    const BranchSystem *system = m->system;
    for (uint32_t k = 0; k < system->choice_count; k++)
        m->is_ideal[k] = system->choices[k].may_be_ideal && system->choices[k].branch_count <= 32;
    for (uint32_t k = 0; k < system->choice_count; k++) {
        const uint32_t outer = system->choices[k].inside.choice;
        if (outer != GRAPH_NONE)
            m->is_ideal[k] = m->is_ideal[outer] = false;
    }
    for (uint32_t i = 0; i < system->all->equation_count; i++)
        for (uint32_t e = system->all->start[i]; e < system->all->start[i + 1]; e++)
            if (system->guards[i].choice != GRAPH_NONE &&
                (system->all->entries[e].kind == SIGNATURE_NONLINEAR ||
                 system->all->entries[e].lower_kind == SIGNATURE_NONLINEAR))
                m->is_ideal[system->guards[i].choice] = false;
}

static Merge branches_begin(Arena *arena, const BranchSystem *system, const uint32_t *active)
{
    uint32_t equations = system->all->equation_count, choices = system->choice_count, contexts = 1;
    Merge m = {.arena = arena,
               .system = system,
               .active = active,
               .is_structural = ARENA_ARRAY(arena, choices, bool),
               .is_there = ARENA_ARRAY(arena, choices, bool),
               .is_ideal = ARENA_ARRAY(arena, choices, bool),
               .next_item = ARENA_ARRAY(arena, equations + choices, uint32_t),
               .first_context = ARENA_ARRAY(arena, choices, uint32_t),
               .next_source = ARENA_ARRAY(arena, equations, uint32_t)};
    for (uint32_t k = 0; k < choices; k++) {
        m.first_context[k] = contexts;
        contexts += system->choices[k].branch_count;
    }
    m.head = ARENA_ARRAY(arena, contexts, uint32_t);
    m.tail = ARENA_ARRAY(arena, contexts, uint32_t);
    for (uint32_t k = 0; k < contexts; k++)
        m.head[k] = m.tail[k] = GRAPH_NONE;
    bool *is_placed = ARENA_ARRAY(arena, choices, bool);
    for (uint32_t i = 0; i < equations; i++) {
        place_choice(&m, is_placed, system->guards[i].choice);
        branches_add_item(&m, context_of(&m, system->guards[i]), i);
    }
    find_ideal(&m);
    return m;
}

// ---------------------------------------------------------------------------
// Merging
// ---------------------------------------------------------------------------

static void append_list(Merge *m, uint32_t to, uint32_t from)
{
    while (m->next_source[to] != GRAPH_NONE)
        to = m->next_source[to];
    m->next_source[to] = from;
}

static void merge_choice(Merge *m, uint32_t choice);

// Its equations behind the rows that there are.
static void merge_context(Merge *m, uint32_t context)
{
    const uint32_t equations = m->system->all->equation_count;
    for (uint32_t item = m->head[context]; item != GRAPH_NONE; item = m->next_item[item]) {
        if (item < equations)
            m->rows[m->row_count++] = item;
        else
            merge_choice(m, item - equations);
    }
}

// The entry of a variable in an equation; NULL: there is none.
static const SignatureEntry *branches_entry(const Signature *s, uint32_t equation,
                                            uint32_t variable)
{
    for (uint32_t e = s->start[equation]; e < s->start[equation + 1]; e++)
        if (s->entries[e].variable == variable)
            return &s->entries[e];
    return NULL;
}

// How well two equations of different branches of a switch are one: by the variables that they have
// in common, where these do not decide, by its parameter, which stands in one of them only. But
// equations for the derivative of a state whose sign decides, as of a relay, are one.
static int branches_likeness(const Signature *s, uint32_t one, uint32_t other, uint32_t parameter)
{
    int common = 0;
    for (uint32_t e = s->start[one]; e < s->start[one + 1]; e++) {
        const SignatureEntry *x = &s->entries[e], *y = branches_entry(s, other, x->variable);
        if (y)
            common += x->variable != parameter || (x->order > 0 && x->order == y->order) ? 2 : -1;
    }
    return common;
}

// The equations of a branch of an ideal switch in the order of the first branch: `if on then u = 0;
// i = s; else i = 0; u = s;` says the same as `else u = s; i = 0;`.
static void branches_align(const Merge *m, uint32_t parameter, const uint32_t *first,
                           uint32_t *branch, uint32_t size)
{
    const Signature *s = m->system->all;
    for (uint32_t r = 0; r < size; r++) {
        uint32_t best = r;
        for (uint32_t k = r + 1; k < size; k++)
            if (branches_likeness(s, first[r], branch[k], parameter) >
                branches_likeness(s, first[r], branch[best], parameter))
                best = k;
        const uint32_t chosen = branch[best];
        memmove(branch + r + 1, branch + r, (best - r) * sizeof *branch);
        branch[r] = chosen;
    }
}

// The branches one after the other behind the rows, then laid over the first. If they differ in
// number, the choice is structural. Nested ones are decided first, so this is called again when one
// of them has become structural.
static void merge_choice(Merge *m, uint32_t choice)
{
    uint32_t branches = m->system->choices[choice].branch_count, first = m->row_count, size = 0;
    m->is_there[choice] = true;
    for (uint32_t b = 0; b < branches && !m->is_structural[choice]; b++) {
        uint32_t begin_of_branch = m->row_count;
        merge_context(m, m->first_context[choice] + b);
        if (b == 0)
            size = m->row_count - begin_of_branch;
        m->is_structural[choice] = m->row_count - begin_of_branch != size;
    }
    if (m->is_structural[choice]) {
        m->row_count = first;
        merge_context(m, m->first_context[choice] + m->active[choice]);
        return;
    }
    const uint32_t parameter = m->system->choices[choice].parameter;
    for (uint32_t b = 1; b < branches && m->is_ideal[choice] && parameter != GRAPH_NONE; b++)
        branches_align(m, parameter, m->rows + first, m->rows + first + b * size, size);
    for (uint32_t k = size; k < m->row_count - first; k++)
        append_list(m, m->rows[first + k % size], m->rows[first + k]);
    m->row_count = first + size;
}

static void merge_all(Merge *m)
{
    uint32_t equations = m->system->all->equation_count;
    m->rows = ARENA_ARRAY(m->arena, equations, uint32_t);
    m->row_count = 0;
    for (uint32_t i = 0; i < equations; i++)
        m->next_source[i] = GRAPH_NONE;
    for (uint32_t k = 0; k < m->system->choice_count; k++)
        m->is_there[k] = false;
    merge_context(m, 0);
}

// ---------------------------------------------------------------------------
// The signature of the union
// ---------------------------------------------------------------------------

// A coefficient that differs from branch to branch is no number of the union: it changes at events.
static bool is_same_number(const SignatureEntry *a, const SignatureEntry *b)
{
    return a->kind == SIGNATURE_NUMBER && b->kind == SIGNATURE_NUMBER && a->value == b->value;
}

static void unite_sizes(SignatureEntry *e, const SignatureEntry *add)
{
    double one[2], other[2];
    const bool are_known = signature_size(e, one) && signature_size(add, other);
    e->least = are_known ? (float)fmin(one[0], other[0]) : 0.0f;
    e->most = are_known ? (float)fmax(one[1], other[1]) : 0.0f;
}

static void branches_unite(Merge *m, uint32_t row, const SignatureEntry *add)
{
    uint32_t j = add->variable;
    SignatureEntry *e = &m->entry[j];
    if (m->stamp[j] != row + 1) {
        m->stamp[j] = row + 1;
        m->touched[m->touched_count++] = j;
        *e = *add;
        m->branches[j] = 1;
        return;
    }
    uint16_t lower = e->lower | add->lower;
    uint8_t worst = add->lower_kind > e->lower_kind ? add->lower_kind : e->lower_kind;
    if (add->order == e->order) {
        uint8_t kind = add->kind > e->kind ? add->kind : e->kind;
        bool is_same = is_same_number(e, add);
        unite_sizes(e, add);
        e->kind = is_same || kind > SIGNATURE_LINEAR ? kind : SIGNATURE_LINEAR;
        e->is_nonzero = e->is_nonzero && add->is_nonzero;
        e->is_partial = e->is_partial || add->is_partial;
        e->value = is_same ? e->value : 0.0;
        m->branches[j]++;
    } else {
        const SignatureEntry *low = add->order < e->order ? add : e;
        lower |= (uint16_t)(1u << low->order);
        worst = low->kind > worst ? low->kind : worst;
        if (add->order > e->order) {
            *e = *add;
            m->branches[j] = 1;
        }
    }
    e->lower = lower;
    // lower ones may be missing in a branch: no constant coefficient any more
    e->lower_kind = worst > SIGNATURE_LINEAR ? worst : SIGNATURE_LINEAR;
}

static void write_union(Merge *m, SignatureBuilder *b, uint32_t sources)
{
    for (uint32_t k = 0; k < m->touched_count; k++) {
        SignatureEntry *e = &m->entry[m->touched[k]];
        if (m->branches[e->variable] < sources) {
            e->is_partial = true;
            e->is_nonzero = false;
            e->kind = e->kind > SIGNATURE_LINEAR ? e->kind : SIGNATURE_LINEAR;
        }
        signature_copy_entry(b, e->variable, e);
    }
    m->touched_count = 0;
}

static uint32_t write_row(Merge *m, SignatureBuilder *b, uint32_t row, uint32_t *sources)
{
    const Signature *all = m->system->all;
    uint32_t count = 0;
    signature_equation(b, &all->equations[row]);
    for (uint32_t i = row; i != GRAPH_NONE; i = m->next_source[i]) {
        sources[count++] = i;
        for (uint32_t e = all->start[i]; e < all->start[i + 1]; e++)
            branches_unite(m, row, &all->entries[e]);
        for (uint32_t e = all->input_start[i]; e < all->input_start[i + 1]; e++)
            signature_input_entry(b, all->input_entries[e].variable, all->input_entries[e].order);
    }
    write_union(m, b, count);
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t e = all->start[sources[k]]; e < all->start[sources[k] + 1]; e++) {
            for (uint32_t f = all->factor_start[e]; f < all->factor_start[e + 1]; f++)
                signature_factor(b, all->entries[e].variable,
                                 all->entries[all->factors[f]].variable);
        }
    }
    return count;
}

static void write_signature(Merge *m, Branches *out)
{
    const Signature *all = m->system->all;
    SignatureBuilder *b = signature_begin(m->arena);
    uint32_t n = all->variable_count;
    m->entry = ARENA_ARRAY(m->arena, n, SignatureEntry);
    m->branches = ARENA_ARRAY(m->arena, n, uint32_t);
    m->stamp = ARENA_ARRAY(m->arena, n, uint32_t);
    m->touched = ARENA_ARRAY(m->arena, n, uint32_t);
    uint32_t *start = ARENA_ARRAY(m->arena, m->row_count + 1u, uint32_t);
    uint32_t *sources = ARENA_ARRAY(m->arena, all->equation_count, uint32_t);
    for (uint32_t j = 0; j < n; j++)
        signature_variable(b, &all->variables[j]);
    for (uint32_t k = 0; k < all->input_count; k++)
        signature_input(b, &all->inputs[k]);
    for (uint32_t r = 0; r < m->row_count; r++)
        start[r + 1] = start[r] + write_row(m, b, m->rows[r], sources + start[r]);
    out->merged = signature_finish(b);
    out->start = start;
    out->sources = sources;
}

// ---------------------------------------------------------------------------
// The decision
// ---------------------------------------------------------------------------

static bool is_switched(const Branches *out, uint32_t row)
{
    return out->start[row + 1] - out->start[row] > 1;
}

static uint32_t choice_of_row(const Merge *m, const Branches *out, uint32_t row)
{
    return m->system->guards[out->sources[out->start[row]]].choice;
}

// Tight entries that no branch lacks, and all those of the choices that are asked.
static Graph common_tight_graph(const Merge *m, const Branches *out, const Offsets *o,
                                const bool *is_asked)
{
    const Signature *s = out->merged;
    uint32_t *start = ARENA_ARRAY(m->arena, s->equation_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(m->arena, signature_entry_count(s), uint32_t), count = 0;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        const bool has_all = is_switched(out, i) && is_asked[choice_of_row(m, out, i)];
        for (uint32_t e = s->start[i]; e < s->start[i + 1]; e++) {
            if (offsets_tight(o, i, &s->entries[e]) && (has_all || !s->entries[e].is_partial))
                columns[count++] = s->entries[e].variable;
        }
        start[i + 1] = count;
    }
    return (Graph){s->equation_count, s->variable_count, start, columns};
}

// Marks the innermost choice around the equation that is not structural yet. False: there is none.
static bool mark_choice(Merge *m, uint32_t equation)
{
    BranchGuard guard = m->system->guards[equation];
    while (guard.choice != GRAPH_NONE && m->is_structural[guard.choice])
        guard = m->system->choices[guard.choice].inside;
    if (guard.choice == GRAPH_NONE)
        return false;
    m->is_structural[guard.choice] = true;
    return true;
}

static bool lacks_tight_entry(const Signature *s, const Offsets *o, uint32_t equation)
{
    for (uint32_t e = s->start[equation]; e < s->start[equation + 1]; e++) {
        if (s->entries[e].is_partial && offsets_tight(o, equation, &s->entries[e]))
            return true;
    }
    return false;
}

// Whether an equation stands in a choice, or in choices that it contains.
static bool stands_in(const Merge *m, uint32_t equation, uint32_t choice)
{
    BranchGuard guard = m->system->guards[equation];
    while (guard.choice != GRAPH_NONE && guard.choice != choice)
        guard = m->system->choices[guard.choice].inside;
    return guard.choice == choice;
}

// Whether the choice has a switched equation that is not differentiated.
static bool has_balance(const Merge *m, const Branches *out, const Offsets *o, uint32_t choice)
{
    for (uint32_t i = 0; i < out->merged->equation_count; i++)
        if (is_switched(out, i) && o->c[i] == 0 &&
            stands_in(m, out->sources[out->start[i]], choice))
            return true;
    return false;
}

// Marks choices with a constraint and other equations besides: gears, a transformer. Where such a
// constraint turns, something jumps, and the other equations that the impulse meets are those of
// the new branch; as one switched equation, they would have coefficients that jump themselves.
static bool mark_constraints(Merge *m, const Branches *out, const Offsets *o)
{
    bool has_marked = false;
    for (uint32_t i = 0; i < out->merged->equation_count; i++) {
        if (!is_switched(out, i) || o->c[i] == 0)
            continue;
        BranchGuard guard = m->system->guards[out->sources[out->start[i]]];
        for (; guard.choice != GRAPH_NONE; guard = m->system->choices[guard.choice].inside) {
            if (m->is_structural[guard.choice] || !has_balance(m, out, o, guard.choice))
                continue;
            has_marked = m->is_structural[guard.choice] = true;
            break;
        }
    }
    return has_marked;
}

// By entry of a switched equation: bits of the branches that have it, with its order and with any.
static void write_masks(const Merge *m, const Branches *out, uint32_t row, uint32_t *highest,
                        uint32_t *any)
{
    const Signature *all = m->system->all, *s = out->merged;
    for (uint32_t k = out->start[row]; k < out->start[row + 1]; k++) {
        const uint32_t source = out->sources[k];
        const uint32_t bit = 1u << m->system->guards[source].branch;
        uint32_t to = s->start[row]; // entries ascend by variable
        for (uint32_t e = all->start[source]; e < all->start[source + 1]; e++) {
            while (s->entries[to].variable < all->entries[e].variable)
                to++;
            any[to] |= bit;
            if (all->entries[e].order == s->entries[to].order)
                highest[to] |= bit;
        }
    }
}

// Marks the choices in question without a variable that stands in one equation of theirs in some
// branches, and in another one in the others: the parameter of the characteristic of a switch,
// whose sign decides about it if anything unknown does. (Where there is none, a search for the
// right branches has nothing to go by but the modes.)
static bool mark_without_parameter(Merge *m, const Branches *out, const IdealSystem *system)
{
    const Signature *s = out->merged;
    bool has_marked = false;
    bool *has_parameter = ARENA_ARRAY(m->arena, system->choice_count, bool);
    uint32_t *masks = ARENA_ARRAY(m->arena, s->variable_count, uint32_t);
    uint32_t *stamps = ARENA_ARRAY(m->arena, s->variable_count, uint32_t);
    for (uint32_t i = 0; i < s->equation_count; i++) { // those of a choice follow each other
        const uint32_t choice = system->choice_of[i];
        for (uint32_t e = s->start[i]; e < s->start[i + 1] && choice != GRAPH_NONE; e++) {
            const uint32_t v = s->entries[e].variable, branches = system->branch_counts[choice];
            if (!s->entries[e].is_partial && m->system->choices[choice].parameter != v)
                continue;
            masks[v] = system->highest[e] | (stamps[v] == choice + 1 ? masks[v] : 0);
            stamps[v] = choice + 1;
            has_parameter[choice] |= masks[v] == UINT32_MAX >> (32 - branches) &&
                                     (m->system->choices[choice].parameter == v ||
                                      m->system->choices[choice].parameter == GRAPH_NONE);
        }
    }
    for (uint32_t i = 0; i < s->equation_count; i++) {
        const uint32_t choice = system->choice_of[i];
        if (choice != GRAPH_NONE && !has_parameter[choice] &&
            !m->system->choices[choice].is_complementary)
            has_marked = m->is_structural[choice] = true;
    }
    return has_marked;
}

// Marks the choices in question with a branch that collides with what is always there.
static bool mark_collisions(Merge *m, const Branches *out, const Offsets *o, const bool *is_asked)
{
    const Signature *all = m->system->all;
    CollisionRow *rows = ARENA_ARRAY(m->arena, all->equation_count, CollisionRow);
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->merged->equation_count; i++) {
        const uint32_t choice = is_switched(out, i) ? choice_of_row(m, out, i) : GRAPH_NONE;
        for (uint32_t k = out->start[i]; k < out->start[i + 1]; k++)
            if (choice == GRAPH_NONE || is_asked[choice])
                rows[count++] = (CollisionRow){.equation = out->sources[k],
                                               .c = o->c[i],
                                               .choice = choice,
                                               .branch = m->system->guards[out->sources[k]].branch};
    }
    return collision_find(m->arena, all, o->d, rows, count, m->is_structural);
}

// Marks the choices in question that cannot stay as ideal switches.
static bool mark_ideal(Merge *m, const Branches *out, const Offsets *o, const bool *is_asked)
{
    const Signature *s = out->merged;
    const uint32_t choices = m->system->choice_count, entries = signature_entry_count(s);
    uint32_t *choice_of = ARENA_ARRAY(m->arena, s->equation_count, uint32_t);
    uint32_t *masks = ARENA_ARRAY(m->arena, 2 * (size_t)entries + 1u, uint32_t);
    uint32_t *counts = ARENA_ARRAY(m->arena, choices, uint32_t);
    for (uint32_t k = 0; k < choices; k++)
        counts[k] = m->system->choices[k].branch_count;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        const uint32_t choice = choice_of_row(m, out, i);
        const bool is_one = is_switched(out, i) && is_asked[choice];
        choice_of[i] = is_one ? choice : GRAPH_NONE;
        if (is_one)
            write_masks(m, out, i, masks, masks + entries);
    }
    const IdealSystem system = {.signature = s,
                                .offsets = o,
                                .choice_of = choice_of,
                                .highest = masks,
                                .any = masks + entries,
                                .choice_count = choices,
                                .branch_counts = counts,
                                .active = m->active};
    return mark_without_parameter(m, out, &system) || mark_collisions(m, out, o, is_asked) ||
           ideal_decide(m->arena, &system, m->is_structural);
}

// By choice: whether one of its equations is differentiated.
static const bool *find_differentiated(const Merge *m, const Branches *out, const Offsets *o)
{
    bool *is_differentiated = ARENA_ARRAY(m->arena, m->system->choice_count, bool);
    for (uint32_t i = 0; i < out->merged->equation_count; i++) {
        const uint32_t choice = choice_of_row(m, out, i);
        if (choice != GRAPH_NONE && o->c[i] > 0)
            is_differentiated[choice] = true;
    }
    return is_differentiated;
}

// Whether the choice of a switched equation may be an ideal switch: it is not differentiated.
static bool may_be_ideal(const Merge *m, const Branches *out, const bool *is_differentiated,
                         uint32_t row)
{
    const uint32_t choice = choice_of_row(m, out, row);
    return is_switched(out, row) && m->is_ideal[choice] && !is_differentiated[choice];
}

// The equations of those that are over-determined by the tight entries that no branch lacks, but of
// ideal switches by all: these are asked whether they can stay, others are marked. True: there are
// more to ask. (Nothing is decided about equations that are no part of the conflict, as if these
// were alone.)
static bool branches_blame(Merge *m, const Branches *out, const Offsets *o, bool *is_asked,
                           bool *has_marked)
{
    bool has_asked = false;
    const Signature *s = out->merged;
    const Graph graph = common_tight_graph(m, out, o, is_asked);
    Matching match = matching_empty(m->arena, s->equation_count, s->variable_count);
    matching_maximum(m->arena, &graph, &match);
    if (match.size == s->equation_count)
        return false;
    const MatchingParts parts = matching_parts(m->arena, &graph, &match);
    const bool *is_differentiated = find_differentiated(m, out, o);
    for (uint32_t i = 0; i < s->equation_count; i++) {
        if (parts.of_row[i] != MATCHING_OVER || !lacks_tight_entry(s, o, i))
            continue;
        if (!may_be_ideal(m, out, is_differentiated, i)) {
            *has_marked = mark_choice(m, out->sources[out->start[i]]) || *has_marked;
        } else if (!is_asked[choice_of_row(m, out, i)]) {
            has_asked = is_asked[choice_of_row(m, out, i)] = true;
        }
    }
    return has_asked;
}

// Whether one matching is valid in all branches; else marks who is to blame. If the union itself is
// singular, so is every branch: nobody is to blame.
static bool branches_is_settled(Merge *m, const Branches *out)
{
    Offsets o;
    if (!offsets_find(m->arena, out->merged, NULL, &o))
        return true;
    bool *is_asked = ARENA_ARRAY(m->arena, m->system->choice_count, bool);
    bool has_marked = false, has_asked = false;
    while (!has_marked && branches_blame(m, out, &o, is_asked, &has_marked))
        has_asked = true;
    if (has_marked || (has_asked && mark_ideal(m, out, &o, is_asked)))
        return false;
    return !mark_constraints(m, out, &o);
}

static const Branches *branches_end(Merge *m, Branches *out)
{
    out->is_structural = m->is_structural;
    out->is_there = m->is_there;
    return out;
}

const Branches *branches_decide(Arena *arena, const BranchSystem *system, const uint32_t *active)
{
    Branches *out = ARENA_NEW(arena, Branches);
    Merge m = branches_begin(arena, system, active);
    const ArenaMark mark = arena_mark(arena);
    for (bool is_first = true;; is_first = false) {
        if (!is_first)
            arena_release(arena, mark);
        merge_all(&m);
        write_signature(&m, out);
        if (branches_is_settled(&m, out))
            break;
    }
    return branches_end(&m, out);
}

const Branches *branches_decided(Arena *arena, const BranchSystem *system, const uint32_t *active)
{
    Branches *out = ARENA_NEW(arena, Branches);
    Merge m = branches_begin(arena, system, active);
    for (uint32_t k = 0; k < system->choice_count; k++)
        m.is_structural[k] = active[k] != GRAPH_NONE;
    merge_all(&m);
    write_signature(&m, out);
    return branches_end(&m, out);
}
