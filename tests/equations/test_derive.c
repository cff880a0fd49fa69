// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equations/derive.h"
#include "equations/print.h"
#include "equations/procedure.h"
#include "support/graph.h"

#include <math.h>

typedef struct Fixture {
    Arena *arena;
    Dag *dag;
    Node x, y, z, p;
} Fixture;

static Node add_real(Dag *d, const char *name, DagVariability variability)
{
    return dag_reference(d, dag_add_variable(d, name, DAG_PLAIN, DAG_REAL, variability));
}

static Fixture begin(void)
{
    Fixture f = {.arena = arena_create(NULL)};
    f.dag = dag_create(f.arena);
    f.x = add_real(f.dag, "x", DAG_CONTINUOUS);
    f.y = add_real(f.dag, "y", DAG_CONTINUOUS);
    f.z = add_real(f.dag, "z", DAG_CONTINUOUS);
    f.p = add_real(f.dag, "p", DAG_PARAMETER);
    return f;
}

static void end(Fixture *f)
{
    arena_destroy(f->arena);
}

static uint32_t variable_of(const Dag *dag, Node node)
{
    return dag_get(dag, node)->number;
}

static void assert_derivative(const Fixture *f, Node e, Node by, const char *text)
{
    Derivation d = derive_by(f->dag, variable_of(f->dag, by));
    assert_string_equal(print_text(f->dag, derive(&d, e)), text);
    derive_end(&d);
}

static void assert_time_derivative(const Fixture *f, Node e, const char *text)
{
    Derivation d = derive_by_time(f->dag, NULL);
    assert_string_equal(print_text(f->dag, derive(&d, e)), text);
    derive_end(&d);
}

static void closed_forms(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node x = f.x, y = f.y;
#define UNARY(op) dag_unary(d, OPERATOR_##op, x)
    assert_derivative(&f, dag_add(d, x, y), x, "1.0");
    assert_derivative(&f, y, x, "0.0");
    assert_derivative(&f, dag_multiply(d, x, y), x, "y");
    assert_derivative(&f, dag_divide(d, y, x), x, "-y / x / x");
    assert_derivative(&f, dag_divide(d, x, y), x, "1.0 / y");
    assert_derivative(&f, dag_power(d, x, dag_real(d, 3.0)), x, "3.0 * x^2");
    assert_derivative(&f, dag_power(d, x, dag_real(d, -2.0)), x, "(-2.0) * x^(-3)");
    assert_derivative(&f, dag_power(d, x, dag_real(d, 2.5)), x, "2.5 * x^1.5");
    assert_derivative(&f, dag_power(d, f.p, x), x, "p^x * log(p)");
    assert_derivative(&f, UNARY(SIN), x, "cos(x)");
    assert_derivative(&f, UNARY(COS), x, "-sin(x)");
    assert_derivative(&f, UNARY(TAN), x, "1.0 + tan(x)^2");
    assert_derivative(&f, UNARY(ASIN), x, "1.0 / sqrt(1.0 - x^2)");
    assert_derivative(&f, UNARY(ACOS), x, "(-1.0) / sqrt(1.0 - x^2)");
    assert_derivative(&f, UNARY(ATAN), x, "1.0 / (1.0 + x^2)");
    assert_derivative(&f, UNARY(SINH), x, "cosh(x)");
    assert_derivative(&f, UNARY(COSH), x, "sinh(x)");
    assert_derivative(&f, UNARY(TANH), x, "1.0 - tanh(x)^2");
    assert_derivative(&f, UNARY(EXP), x, "exp(x)");
    assert_derivative(&f, UNARY(LOG), x, "1.0 / x");
    assert_derivative(&f, UNARY(LOG10), x, "1.0 / (2.302585092994046 * x)");
    assert_derivative(&f, UNARY(SQRT), x, "1.0 / (2.0 * sqrt(x))");
    assert_derivative(&f, UNARY(ABS), x, "if noEvent(x < 0.0) then -1.0 else 1.0");
    assert_derivative(&f, UNARY(FLOOR), x, "0.0");
    assert_derivative(&f, dag_binary(d, OPERATOR_ATAN2, x, y), x, "y / (y^2 + x^2)");
    assert_derivative(&f, dag_binary(d, OPERATOR_ATAN2, y, x), x, "-y / (y^2 + x^2)");
    assert_derivative(&f, dag_binary(d, OPERATOR_MINIMUM, x, y), x,
                      "if noEvent(x < y) then 1.0 else 0.0");
    assert_derivative(&f, dag_binary(d, OPERATOR_MAXIMUM, dag_multiply(d, f.p, x), x), x,
                      "if noEvent(p * x > x) then p else 1.0");
    assert_derivative(&f, dag_binary(d, OPERATOR_MOD, x, y), x, "1.0");
    assert_derivative(&f, dag_binary(d, OPERATOR_REM, y, x), x, "-noEvent(div(y, x))");
#undef UNARY
    end(&f);
}

static void derivatives_by_time(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node length =
        dag_subtract(d, dag_add(d, dag_multiply(d, f.x, f.x), dag_multiply(d, f.y, f.y)),
                     dag_multiply(d, f.p, f.p));
    assert_time_derivative(&f, length, "2.0 * x * der(x) + 2.0 * y * der(y)");
    assert_time_derivative(&f, dag_time(d), "1.0");
    assert_time_derivative(&f, f.p, "0.0");
    const Node dx = dag_reference(d, dag_derivative_variable(d, variable_of(d, f.x)));
    assert_time_derivative(&f, dx, "der(der(x))");
    // What is held does not move, and is not differentiated: no derivative of z is made.
    const uint32_t before = d->variable_count;
    const Node held = dag_hold(d, dag_binary(d, OPERATOR_LESS, f.z, d->zero));
    assert_time_derivative(&f, dag_if(d, held, f.x, dag_unary(d, OPERATOR_SIN, f.x)),
                           "if z < 0.0 then der(x) else cos(x) * der(x)");
    assert_int_equal(d->variable_count, before);
    assert_int_equal(d->variables[variable_of(d, f.z)].derivative, DAG_NONE);
    // Given derivatives replace the variables'.
    DagMemo *seeds = memo_take(d);
    memo_set(seeds, variable_of(d, f.x), f.y);
    Derivation by_time = derive_by_time(d, seeds);
    assert_string_equal(print_text(d, derive(&by_time, dag_multiply(d, f.x, dag_time(d)))),
                        "y * time + x");
    derive_end(&by_time);
    memo_give(seeds);
    end(&f);
}

static void second_derivatives_share(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node e =
        dag_multiply(d, dag_unary(d, OPERATOR_EXP, f.x), dag_unary(d, OPERATOR_SIN, f.x));
    Derivation by_x = derive_by(d, variable_of(d, f.x));
    const Node first = derive(&by_x, e), second = derive(&by_x, first);
    derive_end(&by_x);
    DagMemo *order = memo_take(d);
    walk_order(order, &second, 1);
    // (e^x sin x)'' = e^x sin x + e^x cos x + e^x cos x - e^x sin x: x, exp, sin, cos, two
    // products, two sums, one difference.
    assert_int_equal(order->count, 9);
    memo_give(order);
    GraphValues v = graph_values(d, 0);
    v.scalars[1] = 0.7;
    const double expected = 2.0 * exp(0.7) * cos(0.7);
    assert_true(fabs(graph_evaluate(d, second, &v) - expected) < 1e-15 * 16);
    end(&f);
}

// The difference of order 4 over 4 points: the error is h^4 / 30 times the fifth derivative, and
// eps / h by rounding, 1e-11 here. Powers inside sines inside powers make the fifth derivative as
// large as 1e10 times the values: with h = 2^-14 that is 1e-8.
static double difference(const Dag *dag, Node e, uint32_t variable, GraphValues *v)
{
    const double h = ldexp(1.0, -14), at = v->scalars[variable];
    static const double weights[] = {1.0, -8.0, 8.0, -1.0}, places[] = {-2.0, -1.0, 1.0, 2.0};
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        v->scalars[variable] = at + places[i] * h;
        sum += weights[i] * graph_evaluate(dag, e, v);
    }
    v->scalars[variable] = at;
    return sum / (12.0 * h);
}

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        Fixture f = begin();
        GraphRandom r = {seed};
        const Node e = graph_random_smooth(f.dag, &r, 3, 4);
        DagTerm *partials;
        uint32_t count;
        assert_true(derive_gradient(f.dag, f.dag->arena, e, NULL, &partials, &count));
        Node forward[4];
        for (uint32_t k = 1; k <= 3; k++) {
            Derivation d = derive_by(f.dag, k);
            forward[k] = derive(&d, e);
            derive_end(&d);
        }
        GraphValues v = graph_values(f.dag, 0);
        for (uint32_t k = 1; k <= 3; k++)
            v.scalars[k] = graph_random_real(&r, 0.5, 1.5);
        uint32_t next = 0;
        for (uint32_t k = 1; k <= 3; k++) {
            const double exact = graph_evaluate(f.dag, forward[k], &v);
            double backward = 0.0;
            if (next < count && partials[next].variable == k)
                backward = graph_evaluate(f.dag, partials[next++].value, &v);
            const double approximate = difference(f.dag, e, k, &v);
            if (!(fabs(approximate - exact) <= 1e-7 * (1.0 + fabs(exact))))
                fail_msg("seed %d: d/d%s %s\n= %s: %.12g, by differences %.12g", (int)seed,
                         f.dag->variables[k].name, print_text(f.dag, e),
                         print_text(f.dag, forward[k]), exact, approximate);
            // Both modes multiply the same factors in another order.
            assert_true(fabs(backward - exact) <= 1e-13 * (1.0 + fabs(exact)));
        }
        assert_int_equal(next, count);
        end(&f);
    }
}

// Every operator by each operand, away from its kinks, against a difference of four points: that is
// h^4/30 = 3e-14 times the fifth derivative off, which is below 1e5 here, and rounding eps/h =
// 2e-13 times the value. What jumps has the derivative 0 between its jumps. Points outside of an
// operator's domain do not count; at least two are inside.
static void every_operator_has_its_derivative(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const double points[][2] = {{0.3, 0.7}, {0.62, 0.45}, {0.81, -0.37}, {3.4, 2.2}, {2.4, 1.3}};
    const double h = 1e-3;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        const OperatorInfo *info = operator_info((Operator)op);
        if (info->count > 2 || operator_result((Operator)op) == 'B')
            continue;
        const Node e = info->count == 2 ? dag_binary(d, (Operator)op, f.x, f.y)
                                        : dag_unary(d, (Operator)op, f.x);
        for (uint32_t k = 0; k < info->count; k++) {
            const uint32_t variable = variable_of(d, k ? f.y : f.x);
            Derivation by = derive_by(d, variable);
            const Node derivative = derive(&by, e);
            derive_end(&by);
            int inside = 0;
            for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
                if (operator_outside((Operator)op, points[i][0], points[i][1]))
                    continue;
                inside++;
                GraphValues v = graph_values(d, 0);
                v.scalars[variable_of(d, f.x)] = points[i][0];
                v.scalars[variable_of(d, f.y)] = points[i][1];
                const double slope = graph_evaluate(d, derivative, &v), at = v.scalars[variable];
                double value[4];
                for (int n = 0; n < 4; n++) {
                    v.scalars[variable] = at + (n < 2 ? n - 2 : n - 1) * h;
                    value[n] = graph_evaluate(d, e, &v);
                }
                const double expected =
                    (value[0] - 8.0 * value[1] + 8.0 * value[2] - value[3]) / (12.0 * h);
                if (!(fabs(slope - expected) <= 1e-8 * (1.0 + fabs(expected))))
                    fail_msg("%s by operand %u: %g, not %g", info->name, k, slope, expected);
            }
            assert_true(inside >= 2);
        }
    }
    end(&f);
}

static void gradients_stay_inside_branches(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    // if x > 0 then sqrt(x) y else z, times two: at x = -1 the gradient is (0, 0, 2), without NaN.
    const Node choice = dag_if(d, dag_hold(d, dag_binary(d, OPERATOR_GREATER, f.x, d->zero)),
                               dag_multiply(d, dag_unary(d, OPERATOR_SQRT, f.x), f.y), f.z);
    const Node e = dag_multiply(d, d->two, choice);
    DagTerm *partials;
    uint32_t count;
    assert_true(derive_gradient(d, d->arena, e, NULL, &partials, &count));
    assert_int_equal(count, 3);
    GraphValues v = graph_values(d, 0);
    v.scalars[1] = -1.0, v.scalars[2] = 3.0, v.scalars[3] = 5.0;
    const double negative[] = {0.0, 0.0, 2.0};
    for (uint32_t k = 0; k < 3; k++)
        assert_true(graph_evaluate(d, partials[k].value, &v) == negative[k]);
    v.scalars[1] = 4.0;
    const double positive[] = {1.5, 4.0, 0.0}; // 2 * 3 / (2 * 2), 2 * 2
    for (uint32_t k = 0; k < 3; k++)
        assert_true(graph_evaluate(d, partials[k].value, &v) == positive[k]);
    // Only what is asked for.
    DagMemo *set = memo_take(d);
    memo_set(set, variable_of(d, f.y), 0);
    assert_true(derive_gradient(d, d->arena, e, set, &partials, &count));
    assert_int_equal(count, 1);
    assert_int_equal(partials[0].variable, variable_of(d, f.y));
    memo_give(set);
    end(&f);
}

static void gradient_of_a_long_sum_is_cheap(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    enum { TERMS = 20000 };
    Node sum = d->zero;
    for (uint32_t k = 0; k < TERMS; k++)
        sum = dag_add(d, sum, dag_unary(d, OPERATOR_SIN, add_real(d, "v", DAG_CONTINUOUS)));
    const uint32_t before = d->node_count;
    DagTerm *partials;
    uint32_t count;
    assert_true(derive_gradient(d, d->arena, sum, NULL, &partials, &count));
    assert_int_equal(count, TERMS);
    assert_int_equal(d->node_count - before, TERMS); // the cosines
    end(&f);
}

// ---- functions ----------------------------------------------------------------------------------

static const Span nowhere;

// y = a[1] x + a[2] x^2 + ... by Horner's rule in a loop: polynomial(x, a[3])
static uint32_t add_polynomial(Dag *d)
{
    Procedure *p = procedure_create(d, 2, 1, 1);
    const uint32_t x = p->inputs[0] = dag_add_local(d, "x", DAG_REAL, 0);
    const uint32_t a = p->inputs[1] = dag_add_local(d, "a", DAG_REAL, 3);
    const uint32_t y = p->outputs[0] = dag_add_local(d, "y", DAG_REAL, 0);
    const uint32_t i = p->locals[0] = dag_add_local(d, "i", DAG_INTEGER, 0);
    procedure_assign(d, &p->body, dag_reference(d, y), d->zero, nowhere);
    ProcedureStatement *loop = procedure_add(d, &p->body, PROCEDURE_FOR, nowhere);
    loop->loop.iterator = i;
    loop->loop.from = dag_integer(d, 2);
    loop->loop.step = dag_integer(d, -1);
    loop->loop.to = dag_integer(d, 0);
    const Node element = dag_element(d, a, dag_reference(d, i));
    procedure_assign(d, &loop->loop.body, dag_reference(d, y),
                     dag_multiply(d, dag_add(d, dag_reference(d, y), element), dag_reference(d, x)),
                     nowhere);
    return procedure_function(d, "polynomial", p);
}

// A String has no derivative, and the derivative takes it as it is.
static void strings_have_no_derivative(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Procedure *p = procedure_create(d, 2, 1, 0);
    const uint32_t x = p->inputs[0] = dag_add_local(d, "x", DAG_REAL, 0);
    const uint32_t s = p->inputs[1] = dag_add_local(d, "s", DAG_TEXT, 0);
    const uint32_t y = p->outputs[0] = dag_add_local(d, "y", DAG_REAL, 0);
    const Node is_a = dag_binary(d, OPERATOR_EQUAL, dag_reference(d, s), dag_text(d, "a"));
    procedure_assign(d, &p->body, dag_reference(d, y), dag_if(d, is_a, dag_reference(d, x), d->two),
                     nowhere);
    const char *reason = NULL;
    const uint32_t derivative =
        procedure_derivative(d, procedure_function(d, "choose", p), &reason);
    const char *text = graph_function_text(d, derivative);
    assert_non_null(strstr(text, "  input Real x;\n  input String s;\n  input Real d_x;\n"));
    assert_non_null(strstr(text, "s == \"a\""));
    end(&f);
}

static void algorithms_are_differentiated(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const uint32_t function = add_polynomial(d);
    const char *reason = NULL;
    const uint32_t derivative = procedure_derivative(d, function, &reason);
    assert_string_equal(graph_function_text(d, derivative),
                        "function der_polynomial\n"
                        "  input Real x;\n"
                        "  input Real a[3];\n"
                        "  input Real d_x;\n"
                        "  input Real d_a[3];\n"
                        "  output Real d_y;\n"
                        "protected\n"
                        "  Real y;\n"
                        "  Integer i;\n"
                        "algorithm\n"
                        "  (y, d_y) := (0.0, 0.0);\n"
                        "  for i in 2:-1:0 loop\n"
                        "    (y, d_y) := ((y + a[i + 1]) * x, (d_y + d_a[i + 1]) * x + (y + a[i + "
                        "1]) * d_x);\n"
                        "  end for;\n"
                        "end der_polynomial;\n");
    assert_int_equal(procedure_derivative(d, function, &reason), derivative);

    // d/dx and d/da2 of a1 x + a2 x^2 + a3 x^3 at x = 2, a = (3, 5, 7)
    const Node arguments[] = {f.x, dag_real(d, 3.0), f.y, dag_real(d, 7.0)};
    const Node e = dag_result(d, dag_call(d, function, 4, arguments), 0);
    DagTerm *partials;
    uint32_t count;
    assert_true(derive_gradient(d, d->arena, e, NULL, &partials, &count));
    assert_int_equal(count, 2);
    Derivation by_x = derive_by(d, variable_of(d, f.x));
    const Node first = derive(&by_x, e), second = derive(&by_x, first);
    derive_end(&by_x);
    GraphValues v = graph_values(d, 0);
    v.scalars[1] = 2.0, v.scalars[2] = 5.0;
    assert_true(graph_evaluate(d, e, &v) == 6.0 + 20.0 + 56.0);
    assert_true(graph_evaluate(d, partials[0].value, &v) == 3.0 + 20.0 + 84.0);
    assert_true(graph_evaluate(d, partials[1].value, &v) == 4.0);
    assert_true(graph_evaluate(d, first, &v) == 107.0);
    assert_true(graph_evaluate(d, second, &v) == 10.0 + 84.0);
    assert_false(v.failed);
    end(&f);
}

// sqrt(x) by Newton's method: while abs(y - x / y) > 1e-14 y: y := (y + x / y) / 2
static uint32_t add_root(Dag *d)
{
    Procedure *p = procedure_create(d, 1, 2, 0);
    const Node x = dag_reference(d, p->inputs[0] = dag_add_local(d, "x", DAG_REAL, 0));
    const Node y = dag_reference(d, p->outputs[0] = dag_add_local(d, "y", DAG_REAL, 0));
    const Node n = dag_reference(d, p->outputs[1] = dag_add_local(d, "n", DAG_INTEGER, 0));
    const Node quotient = dag_divide(d, x, y);
    procedure_assign(d, &p->body, y, x, nowhere);
    procedure_assign(d, &p->body, n, dag_integer(d, 0), nowhere);
    ProcedureStatement *loop = procedure_add(d, &p->body, PROCEDURE_WHILE, nowhere);
    loop->condition =
        dag_binary(d, OPERATOR_GREATER, dag_unary(d, OPERATOR_ABS, dag_subtract(d, y, quotient)),
                   dag_multiply(d, dag_real(d, 1e-14), y));
    procedure_assign(d, &loop->body, y, dag_divide(d, dag_add(d, y, quotient), d->two), nowhere);
    procedure_assign(d, &loop->body, n, dag_add(d, n, dag_integer(d, 1)), nowhere);
    ProcedureStatement *check = procedure_add(d, &loop->body, PROCEDURE_IF, nowhere);
    check->condition = dag_binary(d, OPERATOR_GREATER, n, dag_integer(d, 50));
    procedure_add(d, &check->body, PROCEDURE_BREAK, nowhere);
    return procedure_function(d, "root", p);
}

static void iterations_are_differentiated(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node call = dag_call(d, add_root(d), 1, &f.x);
    Derivation by_x = derive_by(d, variable_of(d, f.x));
    const Node derivative = derive(&by_x, dag_result(d, call, 0));
    assert_int_equal(derive(&by_x, dag_result(d, call, 1)), d->zero);
    derive_end(&by_x);
    GraphValues v = graph_values(d, 0);
    v.scalars[1] = 9.0;
    // The derivative of the iteration converges one order behind the iteration, which doubles the
    // digits: 1e-14 there is 1e-7 or better here.
    assert_true(fabs(graph_evaluate(d, derivative, &v) - 1.0 / 6.0) < 1e-7);
    end(&f);
}

// f(x, n) = if n <= 0 then 1 else x f(x, n - 1): recursion
static void recursion_is_differentiated(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Procedure *p = procedure_create(d, 2, 1, 0);
    const Node x = dag_reference(d, p->inputs[0] = dag_add_local(d, "x", DAG_REAL, 0));
    const Node n = dag_reference(d, p->inputs[1] = dag_add_local(d, "n", DAG_INTEGER, 0));
    const Node y = dag_reference(d, p->outputs[0] = dag_add_local(d, "y", DAG_REAL, 0));
    const uint32_t function = procedure_function(d, "power", p);
    ProcedureStatement *choice = procedure_add(d, &p->body, PROCEDURE_IF, nowhere);
    choice->condition = dag_binary(d, OPERATOR_LESS_EQUAL, n, dag_integer(d, 0));
    procedure_assign(d, &choice->body, y, d->one, nowhere);
    const Node arguments[] = {x, dag_subtract(d, n, dag_integer(d, 1))};
    procedure_assign(d, &choice->otherwise, y,
                     dag_multiply(d, x, dag_result(d, dag_call(d, function, 2, arguments), 0)),
                     nowhere);
    const Node cube_arguments[] = {f.x, dag_integer(d, 3)};
    const Node cube = dag_result(d, dag_call(d, function, 2, cube_arguments), 0);
    Derivation by_x = derive_by(d, variable_of(d, f.x));
    const Node derivative = derive(&by_x, cube);
    derive_end(&by_x);
    GraphValues v = graph_values(d, 0);
    v.scalars[1] = 2.0;
    assert_true(graph_evaluate(d, cube, &v) == 8.0);
    assert_true(graph_evaluate(d, derivative, &v) == 12.0);
    end(&f);
}

static void annotations_give_derivatives(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    static const DagType reals[] = {DAG_REAL, DAG_REAL, DAG_REAL, DAG_REAL};
    // f2(x, k, dx, ddx), f1(x, k, dx), f(x, k); k must be constant.
    const uint32_t second = dag_add_function(d, &(DagFunction){.name = "f2",
                                                               .input_count = 4,
                                                               .output_count = 1,
                                                               .input_types = reals,
                                                               .output_types = reals});
    static const bool no_constant[] = {false, true, false}, of_first[] = {false, false, true};
    static const uint32_t derivative_of[] = {DAG_NONE, DAG_NONE, 0};
    const DagFunctionDerivative by_second = {second, 2, no_constant, of_first};
    const uint32_t first = dag_add_function(d, &(DagFunction){.name = "f1",
                                                              .input_count = 3,
                                                              .output_count = 1,
                                                              .input_types = reals,
                                                              .output_types = reals,
                                                              .derivative_count = 1,
                                                              .derivatives = &by_second,
                                                              .order = 1,
                                                              .first_of_order = 2,
                                                              .derivative_of = derivative_of});
    static const bool k_constant[] = {false, true}, of_x[] = {true, false};
    const DagFunctionDerivative by_first = {first, 1, k_constant, of_x};
    const uint32_t function = dag_add_function(d, &(DagFunction){.name = "f",
                                                                 .input_count = 2,
                                                                 .output_count = 1,
                                                                 .input_types = reals,
                                                                 .output_types = reals,
                                                                 .derivative_count = 1,
                                                                 .derivatives = &by_first});
    const Node arguments[] = {f.x, f.p};
    const Node e = dag_result(d, dag_call(d, function, 2, arguments), 0);
    assert_time_derivative(&f, e, "f1(x, p, der(x))");
    Derivation by_time = derive_by_time(d, NULL);
    const Node twice = derive(&by_time, derive(&by_time, e));
    assert_string_equal(print_text(d, twice), "f2(x, p, der(x), der(der(x)))");
    // k varies: there is no algorithm to differentiate instead.
    const Node varying[] = {f.x, f.y};
    assert_int_equal(derive(&by_time, dag_result(d, dag_call(d, function, 2, varying), 0)),
                     NODE_NONE);
    assert_string_equal(by_time.reason, "a function without an algorithm has no derivative");
    derive_end(&by_time);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(derivatives_by_time),
        cmocka_unit_test(second_derivatives_share),
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(every_operator_has_its_derivative),
        cmocka_unit_test(gradients_stay_inside_branches),
        cmocka_unit_test(gradient_of_a_long_sum_is_cheap),
        cmocka_unit_test(strings_have_no_derivative),
        cmocka_unit_test(algorithms_are_differentiated),
        cmocka_unit_test(iterations_are_differentiated),
        cmocka_unit_test(recursion_is_differentiated),
        cmocka_unit_test(annotations_give_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
