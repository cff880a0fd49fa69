// SPDX-License-Identifier: MIT
//
// The interpreter, the emitted C and the walk over the graph compute the same bits (all NaNs are
// one), for random expressions and special values. Without a C compiler the interpreter alone is
// compared with the graph.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code/interpret.h"
#include "code/native.h"
#include "equations/print.h"
#include "support/code.h"
#include "support/graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXPRESSIONS = 120, VARIABLES = 5 };

static void compare(const Harness *h, const Dag *dag, const Node *nodes, uint32_t count,
                    bool is_held, uint64_t seed)
{
    GraphRandom r = {seed};
    GraphValues v = graph_values(dag, 0);
    double *held = calloc(dag->hold_count + 1, sizeof *held);
    double *by_interpreter = calloc(count, sizeof *by_interpreter);
    double *by_c = calloc(count, sizeof *by_c);
    for (int point = 0; point < 40; point++) {
        for (uint32_t k = 0; k < VARIABLES; k++)
            v.scalars[k] = point % 2 ? graph_random_special(&r) : graph_random_real(&r, -3.0, 3.0);
        for (uint32_t k = 0; k < dag->hold_count; k++)
            held[k] = graph_random(&r, 2);
        v.held = is_held ? held : NULL;
        const double *const in[] = {v.scalars, held};
        double *out[] = {by_interpreter};
        assert_int_equal(interpret(h->module, 0, in, out, harness_run(h)), 0);
        const CodeFunction native = native_entry(h->native, 0);
        out[0] = by_c;
        if (native)
            assert_int_equal(native(in, out, harness_run(h)), 0);
        for (uint32_t k = 0; k < count; k++) {
            const double expected = graph_evaluate(dag, nodes[k], &v);
            if (!same_bits(by_interpreter[k], expected) ||
                (native && !same_bits(by_c[k], expected)))
                fail_msg("seed %d: %s\nis %a, by the interpreter %a, by C %a", (int)seed,
                         print_text(dag, nodes[k]), expected, by_interpreter[k], by_c[k]);
        }
    }
    free(by_c);
    free(by_interpreter);
    free(held);
}

static void agree(uint64_t seed, bool is_held)
{
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    for (uint32_t k = 1; k < VARIABLES; k++)
        dag_add_variable(dag, "v", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
    GraphRandom r = {seed};
    Node nodes[EXPRESSIONS];
    CodeOutput outputs[EXPRESSIONS];
    for (uint32_t k = 0; k < EXPRESSIONS; k++) {
        nodes[k] = graph_random_expression(dag, &r, VARIABLES - 1, 5);
        outputs[k] = (CodeOutput){0, k, nodes[k]};
    }
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "all", outputs, EXPRESSIONS, is_held);
    harness_finish(&h);
    compare(&h, dag, nodes, EXPRESSIONS, is_held, seed);
    harness_end(&h);
    arena_destroy(arena);
}

static void random_expressions_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++)
        agree(seed, false);
}

static void random_expressions_agree_while_held(void **state)
{
    (void)state;
    for (uint64_t seed = 4; seed <= 5; seed++)
        agree(seed, true);
}

// Every operator on every pair of special values: what is folded by a compiler, done by hardware
// and called in a library must not differ.
static void operators_agree_on_special_values(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    Dag *dag = dag_create(arena);
    dag->is_plain = true;
    const Node a = dag_reference(dag, dag_add_variable(dag, "a", DAG_PLAIN, DAG_REAL, 3));
    const Node b = dag_reference(dag, dag_add_variable(dag, "b", DAG_PLAIN, DAG_REAL, 3));
    Node nodes[OPERATOR_COUNT + 40];
    CodeOutput outputs[OPERATOR_COUNT + 40];
    uint32_t count = 0;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        const uint32_t operands = operator_info((Operator)op)->count;
        if (operands < 3 && op != OPERATOR_INTEGER) // see test_whole.c
            nodes[count++] = operands == 2 ? dag_binary(dag, (Operator)op, a, b)
                                           : dag_unary(dag, (Operator)op, a);
    }
    for (int n = -OPERATOR_LARGEST_POWER; n <= OPERATOR_LARGEST_POWER; n++)
        nodes[count++] = dag_power(dag, a, dag_real(dag, n));
    nodes[count++] = dag_divide(dag, a, dag_real(dag, 8.0));
    nodes[count++] = dag_divide(dag, a, dag_real(dag, 3.0));
    for (uint32_t k = 0; k < count; k++)
        outputs[k] = (CodeOutput){0, k, nodes[k]};
    Harness h = harness_begin(dag, 1);
    harness_add(&h, "all", outputs, count, false);
    harness_finish(&h);
    static const double special[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     4.9e-324,
                                     -2e-310,
                                     2.2250738585072014e-308,
                                     1.7976931348623157e308,
                                     -2.5,
                                     3.0,
                                     7.0,
                                     -7.0,
                                     1e16,
                                     9007199254740993.0};
    enum { COUNT = sizeof special / sizeof *special };
    double x[3] = {0}, by_interpreter[OPERATOR_COUNT + 40], by_c[OPERATOR_COUNT + 40];
    GraphValues v = graph_values(dag, 0);
    for (int i = 0; i < COUNT * COUNT; i++) {
        x[1] = v.scalars[1] = special[i / COUNT];
        x[2] = v.scalars[2] = special[i % COUNT];
        const double *const in[] = {x, NULL};
        double *out[] = {by_interpreter};
        assert_int_equal(interpret(h.module, 0, in, out, harness_run(&h)), 0);
        out[0] = by_c;
        const CodeFunction native = native_entry(h.native, 0);
        if (native)
            assert_int_equal(native(in, out, harness_run(&h)), 0);
        for (uint32_t k = 0; k < count; k++) {
            const double expected = graph_evaluate(dag, nodes[k], &v);
            if (!same_bits(by_interpreter[k], expected) ||
                (native && !same_bits(by_c[k], expected)))
                fail_msg("%s at %a, %a\nis %a, by the interpreter %a, by C %a",
                         print_text(dag, nodes[k]), x[1], x[2], expected, by_interpreter[k],
                         by_c[k]);
        }
    }
    harness_end(&h);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions_agree),
        cmocka_unit_test(random_expressions_agree_while_held),
        cmocka_unit_test(operators_agree_on_special_values),
    };
    return cmocka_run_group_tests(tests, harness_make_cache, harness_remove_cache);
}
