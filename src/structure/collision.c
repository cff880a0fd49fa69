// SPDX-License-Identifier: MIT

#include "structure/collision.h"

#include "structure/pivots.h"

// Rows of numbers.
typedef struct Collision {
    Arena *arena;
    const Signature *s;
    const uint32_t *d;
    const CollisionRow *rows;
    uint32_t *kept, kept_count; // rows whose tight entries are numbers, all of them
    uint32_t *occurrences;      // by variable: in rows that are kept
} Collision;

static bool collision_is_tight(const Collision *k, uint32_t row, const SignatureEntry *e)
{
    return k->rows[row].c + e->order == k->d[e->variable];
}

static bool collision_has_numbers(const Collision *k, uint32_t row)
{
    const Signature *s = k->s;
    bool is_fine = true, has_any = false;
    for (uint32_t e = s->start[k->rows[row].equation];
         e < s->start[k->rows[row].equation + 1] && is_fine; e++) {
        if (!collision_is_tight(k, row, &s->entries[e]))
            continue;
        has_any = true;
        is_fine = s->entries[e].kind == SIGNATURE_NUMBER;
    }
    return is_fine && has_any;
}

static void collision_count(Collision *k, uint32_t row, uint32_t by)
{
    const Signature *s = k->s;
    for (uint32_t e = s->start[k->rows[row].equation]; e < s->start[k->rows[row].equation + 1]; e++)
        if (collision_is_tight(k, row, &s->entries[e]))
            k->occurrences[s->entries[e].variable] += by;
}

static bool collision_has_own(const Collision *k, uint32_t row)
{
    const Signature *s = k->s;
    for (uint32_t e = s->start[k->rows[row].equation]; e < s->start[k->rows[row].equation + 1]; e++)
        if (collision_is_tight(k, row, &s->entries[e]) &&
            k->occurrences[s->entries[e].variable] == 1)
            return true;
    return false;
}

// Takes rows with a variable of their own away. Rounds alternate their direction: chains are gone
// after two of them. After so many, what remains is small enough.
static void collision_peel(Collision *k)
{
    enum { MOST_ROUNDS = 20 };
    bool has_changed = true;
    for (int round = 0; round < MOST_ROUNDS && has_changed; round++) {
        uint32_t count = 0;
        has_changed = false;
        for (uint32_t i = 0; i < k->kept_count; i++) {
            const uint32_t row = k->kept[i];
            if (collision_has_own(k, row)) {
                collision_count(k, row, UINT32_MAX); // one less
                has_changed = true;
            } else {
                k->kept[count++] = row;
            }
        }
        k->kept_count = count;
        for (uint32_t i = 0; i < count / 2; i++) {
            const uint32_t row = k->kept[i];
            k->kept[i] = k->kept[count - 1 - i];
            k->kept[count - 1 - i] = row;
        }
    }
}

// Whether something that is differentiated occurs in the equation.
static bool collision_moves(const Collision *k, uint32_t row)
{
    const Signature *s = k->s;
    for (uint32_t e = s->start[k->rows[row].equation]; e < s->start[k->rows[row].equation + 1]; e++)
        if (k->d[s->entries[e].variable] > 0)
            return true;
    return false;
}

static PivotsMatrix collision_matrix(const Collision *k)
{
    const Signature *s = k->s;
    uint32_t entries = 0;
    for (uint32_t i = 0; i < k->kept_count; i++) {
        const uint32_t equation = k->rows[k->kept[i]].equation;
        entries += s->start[equation + 1] - s->start[equation];
    }
    uint32_t *start = ARENA_ARRAY(k->arena, k->kept_count + 1u, uint32_t), count = 0;
    uint32_t *columns = ARENA_ARRAY(k->arena, entries, uint32_t);
    double *values = ARENA_ARRAY(k->arena, entries, double);
    uint8_t *ranks = ARENA_ARRAY(k->arena, s->variable_count, uint8_t);
    for (uint32_t i = 0; i < k->kept_count; i++) {
        const uint32_t equation = k->rows[k->kept[i]].equation;
        for (uint32_t e = s->start[equation]; e < s->start[equation + 1]; e++) {
            if (!collision_is_tight(k, k->kept[i], &s->entries[e]))
                continue;
            columns[count] = s->entries[e].variable;
            values[count++] = s->entries[e].value;
        }
        start[i + 1] = count;
    }
    return (PivotsMatrix){.row_count = k->kept_count,
                          .column_count = s->variable_count,
                          .start = start,
                          .columns = columns,
                          .values = values,
                          .rank = ranks,
                          .taste = ranks,
                          .worth = 0.1,
                          .equal = 0.1,
                          .is_sparsity_first = true};
}

// Of what is always there, and one branch, the rows that may depend on each other.
static Collision collision_of_branch(const Collision *all, uint32_t choice, uint32_t branch)
{
    Collision k = *all;
    k.kept = ARENA_ARRAY(k.arena, all->kept_count, uint32_t);
    k.kept_count = 0;
    k.occurrences = ARENA_ARRAY(k.arena, k.s->variable_count, uint32_t);
    for (uint32_t i = 0; i < all->kept_count; i++) {
        const CollisionRow *row = &k.rows[all->kept[i]];
        if (row->choice != GRAPH_NONE && (row->choice != choice || row->branch != branch))
            continue;
        k.kept[k.kept_count++] = all->kept[i];
        collision_count(&k, all->kept[i], 1);
    }
    collision_peel(&k);
    return k;
}

// Whether among some rows is one of the choice, and one in which something is differentiated.
static bool collision_counts(const Collision *k, uint32_t choice, const uint32_t *rows,
                             uint32_t count)
{
    bool moves = false, is_own = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t row = k->kept[rows ? rows[i] : i];
        moves = moves || collision_moves(k, row);
        is_own = is_own || k->rows[row].choice == choice;
    }
    return moves && is_own;
}

static bool collision_is_there(const Collision *all, uint32_t choice, uint32_t branch)
{
    const ArenaMark mark = arena_mark(all->arena);
    const Collision k = collision_of_branch(all, choice, branch);
    bool is_there = false;
    if (collision_counts(&k, choice, NULL, k.kept_count)) {
        const PivotsMatrix m = collision_matrix(&k);
        PivotsDependence *found;
        const uint32_t count = pivots_dependences(pivots_create(k.arena), &m, &found);
        for (uint32_t i = 0; i < count && !is_there; i++)
            is_there = collision_counts(&k, choice, found[i].rows, found[i].count);
    }
    arena_release(all->arena, mark);
    return is_there;
}

bool collision_find(Arena *arena, const Signature *s, const uint32_t *d, const CollisionRow *rows,
                    uint32_t count, bool *collides)
{
    enum { MOST_EFFORT = 20000000 }; // rows looked at; what is not looked at stays as it is
    Collision k = {.arena = arena,
                   .s = s,
                   .d = d,
                   .rows = rows,
                   .kept = ARENA_ARRAY(arena, count, uint32_t),
                   .occurrences = ARENA_ARRAY(arena, s->variable_count, uint32_t)};
    bool has_found = false;
    for (uint32_t i = 0; i < count; i++)
        if (collision_has_numbers(&k, i)) {
            k.kept[k.kept_count++] = i;
            collision_count(&k, i, 1);
        }
    collision_peel(&k);
    uint64_t effort = 0;
    for (uint32_t i = 0; i < k.kept_count && effort < MOST_EFFORT; i++) {
        const CollisionRow *row = &rows[k.kept[i]];
        if (row->choice == GRAPH_NONE || collides[row->choice])
            continue;
        effort += k.kept_count;
        collides[row->choice] = collision_is_there(&k, row->choice, row->branch);
        has_found = has_found || collides[row->choice];
    }
    return has_found;
}
