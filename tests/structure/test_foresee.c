// SPDX-License-Identifier: MIT
//
// What is known of a function's result while some of its arguments are not known is so whatever
// these are: compared with the function itself, run with many values. And what must be known is.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equations/convert.h"
#include "structure/foresee.h"
#include "support/flattened.h"
#include "support/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INPUTS = 3, OUTPUTS = 2, STEPS = 100000 };

// The body of f(a, b, c) with outputs y and z, and locals p, q, i, t[3].
typedef struct Body {
    const char *text;
    // What must be known: results where these arguments are known, NAN: it is not.
    struct {
        double inputs[INPUTS], y, z;
    } known[4];
    uint32_t known_count;
} Body;

static const Body bodies[] = {
    // a capacitance of a junction
    {"if b < 0.5 then y := a / (1 - b)^c; else y := a * (1 + b * c); end if; z := y + a;",
     {{{0.0, NAN, NAN}, 0.0, 0.0}, {{NAN, 0.25, 0.0}, NAN, NAN}, {{2.0, 0.0, NAN}, NAN, NAN}},
     3},
    // the sides of a choice agree in some of what they assign
    {"y := 1; z := 2; p := 3; if a > 0 then y := 4; p := 5; else y := 4; p := 6; z := 7; end if; "
     "z := z * c + p * b;",
     {{{NAN, 0.0, 0.0}, 4.0, 0.0}, {{NAN, 1.0, 0.0}, 4.0, NAN}, {{1.0, 1.0, 1.0}, 4.0, 7.0}},
     3},
    // what comes first, and what comes last
    {"if a > b then y := c; end if; z := 0; if b > 0 then z := 1; else z := 1; end if;",
     {{{NAN, NAN, NAN}, NAN, 1.0}, {{1.0, 0.0, 3.0}, 3.0, 1.0}},
     2},
    // one side returns
    {"y := 1; z := 0; if a > 0 then z := b; return; end if; y := 1; z := b;",
     {{{-1.0, 2.0, NAN}, 1.0, 2.0}, {{1.0, 3.0, NAN}, 1.0, 3.0}, {{NAN, 3.0, 1.0}, NAN, NAN}},
     3},
    // loops; one that is left early is not followed
    {"y := 0; z := 0; for i in 1:4 loop y := y + i * a; if y > b then break; end if; z := i; "
     "end for;",
     {{{0.0, 1.0, NAN}, 0.0, 4.0}, {{1.0, 2.5, NAN}, NAN, NAN}, {{NAN, 1.0, 1.0}, NAN, NAN}},
     3},
    {"y := 0; z := 1; while y < 4 loop y := y + a; z := z * b; end while; z := z * c;",
     {{{2.0, 3.0, 1.0}, 4.0, 9.0}, {{2.0, NAN, 0.0}, 4.0, 0.0}, {{NAN, 1.0, 1.0}, NAN, NAN}},
     3},
    // arrays; which element is assigned may not be known
    {"t[1] := a; t[2] := b; t[3] := 1; t[if c > 0 then 1 else 2] := 0; y := t[1]; "
     "z := t[3] + t[if c > 0 then 1 else 2] * b;",
     {{{5.0, 6.0, 1.0}, 0.0, 1.0}, {{5.0, 6.0, -1.0}, 5.0, 1.0}, {{5.0, 0.0, NAN}, NAN, NAN}},
     3},
    // calls, and operations that do not ask for all of their operands
    {"y := g(a, b) * c; z := if a > 0 and b > 0 or c > 1 then 2 else g(a, 0);",
     {{{NAN, NAN, 0.0}, 0.0, NAN}, {{NAN, NAN, 2.0}, NAN, 2.0}, {{0.0, NAN, 1.0}, 0.0, 0.0}},
     3},
};

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

// With these known, and many values of the rest: no result is another one than was foreseen.
static void compare(const Dag *dag, uint32_t function, const double *inputs, const double *seen,
                    GraphRandom *random, const char *text)
{
    for (int trial = 0; trial < 8; trial++) {
        double given[INPUTS], results[OUTPUTS];
        for (int k = 0; k < INPUTS; k++)
            given[k] = !isnan(inputs[k]) ? inputs[k] : graph_random_real(random, -2.0, 2.0);
        if (!graph_call(dag, function, given, results))
            continue;
        for (int k = 0; k < OUTPUTS; k++)
            if (!isnan(seen[k]) && !is_same(seen[k], results[k]))
                fail_msg("%s(%g, %g, %g): result %d is %g, not %g", text, given[0], given[1],
                         given[2], k + 1, results[k], seen[k]);
    }
}

static void try_body(const Body *body)
{
    char text[2000];
    snprintf(text, sizeof text,
             "function g input Real a, b; output Real y; algorithm y := 0; "
             "if a <> 0 then y := a * exp(b); end if; end g;\n"
             "function f input Real a, b, c; output Real y, z; protected Real p, q, t[3]; "
             "algorithm %s end f;\n"
             "model M Real x, y; equation (x, y) = f(time, x + 1, 2 * y); end M;",
             body->text);
    Flattened flat = flattened_from_text(text);
    Dag *dag = dag_create(flat.arena);
    Convert *convert = convert_create(dag, flat.model, flat.diagnostics);
    uint32_t count;
    const FlatEquation *e = flat.model->equations[0];
    assert_non_null(convert_results(convert, e->right, e->target_count, e->targets, &count));
    uint32_t function = 0;
    while (function < dag->function_count && strcmp(dag->functions[function].name, "f") != 0)
        function++;
    assert_true(function < dag->function_count);
    for (uint32_t i = 0; i < body->known_count; i++) {
        double seen[OUTPUTS];
        uint64_t steps = STEPS;
        foresee_call(dag, function, body->known[i].inputs, seen, &steps);
        if (!is_same(seen[0], body->known[i].y) || !is_same(seen[1], body->known[i].z))
            fail_msg("%s: case %u: %g, %g", body->text, (unsigned)i + 1, seen[0], seen[1]);
        assert_true(steps < STEPS);
    }
    GraphRandom random = {7};
    static const double values[] = {0.0, 1.0, -1.0, 2.0, 0.25, NAN, NAN};
    for (int trial = 0; trial < 60; trial++) {
        double inputs[INPUTS], seen[OUTPUTS];
        uint64_t steps = STEPS;
        for (int k = 0; k < INPUTS; k++)
            inputs[k] = values[graph_random(&random, sizeof values / sizeof *values)];
        foresee_call(dag, function, inputs, seen, &steps);
        compare(dag, function, inputs, seen, &random, body->text);
    }
    // Without steps nothing is known.
    double seen[OUTPUTS];
    uint64_t none = 0;
    foresee_call(dag, function, (const double[]){1.0, 1.0, 1.0}, seen, &none);
    assert_true(isnan(seen[0]) && isnan(seen[1]));
    flattened_end(&flat);
}

static void what_is_foreseen_comes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        try_body(&bodies[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_foreseen_comes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
