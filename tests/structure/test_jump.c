// SPDX-License-Identifier: MIT
//
// The restart in formulas: what can jump at all, and what stays out of it. Values are tested where
// it is solved.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/jump.h"
#include "support/daes.h"

static const Jump *make_jump(DaesModel *m, const Node *events, uint32_t count)
{
    SolutionFailure failure = {0};
    daes_analyse(m);
    const Jump *jump = jump_create(m->arena, m->solution, events, count, &failure);
    assert_non_null(jump);
    return jump;
}

static const JumpColumn *find_column(const DaesModel *m, const Jump *jump, uint32_t stage, Node v)
{
    for (uint32_t p = 0; p < jump->part_count; p++) {
        const JumpPart *part = &jump->parts[p];
        for (uint32_t n = 0; n < part->column_count && part->stage == stage; n++)
            if (dag_is_variable(m->dag, v, m->variables[part->columns[n].variable].origin))
                return &part->columns[n];
    }
    return NULL;
}

static uint32_t count_rows(const JumpPart *part, JumpKind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < part->row_count; i++)
        count += part->rows[i].kind == kind;
    return count;
}

// Without constraints nothing can jump, whatever the equations are.
static void explicit_systems_have_no_parts(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Node x = daes_variable(&m, "x"), y = daes_variable(&m, "y"), z = daes_variable(&m, "z");
    daes_equate(&m, daes_der(&m, x), z);
    daes_equate(&m, dag_add(m.dag, daes_der(&m, x), daes_der(&m, y)), z);
    daes_equate(&m, dag_power(m.dag, z, dag_real(m.dag, 3.0)), dag_add(m.dag, x, y));
    const Jump *jump = make_jump(&m, &z, 1);
    assert_int_equal(jump->part_count, 0);
    assert_int_equal(jump->event_start[1], 0);
    daes_end(&m);
}

// u' = a, v' = -a, u = v; beside it w' = w + u, which sees u but cannot jump; p = a^2, which
// nothing depends on; and q = 2 a, asked for.
static void only_what_needs_it_takes_part(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Node u = daes_variable(&m, "u"), v = daes_variable(&m, "v"), a = daes_variable(&m, "a"),
         w = daes_variable(&m, "w"), p = daes_variable(&m, "p"), q = daes_variable(&m, "q");
    daes_equate(&m, daes_der(&m, u), a);
    daes_equate(&m, daes_der(&m, v), dag_negate(m.dag, a));
    daes_equate(&m, u, v);
    daes_equate(&m, daes_der(&m, w), dag_add(m.dag, w, u));
    daes_equate(&m, p, dag_multiply(m.dag, a, a));
    daes_equate(&m, q, dag_multiply(m.dag, dag_real(m.dag, 2.0), a));
    Node events[] = {q, p};
    const Jump *jump = make_jump(&m, events, 1);
    assert_int_equal(jump->part_count, 1);
    const JumpPart *part = &jump->parts[0];
    assert_int_equal(part->stage, 1);
    assert_int_equal(part->column_count, 4);
    assert_int_equal(count_rows(part, JUMP_CONSTRAINT), 1);
    assert_int_equal(count_rows(part, JUMP_BALANCE), 3);
    assert_int_equal(count_rows(part, JUMP_FINITE), 0);
    assert_true(find_column(&m, jump, 1, a)->graph == DAG_NONE);
    assert_true(find_column(&m, jump, 1, u)->graph == dag_get(m.dag, u)->number);
    assert_null(find_column(&m, jump, 1, w));
    assert_null(find_column(&m, jump, 1, p));
    assert_non_null(find_column(&m, jump, 1, q));
    assert_int_equal(jump->event_start[1], 1);
    // p asked for: its equation is not linear, so it says nothing, but is no error either
    SolutionFailure failure = {0};
    jump = jump_create(m.arena, m.solution, events, 2, &failure);
    assert_non_null(find_column(&m, jump, 1, p));
    assert_int_equal(count_rows(&jump->parts[0], JUMP_FINITE), 0);
    daes_end(&m);
}

// A pendulum beside a clutch: positions of the one, and two jumps that have nothing in common. The
// coefficients of the pendulum contain r = x, which is computed for them.
static void parts_are_independent(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node x = daes_variable(&m, "x"), y = daes_variable(&m, "y"), l = daes_variable(&m, "l"),
         r = daes_variable(&m, "r"), u = daes_variable(&m, "u"), v = daes_variable(&m, "v"),
         a = daes_variable(&m, "a");
    Node two = dag_real(d, 2.0);
    daes_equate(&m, daes_der(&m, daes_der(&m, x)), dag_multiply(d, l, r));
    daes_equate(&m, daes_der(&m, daes_der(&m, y)), dag_multiply(d, l, y));
    daes_equate(&m, dag_add(d, dag_power(d, x, two), dag_power(d, y, two)), dag_real(d, 1.0));
    daes_equate(&m, dag_multiply(d, r, dag_real(d, 3.0)), x);
    daes_equate(&m, daes_der(&m, u), a);
    daes_equate(&m, daes_der(&m, v), dag_negate(d, a));
    daes_equate(&m, u, v);
    const Jump *jump = make_jump(&m, NULL, 0);
    assert_int_equal(jump->part_count, 3);
    assert_int_equal(jump->parts[0].stage, 2);
    assert_int_equal(jump->parts[0].row_count, 1);
    assert_int_equal(jump->parts[0].column_count, 2);
    assert_int_equal(jump->parts[1].stage, 1);
    assert_int_equal(jump->parts[1].column_count, 3);
    assert_int_equal(jump->parts[2].column_count, 3);
    assert_int_equal(jump->algebraic->block_count, 1);
    assert_null(find_column(&m, jump, 1, r));
    daes_end(&m);
}

// u' = f(a) with a function of a that is not linear: a must stay finite.
static void nonlinear_unknowns_are_finite(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Node u = daes_variable(&m, "u"), v = daes_variable(&m, "v"), a = daes_variable(&m, "a");
    daes_equate(&m, daes_der(&m, u), dag_unary(m.dag, OPERATOR_SIN, a));
    daes_equate(&m, daes_der(&m, v), dag_negate(m.dag, a));
    daes_equate(&m, u, v);
    const Jump *jump = make_jump(&m, NULL, 0);
    assert_int_equal(jump->part_count, 1);
    assert_int_equal(count_rows(&jump->parts[0], JUMP_FINITE), 1);
    assert_int_equal(count_rows(&jump->parts[0], JUMP_BALANCE), 2);
    daes_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_systems_have_no_parts),
        cmocka_unit_test(only_what_needs_it_takes_part),
        cmocka_unit_test(parts_are_independent),
        cmocka_unit_test(nonlinear_unknowns_are_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
