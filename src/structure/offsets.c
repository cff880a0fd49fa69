// SPDX-License-Identifier: MIT
//
// The primal-dual method for the highest value transversal, for all unmatched equations at once.
//
//   Pryce     here
//   c_i       c[i]
//   d_j       d[j], always the largest of c_i + sigma_ij (and of the lower bound)
//   HVT       m, once it is perfect
//
// Start with c = 0. Find a maximum matching of the tight entries. If it is not perfect, let O be
// the equations of its over-determined part (Dulmage and Mendelsohn): those that alternating
// paths reach from equations without a variable, and V the variables they reach. Raise c on O and
// d on V by the least slack of the entries from O to other variables; then there are new tight
// entries, and the matched ones are still tight. If there are no such entries, O has too few
// variables whatever is differentiated: the system is structurally singular.
//
// Invariant: c <= c*, d <= d*, where the star is the least solution. Proof that O has to be
// raised: let Z be the equations in O with c = c*. The star's transversal maps Z to variables W of
// V with d = d*, along entries that are tight already. An equation of O outside Z has no tight
// entry in W, for there d* >= c*_i + sigma_ij > c_i + sigma_ij = d. So the partners of W are in Z,
// and there are as many: a path from outside Z cannot enter Z. But O is what paths reach from
// equations without a partner, which Z does not have. So Z is empty.
//
// An equation that has no variable when a round begins is raised in it. So there are at most
// max c + 1 rounds.

#include "structure/offsets.h"

static Graph tight_graph(Arena *arena, const Signature *s, const uint32_t *c, const uint32_t *d,
                         uint32_t *entry_of)
{
    uint32_t *start = ARENA_ARRAY(arena, s->equation_count + 1u, uint32_t);
    uint32_t *columns = ARENA_ARRAY(arena, signature_entry_count(s), uint32_t);
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        for (uint32_t e = s->start[i]; e < s->start[i + 1]; e++) {
            uint32_t j = s->entries[e].variable;
            if (c[i] + s->entries[e].order != d[j])
                continue;
            if (entry_of)
                entry_of[count] = e;
            columns[count++] = j;
        }
        start[i + 1] = count;
    }
    return (Graph){.row_count = s->equation_count,
                   .column_count = s->variable_count,
                   .start = start,
                   .columns = columns};
}

// Raises the over-determined part. False: nothing limits it.
static bool raise(const Signature *s, uint32_t *c, uint32_t *d, const MatchingParts *parts)
{
    uint32_t slack = GRAPH_NONE;
    for (uint32_t i = 0; i < s->equation_count; i++) {
        for (uint32_t e = s->start[i]; e < s->start[i + 1] && parts->of_row[i] == MATCHING_OVER;
             e++) {
            uint32_t j = s->entries[e].variable;
            uint32_t here = d[j] - c[i] - s->entries[e].order;
            if (parts->of_column[j] != MATCHING_OVER && here < slack)
                slack = here;
        }
    }
    if (slack == GRAPH_NONE)
        return false;
    for (uint32_t i = 0; i < s->equation_count; i++)
        c[i] += parts->of_row[i] == MATCHING_OVER ? slack : 0;
    for (uint32_t j = 0; j < s->variable_count; j++)
        d[j] += parts->of_column[j] == MATCHING_OVER ? slack : 0;
    return true;
}

static void offsets_summarize(const Signature *s, Offsets *out)
{
    uint32_t largest = 0, has_algebraic = 0;
    for (uint32_t j = 0; j < s->variable_count; j++) {
        out->depth = out->d[j] > out->depth ? out->d[j] : out->depth;
        out->freedom += out->d[j];
        has_algebraic |= out->d[j] == 0;
    }
    for (uint32_t i = 0; i < s->equation_count; i++) {
        largest = out->c[i] > largest ? out->c[i] : largest;
        out->freedom -= out->c[i];
    }
    out->index = largest + has_algebraic;
}

bool offsets_find(Arena *arena, const Signature *s, const uint32_t *least, Offsets *out)
{
    if (s->equation_count != s->variable_count)
        return false;
    uint32_t *c = ARENA_ARRAY(arena, s->equation_count, uint32_t);
    uint32_t *d = ARENA_ARRAY(arena, s->variable_count, uint32_t);
    Matching m = matching_empty(arena, s->equation_count, s->variable_count);
    for (uint32_t j = 0; least && j < s->variable_count; j++)
        d[j] = least[j];
    for (uint32_t e = 0; e < signature_entry_count(s); e++) {
        uint32_t *highest = &d[s->entries[e].variable];
        *highest = s->entries[e].order > *highest ? s->entries[e].order : *highest;
    }
    bool is_regular = true;
    while (is_regular) {
        ArenaMark mark = arena_mark(arena);
        Graph tight = tight_graph(arena, s, c, d, NULL);
        matching_maximum(arena, &tight, &m);
        bool is_perfect = m.size == s->equation_count;
        if (!is_perfect) {
            MatchingParts parts = matching_parts(arena, &tight, &m);
            is_regular = raise(s, c, d, &parts);
        }
        arena_release(arena, mark);
        if (is_perfect)
            break;
    }
    if (is_regular) {
        *out = (Offsets){.c = c, .d = d, .transversal = m};
        offsets_summarize(s, out);
    }
    return is_regular;
}

Graph offsets_graph(Arena *arena, const Signature *s, const Offsets *o, const uint32_t **entry_of)
{
    uint32_t *entries = NULL;
    if (entry_of)
        *entry_of = entries = ARENA_ARRAY(arena, signature_entry_count(s), uint32_t);
    return tight_graph(arena, s, o->c, o->d, entries);
}
