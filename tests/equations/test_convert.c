// SPDX-License-Identifier: MIT
//
// Models as text, flattened and converted: what their equations are in the graph, and what their
// functions compute.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equations/convert.h"
#include "equations/derive.h"
#include "equations/print.h"
#include "support/flattened.h"
#include "support/graph.h"

#include <math.h>
#include <string.h>

typedef struct Fixture {
    Flattened flat;
    const FlatModel *model;
    Dag *dag;
    Convert *convert;
    Node left[64], right[64];
    uint32_t count;
} Fixture;

static void begin(Fixture *f, const char *text)
{
    *f = (Fixture){.flat = flattened_from_text(text)};
    f->model = f->flat.model;
    f->dag = dag_create(f->flat.arena);
    f->convert = convert_create(f->dag, f->model, f->flat.diagnostics);
}

// The sides of an equation, equation->scalar_count of each; false after an error.
static bool convert_equation(Convert *c, const FlatEquation *equation, Node *left, Node *right)
{
    if (equation->kind != FLAT_EQUATION_CALL) {
        left[0] = convert_expression(c, equation->left);
        right[0] = convert_expression(c, equation->right);
        return left[0] != NODE_NONE && right[0] != NODE_NONE;
    }
    uint32_t count;
    const DagEquation *sides =
        convert_results(c, equation->right, equation->target_count, equation->targets, &count);
    for (uint32_t i = 0; i < count && count == equation->scalar_count; i++) {
        left[i] = sides[i].left;
        right[i] = sides[i].right;
    }
    return count == equation->scalar_count;
}

static void convert_all(Fixture *f)
{
    for (uint32_t i = 0; i < f->model->equation_count; i++) {
        const FlatEquation *e = f->model->equations[i];
        assert_true(f->count + e->scalar_count <= 64);
        const bool is_fine =
            convert_equation(f->convert, e, f->left + f->count, f->right + f->count);
        if (!is_fine || f->flat.diagnostics->error_count)
            flattened_show_errors(&f->flat);
        assert_true(is_fine);
        assert_int_equal(f->flat.diagnostics->error_count, 0);
        f->count += e->scalar_count;
    }
}

static void end(Fixture *f)
{
    flattened_end(&f->flat);
}

static void assert_equations(const char *model, const char *expected)
{
    Fixture f;
    begin(&f, model);
    convert_all(&f);
    StringBuilder b = builder_create(f.flat.arena);
    for (uint32_t i = 0; i < f.count; i++) {
        print_equation(f.dag, f.left[i], f.right[i], &b);
        builder_append_text(&b, "\n");
    }
    assert_string_equal(builder_string(&b).text, expected);
    end(&f);
}

static void equations_are_converted(void **state)
{
    (void)state;
    assert_equations("model M\n"
                     "  parameter Real g = 9.81; parameter Integer n = 2;\n"
                     "  Real x(start = 1), v, a;\n"
                     "equation\n"
                     "  der(x) = v;\n"
                     "  der(v) = -g * sin(x) + n * 2;\n"
                     "  a = x ^ 2 + x / 1 + 0 * v;\n"
                     "end M;\n",
                     "der(x) = v\n"
                     "der(v) = n * 2 - g * sin(x)\n"
                     "a = x^2 + x\n");
}

static void what_triggers_events_is_held(void **state)
{
    (void)state;
    assert_equations("model M\n"
                     "  Real x, y[9]; Integer i;\n"
                     "equation\n"
                     "  x = time;\n"
                     "  y[1] = if x > 1 then x else 0;\n"
                     "  y[2] = noEvent(if x > 1 then x else 0);\n"
                     "  y[3] = abs(x) + noEvent(abs(x)) + abs(x - y[1]);\n"
                     "  y[4] = mod(x, 3);\n"
                     "  y[5] = noEvent(mod(x, 3));\n"
                     "  y[6] = floor(x) + sign(x);\n"
                     "  y[7] = semiLinear(x, 2, 3);\n"
                     "  y[8] = smooth(1, if x > 1 then x else 1);\n"
                     "  y[9] = homotopy(x, 0);\n"
                     "  i = integer(x);\n"
                     "end M;\n",
                     "x = time\n"
                     "y[1] = if x > 1.0 then x else 0.0\n"
                     "y[2] = if noEvent(x > 1.0) then x else 0.0\n"
                     "y[3] = abs(x) + noEvent(abs(x)) + abs(x - y[1])\n"
                     "y[4] = x - floor(x / 3.0) * 3.0\n"
                     "y[5] = mod(x, 3.0)\n"
                     "y[6] = floor(x) + (if x > 0.0 then 1 elseif x < 0.0 then -1 else 0)\n"
                     "y[7] = if x >= 0.0 then x * 2.0 else x * 3.0\n"
                     "y[8] = if noEvent(x > 1.0) then x else 1.0\n"
                     "y[9] = x\n"
                     "i = integer(x)\n");
}

static void equal_relations_share_a_number(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, "model M\n"
              "  Real x, y, z;\n"
              "equation\n"
              "  x = time;\n"
              "  y = if x > 1 then 1 else 2;\n"
              "  z = if x > 1 then 3 else 4;\n"
              "end M;\n");
    convert_all(&f);
    assert_int_equal(f.model->relations.count, 2);
    assert_int_equal(f.dag->hold_count, 1);
    assert_int_equal(f.dag->holds[0].flat, 0);
    assert_true(span_is_known(f.dag->holds[0].span));
    end(&f);
}

static void homotopy_follows_lambda(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, "model M\n  Real x;\nequation\n  x = homotopy(1 / time, time);\nend M;\n");
    const uint32_t lambda = dag_add_variable(f.dag, "lambda", DAG_LAMBDA, DAG_REAL, DAG_PARAMETER);
    convert_use_lambda(f.convert, lambda);
    convert_all(&f);
    GraphValues v = graph_values(f.dag, 0);
    v.scalars[DAG_TIME_VARIABLE] = 4.0;
    const double expected[] = {4.0, 0.25 * 0.25 + 0.75 * 4.0, 0.25}, at[] = {0.0, 0.25, 1.0};
    for (int k = 0; k < 3; k++) {
        v.scalars[lambda] = at[k];
        assert_true(graph_evaluate(f.dag, f.right[0], &v) == expected[k]);
    }
    end(&f);
}

static void varying_subscripts_are_choices(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, "model M\n"
              "  Real a[3] = {10, 20, 30}; Integer i; Real y;\n"
              "equation\n"
              "  i = integer(time);\n"
              "  y = a[i];\n"
              "end M;\n");
    convert_all(&f);
    const Node y = f.right[f.count - 1];
    GraphValues v = graph_values(f.dag, 0);
    for (uint32_t k = 0; k < 3; k++)
        v.scalars[convert_variable(f.convert, f.model->variables[k])] = 10.0 * (k + 1);
    const uint32_t i = convert_variable(f.convert, f.model->variables[3]);
    for (int k = 1; k <= 3; k++) {
        v.scalars[i] = k;
        assert_true(graph_evaluate(f.dag, y, &v) == 10.0 * k);
    }
    v.scalars[i] = 4.0;
    assert_true(isnan(graph_evaluate(f.dag, y, &v)));
    end(&f);
}

// ---- functions ----------------------------------------------------------------------------------

// The value of the right-hand side of the last equation at this time.
static double last_value(Fixture *f, double time)
{
    GraphValues v = graph_values(f->dag, 0);
    v.scalars[DAG_TIME_VARIABLE] = time;
    const double value = graph_evaluate(f->dag, f->right[f->count - 1], &v);
    assert_false(v.failed);
    return value;
}

static void assert_value(const char *model, double time, double expected)
{
    Fixture f;
    begin(&f, model);
    convert_all(&f);
    const double value = last_value(&f, time);
    if (value != expected)
        fail_msg("%.17g instead of %.17g", value, expected);
    end(&f);
}

static void functions_with_arrays_are_converted(void **state)
{
    (void)state;
    // Sizes from the arguments, a loop, a matrix product, a protected constant as a size.
    assert_value("model M\n"
                 "  function norm2\n"
                 "    input Real x[:]; output Real y; protected Integer n = size(x, 1);\n"
                 "    protected Real z[n];\n"
                 "  algorithm\n"
                 "    z := 2 * x; y := 0;\n"
                 "    for i in 1:n loop y := y + z[i] * x[i]; end for;\n"
                 "  end norm2;\n"
                 "  Real y;\n"
                 "equation\n"
                 "  y = norm2({time, 2, 3}) + norm2({1, time});\n"
                 "end M;\n",
                 4.0, 2.0 * (16.0 + 4.0 + 9.0) + 2.0 * (1.0 + 16.0));
    assert_value("model M\n"
                 "  function f\n"
                 "    input Real A[2, 2]; input Real x[2]; output Real y;\n"
                 "    protected Real z[2]; Real B[2, 2];\n"
                 "  algorithm\n"
                 "    z := A * x; B := transpose(A) * A;\n"
                 "    y := z * z + sum(B) + max(x) + B[1, 2];\n"
                 "  end f;\n"
                 "  Real y = f([1, 2; 3, 4], {time, 1});\n"
                 "end M;\n",
                 2.0, 16.0 + 100.0 + (10.0 + 14.0 + 14.0 + 20.0) + 2.0 + 14.0);
    // A swap by a slice: all values are computed first.
    assert_value("model M\n"
                 "  function f\n"
                 "    input Real x; output Real y; protected Real a[3];\n"
                 "  algorithm\n"
                 "    a := {x, 2 * x, 3 * x}; a[1:2] := {a[2], a[1]};\n"
                 "    y := a[1] + 10 * a[2] + 100 * a[3];\n"
                 "  end f;\n"
                 "  Real y = f(time);\n"
                 "end M;\n",
                 1.0, 2.0 + 10.0 + 300.0);
}

static void functions_with_control_are_converted(void **state)
{
    (void)state;
    assert_value("model M\n"
                 "  function collatz\n"
                 "    input Real x; output Integer n; protected Integer k;\n"
                 "  algorithm\n"
                 "    k := integer(x); n := 0;\n"
                 "    while k <> 1 loop\n"
                 "      if mod(k, 2) == 0 then k := div(k, 2); else k := 3 * k + 1; end if;\n"
                 "      n := n + 1;\n"
                 "      if n > 1000 then break; end if;\n"
                 "    end while;\n"
                 "  end collatz;\n"
                 "  Real y = collatz(time);\n"
                 "end M;\n",
                 27.0, 111.0);
    assert_value("model M\n"
                 "  function fib\n"
                 "    input Integer n; output Integer y;\n"
                 "  algorithm\n"
                 "    if n < 2 then y := n; return; end if;\n"
                 "    y := fib(n - 1) + fib(n - 2);\n"
                 "  end fib;\n"
                 "  Real y = fib(integer(time));\n"
                 "end M;\n",
                 10.0, 55.0);
    assert_value("model M\n"
                 "  function f\n"
                 "    input Real x; output Real y;\n"
                 "  algorithm\n"
                 "    y := 0;\n"
                 "    for t in 0:0.1:0.3 loop y := y + 1; end for;\n"
                 "    for k in {2, 5} loop y := y + 10 * k * x; end for;\n"
                 "    y := y + sum(i * x for i in 1:3);\n"
                 "  end f;\n"
                 "  Real y = f(time);\n"
                 "end M;\n",
                 2.0, 4.0 + 140.0 + 12.0);
}

static void records_and_several_results_are_converted(void **state)
{
    (void)state;
    assert_value("model M\n"
                 "  record R Real a; Integer k; Real v[2]; end R;\n"
                 "  function f\n"
                 "    input R r; output R s; output Real t;\n"
                 "  algorithm\n"
                 "    s.a := r.v[2]; s.k := r.k + 1; s.v := {r.a, s.k}; t := r.v[1];\n"
                 "  end f;\n"
                 "  function g\n"
                 "    input Real x; output Real y; protected R r; Real t;\n"
                 "  algorithm\n"
                 "    (r, t) := f(R(x, 3, {5, 7}));\n"
                 "    y := r.a + 10 * r.k + 100 * r.v[1] + 1000 * r.v[2] + 10000 * t;\n"
                 "  end g;\n"
                 "  Real y = g(time);\n"
                 "end M;\n",
                 2.0, 7.0 + 40.0 + 200.0 + 4000.0 + 50000.0);
    assert_equations("model M\n"
                     "  function f\n"
                     "    input Real x; output Real y; output Real z[2];\n"
                     "  algorithm\n"
                     "    y := x; z := {2 * x, 3 * x};\n"
                     "  end f;\n"
                     "  Real a, b[2];\n"
                     "equation\n"
                     "  (a, b) = f(time);\n"
                     "end M;\n",
                     "a = M.f(time)[1]\n"
                     "b[1] = M.f(time)[2]\n"
                     "b[2] = M.f(time)[3]\n");
}

static void sizes_may_depend_on_integer_arguments(void **state)
{
    (void)state;
    assert_value("model M\n"
                 "  function ramp\n"
                 "    input Integer n; input Real h; output Real y[n];\n"
                 "  algorithm\n"
                 "    for i in 1:n loop y[i] := i * h; end for;\n"
                 "  end ramp;\n"
                 "  Real y = ramp(4, time) * {1, 1, 1, 1} + sum(ramp(2, time));\n"
                 "end M;\n",
                 0.5, 5.0 + 1.5);
}

static void annotated_derivatives_are_used(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, "model M\n"
              "  function f\n"
              "    input Real x; input Real k; output Real y;\n"
              "  algorithm\n"
              "    y := k * x ^ 2;\n"
              "    annotation(derivative(zeroDerivative = k) = f1);\n"
              "  end f;\n"
              "  function f1\n"
              "    input Real x; input Real k; input Real dx; output Real dy;\n"
              "  algorithm\n"
              "    dy := 2 * k * x * dx;\n"
              "    annotation(derivative(order = 2, zeroDerivative = k) = f2);\n"
              "  end f1;\n"
              "  function f2\n"
              "    input Real x; input Real k; input Real dx; input Real ddx; output Real ddy;\n"
              "  algorithm\n"
              "    ddy := 2 * k * (dx ^ 2 + x * ddx);\n"
              "  end f2;\n"
              "  parameter Real p = 3; Real x, y, z;\n"
              "equation\n"
              "  x = sin(time);\n"
              "  y = f(x, p);\n"
              "  z = f(x, x);\n"
              "end M;\n");
    convert_all(&f);
    Derivation by_time = derive_by_time(f.dag, NULL);
    const Node first = derive(&by_time, f.right[1]);
    assert_string_equal(print_text(f.dag, first), "M.f1(x, p, der(x))");
    assert_string_equal(print_text(f.dag, derive(&by_time, first)),
                        "M.f2(x, p, der(x), der(der(x)))");
    // k varies: the algorithm is differentiated.
    assert_string_equal(print_text(f.dag, derive(&by_time, f.right[2])),
                        "der_M.f(x, x, der(x), der(x))");
    derive_end(&by_time);
    end(&f);
}

static void what_cannot_be_converted_is_reported(void **state)
{
    (void)state;
    Fixture f;
    begin(&f, "model M\n"
              "  function f\n"
              "    input Real x; output Real y; protected Integer n; protected Real a[3];\n"
              "  algorithm\n"
              "    n := integer(x); a := {1, 2, 3}; y := sum(a[1:n]);\n"
              "  end f;\n"
              "  Real y = f(time);\n"
              "end M;\n");
    Node left[1], right[1];
    convert_equation(f.convert, f.model->equations[0], left, right);
    assert_int_equal(f.flat.diagnostics->error_count, 1);
    assert_non_null(strstr(f.flat.diagnostics->first->message, "known before the run"));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_are_converted),
        cmocka_unit_test(what_triggers_events_is_held),
        cmocka_unit_test(equal_relations_share_a_number),
        cmocka_unit_test(homotopy_follows_lambda),
        cmocka_unit_test(varying_subscripts_are_choices),
        cmocka_unit_test(functions_with_arrays_are_converted),
        cmocka_unit_test(functions_with_control_are_converted),
        cmocka_unit_test(records_and_several_results_are_converted),
        cmocka_unit_test(sizes_may_depend_on_integer_arguments),
        cmocka_unit_test(annotated_derivatives_are_used),
        cmocka_unit_test(what_cannot_be_converted_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
