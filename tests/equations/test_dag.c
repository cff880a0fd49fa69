// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equations/print.h"
#include "equations/walk.h"
#include "support/graph.h"

#include <float.h>
#include <math.h>

typedef struct Fixture {
    Arena *arena;
    Dag *dag;
    Node x, y, z, p, b, i;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_create(NULL)};
    f.dag = dag_create(f.arena);
    Dag *d = f.dag;
    f.x = dag_reference(d, dag_add_variable(d, "x", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.y = dag_reference(d, dag_add_variable(d, "y", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.z = dag_reference(d, dag_add_variable(d, "z", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.p = dag_reference(d, dag_add_variable(d, "p", DAG_PLAIN, DAG_REAL, DAG_PARAMETER));
    f.b = dag_reference(d, dag_add_variable(d, "b", DAG_PLAIN, DAG_BOOLEAN, DAG_DISCRETE));
    f.i = dag_reference(d, dag_add_variable(d, "i", DAG_PLAIN, DAG_INTEGER, DAG_DISCRETE));
    return f;
}

static void end(Fixture *f)
{
    arena_destroy(f->arena);
}

static uint32_t variable_of(const Fixture *f, Node node)
{
    return dag_get(f->dag, node)->number;
}

// ---- sharing ------------------------------------------------------------------------------------

static void equal_expressions_are_one_node(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node a = dag_multiply(d, dag_unary(d, OPERATOR_SIN, f.x), dag_add(d, f.y, f.z));
    const uint32_t before = d->node_count;
    const Node b = dag_multiply(d, dag_add(d, f.z, f.y), dag_unary(d, OPERATOR_SIN, f.x));
    assert_int_equal(a, b);
    assert_int_equal(d->node_count, before);
    assert_int_not_equal(dag_subtract(d, f.x, f.y), dag_subtract(d, f.y, f.x));
    assert_int_not_equal(dag_real(d, 1.0), dag_integer(d, 1));
    assert_int_equal(dag_real(d, -0.0), d->zero);
    assert_int_equal(dag_real(d, NAN), dag_real(d, -NAN));
    // The first text decides the order in which it is printed.
    assert_string_equal(print_text(d, a), "sin(x) * (y + z)");
    end(&f);
}

static void texts_are_one_node_each(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node a = dag_text(d, "a"), b = dag_text(d, "b");
    assert_int_equal(dag_text(d, "a"), a);
    assert_int_not_equal(a, b);
    assert_int_not_equal(a, dag_integer(d, 0));
    assert_int_equal(dag_binary(d, OPERATOR_EQUAL, a, b), d->falsehood);
    assert_string_equal(print_text(d, dag_if(d, f.b, a, b)), "if b then \"a\" else \"b\"");
    end(&f);
}

// Those of the same numbers, of another name or type, are others.
static void tables_are_shared(void **state)
{
    (void)state;
    Fixture f = begin();
    static const double numbers[] = {1.0, 2.0, 3.0}, others[] = {1.0, 2.0, 4.0};
    const uint32_t a = dag_table(f.dag, "a", DAG_REAL, 3, numbers);
    const uint32_t count = f.dag->variable_count;
    assert_int_equal(dag_table(f.dag, "a", DAG_REAL, 3, numbers), a);
    assert_int_equal(f.dag->variable_count, count);
    assert_int_not_equal(dag_table(f.dag, "a", DAG_REAL, 2, numbers), a);
    assert_int_not_equal(dag_table(f.dag, "a", DAG_REAL, 3, others), a);
    assert_int_not_equal(dag_table(f.dag, "b", DAG_REAL, 3, numbers), a);
    const uint32_t whole = dag_table(f.dag, "a", DAG_INTEGER, 3, numbers);
    assert_int_not_equal(whole, a);
    assert_int_equal(f.dag->variables[whole].type, DAG_INTEGER);
    assert_int_equal(dag_table(f.dag, "a", DAG_REAL, 3, numbers), a);
    end(&f);
}

static void operands_come_first(void **state)
{
    (void)state;
    Fixture f = begin();
    GraphRandom r = {1};
    for (int k = 0; k < 200; k++)
        graph_random_expression(f.dag, &r, 4, 5);
    assert_true(f.dag->node_count > 1000);
    for (Node n = 0; n < f.dag->node_count; n++)
        for (uint32_t k = 0; k < dag_operand_count(f.dag, n); k++)
            assert_true(dag_operand(f.dag, n, k) < n);
    end(&f);
}

static void holds_are_numbered_by_their_expression(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node first = dag_hold(d, dag_binary(d, OPERATOR_LESS, f.x, f.y));
    const Node second = dag_hold(d, dag_binary(d, OPERATOR_GREATER, f.x, f.y));
    assert_int_equal(dag_hold(d, dag_binary(d, OPERATOR_LESS, f.x, f.y)), first);
    assert_int_equal(dag_hold(d, first), first);
    assert_int_equal(d->hold_count, 2);
    assert_int_equal(dag_get(d, first)->number, 0);
    assert_int_equal(dag_get(d, second)->number, 1);
    assert_int_equal(d->holds[1].node, second);
    assert_int_equal(dag_get(d, first)->variability, DAG_DISCRETE);
    // What changes at events only needs no hold.
    const Node discrete = dag_binary(d, OPERATOR_LESS, f.p, d->one);
    assert_int_equal(dag_hold(d, discrete), discrete);
    assert_int_equal(d->hold_count, 2);
    end(&f);
}

static void calls_are_shared_unless_impure(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    static const DagType types[] = {DAG_REAL, DAG_INTEGER};
    DagFunction function = {.name = "f",
                            .input_count = 2,
                            .output_count = 2,
                            .input_types = types,
                            .output_types = types};
    const uint32_t pure = dag_add_function(d, &function);
    function.is_impure = true;
    const uint32_t impure = dag_add_function(d, &function);
    const Node arguments[] = {f.x, f.i};
    const Node call = dag_call(d, pure, 2, arguments);
    assert_int_equal(dag_call(d, pure, 2, arguments), call);
    assert_int_equal(dag_operand(d, call, 1), f.i);
    assert_int_equal(dag_get(d, dag_result(d, call, 1))->type, DAG_INTEGER);
    assert_true(dag_get(d, dag_add(d, f.x, dag_result(d, call, 0)))->facts & DAG_CALLS);
    assert_int_not_equal(dag_call(d, impure, 2, arguments), dag_call(d, impure, 2, arguments));
    assert_string_equal(print_text(d, dag_result(d, call, 1)), "f(x, i)[2]");
    end(&f);
}

// ---- simplification -----------------------------------------------------------------------------

static void assert_prints(const Fixture *f, Node node, const char *text)
{
    assert_string_equal(print_text(f->dag, node), text);
}

static void arithmetic_is_simplified(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node two = dag_real(d, 2.0), minus_x = dag_negate(d, f.x);
    assert_int_equal(dag_add(d, f.x, d->zero), f.x);
    assert_int_equal(dag_subtract(d, f.x, d->zero), f.x);
    assert_int_equal(dag_multiply(d, d->one, f.x), f.x);
    assert_int_equal(dag_divide(d, f.x, d->one), f.x);
    assert_int_equal(dag_subtract(d, d->zero, f.x), minus_x);
    assert_int_equal(dag_multiply(d, f.x, d->minus_one), minus_x);
    assert_int_equal(dag_negate(d, minus_x), f.x);
    assert_int_equal(dag_subtract(d, f.x, f.x), d->zero);
    assert_int_equal(dag_multiply(d, d->zero, f.x), d->zero);
    assert_int_equal(dag_power(d, f.x, d->zero), d->one);
    assert_int_equal(dag_power(d, f.x, d->one), f.x);
    assert_int_equal(dag_multiply(d, f.x, f.x), dag_power(d, f.x, two));
    assert_int_equal(dag_power(d, minus_x, two), dag_power(d, f.x, two));
    assert_prints(&f, dag_add(d, minus_x, f.y), "y - x");
    assert_prints(&f, dag_subtract(d, minus_x, f.y), "-(x + y)");
    assert_prints(&f, dag_negate(d, dag_subtract(d, f.x, f.y)), "y - x");
    assert_prints(&f, dag_multiply(d, minus_x, f.y), "-x * y");
    assert_prints(&f, dag_negate(d, dag_multiply(d, two, f.x)), "(-2.0) * x");
    assert_prints(&f, dag_power(d, f.x, dag_real(d, -1.0)), "1.0 / x");
    assert_prints(&f, dag_power(d, minus_x, dag_real(d, 3.0)), "-x^3");
    assert_prints(&f, dag_power(d, f.x, dag_real(d, 0.5)), "x^0.5");
    assert_prints(&f, dag_power(d, f.x, dag_real(d, 40.0)), "x^40.0");
    assert_int_equal(dag_add(d, dag_integer(d, 2), dag_integer(d, 3)), dag_integer(d, 5));
    assert_int_equal(dag_divide(d, d->one, two), dag_real(d, 0.5));
    end(&f);
}

static void nothing_invalid_is_hidden(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node local = dag_reference(d, dag_add_local(d, "u", DAG_REAL, 0));
    const Node quotient = dag_divide(d, f.x, f.y);
    const Node two = dag_real(d, 2.0), huge = dag_real(d, 1e300);
    assert_prints(&f, dag_divide(d, f.x, f.x), "x / x");
    assert_prints(&f, dag_divide(d, d->zero, f.x), "0.0 / x");
    assert_prints(&f, dag_divide(d, d->one, d->zero), "1.0 / 0.0");
    assert_prints(&f, dag_multiply(d, d->zero, quotient), "0.0 * (x / y)");
    assert_prints(&f, dag_subtract(d, quotient, quotient), "x / y - x / y");
    assert_prints(&f, dag_multiply(d, d->zero, local), "0.0 * u");
    assert_prints(&f, dag_unary(d, OPERATOR_LOG, d->zero), "log(0.0)");
    assert_prints(&f, dag_power(d, huge, two), "1e300^2");
    assert_prints(&f, dag_multiply(d, huge, dag_real(d, 2e300)), "1e300 * 2e300");
    assert_prints(&f, dag_multiply(d, dag_real(d, 1e-200), dag_multiply(d, huge, f.x)),
                  "1e-200 * (1e300 * x)");
    assert_prints(&f, dag_binary(d, OPERATOR_EQUAL, quotient, quotient), "noEvent(x / y == x / y)");
    assert_int_equal(dag_binary(d, OPERATOR_LESS, quotient, quotient), d->falsehood);
    end(&f);
}

static void logic_is_simplified(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node c = dag_hold(d, dag_binary(d, OPERATOR_GREATER, f.x, d->zero));
    const Node not_c = dag_unary(d, OPERATOR_NOT, c);
    assert_int_equal(dag_unary(d, OPERATOR_NOT, not_c), c);
    assert_int_equal(dag_binary(d, OPERATOR_AND, c, d->truth), c);
    assert_int_equal(dag_binary(d, OPERATOR_AND, d->falsehood, c), d->falsehood);
    assert_int_equal(dag_binary(d, OPERATOR_OR, c, d->truth), d->truth);
    assert_int_equal(dag_binary(d, OPERATOR_OR, c, not_c), d->truth);
    assert_int_equal(dag_binary(d, OPERATOR_AND, c, not_c), d->falsehood);
    assert_int_equal(dag_if(d, d->truth, f.x, f.y), f.x);
    assert_int_equal(dag_if(d, c, f.x, f.x), f.x);
    assert_int_equal(dag_if(d, not_c, f.x, f.y), dag_if(d, c, f.y, f.x));
    assert_int_equal(dag_if(d, c, dag_if(d, c, f.x, f.y), f.z), dag_if(d, c, f.x, f.z));
    assert_int_equal(dag_if(d, c, d->truth, d->falsehood), c);
    // NaN makes these two different.
    assert_prints(&f, not_c, "not x > 0.0");
    assert_int_equal(
        dag_unary(d, OPERATOR_NOT, dag_binary(d, OPERATOR_EQUAL, f.i, dag_integer(d, 3))),
        dag_binary(d, OPERATOR_NOT_EQUAL, f.i, dag_integer(d, 3)));
    end(&f);
}

// Both graphs get the same calls; one makes what is asked for. In arithmetic with one zero, by
// which one cannot divide, their values are the same: no rule even changes the rounding.
static void simplification_keeps_values(void **state)
{
    (void)state;
    long compared = 0;
    for (uint64_t seed = 1; seed <= 6000; seed++) {
        Fixture simple = begin(), plain = begin();
        plain.dag->is_plain = true;
        GraphRandom r = {seed}, s = {seed};
        const Node a = graph_random_expression(simple.dag, &r, 3, 4);
        const Node b = graph_random_expression(plain.dag, &s, 3, 4);
        GraphValues u = graph_values(simple.dag, 0), v = graph_values(plain.dag, 0);
        u.has_one_zero = v.has_one_zero = true;
        for (int point = 0; point < 8; point++) {
            for (uint32_t k = 0; k < 4; k++) {
                const double value = graph_random_special(&r);
                // Variables are finite: that is what the rules rely on.
                u.scalars[k] = v.scalars[k] = isfinite(value) ? value : 0.75;
            }
            const double x = graph_evaluate(simple.dag, a, &u);
            const double y = graph_evaluate(plain.dag, b, &v);
            if (!(x == y || (isnan(x) && isnan(y))))
                fail_msg("seed %d: %s\ngives %.17g instead of %.17g", (int)seed,
                         print_text(plain.dag, b), x, y);
            compared += isfinite(y);
        }
        end(&simple);
        end(&plain);
    }
    assert_true(compared > 12000); // a quarter of them is worth comparing
}

// Each multiplication adds half a unit in the last place, of at most 8 for x^16; pow has less than
// one of its own.
static void whole_powers_are_powers(void **state)
{
    (void)state;
    GraphRandom r = {7};
    for (int n = -OPERATOR_LARGEST_POWER; n <= OPERATOR_LARGEST_POWER; n++)
        for (int k = 0; k < 100; k++) {
            const double x = graph_random_real(&r, -3.0, 3.0);
            const double expected = pow(x, n);
            assert_true(fabs(operator_power(x, n) - expected) <= 12 * DBL_EPSILON * fabs(expected));
        }
    assert_true(operator_power(NAN, 0) == 1.0);
    assert_true(operator_power(0.0, -3) == INFINITY);
    assert_true(operator_power(1e160, -2) > 0.0); // 1 / x^2 would be 1 / inf
}

// Divisions of Integers may be by zero, unless the divisor is another number: emitted code asks.
static void divisions_that_may_fail(void **state)
{
    (void)state;
    static const Operator divisions[] = {OPERATOR_DIV, OPERATOR_MOD, OPERATOR_REM};
    Fixture f = begin();
    Dag *d = f.dag;
    for (int k = 0; k < 3; k++) {
        assert_true(dag_fails(d, dag_binary(d, divisions[k], dag_integer(d, 12), f.i)));
        assert_false(dag_fails(d, dag_binary(d, divisions[k], f.i, dag_integer(d, 12))));
    }
    end(&f);
}

// ---- walking ------------------------------------------------------------------------------------

static void variables_are_replaced_all_at_once(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node e =
        dag_add(d, dag_multiply(d, f.x, f.y), dag_hold(d, dag_binary(d, OPERATOR_LESS, f.x, f.y)));
    DagMemo *map = memo_take(d);
    memo_set(map, variable_of(&f, f.x), f.y);
    memo_set(map, variable_of(&f, f.y), dag_add(d, f.x, d->one));
    assert_prints(&f, walk_substitute(d, e, map), "y * (x + 1.0) + (y < x + 1.0)");
    memo_clear(map);
    memo_set(map, variable_of(&f, f.x), d->zero);
    assert_prints(&f, walk_substitute(d, dag_multiply(d, f.x, f.y), map), "0.0");
    memo_give(map);
    end(&f);
}

static void a_million_terms_do_not_exhaust_the_stack(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Node sum = f.y;
    for (int k = 0; k < 1000000; k++)
        sum = dag_add(d, sum, dag_multiply(d, dag_real(d, k + 2.0), f.x));
    assert_true(walk_depends_on(d, sum, variable_of(&f, f.y)));
    assert_false(walk_depends_on(d, sum, variable_of(&f, f.z)));
    DagMemo *map = memo_take(d);
    memo_set(map, variable_of(&f, f.x), d->one);
    memo_set(map, variable_of(&f, f.y), d->zero);
    // The sum of 2 .. 1000001.
    assert_int_equal(walk_substitute(d, sum, map), dag_real(d, 500001500000.0));
    memo_give(map);
    assert_non_null(strstr(print_text(d, sum), "..."));
    end(&f);
}

static void variables_are_listed(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node held = dag_hold(d, dag_binary(d, OPERATOR_LESS, f.z, d->zero));
    const Node e = dag_if(d, held, dag_add(d, f.y, f.x), dag_multiply(d, f.x, f.p));
    DagMemo *memo = memo_take(d);
    walk_variables(memo, WALK_ALL, &e, 1);
    assert_int_equal(memo->count, 4);
    for (uint32_t k = 0; k < 4; k++)
        assert_int_equal(memo->list[k], k + 1);
    memo_clear(memo);
    walk_variables(memo, WALK_UNHELD, &e, 1);
    assert_int_equal(memo->count, 3);
    assert_int_equal(memo->list[2], variable_of(&f, f.p));
    memo_give(memo);
    end(&f);
}

// ---- printing -----------------------------------------------------------------------------------

static void text_has_the_parentheses_it_needs(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    d->is_plain = true;
    const Node sum = dag_add(d, f.x, f.y), minus = dag_negate(d, f.x);
    const Node relation = dag_hold(d, dag_binary(d, OPERATOR_LESS_EQUAL, f.x, sum));
    assert_prints(&f, dag_subtract(d, f.z, sum), "z - (x + y)");
    assert_prints(&f, dag_subtract(d, sum, f.z), "x + y - z");
    assert_prints(&f, dag_divide(d, f.x, dag_multiply(d, f.y, f.z)), "x / (y * z)");
    assert_prints(&f, dag_divide(d, dag_multiply(d, f.x, f.y), f.z), "x * y / z");
    assert_prints(&f, dag_power(d, dag_power(d, f.x, f.y), f.z), "(x^y)^z");
    assert_prints(&f, dag_power(d, minus, sum), "(-x)^(x + y)");
    assert_prints(&f, dag_multiply(d, f.y, minus), "y * (-x)");
    assert_prints(&f, dag_multiply(d, f.y, dag_real(d, -2.0)), "y * (-2.0)");
    assert_prints(&f, dag_negate(d, sum), "-(x + y)");
    assert_prints(&f, dag_if(d, relation, f.x, dag_if(d, f.b, f.y, f.z)),
                  "if x <= x + y then x elseif b then y else z");
    assert_prints(&f, dag_add(d, dag_if(d, f.b, f.x, f.y), f.z), "(if b then x else y) + z");
    assert_prints(&f, dag_binary(d, OPERATOR_AND, dag_binary(d, OPERATOR_OR, f.b, relation), f.b),
                  "(b or x <= x + y) and b");
    assert_prints(&f, dag_binary(d, OPERATOR_LESS, f.x, f.y), "noEvent(x < y)");
    assert_prints(&f, dag_binary(d, OPERATOR_EQUAL, f.i, dag_integer(d, -3)), "i == -3");
    assert_prints(&f, dag_unary(d, OPERATOR_FLOOR, dag_unary(d, OPERATOR_CEIL, f.x)),
                  "noEvent(floor(ceil(x)))");
    assert_prints(&f, dag_hold(d, dag_unary(d, OPERATOR_FLOOR, f.x)), "floor(x)");
    assert_prints(&f, dag_add(d, f.x, dag_unary(d, OPERATOR_TO_REAL, f.i)), "x + i");
    assert_prints(&f, dag_multiply(d, f.x, dag_unary(d, OPERATOR_TO_REAL, dag_add(d, f.i, f.i))),
                  "x * (i + i)");
    assert_prints(&f, dag_reference(d, dag_derivative_variable(d, variable_of(&f, f.x))), "der(x)");
    assert_prints(&f, dag_reference(d, dag_pre_variable(d, variable_of(&f, f.b))), "pre(b)");
    end(&f);
}

// Hundred nodes that are a text of 2^100 characters are cut; a long sum is not.
static void text_has_an_end(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Node x = f.x, sum = f.y;
    for (int i = 0; i < 100; i++)
        x = dag_multiply(d, x, dag_subtract(d, d->one, x));
    const char *text = print_text(d, x);
    assert_true(strlen(text) < 100000);
    assert_non_null(strstr(text, "..."));
    for (int i = 0; i < 1000; i++)
        sum = dag_add(d, sum, f.z);
    assert_null(strstr(print_text(d, sum), "..."));
    end(&f);
}

// ---- work that is taken back --------------------------------------------------------------------

static void a_fork_is_taken_back(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node sum = dag_add(d, f.x, f.y);
    const uint32_t nodes = d->node_count, variables = d->variable_count;
    Arena *work = arena_create(NULL);
    Dag before;
    dag_fork(d, work, &before);
    assert_int_equal(dag_add(d, f.y, f.x), sum); // what was there is found
    for (int i = 0; i < 5000; i++)
        dag_multiply(d, sum, dag_real(d, 3.0 + i));
    const uint32_t rate = dag_derivative_variable(d, variable_of(&f, f.x));
    const uint32_t left = dag_pre_variable(d, rate);
    assert_true(dag_rewind(d, &before));
    arena_destroy(work);
    // The variables stay, with their numbers and references, and nothing else.
    assert_int_equal(d->variable_count, variables + 2);
    assert_int_equal(d->node_count, nodes + 2);
    assert_int_equal(dag_derivative_variable(d, variable_of(&f, f.x)), rate);
    assert_int_equal(dag_pre_variable(d, rate), left);
    assert_string_equal(d->variables[left].name, "pre(der(x))");
    assert_true(dag_is_variable(d, dag_reference(d, left), left));
    assert_int_equal(dag_add(d, f.y, f.x), sum);
    end(&f);
}

static void a_fork_with_other_variables_stays(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Arena *work = arena_create(NULL);
    Dag before;
    dag_fork(d, work, &before);
    const Node made = dag_add(d, f.x, dag_reference(d, dag_add_local(d, "l", DAG_REAL, 0)));
    assert_false(dag_rewind(d, &before));
    const uint32_t count = d->node_count;
    assert_int_equal(dag_add(d, f.x, dag_reference(d, d->variable_count - 1)), made);
    assert_int_equal(d->node_count, count);
    assert_ptr_equal(d->arena, f.arena);
    end(&f);
    arena_destroy(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one_node),
        cmocka_unit_test(texts_are_one_node_each),
        cmocka_unit_test(tables_are_shared),
        cmocka_unit_test(operands_come_first),
        cmocka_unit_test(holds_are_numbered_by_their_expression),
        cmocka_unit_test(calls_are_shared_unless_impure),
        cmocka_unit_test(arithmetic_is_simplified),
        cmocka_unit_test(nothing_invalid_is_hidden),
        cmocka_unit_test(logic_is_simplified),
        cmocka_unit_test(simplification_keeps_values),
        cmocka_unit_test(whole_powers_are_powers),
        cmocka_unit_test(divisions_that_may_fail),
        cmocka_unit_test(variables_are_replaced_all_at_once),
        cmocka_unit_test(a_million_terms_do_not_exhaust_the_stack),
        cmocka_unit_test(variables_are_listed),
        cmocka_unit_test(text_has_the_parentheses_it_needs),
        cmocka_unit_test(text_has_an_end),
        cmocka_unit_test(a_fork_is_taken_back),
        cmocka_unit_test(a_fork_with_other_variables_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
