// SPDX-License-Identifier: MIT

#include "modes/split.h"

typedef struct Splitter {
    Arena *arena;
    FlatModel *flat;
    uint32_t equation_room, conditional_room;
} Splitter;

// The choice on one side of an equation whose other side is a number; NULL: there is none.
static FlatExpression *choice_of(const FlatEquation *e)
{
    if (e->kind == FLAT_EQUATION_CALL)
        return NULL;
    FlatExpression *const sides[] = {e->left, e->right};
    for (int i = 0; i < 2; i++)
        if (sides[i]->kind == FLAT_IF && !sides[i]->is_silent && sides[i]->rank == 0 &&
            sides[1 - i]->variability <= FLAT_PARAMETER && sides[i]->type == &flat_type_real)
            return sides[i];
    return NULL;
}

static void add_equation(Splitter *s, FlatEquation *e)
{
    FlatModel *m = s->flat;
    if (m->equation_count == s->equation_room) {
        const uint32_t room = 2 * s->equation_room + 16;
        m->equations = arena_grow(s->arena, m->equations, s->equation_room * sizeof *m->equations,
                                  room * sizeof *m->equations);
        s->equation_room = room;
    }
    m->equations[m->equation_count++] = e;
}

static FlatIf *add_conditional(Splitter *s, const FlatEquation *e, const FlatExpression *choice)
{
    FlatModel *m = s->flat;
    if (m->conditional_count == s->conditional_room) {
        const uint32_t room = 2 * s->conditional_room + 16;
        m->conditionals =
            arena_grow(s->arena, m->conditionals, s->conditional_room * sizeof *m->conditionals,
                       room * sizeof *m->conditionals);
        s->conditional_room = room;
    }
    const uint32_t branches = choice->count / 2 + 1;
    FlatIf *conditional = ARENA_NEW(s->arena, FlatIf);
    *conditional = (FlatIf){.index = m->conditional_count,
                            .count = branches,
                            .conditions = ARENA_ARRAY(s->arena, branches, FlatExpression *),
                            .guard = e->guard,
                            .component = e->origin.component,
                            .span = e->origin.span};
    for (uint32_t b = 0; b + 1 < branches; b++)
        conditional->conditions[b] = choice->operands[2 * b];
    m->conditionals[m->conditional_count++] = conditional;
    return conditional;
}

static void split(Splitter *s, FlatEquation *e)
{
    FlatExpression *choice = choice_of(e);
    if (!choice) {
        add_equation(s, e);
        return;
    }
    FlatIf *conditional = add_conditional(s, e, choice);
    for (uint32_t b = 0; b < conditional->count; b++) {
        const bool is_last = b + 1 == conditional->count;
        FlatExpression *value = choice->operands[is_last ? 2 * b : 2 * b + 1];
        FlatGuard *guard = ARENA_NEW(s->arena, FlatGuard);
        FlatEquation *branch = ARENA_NEW(s->arena, FlatEquation);
        *guard = (FlatGuard){.outer = e->guard, .conditional = conditional, .branch = b};
        *branch = *e;
        branch->guard = guard;
        branch->left = e->left == choice ? value : e->left;
        branch->right = e->right == choice ? value : e->right;
        split(s, branch); // a choice in a choice
    }
}

const FlatModel *split_choices(Arena *arena, const FlatModel *flat)
{
    bool has_any = false;
    for (uint32_t i = 0; i < flat->equation_count && !has_any; i++)
        has_any = choice_of(flat->equations[i]) != NULL;
    if (!has_any)
        return flat;
    FlatModel *copy = ARENA_NEW(arena, FlatModel);
    *copy = *flat;
    Splitter s = {.arena = arena, .flat = copy};
    s.conditional_room = flat->conditional_count;
    copy->conditionals = ARENA_ARRAY(arena, flat->conditional_count, FlatIf *);
    if (flat->conditional_count)
        memcpy(copy->conditionals, flat->conditionals,
               flat->conditional_count * sizeof *copy->conditionals);
    copy->equations = NULL;
    copy->equation_count = 0;
    for (uint32_t i = 0; i < flat->equation_count; i++)
        split(&s, flat->equations[i]);
    return copy;
}
