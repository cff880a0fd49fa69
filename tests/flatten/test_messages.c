// SPDX-License-Identifier: MIT
//
// Models that are wrong in ways of which the language tests have none: what is said of each, and
// that at most one error follows from it. (Where a message stands is for the language tests.)

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/flat.h"

#include <stdio.h>
#include <string.h>

typedef struct Mistake {
    const char *text, *message;
} Mistake;

// Things that several of the models use.
#define RECORD "record R Real a; Real b[2]; end R;\n"
#define FUNCTION                                                                                   \
    "function f input Real x; input Real y = 1; output Real z; algorithm z := x + y; end f;\n"
#define TWO "function two input Real x; output Real y, z; algorithm y := x; z := 2 * x; end two;\n"
#define STATES "model S Real v; equation v = 1; end S;\n"

static const Mistake mistakes[] = {
    // arrays
    {"model M Real x[2, 3]; equation x = zeros(2, 3); x[1, 2, 3] = 0; end M;",
     "has 2 dimensions, but 3 subscripts are given"},
    {"model M Real x[3] = ones(3); Real y = sum(x[end]) + end; end M;",
     "expected an expression, found keyword 'end'"},
    {"model M parameter Real a[2, 2] = identity(2); Real b[2, 2] = a^100; end M;",
     "the power of a matrix must be between 0 and 64"},
    {"model M Real x[2] = cat(3, {1}, {2}); end M;",
     "arrays cannot be joined along dimension 3 of 1"},
    {"model M Real x = max(i for i in 1:3) + abs(i for i in 1:3); end M;",
     "only sum, product, min, max and array can be used with 'for', not 'abs'"},
    {"model M Real x[3] = {1, 2}; end M;",
     "the binding of 'x' must be Real[3], but this is Integer[2]"},
    {"model M Real x[2](start = {{1, 2}, {3, 4}}); equation x = {1, 2}; end M;",
     "attribute 'start' must be Real[2], but this is Integer[2, 2]"},
    {"model M Real x = size({1, 2}, 3); end M;", "Integer[2] has no dimension 3"},
    {"model M Real x[2] = cross({1, 2, 3}, {1, 2}); end M;",
     "the argument of 'cross' must be a vector of size 3, but this is Integer[2]"},
    {"model M Real x = scalar({1, 2}); end M;",
     "the argument of 'scalar' must be an array with one element"},
    {"model M Real x[2] = {1, 2} * {{1, 2}, {3, 4}, {5, 6}}; end M;",
     "'*' cannot be applied to Integer[2] and Integer[3, 2]"},
    // calls
    {FUNCTION "model M Real x = f(); end M;", "input 'x' of function 'f' is missing"},
    {FUNCTION "model M Real x = f(1, 2, 3); end M;",
     "function 'f' takes 2 arguments, but 3 are given"},
    {FUNCTION "model M Real x = f(1, q = 2); end M;", "function 'f' has no input 'q'"},
    {RECORD "model M R r = R(1); end M;", "member 'b' of record 'R' is missing"},
    {RECORD "model M R r = R(1, {1, 2}, 3); end M;",
     "record 'R' has 2 members, but 3 values are given"},
    {"record P Real a; end P; model M P r[2] = P({1, 2}); end M;",
     "a record constructor cannot be repeated over arrays"},
    {TWO "model M Real x[2], y[2]; equation (x, y) = two({1, 2}); end M;",
     "a call with several results cannot be repeated over arrays"},
    {"type E = enumeration(a, b); model M E e = E(1, 2); end M;",
     "an enumeration value is made from one Integer"},
    {"model M Real x = sin(1, 2); end M;", "'sin' takes 1 argument, but 2 are given"},
    {"model M Real x = atan2(1); end M;", "'atan2' takes 2 arguments, but 1 is given"},
    {"model M Real x = sin(q = 1); end M;", "'sin' has no argument 'q'"},
    {"model M Real x = 1; String s = String({x, x}); end M;", "'String' needs a scalar"},
    {"function g input Real h; output Real y; algorithm y := h; y := q(1); end g; "
     "model M Real x = g(1); end M;",
     "there is no function 'q' in 'g'"},
    {TWO "model M Integer i, j; equation (i, j) = two(1); end M;",
     "output 1 of 'two' is Real and cannot be given to Integer"},
    // functions that run before the run
    {"function f input Real x; output Real y; protected Real t; algorithm y := t + x; end f; "
     "model M parameter Integer n = integer(f(1)); Real x[n]; equation x = ones(n); end M;",
     "'t' is used before it gets a value"},
    {"function f input Integer n; output Integer y; algorithm y := f(n + 1); end f; "
     "model M parameter Integer n = f(1); Real x[n]; equation x = ones(n); end M;",
     "calls are nested more than 200 deep"},
    {"model M parameter Integer n; Real x[n]; equation x = ones(n); end M;",
     "an array size must be known before the run: 'n' has no value"},
    {"function f output Real y[2]; algorithm y := {1, 2, 3}; end f; "
     "model M parameter Real p[2] = f() annotation(Evaluate = true); Real x[integer(p[1])]; "
     "equation x = ones(1); end M;",
     "the value assigned to 'y' must be Real[2], but this is Integer[3]"},
    // statements
    {"model M Real x; algorithm 1 := x; end M;", "expected a statement, found number 1"},
    {"model M Real x; algorithm x + 1; end M;", "expected ':=' or '(' in the statement, found '+'"},
    {"model M Real x; equation x; end M;", "expected '=' in the equation, found ';'"},
    {"model M Real x(start = 1); equation der(x) = 1; algorithm when x > 1 then reinit(x, 0); "
     "end when; end M;",
     "'reinit' can only be used in a 'when' of an equation section"},
    {"function f input Real x; output Real y; algorithm when x > 1 then y := 1; end when; end f; "
     "model M Real x = f(time); end M;",
     "'when' cannot be used in a function"},
    {"model M Real x; algorithm for i in 1:2 loop when time > i then x := 1; end when; end for; "
     "end M;",
     "'when' cannot be used in"},
    {"model M Real x; initial algorithm when time > 1 then x := 1; end when; equation x = 1; end "
     "M;",
     "'when' cannot be used in an initial algorithm"},
    {TWO "model M Integer i; Real y; algorithm (i, y) := two(time); end M;",
     "output 'y' of 'two' is Real and cannot be assigned to Integer"},
    // references
    {"model M model N Real v; equation v = 1; end N; Real x = M.N; end M;",
     "'N' cannot be taken from 'M', which is a model with more than constants and classes"},
    {"model N Real v = 1; end N; model M N n; Real x = n.w; end M;",
     "'N' has no component 'w'; it has v"},
    {"package P constant Foo c = 1; end P; model M Real x = P.c; end M;",
     "there is no type 'Foo' in 'P'"},
    {"package P parameter Real c = 1; end P; model M Real x = P.c; end M;",
     "is a parameter of 'P': from here only its constants can be used"},
    {"model M outer model N = Q; N n; model Q end Q; end M;",
     "there is no 'inner' class 'N' around, which is declared outer"},
    // state machines
    {STATES "model M S a; equation initialState(a, a); end M;", "'initialState' takes one state"},
    {STATES "model M S a; equation initialState(a); initialState(a); end M;",
     "declared the initial state twice"},
    {STATES "model M S a; equation initialState(a); transition(a, 1, true); end M;",
     "a state must be the name of a component"},
    {STATES "model M S a; Boolean b = activeState(a, a); equation initialState(a); end M;",
     "'activeState' takes one state"},
    {STATES "model M S a; equation initialState(a); transition(a, a, timeInState(1) > 1); end M;",
     "'timeInState' takes no arguments"},
    // connectors
    {"connector C Real e; flow Real f; end C; model M C c; Real x = inStream(c.e); "
     "equation c.e = 1; end M;",
     "'inStream' needs a stream variable: one that a connector declares with the prefix 'stream'"},
    {"connector C Real e; flow Real f; end C; model M C c; Real x = inStream(c.e, 1); "
     "equation c.e = 1; end M;",
     "'inStream' takes 1 argument, a stream variable"},
    {"connector C Real e; flow Real f; end C; model M C c; "
     "equation Connections.root(c.e, 1, 2); end M;",
     "'Connections.root' takes one component"},
    // operator records
    {"operator record O Real a; equation a = 1; end O; model M O o; end M;",
     "operator record 'O' cannot have equations or algorithms (section 4.7)"},
    {"operator record O protected Real a; end O; model M O o; end M;",
     "operator record 'O' cannot have protected members (section 4.7)"},
    // clocks
    {"model M Real x(start = 1), y; equation when Clock(0.1) then der(x) = y; y = 1; end when; end "
     "M;",
     "'der' in a clocked partition needs a solver method"},
    {"model M Real x; equation when Clock(0.1) then when Clock(0.2) then x = 1; end when; end "
     "when; "
     "end M;",
     "clocked 'when' clauses cannot be nested"},
    {"model M Real x; equation when Clock(0.1) then when time > 1 then x = 1; end when; end when; "
     "end M;",
     "'when' with a condition cannot be used in a clocked 'when'; use 'if'"},
    {"model M Real x(start = 1); Clock c = Clock(Clock(0.1), \"Magic\"); "
     "equation when c then der(x) = -x; end when; end M;",
     "there is no solver method 'Magic'"},
    // the balance
    {"model M Real x, y; equation x = 1; end M;",
     "it has 2 unknowns and 1 equation; 1 equation is missing"},
    {"model M Real x; equation x = 1; x = 2; end M;",
     "it has 1 unknown and 2 equations; 1 equation too many"},
    {"model M Real x, y, z; equation x = 1; end M;", "2 equations are missing"},
};

static bool try_mistake(const Mistake *m)
{
    Compilation *c = compilation_create(NULL);
    assert_non_null(c);
    const FlatModel *model = flat_from_text(c, m->text);
    const bool is_fine =
        !model && c->diagnostics->error_count <= 2 && flat_has_error(c, m->message);
    if (!is_fine) {
        StringBuilder out = builder_create(c->arena);
        diagnostics_render_text(c->diagnostics, false, &out);
        print_error("%s\nlacks '%s', but has:\n%s", m->text, m->message, builder_string(&out).text);
    }
    compilation_destroy(c);
    return is_fine;
}

static void mistakes_have_their_messages(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        failures += !try_mistake(&mistakes[i]);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mistakes_have_their_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
