// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/signature.h"
#include "support/signatures.h"

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

static const Signature *one_equation(Arena *arena, const char *text)
{
    const char *const declarations[] = {"x", "y", "z", NULL}, *const equations[] = {text, NULL};
    return signatures_make(arena, declarations, equations);
}

static void entries_ascend_whatever_the_order(void **state)
{
    const Signature *s = one_equation(*state, "z y~ x'");
    assert_int_equal(signature_entry_count(s), 3);
    for (uint32_t e = 0; e < 3; e++)
        assert_int_equal(s->entries[e].variable, e);
    assert_int_equal(s->entries[0].order, 1);
    assert_int_equal(s->entries[1].kind, SIGNATURE_NONLINEAR);
}

static void derivatives_of_one_variable_are_one_entry(void **state)
{
    const Signature *s = one_equation(*state, "x:p x'''=2 x'~");
    assert_int_equal(signature_entry_count(s), 1);
    const SignatureEntry *e = &s->entries[0];
    assert_int_equal(e->order, 3);
    assert_int_equal(e->kind, SIGNATURE_NUMBER);
    assert_true(e->value == 2.0);
    assert_int_equal(e->lower, 3); // orders 0 and 1
    assert_int_equal(e->lower_kind, SIGNATURE_NONLINEAR);
}

static void numbers_are_added_and_may_cancel(void **state)
{
    const Signature *s = one_equation(*state, "x=2 x=3 y y=-1 z' z'=-1 z:p");
    assert_int_equal(signature_entry_count(s), 2); // no y
    assert_true(s->entries[0].value == 5.0);
    assert_int_equal(s->entries[1].variable, 2);
    assert_int_equal(s->entries[1].order, 0); // z' is gone, z is left
    assert_int_equal(s->entries[1].kind, SIGNATURE_PARAMETER);
}

static void a_number_beside_something_else_is_no_number(void **state)
{
    const Signature *s = one_equation(*state, "x=2 x:l");
    assert_int_equal(s->entries[0].kind, SIGNATURE_LINEAR);
    assert_false(s->entries[0].is_nonzero);
}

static void factors_are_entries_of_the_same_equation(void **state)
{
    const char *const equations[] = {"x y", "z*y x", NULL};
    const Signature *s = signatures_make(*state, NULL, equations);
    // entries: 0: x, 1: y; 2: x, 3: y, 4: z
    assert_int_equal(s->factor_start[3] - s->factor_start[0], 0);
    assert_int_equal(s->factor_start[4] - s->factor_start[3], 1);
    assert_int_equal(s->factors[s->factor_start[3]], 4);
    assert_int_equal(s->factors[s->factor_start[4]], 3);
}

static void inputs_stand_apart(void **state)
{
    const Signature *s = one_equation(*state, "x @u' @u");
    assert_int_equal(signature_entry_count(s), 1);
    assert_int_equal(s->input_count, 1);
    assert_int_equal(s->input_start[1], 2);
    assert_int_equal(s->input_entries[0].order, 1);
}

// Which derivatives are in the k-th derivative of an equation.
static void derivatives_of_equations(void **state)
{
    // 3 x'': only x''''
    const SignatureEntry *e = one_equation(*state, "x''=3")->entries;
    for (uint32_t o = 0; o <= 4; o++)
        assert_int_equal(signature_has_order(e, 2, o), o == 4);
    // (sin x)'' = cos x x'' - sin x x'^2
    e = one_equation(*state, "x~")->entries;
    for (uint32_t o = 0; o <= 3; o++)
        assert_int_equal(signature_has_order(e, 2, o), o <= 2);
    // (x'' + a(t) x)' = x''' + a x' + a' x
    e = one_equation(*state, "x'' x:l")->entries;
    for (uint32_t o = 0; o <= 4; o++)
        assert_int_equal(signature_has_order(e, 1, o), o != 2 && o < 4);
    // not differentiated: x'' and x
    for (uint32_t o = 0; o <= 3; o++)
        assert_int_equal(signature_has_order(e, 0, o), o == 0 || o == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(entries_ascend_whatever_the_order, setup, teardown),
        cmocka_unit_test_setup_teardown(derivatives_of_one_variable_are_one_entry, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_added_and_may_cancel, setup, teardown),
        cmocka_unit_test_setup_teardown(a_number_beside_something_else_is_no_number, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(factors_are_entries_of_the_same_equation, setup, teardown),
        cmocka_unit_test_setup_teardown(inputs_stand_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(derivatives_of_equations, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/signature", tests, NULL, NULL);
}
