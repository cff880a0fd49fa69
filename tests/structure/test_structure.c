// SPDX-License-Identifier: MIT
//
// The structure of known systems, and of random ones: what structure.h says always holds.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/initial.h"
#include "structure/outline.h"
#include "structure/structure.h"
#include "support/signatures.h"

#include <string.h>

static int setup(void **state)
{
    *state = arena_create(NULL);
    return 0;
}

static int teardown(void **state)
{
    arena_destroy(*state);
    return 0;
}

// ---------------------------------------------------------------------------
// What always holds
// ---------------------------------------------------------------------------

// Every derivative is known when it is used, and known once.
typedef struct Walk {
    const Structure *s;
    uint32_t *base;      // of each variable
    uint32_t *solved_at; // by derivative: 1 + block, 0: state, GRAPH_NONE: not yet
} Walk;

static uint32_t *place(const Walk *w, uint32_t variable, uint32_t order)
{
    return &w->solved_at[w->base[variable] + order];
}

static Walk begin_walk(Arena *arena, const Structure *s)
{
    uint32_t n = s->signature->variable_count;
    Walk w = {.s = s, .base = ARENA_ARRAY(arena, n + 1u, uint32_t)};
    for (uint32_t j = 0; j < n; j++)
        w.base[j + 1] = w.base[j] + s->offsets->d[j] + 1;
    w.solved_at = ARENA_ARRAY(arena, w.base[n], uint32_t);
    for (uint32_t k = 0; k < w.base[n]; k++)
        w.solved_at[k] = GRAPH_NONE;
    for (uint32_t k = 0; k < s->state_count; k++)
        *place(&w, s->states[k].variable, s->states[k].order) = 0;
    return w;
}

// Inside a block the torn unknowns come first, then the solved ones in their order.
static void walk_block(Walk *w, uint32_t number)
{
    const Structure *s = w->s;
    const Signature *g = s->signature;
    const StructureBlock *b = &s->blocks[number];
    for (uint32_t k = 0; k < b->size; k++) {
        uint32_t at = k < structure_torn(b) ? b->solved + k : k - structure_torn(b);
        const StructureStep *step = &s->steps[b->first + at];
        uint32_t *solved = place(w, step->variable, step->variable_order);
        assert_int_equal(*solved, GRAPH_NONE);
        *solved = number + 1;
        for (uint32_t e = g->start[step->equation];
             at < b->solved && e < g->start[step->equation + 1]; e++) {
            uint32_t top = g->entries[e].order + step->equation_order;
            for (uint32_t o = 0; o <= top; o++) {
                if (signature_has_order(&g->entries[e], step->equation_order, o))
                    assert_true(*place(w, g->entries[e].variable, o) != GRAPH_NONE);
            }
        }
    }
    for (uint32_t k = b->first; k < b->first + b->size; k++) { // residuals, and all once more
        const StructureStep *step = &s->steps[k];
        for (uint32_t e = g->start[step->equation]; e < g->start[step->equation + 1]; e++) {
            uint32_t top = g->entries[e].order + step->equation_order;
            assert_true(top <= s->offsets->d[g->entries[e].variable]);
            assert_true(*place(w, g->entries[e].variable, top) != GRAPH_NONE);
        }
    }
}

static void check_structure(Arena *arena, const Structure *s)
{
    const Signature *g = s->signature;
    Walk w = begin_walk(arena, s);
    assert_int_equal(s->state_count, s->offsets->freedom);
    uint32_t next = 0;
    for (uint32_t k = 0; k < s->block_count; k++) {
        assert_int_equal(s->blocks[k].first, next);
        next += s->blocks[k].size;
        if (s->blocks[k].kind == STRUCTURE_ASSIGNMENT)
            assert_true(s->blocks[k].size == 1 && s->blocks[k].solved == 1);
        walk_block(&w, k);
    }
    assert_int_equal(next, s->step_count);
    for (uint32_t k = 0; k < w.base[g->variable_count]; k++)
        assert_true(w.solved_at[k] != GRAPH_NONE);

    uint32_t *seen = ARENA_ARRAY(arena, g->equation_count, uint32_t);
    for (uint32_t k = 0; k < s->step_count; k++) {
        assert_true(s->steps[k].equation_order <= s->offsets->c[s->steps[k].equation]);
        seen[s->steps[k].equation] |= 1u << s->steps[k].equation_order;
    }
    for (uint32_t i = 0; i < g->equation_count; i++)
        assert_int_equal(seen[i], (2u << s->offsets->c[i]) - 1u);
}

static void random_systems(void **state)
{
    Random random = {8};
    int regular = 0;
    for (int n = 0; n < 6000; n++) {
        ArenaMark mark = arena_mark(*state);
        SignatureBuilder *b = signature_begin(*state);
        uint32_t size = 1 + random_below(&random, 12), percent = 10 + random_below(&random, 40);
        for (uint32_t j = 0; j < size; j++)
            signature_variable(
                b, &(SignatureVariable){.name = "v", .select = (uint8_t)random_below(&random, 6)});
        for (uint32_t i = 0; i < size; i++) {
            signature_equation(b, &(SignatureEquation){.text = "e"});
            for (uint32_t j = 0; j < size; j++) {
                if (random_below(&random, 100) >= percent)
                    continue;
                uint32_t order = random_below(&random, 3), kind = random_below(&random, 4);
                if (kind == SIGNATURE_NUMBER)
                    signature_number(b, j, order, random_number(&random));
                else
                    signature_entry(b, j, order, (SignatureKind)kind, random_below(&random, 2));
                if (order > 0 && random_below(&random, 2))
                    signature_entry(b, j, random_below(&random, order), SIGNATURE_LINEAR, false);
            }
        }
        const Structure *s = structure_create(*state, signature_finish(b), NULL);
        if (s) {
            check_structure(*state, s);
            regular++;
        }
        arena_release(*state, mark);
    }
    assert_true(regular > 1500); // the sample has something to say
}

// ---------------------------------------------------------------------------
// Known systems
// ---------------------------------------------------------------------------

static const Structure *analyse(Arena *arena, const char *const *declarations,
                                const char *const *equations)
{
    const Structure *s =
        structure_create(arena, signatures_make(arena, declarations, equations), NULL);
    assert_non_null(s);
    check_structure(arena, s);
    return s;
}

static void assert_states(const Structure *s, const char *expected)
{
    char text[256] = "";
    for (uint32_t k = 0; k < s->state_count; k++) {
        strcat(text, k > 0 ? " " : "");
        strcat(text, s->signature->variables[s->states[k].variable].name);
        for (uint32_t o = 0; o < s->states[k].order; o++)
            strcat(text, "'");
    }
    assert_string_equal(text, expected);
}

static uint32_t count_blocks(const Structure *s, StructureKind kind)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->block_count; k++)
        count += s->blocks[k].kind == kind;
    return count;
}

static const char *const pendulum[] = {"x' u=-1", "y' v=-1", "u' x*lam", "v' y*lam", "x~ y~", NULL};

static void pendulum_in_first_order(void **state)
{
    const Structure *s = analyse(*state, NULL, pendulum);
    assert_int_equal(s->offsets->index, 3);
    assert_int_equal(s->state_count, 2);
    // one coordinate and one velocity, variables of the model and no derivatives
    for (uint32_t k = 0; k < 2; k++)
        assert_int_equal(s->states[k].order, 0);
    // position: x^2 + y^2 = 1 for the other coordinate; velocity; acceleration with lambda
    assert_int_equal(count_blocks(s, STRUCTURE_NONLINEAR), 1);
    assert_int_equal(s->blocks[0].kind, STRUCTURE_NONLINEAR);
    assert_int_equal(s->blocks[0].stage, 2);
    const StructureBlock *last = &s->blocks[s->block_count - 1];
    assert_int_equal(last->kind, STRUCTURE_LINEAR);
    assert_int_equal(last->size, 5); // x'', y'', u', v', lambda
    assert_int_equal(structure_torn(last), 1);
}

static void preferred_coordinates_become_states(void **state)
{
    const char *const declarations[] = {"x avoid", "y prefer", "v prefer", NULL};
    assert_states(analyse(*state, declarations, pendulum), "y v");
    const char *const others[] = {"x always", "y", "u always", NULL};
    assert_states(analyse(*state, others, pendulum), "x u");
}

// m' = w, U' = q; m = V rho(p, T), U = m u(p, T): without wishes m and U, with wishes p and T,
// for which m and U are differentiated.
static void a_medium_has_the_states_it_asks_for(void **state)
{
    const char *const equations[] = {"m' w", "U' q", "m p~ T~", "U m~ p~ T~", "w p", "q T", NULL};
    const Structure *s = analyse(*state, NULL, equations);
    assert_int_equal(s->offsets->index, 1);
    assert_states(s, "m U");
    const char *const declarations[] = {"m", "w", "U", "q", "p prefer", "T prefer", NULL};
    s = analyse(*state, declarations, equations);
    assert_states(s, "p T");
    assert_int_equal(s->offsets->c[2], 1);
    assert_int_equal(s->offsets->c[3], 1);
    assert_int_equal(count_blocks(s, STRUCTURE_NONLINEAR), 0); // m and U follow explicitly
}

// A wish that cannot be fulfilled differentiates nothing: u would have to be.
static void a_wish_without_freedom_is_given_up(void **state)
{
    const char *const declarations[] = {"y prefer", NULL};
    const char *const equations[] = {"y @u", "x' x y", NULL};
    const Structure *s = analyse(*state, declarations, equations);
    assert_states(s, "x");
    assert_int_equal(s->offsets->c[0], 0);
    assert_int_equal(s->input_orders[0], 0);
}

static void derivatives_of_inputs_are_counted(void **state)
{
    const char *const equations[] = {"x' v=-1", "v' f=-1", "x @r", NULL};
    const Structure *s = analyse(*state, NULL, equations);
    assert_int_equal(s->state_count, 0);
    assert_int_equal(s->input_orders[0], 2);
    assert_int_equal(count_blocks(s, STRUCTURE_ASSIGNMENT), s->block_count);
}

static void car_axis(void **state)
{
    const char *const equations[] = {"xl'' xl~ yl~ xr~ yr~ l1:l l2*xl",
                                     "yl'' xl~ yl~ l1:l l2*yl",
                                     "xr'' xl~ xr~ yr~ l2:l",
                                     "yr'' yl~ xr~ yr~ l2:l",
                                     "xl~ yl~ @yb",
                                     "xl~ xr~ yl~ yr~",
                                     NULL};
    const Structure *s = analyse(*state, NULL, equations);
    assert_int_equal(s->offsets->index, 3);
    assert_int_equal(s->state_count, 4);
    assert_int_equal(s->input_orders[0], 2);
}

// Two inertias joined by a shaft without elasticity: one speed, torques from a linear block.
static void inertias_joined(void **state)
{
    const char *const equations[] = {"phi1' w1=-1",  "phi2' w2=-1",  "w1':p t1=-1", "w2':p t2=-1",
                                     "phi1 phi2=-1", "t1 t2 load:p", "load w1~",    NULL};
    const Structure *s = analyse(*state, NULL, equations);
    assert_int_equal(s->offsets->index, 3);
    assert_int_equal(s->state_count, 2);
    assert_int_equal(count_blocks(s, STRUCTURE_NONLINEAR), 0);
    assert_int_equal(count_blocks(s, STRUCTURE_CONSTANT), 1);
}

// Three capacitors in a loop: any two voltages are states, the third follows; the currents form a
// linear block with a constant matrix.
static void capacitors_in_a_loop(void **state)
{
    const char *const declarations[] = {"u1", "u2 start fixed", "u3 start fixed", NULL};
    const char *const equations[] = {"u1':p i1=-1", "u2':p i2=-1", "u3':p i3=-1", "u1 u2=-1 u3=-1",
                                     "i1 i2 ir=-1", "i2=-1 i3",    "ir u1:p",     NULL};
    const Structure *s = analyse(*state, declarations, equations);
    assert_int_equal(s->offsets->index, 2);
    assert_states(s, "u2 u3");
    assert_int_equal(count_blocks(s, STRUCTURE_CONSTANT), 1);
}

// Robertson's problem with the conservation law: two states; the third is not among them because
// it is nowhere differentiated.
static void robertson(void **state)
{
    const char *const equations[] = {"y1' y1 y2*y3", "y2' y1 y2~ y3", "y1 y2 y3", NULL};
    const Structure *s = analyse(*state, NULL, equations);
    assert_int_equal(s->offsets->index, 1);
    assert_states(s, "y1 y2");
    assert_int_equal(count_blocks(s, STRUCTURE_ASSIGNMENT), 3);
}

// The same product is linear where one factor is a state, and not where both are unknown.
static void products_of_unknowns_are_nonlinear(void **state)
{
    const char *const known_factor[] = {"x' x", "x*y z", "y z=-1", NULL};
    const Structure *s = analyse(*state, NULL, known_factor);
    assert_int_equal(count_blocks(s, STRUCTURE_LINEAR), 1);
    const char *const unknown_factor[] = {"x' x", "w*y z x", "y z=-1", "w y", NULL};
    s = analyse(*state, NULL, unknown_factor);
    assert_int_equal(count_blocks(s, STRUCTURE_NONLINEAR), 1);
}

// What only observers need is not needed for the derivatives: here the powers.
static void what_nobody_needs_is_marked(void **state)
{
    enum { CELLS = 20 };
    const Structure *s = structure_create(*state, signatures_ladder(*state, CELLS), NULL);
    check_structure(*state, s);
    assert_int_equal(s->state_count, CELLS);
    uint32_t unneeded = 0;
    for (uint32_t k = 0; k < s->block_count; k++) {
        const StructureStep *step = &s->steps[s->blocks[k].first];
        bool is_power = strcmp(s->signature->variables[step->variable].name, "p") == 0;
        assert_int_equal(s->blocks[k].is_needed, !is_power);
        unneeded += !s->blocks[k].is_needed;
    }
    assert_int_equal(unneeded, CELLS);
}

static void large_ladder(void **state)
{
    enum { CELLS = 5000 };
    const Structure *s = structure_create(*state, signatures_ladder(*state, CELLS), NULL);
    check_structure(*state, s);
    assert_int_equal(s->state_count, CELLS);
    assert_int_equal(s->offsets->index, 1);
    assert_int_equal(count_blocks(s, STRUCTURE_ASSIGNMENT), 4 * CELLS + 1);
}

static void singular_systems_have_no_structure(void **state)
{
    const char *const twice[] = {"x y", "x y", "z", NULL};
    assert_non_null(structure_create(*state, signatures_make(*state, NULL, twice), NULL));
    const char *const over[] = {"x", "x=2", "y z", NULL};
    assert_null(structure_create(*state, signatures_make(*state, NULL, over), NULL));
    const char *const more[] = {"x y", NULL};
    assert_null(structure_create(*state, signatures_make(*state, NULL, more), NULL));
}

// A model with discrete variables only.
static void nothing_has_a_structure_too(void **state)
{
    const char *const nothing[] = {NULL};
    const Structure *s = structure_create(*state, signatures_make(*state, NULL, nothing), NULL);
    assert_non_null(s);
    assert_int_equal(s->block_count + s->state_count + s->offsets->index, 0);
    const Initial *i = initial_create(*state, s, NULL);
    assert_non_null(i->structure);
    assert_int_equal(i->unknown_count, 0);
    StringBuilder out = builder_create(*state);
    outline_text(s, true, &out);
    outline_svg(s, &out);
    assert_int_equal(diagnosis_find(*state, s->signature).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_systems, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum_in_first_order, setup, teardown),
        cmocka_unit_test_setup_teardown(preferred_coordinates_become_states, setup, teardown),
        cmocka_unit_test_setup_teardown(a_medium_has_the_states_it_asks_for, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wish_without_freedom_is_given_up, setup, teardown),
        cmocka_unit_test_setup_teardown(derivatives_of_inputs_are_counted, setup, teardown),
        cmocka_unit_test_setup_teardown(car_axis, setup, teardown),
        cmocka_unit_test_setup_teardown(inertias_joined, setup, teardown),
        cmocka_unit_test_setup_teardown(capacitors_in_a_loop, setup, teardown),
        cmocka_unit_test_setup_teardown(robertson, setup, teardown),
        cmocka_unit_test_setup_teardown(products_of_unknowns_are_nonlinear, setup, teardown),
        cmocka_unit_test_setup_teardown(what_nobody_needs_is_marked, setup, teardown),
        cmocka_unit_test_setup_teardown(large_ladder, setup, teardown),
        cmocka_unit_test_setup_teardown(singular_systems_have_no_structure, setup, teardown),
        cmocka_unit_test_setup_teardown(nothing_has_a_structure_too, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/structure", tests, NULL, NULL);
}
