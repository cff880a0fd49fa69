// SPDX-License-Identifier: MIT
//
// Initialization: which conditions are used, which are too many, what is assumed.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/initial.h"
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

// Initial equations in the same notation; their variables must be declared.
static const Initial *initialize(Arena *arena, const char *const *declarations,
                                 const char *const *equations, const char *const *initial)
{
    const Structure *s =
        structure_create(arena, signatures_make(arena, declarations, equations), NULL);
    assert_non_null(s);
    return initial_create(arena, s, initial ? signatures_make(arena, declarations, initial) : NULL);
}

// "start x; zero der(y)": rows in words.
static const char *words(Arena *arena, const Initial *initial, const InitialRow *rows,
                         uint32_t count)
{
    static const char *const kinds[] = {"model", "equation", "fixed", "start", "zero", "parameter"};
    StringBuilder b = builder_create(arena);
    for (uint32_t k = 0; k < count; k++) {
        builder_append_format(&b, "%s%s", k > 0 ? "; " : "", kinds[rows[k].kind]);
        if (rows[k].kind == INITIAL_EQUATION || rows[k].kind == INITIAL_MODEL) {
            builder_append_format(&b, " %u", rows[k].number);
            continue;
        }
        builder_append_format(&b, " %s", initial->square->variables[rows[k].unknown].name);
    }
    return builder_string(&b).text;
}

#define ASSERT_ASSUMED(initial, text)                                                              \
    assert_string_equal(words(*state, initial, (initial)->assumed, (initial)->assumed_count), text)
#define ASSERT_SURPLUS(initial, text)                                                              \
    assert_string_equal(words(*state, initial, (initial)->surplus, (initial)->surplus_count), text)

static const char *const oscillator[] = {"x' v=-1", "v' x:p", NULL};

static void fixed_starts_are_enough(void **state)
{
    const char *const declarations[] = {"x start fixed", "v start fixed", NULL};
    const Initial *i = initialize(*state, declarations, oscillator, NULL);
    ASSERT_ASSUMED(i, "");
    ASSERT_SURPLUS(i, "");
    assert_int_equal(i->open_count, 0);
    assert_int_equal(i->row_count, 4); // x, v, x', v'
    assert_non_null(i->structure);
    for (uint32_t k = 0; k < i->structure->block_count; k++)
        assert_int_equal(i->structure->blocks[k].kind, STRUCTURE_ASSIGNMENT);
}

static void missing_starts_are_assumed_and_said(void **state)
{
    const char *const declarations[] = {"x start", "v", NULL};
    const Initial *i = initialize(*state, declarations, oscillator, NULL);
    ASSERT_ASSUMED(i, "start x; zero v");
    Diagnostics *d = diagnostics_create(*state, sources_create(*state));
    initial_report(i, d);
    assert_int_equal(d->warning_count, 2);
    assert_string_equal(d->first->message,
                        "x begins with its start value, though that is not fixed");
    assert_string_equal(d->last->message, "v has no start value and begins with 0");
}

// Steady state: der(x) = 0, der(v) = 0 leave nothing to assume, and no start value is used.
static void initial_equations_come_before_starts(void **state)
{
    const char *const declarations[] = {"x start", "v start", NULL};
    const char *const steady[] = {"x'", "v'", NULL};
    const Initial *i = initialize(*state, declarations, oscillator, steady);
    ASSERT_ASSUMED(i, "");
    ASSERT_SURPLUS(i, "");
    assert_non_null(i->structure);
}

// The pendulum has two degrees of freedom, but not any two starts will do: x and y depend on
// each other. With x, y and v fixed one is too many, and it is one of the starts.
static const char *const pendulum[] = {"x' u=-1", "y' v=-1", "u' x*lam", "v' y*lam", "x~ y~", NULL};

static void pendulum_starts(void **state)
{
    const char *const fine[] = {"x start fixed", "u start fixed", NULL};
    const Initial *i = initialize(*state, fine, pendulum, NULL);
    ASSERT_ASSUMED(i, "");
    ASSERT_SURPLUS(i, "");

    const char *const too_many[] = {"x start fixed", "u", "y start fixed", "v start fixed", NULL};
    i = initialize(*state, too_many, pendulum, NULL);
    ASSERT_ASSUMED(i, "");
    assert_int_equal(i->surplus_count, 1);
    assert_int_equal(i->surplus[0].kind, INITIAL_FIXED);
    Diagnostics *d = diagnostics_create(*state, sources_create(*state));
    initial_report(i, d);
    assert_int_equal(d->warning_count, 1);
    // v is none of them
    assert_string_equal(d->first->message, "1 initial condition more than needed: a run begins "
                                           "only if the fixed start values of x, y agree");
    assert_null(d->first->notes);

    // one that the equations determine: nothing to choose from
    const char *const alone[] = {"x start fixed", NULL}, *const given[] = {"x", NULL};
    i = initialize(*state, alone, given, NULL);
    assert_int_equal(i->surplus_count, 1);
    d = diagnostics_create(*state, sources_create(*state));
    initial_report(i, d);
    assert_int_equal(d->warning_count, 0);

    const char *const not_enough[] = {"x start fixed", "u", "y start fixed", "v", NULL};
    i = initialize(*state, not_enough, pendulum, NULL);
    assert_int_equal(i->surplus_count, 1);
    assert_int_equal(i->assumed_count, 1); // a velocity
}

// A start value that is there is used rather than one that is not, whoever is a state.
static void starts_that_exist_come_first(void **state)
{
    const char *const declarations[] = {"x start", "u", "y prefer", "v prefer", NULL};
    const Initial *i = initialize(*state, declarations, pendulum, NULL);
    ASSERT_ASSUMED(i, "start x; zero v");
}

// An algebraic variable's derivative in an initial equation: its equation is differentiated.
static void higher_derivatives_differentiate_more(void **state)
{
    const char *const declarations[] = {"x start", "z", NULL};
    const char *const equations[] = {"x' z", "z x~", NULL}, *const initial[] = {"z'", NULL};
    const Initial *i = initialize(*state, declarations, equations, initial);
    ASSERT_ASSUMED(i, "");
    assert_int_equal(i->unknown_count, 4); // x, x', z, z'
    assert_non_null(i->structure);
}

// The parameter p is to be found so that x begins in a steady state with its fixed start value.
static void parameters_are_unknowns(void **state)
{
    const char *const declarations[] = {"x start fixed", "@p free start", NULL};
    const char *const equations[] = {"x' x @p", NULL}, *const steady[] = {"x'", NULL};
    const Initial *i = initialize(*state, declarations, equations, steady);
    ASSERT_ASSUMED(i, "");
    ASSERT_SURPLUS(i, "");
    assert_int_equal(i->unknown_count, 3);
    assert_non_null(i->structure);

    i = initialize(*state, declarations, equations, NULL);
    ASSERT_ASSUMED(i, "parameter p");
    const char *const without[] = {"x start fixed", "@p free", NULL};
    i = initialize(*state, without, equations, NULL);
    assert_int_equal(i->open_count, 1);
    assert_null(i->structure);
    Diagnostics *d = diagnostics_create(*state, sources_create(*state));
    initial_report(i, d);
    assert_int_equal(d->error_count, 1);
    assert_string_equal(d->first->message, "nothing determines the initial value of p");

    const char *const two[] = {"x start fixed", "@p free", "@q free", NULL};
    const char *const both[] = {"x' x @p @q", NULL};
    i = initialize(*state, two, both, NULL);
    assert_int_equal(i->open_count, 2);
    d = diagnostics_create(*state, sources_create(*state));
    initial_report(i, d);
    assert_int_equal(d->error_count, 2);
    assert_string_equal(d->first->message, "nothing determines the initial value of p");
    assert_string_equal(d->first->next->message, "nothing determines the initial value of q");
}

// Second order without a variable for the velocity: der(x) begins with 0.
static void derivatives_are_assumed_last(void **state)
{
    const char *const declarations[] = {"x start fixed", NULL};
    const char *const equations[] = {"x'' x:p", NULL};
    const Initial *i = initialize(*state, declarations, equations, NULL);
    ASSERT_ASSUMED(i, "zero der(x)");
}

// All unknowns of random systems are determined by model rows, conditions and assumptions.
static void random_systems_are_determined(void **state)
{
    Random random = {11};
    int regular = 0;
    for (int n = 0; n < 2000; n++) {
        ArenaMark mark = arena_mark(*state);
        SignatureBuilder *b = signature_begin(*state);
        uint32_t size = 1 + random_below(&random, 8), percent = 20 + random_below(&random, 40);
        for (uint32_t j = 0; j < size; j++)
            signature_variable(b, &(SignatureVariable){.name = "v",
                                                       .has_start = random_below(&random, 2),
                                                       .is_fixed = random_below(&random, 5) == 0});
        for (uint32_t i = 0; i < size; i++) {
            signature_equation(b, &(SignatureEquation){.text = "e"});
            for (uint32_t j = 0; j < size; j++) {
                if (random_below(&random, 100) < percent)
                    signature_entry(b, j, random_below(&random, 3),
                                    (SignatureKind)(1 + random_below(&random, 3)), false);
            }
        }
        const Structure *s = structure_create(*state, signature_finish(b), NULL);
        if (s) {
            const Initial *i = initial_create(*state, s, NULL);
            uint32_t unknowns = 0;
            for (uint32_t j = 0; j < size; j++)
                unknowns += s->offsets->d[j] + 1;
            assert_int_equal(i->unknown_count, unknowns);
            assert_int_equal(i->open_count, 0);
            assert_int_equal(i->row_count, unknowns);
            assert_non_null(i->structure);
            for (uint32_t k = 0; k < i->surplus_count; k++)
                assert_int_equal(i->surplus[k].kind, INITIAL_FIXED);
            regular++;
        }
        arena_release(*state, mark);
    }
    assert_true(regular > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fixed_starts_are_enough, setup, teardown),
        cmocka_unit_test_setup_teardown(missing_starts_are_assumed_and_said, setup, teardown),
        cmocka_unit_test_setup_teardown(initial_equations_come_before_starts, setup, teardown),
        cmocka_unit_test_setup_teardown(pendulum_starts, setup, teardown),
        cmocka_unit_test_setup_teardown(starts_that_exist_come_first, setup, teardown),
        cmocka_unit_test_setup_teardown(higher_derivatives_differentiate_more, setup, teardown),
        cmocka_unit_test_setup_teardown(parameters_are_unknowns, setup, teardown),
        cmocka_unit_test_setup_teardown(derivatives_are_assumed_last, setup, teardown),
        cmocka_unit_test_setup_teardown(random_systems_are_determined, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/initial", tests, NULL, NULL);
}
