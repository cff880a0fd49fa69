// SPDX-License-Identifier: MIT
//
// The code of small models as text, its structure (slices, guarded blocks, registers), users'
// functions, failures.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "code/emit.h"
#include "code/interpret.h"
#include "equations/derive.h"
#include "equations/procedure.h"
#include "support/code.h"
#include "support/graph.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Span nowhere;

typedef struct Fixture {
    Arena *arena;
    Dag *dag;
    Node x, y, z, b;
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_create(NULL)};
    Dag *d = f.dag = dag_create(f.arena);
    f.x = dag_reference(d, dag_add_variable(d, "x", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.y = dag_reference(d, dag_add_variable(d, "y", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.z = dag_reference(d, dag_add_variable(d, "z", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    f.b = dag_reference(d, dag_add_variable(d, "b", DAG_PLAIN, DAG_BOOLEAN, DAG_DISCRETE));
    return f;
}

static void end(Fixture *f)
{
    arena_destroy(f->arena);
}

static Harness one_entry(Fixture *f, const Node *values, uint32_t count)
{
    Harness h = harness_begin(f->dag, 1);
    CodeOutput outputs[16];
    for (uint32_t i = 0; i < count; i++)
        outputs[i] = (CodeOutput){0, i, values[i]};
    harness_add(&h, "f", outputs, count, false);
    harness_finish(&h);
    return h;
}

// Runs entry 0 both ways at x, y, z, b; fails the test if they differ.
static int run_both(const Harness *h, const double *x, double *y, uint32_t count)
{
    double other[16] = {0};
    const double *const in[] = {x, NULL};
    double *out[] = {y};
    const int status = interpret(h->module, 0, in, out, harness_run(h));
    const uint32_t failure = harness_run(h)->failure;
    const CodeFunction native = native_entry(h->native, 0);
    if (!native)
        return status;
    out[0] = other;
    assert_int_equal(native(in, out, harness_run(h)), status);
    if (status)
        assert_int_equal(harness_run(h)->failure, failure);
    for (uint32_t i = 0; i < count && !status; i++)
        assert_true(same_bits(y[i], other[i]));
    return status;
}

static void expressions_are_listed(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node sine = dag_unary(d, OPERATOR_SIN, f.x);
    const Node values[] = {f.y,
                           dag_negate(d, dag_multiply(d, dag_real(d, 9.81), sine)),
                           dag_power(d, f.y, dag_real(d, 4.0)),
                           dag_power(d, f.y, dag_real(d, -3.0)),
                           dag_divide(d, sine, dag_real(d, 4.0)),
                           d->one};
    Harness h = one_entry(&f, values, 6);
    assert_string_equal(harness_text(&h), "entry f\n"
                                          "  y0[0] = x[2]\n"
                                          "  y0[5] = 1.0\n"
                                          "  r3 = sin x[1]\n"
                                          "  r4 = * -9.81, r3\n"
                                          "  y0[1] = r4\n"
                                          "  r5 = * x[2], x[2]\n"
                                          "  r6 = * r5, r5\n"
                                          "  y0[2] = r6\n"
                                          "  r8 = / 1.0, x[2]\n"
                                          "  r9 = * r8, r8\n"
                                          "  r10 = * r9, r8\n"
                                          "  y0[3] = r10\n"
                                          "  r13 = * r3, 0.25\n"
                                          "  y0[4] = r13\n");
    const double x[] = {0.0, 0.5, 2.0, 0.0, 0.0};
    double y[6];
    assert_int_equal(run_both(&h, x, y, 6), 0);
    assert_true(y[0] == 2.0 && y[1] == -9.81 * sin(0.5) && y[2] == 16.0 && y[3] == 0.125 &&
                y[4] == sin(0.5) / 4.0 && y[5] == 1.0);
    harness_end(&h);
    end(&f);
}

// ---- guarded blocks -----------------------------------------------------------------------------

static Node positive(Dag *d, Node x)
{
    return dag_binary(d, OPERATOR_GREATER, x, d->zero);
}

static void cheap_sides_are_selected(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node value = dag_if(d, positive(d, f.x), dag_add(d, f.y, d->one), f.z);
    Harness h = one_entry(&f, &value, 1);
    assert_string_equal(harness_text(&h), "entry f\n"
                                          "  r2 = > x[1], 0.0\n"
                                          "  r5 = + x[2], 1.0\n"
                                          "  r7 = if r2, r5, x[3]\n"
                                          "  y0[0] = r7\n");
    harness_end(&h);
    end(&f);
}

static void costly_sides_are_guarded(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    // Both use sqrt(x) where x > 0: one block. log(y) is needed in any case.
    const Node root = dag_unary(d, OPERATOR_SQRT, f.x), ln = dag_unary(d, OPERATOR_LOG, f.y);
    const Node values[] = {dag_if(d, positive(d, f.x), dag_multiply(d, root, ln), d->zero),
                           dag_if(d, positive(d, f.x), root, dag_unary(d, OPERATOR_EXP, f.x)), ln};
    Harness h = one_entry(&f, values, 3);
    assert_string_equal(harness_text(&h), "entry f\n"
                                          "  r2 = > x[1], 0.0\n"
                                          "  r4 = log x[2]\n"
                                          "  y0[2] = r4\n"
                                          "  guard r2\n"
                                          "    r5 = sqrt x[1]\n"
                                          "    r7 = * r5, r4\n"
                                          "    r8 = r5\n"
                                          "  else\n"
                                          "    r8 = exp x[1]\n"
                                          "    r7 = 0.0\n"
                                          "  end\n"
                                          "  y0[0] = r7\n"
                                          "  y0[1] = r8\n");
    double x[] = {0.0, -4.0, 1.0, 0.0, 0.0}, y[3];
    assert_int_equal(run_both(&h, x, y, 3), 0);
    assert_true(y[0] == 0.0 && y[1] == exp(-4.0) && y[2] == 0.0);
    x[1] = 4.0, x[2] = 2.0;
    assert_int_equal(run_both(&h, x, y, 3), 0);
    assert_true(y[0] == 2.0 * log(2.0) && y[1] == 2.0);
    harness_end(&h);
    end(&f);
}

// A result of one guarded expression inside a branch of another with the same condition: they
// cannot share a block.
static void blocks_that_need_each_other_stay_apart(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node c = positive(d, f.x);
    const Node first =
        dag_if(d, c, dag_unary(d, OPERATOR_EXP, f.y), dag_unary(d, OPERATOR_SIN, f.y));
    const Node between = dag_unary(d, OPERATOR_COS, first);
    const Node second = dag_if(d, c, dag_unary(d, OPERATOR_TAN, between), f.z);
    const Node values[] = {first, between, second};
    Harness h = one_entry(&f, values, 3);
    const double x[] = {0.0, 1.0, 0.25, 7.0, 0.0};
    double y[3];
    assert_int_equal(run_both(&h, x, y, 3), 0);
    assert_true(y[0] == exp(0.25) && y[1] == cos(y[0]) && y[2] == tan(y[1]));
    harness_end(&h);
    end(&f);
}

// count(x): fails for x <= 0
static uint32_t add_strict(Dag *d)
{
    Procedure *p = procedure_create(d, 1, 1, 0);
    const Node u = dag_reference(d, p->inputs[0] = dag_add_local(d, "u", DAG_REAL, 0));
    const Node v = dag_reference(d, p->outputs[0] = dag_add_local(d, "v", DAG_REAL, 0));
    ProcedureStatement *check = procedure_add(d, &p->body, PROCEDURE_CHECK, nowhere);
    check->condition = positive(d, u);
    check->message = "u must be positive";
    procedure_assign(d, &p->body, v, dag_multiply(d, d->two, u), nowhere);
    return procedure_function(d, "strict", p);
}

static void calls_are_not_executed_on_the_wrong_side(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const uint32_t strict = add_strict(d);
    const Node call = dag_result(d, dag_call(d, strict, 1, &f.x), 0);
    const Node twice = dag_add(d, call, call);
    // Different conditions that need the same call, one inside another as well.
    const Node big = dag_binary(d, OPERATOR_GREATER, f.x, dag_real(d, 10.0));
    const Node values[] = {dag_if(d, positive(d, f.x), twice, f.y), dag_if(d, big, twice, f.z),
                           dag_if(d, f.b, dag_if(d, positive(d, f.x), call, d->one), d->zero)};
    Harness h = one_entry(&f, values, 3);
    double x[] = {0.0, -1.0, 5.0, 6.0, 1.0}, y[3];
    assert_int_equal(run_both(&h, x, y, 3), 0);
    assert_true(y[0] == 5.0 && y[1] == 6.0 && y[2] == 1.0);
    x[1] = 2.0;
    assert_int_equal(run_both(&h, x, y, 3), 0);
    assert_true(y[0] == 8.0 && y[1] == 6.0 && y[2] == 4.0);
    x[1] = 11.0, x[4] = 0.0;
    assert_int_equal(run_both(&h, x, y, 3), 0);
    assert_true(y[0] == 44.0 && y[1] == 44.0 && y[2] == 0.0);
    harness_end(&h);
    end(&f);
}

static void failures_say_where(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const uint32_t strict = add_strict(d);
    const Node value = dag_result(d, dag_call(d, strict, 1, &f.x), 0);
    Harness h = one_entry(&f, &value, 1);
    const double x[] = {0.0, -1.0, 0.0, 0.0, 0.0};
    double y[1];
    assert_int_equal(run_both(&h, x, y, 1), 1);
    const CodeFailurePlace *place = &h.module->places[harness_run(&h)->failure];
    assert_int_equal(place->kind, CODE_FAILED_CHECK);
    assert_string_equal(place->function, "strict");
    assert_string_equal(place->message, "u must be positive");
    harness_end(&h);
    end(&f);
}

// ---- slices -------------------------------------------------------------------------------------

static void entries_have_only_what_they_need(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node relation = dag_binary(d, OPERATOR_LESS, dag_unary(d, OPERATOR_EXP, f.x), f.y);
    const Node derivative = dag_if(d, dag_hold(d, relation), f.y, f.z);
    Harness h = harness_begin(d, 2);
    const CodeOutput derivatives[] = {{0, 0, derivative}};
    const CodeOutput events[] = {{1, 0, dag_subtract(d, dag_unary(d, OPERATOR_EXP, f.x), f.y)}};
    harness_add(&h, "held", derivatives, 1, true);
    harness_add(&h, "literal", derivatives, 1, false);
    harness_add(&h, "events", events, 1, true);
    harness_finish(&h);
    assert_string_equal(harness_text(&h), "entry held\n"
                                          "  r3 = if held[0], x[2], x[3]\n"
                                          "  y0[0] = r3\n"
                                          "entry literal\n"
                                          "  r1 = exp x[1]\n"
                                          "  r3 = < r1, x[2]\n"
                                          "  r5 = if r3, x[2], x[3]\n"
                                          "  y0[0] = r5\n"
                                          "entry events\n"
                                          "  r1 = exp x[1]\n"
                                          "  r3 = - r1, x[2]\n"
                                          "  y1[0] = r3\n");
    const double x[] = {0.0, 0.0, 2.0, 3.0}, held[] = {0.0};
    const double *const in[] = {x, held};
    double y0[1], y1[1];
    double *const out[] = {y0, y1};
    for (uint32_t k = 0; k < 2; k++) {
        for (int way = 0; way < 2; way++) {
            const CodeFunction native = native_entry(h.native, k);
            if (way == 0)
                interpret(h.module, k, in, out, harness_run(&h));
            else if (native)
                native(in, out, harness_run(&h));
            assert_true(y0[0] == (k == 0 ? 3.0 : 2.0)); // held false; exp(0) < 2 is true
        }
    }
    harness_end(&h);
    end(&f);
}

static void definitions_are_computed_on_the_way(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    // z is defined after x, by what y is; the order of the definitions does not matter.
    const uint32_t y = dag_get(d, f.y)->number, z = dag_get(d, f.z)->number;
    const DagTerm definitions[] = {{z, dag_multiply(d, f.y, f.y)}, {y, dag_add(d, f.x, d->one)}};
    const CodeOutput outputs[] = {{0, 0, f.z}, {0, 1, dag_subtract(d, f.z, f.y)}};
    CodeEntryDef def = {.name = "f",
                        .outputs = outputs,
                        .output_count = 2,
                        .definitions = definitions,
                        .definition_count = 2};
    Harness h = harness_begin(d, 1);
    const char *reason = NULL;
    assert_int_equal(code_add_entry(h.module, &def, &reason), 0);
    const DagTerm circle[] = {{z, dag_multiply(d, f.y, f.y)}, {y, dag_add(d, f.z, d->one)}};
    const uint32_t new = dag_add_variable(d, "new", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS);
    const CodeOutput unknown = {0, 0, dag_reference(d, new)};
    for (int is_never_run = 0; is_never_run < 2; is_never_run++) {
        h.module->layout.is_never_run = is_never_run;
        def.definitions = circle;
        reason = NULL;
        assert_int_equal(code_add_entry(h.module, &def, &reason), CODE_NONE);
        assert_string_equal(reason, "the definition of z needs itself"); // where it was entered
        const CodeEntryDef g = {.name = "g", .outputs = &unknown, .output_count = 1};
        assert_int_equal(code_add_entry(h.module, &g, &reason), CODE_NONE);
        assert_string_equal(reason, "there is no value for new");
    }
    def.definitions = definitions;
    assert_int_equal(code_add_entry(h.module, &def, &reason), 1);
    assert_int_equal(h.module->entries[1]->instruction_count, 0);
    h.module->entry_count = 1;
    h.module->layout.is_never_run = false;
    harness_finish(&h);
    assert_string_equal(harness_text(&h), "entry f\n"
                                          "  r2 = + x[1], 1.0\n"
                                          "  r3 = * r2, r2\n"
                                          "  y0[0] = r3\n"
                                          "  r4 = - r3, r2\n"
                                          "  y0[1] = r4\n");
    const double x[] = {0.0, 3.0, 0.0, 0.0, 0.0};
    double v[2];
    assert_int_equal(run_both(&h, x, v, 2), 0);
    assert_true(v[0] == 16.0 && v[1] == 12.0);
    harness_end(&h);
    end(&f);
}

static void registers_are_used_again(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    // Four hundred steps of a long computation, of which two values are needed at a time.
    Node a = f.x;
    for (int k = 0; k < 400; k++)
        a = dag_unary(d, OPERATOR_SIN, dag_add(d, dag_unary(d, OPERATOR_COS, a), f.y));
    Harness h = one_entry(&f, &a, 1);
    assert_int_equal(h.module->entries[0]->instruction_count, 1201);
    assert_true(h.module->entries[0]->lowered.register_count <= 8);
    const double x[] = {0.0, 0.5, 0.25, 0.0, 0.0};
    double y[1], expected = 0.5;
    for (int k = 0; k < 400; k++)
        expected = sin(cos(expected) + 0.25);
    assert_int_equal(run_both(&h, x, y, 1), 0);
    assert_true(y[0] == expected);
    harness_end(&h);
    end(&f);
}

// Blocks longer than a chunk of emitted C, inside each other, with values that cross.
static void long_blocks_are_cut(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Node a = f.y, b = f.z;
    for (int k = 0; k < 350; k++) {
        a = dag_unary(d, OPERATOR_SIN, dag_add(d, a, f.y));
        b = dag_unary(d, OPERATOR_COS, dag_subtract(d, b, dag_multiply(d, a, f.z)));
    }
    const Node inner = dag_if(d, f.b, dag_add(d, a, b), dag_unary(d, OPERATOR_EXP, a));
    const Node values[] = {dag_if(d, positive(d, f.x), inner, dag_unary(d, OPERATOR_TANH, f.y)),
                           dag_if(d, positive(d, f.x), b, f.z)};
    Harness h = one_entry(&f, values, 2);
    double y[2];
    for (int k = 0; k < 4; k++) {
        const double x[] = {0.0, k % 2 ? 1.0 : -1.0, 0.3, 0.4, k / 2 ? 1.0 : 0.0};
        assert_int_equal(run_both(&h, x, y, 2), 0);
    }
    double va = 0.3, vb = 0.4;
    for (int k = 0; k < 350; k++) {
        va = sin(va + 0.3);
        vb = cos(vb - va * 0.4);
    }
    assert_true(y[0] == va + vb && y[1] == vb);
    harness_end(&h);
    end(&f);
}

// ---- functions ----------------------------------------------------------------------------------

// (sum, n, sorted[3]) of a[3] and a limit: loops in loops, arrays, break, return, swap
static uint32_t add_sorting(Dag *d)
{
    Procedure *p = procedure_create(d, 2, 3, 2);
    const uint32_t a = p->inputs[0] = dag_add_local(d, "a", DAG_REAL, 3);
    const Node limit = dag_reference(d, p->inputs[1] = dag_add_local(d, "limit", DAG_REAL, 0));
    const Node sum = dag_reference(d, p->outputs[0] = dag_add_local(d, "sum", DAG_REAL, 0));
    const Node n = dag_reference(d, p->outputs[1] = dag_add_local(d, "n", DAG_INTEGER, 0));
    const uint32_t s = p->outputs[2] = dag_add_local(d, "s", DAG_REAL, 3);
    const uint32_t i = p->locals[0] = dag_add_local(d, "i", DAG_INTEGER, 0);
    const uint32_t k = p->locals[1] = dag_add_local(d, "k", DAG_INTEGER, 0);
    const Node vi = dag_reference(d, i), vk = dag_reference(d, k), one = dag_integer(d, 1);
    procedure_assign(d, &p->body, sum, d->zero, nowhere);
    procedure_assign(d, &p->body, n, dag_integer(d, 0), nowhere);
    for (int64_t e = 0; e < 3; e++)
        procedure_assign(d, &p->body, dag_element(d, s, dag_integer(d, e)),
                         dag_element(d, a, dag_integer(d, e)), nowhere);
    // for i in 0:1, for k in 0:1 - i: if s[k] > s[k + 1] then swap
    ProcedureStatement *outer = procedure_add(d, &p->body, PROCEDURE_FOR, nowhere);
    outer->loop.iterator = i;
    outer->loop.from = dag_integer(d, 0), outer->loop.step = one, outer->loop.to = one;
    ProcedureStatement *inner = procedure_add(d, &outer->loop.body, PROCEDURE_FOR, nowhere);
    inner->loop.iterator = k;
    inner->loop.from = dag_integer(d, 0), inner->loop.step = one;
    inner->loop.to = dag_subtract(d, one, vi);
    const Node here = dag_element(d, s, vk), next = dag_element(d, s, dag_add(d, vk, one));
    ProcedureStatement *check = procedure_add(d, &inner->loop.body, PROCEDURE_IF, nowhere);
    check->condition = dag_binary(d, OPERATOR_GREATER, here, next);
    ProcedureStatement *swap = procedure_add(d, &check->body, PROCEDURE_ASSIGN, nowhere);
    swap->assign.count = 2;
    swap->assign.targets = ARENA_ARRAY(d->arena, 2, Node);
    swap->assign.values = ARENA_ARRAY(d->arena, 2, Node);
    swap->assign.targets[0] = swap->assign.values[1] = here;
    swap->assign.targets[1] = swap->assign.values[0] = next;
    // for i in 0:2: if s[i] > limit then break; sum := sum + s[i]; n := n + 1
    ProcedureStatement *loop = procedure_add(d, &p->body, PROCEDURE_FOR, nowhere);
    loop->loop.iterator = i;
    loop->loop.from = dag_integer(d, 0), loop->loop.step = one, loop->loop.to = dag_integer(d, 2);
    const Node element = dag_element(d, s, vi);
    ProcedureStatement *stop = procedure_add(d, &loop->loop.body, PROCEDURE_IF, nowhere);
    stop->condition = dag_binary(d, OPERATOR_GREATER, element, limit);
    procedure_add(d, &stop->body, PROCEDURE_BREAK, nowhere);
    procedure_assign(d, &loop->loop.body, sum, dag_add(d, sum, element), nowhere);
    procedure_assign(d, &loop->loop.body, n, dag_add(d, n, one), nowhere);
    ProcedureStatement *leave = procedure_add(d, &p->body, PROCEDURE_IF, nowhere);
    leave->condition = dag_binary(d, OPERATOR_GREATER, n, one);
    procedure_add(d, &leave->body, PROCEDURE_RETURN, nowhere);
    procedure_assign(d, &p->body, sum, dag_negate(d, sum), nowhere);
    return procedure_function(d, "Package.sorting", p);
}

static void functions_run(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const uint32_t sorting = add_sorting(d);
    const Node arguments[] = {f.x, f.y, f.z, d->two};
    const Node call = dag_call(d, sorting, 4, arguments);
    Node values[5];
    for (uint32_t k = 0; k < 5; k++)
        values[k] = dag_result(d, call, k);
    Harness h = one_entry(&f, values, 5);
    GraphRandom r = {3};
    for (int k = 0; k < 50; k++) {
        const double x[] = {0.0, graph_random_real(&r, 0.0, 4.0), graph_random_real(&r, 0.0, 4.0),
                            graph_random_real(&r, 0.0, 4.0), 0.0};
        double y[5], expected[5];
        const double a[] = {x[1], x[2], x[3], 2.0};
        assert_true(graph_call(d, sorting, a, expected));
        assert_int_equal(run_both(&h, x, y, 5), 0);
        for (uint32_t i = 0; i < 5; i++)
            assert_true(same_bits(y[i], expected[i]));
        assert_true(y[2] <= y[3] && y[3] <= y[4]);
    }
    harness_end(&h);
    end(&f);
}

static void derivatives_of_functions_run(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    const Node arguments[] = {f.x, dag_multiply(d, f.x, f.y), f.z, dag_real(d, 100.0)};
    const Node sum = dag_result(d, dag_call(d, add_sorting(d), 4, arguments), 0);
    Derivation by_x = derive_by(d, dag_get(d, f.x)->number);
    const Node value = derive(&by_x, sum);
    derive_end(&by_x);
    Harness h = one_entry(&f, &value, 1);
    const double x[] = {0.0, 3.0, 2.0, 1.0, 0.0};
    double y[1];
    assert_int_equal(run_both(&h, x, y, 1), 0);
    assert_true(y[0] == 1.0 + 2.0); // d(x + x y + z)/dx
    harness_end(&h);
    end(&f);
}

// factorial(n) = if n <= 1 then 1 else n factorial(n - 1)
static void recursion_has_an_end(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Procedure *p = procedure_create(d, 1, 1, 0);
    const Node n = dag_reference(d, p->inputs[0] = dag_add_local(d, "n", DAG_REAL, 0));
    const Node v = dag_reference(d, p->outputs[0] = dag_add_local(d, "v", DAG_REAL, 0));
    const uint32_t factorial = procedure_function(d, "factorial", p);
    const Node less = dag_subtract(d, n, d->one);
    const Node rest = dag_result(d, dag_call(d, factorial, 1, &less), 0);
    procedure_assign(
        d, &p->body, v,
        dag_if(d, dag_binary(d, OPERATOR_LESS_EQUAL, n, d->one), d->one, dag_multiply(d, n, rest)),
        nowhere);
    const Node value = dag_result(d, dag_call(d, factorial, 1, &f.x), 0);
    Harness h = one_entry(&f, &value, 1);
    double x[] = {0.0, 5.0, 0.0, 0.0, 0.0}, y[1];
    assert_int_equal(run_both(&h, x, y, 1), 0);
    assert_true(y[0] == 120.0);
    x[1] = CODE_DEEPEST_CALL;
    assert_int_equal(run_both(&h, x, y, 1), 0);
    x[1] = CODE_DEEPEST_CALL + 1;
    assert_int_equal(run_both(&h, x, y, 1), 1);
    assert_int_equal(h.module->places[harness_run(&h)->failure].kind, CODE_FAILED_DEPTH);
    harness_end(&h);
    end(&f);
}

static void endless_loops_and_wrong_subscripts_fail(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Procedure *p = procedure_create(d, 1, 1, 1);
    const Node u = dag_reference(d, p->inputs[0] = dag_add_local(d, "u", DAG_REAL, 0));
    const Node v = dag_reference(d, p->outputs[0] = dag_add_local(d, "v", DAG_REAL, 0));
    const uint32_t a = p->locals[0] = dag_add_local(d, "a", DAG_REAL, 2);
    ProcedureStatement *loop = procedure_add(d, &p->body, PROCEDURE_WHILE, nowhere);
    loop->condition = dag_binary(d, OPERATOR_LESS, u, d->zero);
    procedure_assign(d, &loop->body, v, u, nowhere);
    procedure_assign(d, &p->body, dag_element(d, a, dag_integer(d, 0)), u, nowhere);
    procedure_assign(d, &p->body, v, dag_element(d, a, dag_unary(d, OPERATOR_INTEGER, u)), nowhere);
    const uint32_t function = procedure_function(d, "wrong", p);
    const Node value = dag_result(d, dag_call(d, function, 1, &f.x), 0);
    Harness h = one_entry(&f, &value, 1);
    double x[] = {0.0, 0.5, 0.0, 0.0, 0.0}, y[1];
    assert_int_equal(run_both(&h, x, y, 1), 0);
    assert_true(y[0] == 0.5);
    x[1] = 1.5; // never assigned: it is seen
    assert_int_equal(run_both(&h, x, y, 1), 0);
    assert_true(isnan(y[0]));
    x[1] = 2.5;
    assert_int_equal(run_both(&h, x, y, 1), 1);
    assert_int_equal(h.module->places[harness_run(&h)->failure].kind, CODE_FAILED_SUBSCRIPT);
    x[1] = NAN;
    assert_int_equal(run_both(&h, x, y, 1), 1);
    x[1] = -1.0;
    assert_int_equal(run_both(&h, x, y, 1), 1);
    assert_int_equal(h.module->places[harness_run(&h)->failure].kind, CODE_FAILED_STEPS);
    harness_end(&h);
    end(&f);
}

// ---- slow inputs --------------------------------------------------------------------------------

static void slow_inputs_are_kept_in_the_frame(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    static const char *const inputs[] = {"x", "p"}, *const outputs[] = {"y"};
    const CodePlace places[] = {{CODE_NONE, 0}, {0, 0}, {1, 1}, {1, 0}, {CODE_NONE, 0}};
    const CodeLayout layout = {.input_count = 2,
                               .output_count = 1,
                               .input_names = inputs,
                               .output_names = outputs,
                               .held = CODE_NONE,
                               .slow = 1 << 1,
                               .places = places,
                               .place_count = 5};
    CodeModule *m = code_create(d, &layout);
    const CodeOutput output = {0, 0, dag_add(d, dag_multiply(d, f.x, f.y), f.z)};
    const CodeEntryDef def = {.name = "f", .outputs = &output, .output_count = 1};
    const char *reason;
    assert_int_equal(code_add_entry(m, &def, &reason), 0);
    code_finish(m);
    assert_int_equal(m->slow_count, 2);
    double frame[16], x[] = {3.0}, p[] = {1.0, 2.0}, y[1];
    assert_true(m->frame_size <= 16);
    const double *const in[] = {x, p};
    double *const out[] = {y};
    CodeRun run = {.frame = frame};
    code_init_frame(m, in, frame);
    p[0] = 5.0; // not seen before the frame is initialised again
    interpret(m, 0, in, out, &run);
    assert_true(y[0] == 7.0);
    code_init_frame(m, in, frame);
    interpret(m, 0, in, out, &run);
    assert_true(y[0] == 11.0);
    end(&f);
}

// ---- emitted text -------------------------------------------------------------------------------

static void emitted_text_is_readable(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.dag;
    Harness h = harness_begin(d, 1);
    const uint32_t z = dag_get(d, f.z)->number;
    d->variables[z].name = "'evil \\\n name'";
    const DagTerm definition = {z, dag_multiply(d, dag_unary(d, OPERATOR_SIN, f.x), f.y)};
    const CodeOutput outputs[] = {
        {0, 0, dag_negate(d, f.z)},
        {0, 1, dag_if(d, positive(d, f.x), dag_unary(d, OPERATOR_SQRT, f.x), d->zero)}};
    const CodeEntryDef def = {.name = "rhs",
                              .outputs = outputs,
                              .output_count = 2,
                              .definitions = &definition,
                              .definition_count = 1};
    const char *reason;
    assert_int_equal(code_add_entry(h.module, &def, &reason), 0);
    code_finish(h.module);
    StringBuilder b = builder_create(f.arena);
    emit_module(h.module, "Example", &b);
    const char *text = builder_string(&b).text;
    static const char first[] = "// Emitted by Saltus from Example\n"
                                "//   x[1]  x\n"
                                "//   x[2]  y\n";
    assert_int_equal(strncmp(text, first, sizeof first - 1), 0);
    const char *body = strstr(text, "int saltus_rhs");
    assert_non_null(body);
    assert_string_equal(body,
                        "int saltus_rhs(const double *const *in, double *const *out, Run *run)\n"
                        "{\n"
                        "    const double *const x = in[0];\n"
                        "    double *const y0 = out[0];\n"
                        "    double r8;\n"
                        "    const double r1 = sin(x[1]);\n"
                        "    const double r3 = r1 * x[2]; // 'evil ?? name'\n"
                        "    const double r4 = -r3;\n"
                        "    y0[0] = r4;\n"
                        "    const double r6 = x[1] > 0.0 ? 1.0 : 0.0;\n"
                        "    if (r6 != 0.0) {\n"
                        "        r8 = sqrt(x[1]);\n"
                        "    } else {\n"
                        "        r8 = 0.0;\n"
                        "    }\n"
                        "    y0[1] = r8;\n"
                        "    return 0;\n"
                        "}\n");
    end(&f);
}

// Compilers only warn of a function without a prototype, and then take its result for an int.
static void assert_declared(const char *text, const char *meaning)
{
    for (const char *c = strchr(meaning, '('); c; c = strchr(c + 1, '(')) {
        const char *begin = c;
        while (begin > meaning && isalnum((unsigned char)begin[-1]))
            begin--;
        if (begin == c)
            continue;
        char prototype[40];
        snprintf(prototype, sizeof prototype, " %.*s(double", (int)(c - begin), begin);
        if (!strstr(text, prototype))
            fail_msg("no prototype of %.*s", (int)(c - begin), begin);
    }
}

static void functions_of_the_library_are_declared(void **state)
{
    (void)state;
    Fixture f = begin();
    Harness h = harness_begin(f.dag, 1);
    code_finish(h.module);
    StringBuilder b = builder_create(f.arena);
    emit_module(h.module, NULL, &b);
    const char *text = builder_string(&b).text;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++)
        assert_declared(text, operator_info((Operator)op)->meaning);
    for (uint32_t op = 0; op < WHOLE_COUNT; op++) {
        assert_declared(text, whole_info((WholeOperator)op)->meaning);
        assert_declared(text, whole_info((WholeOperator)op)->fails);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_listed),
        cmocka_unit_test(cheap_sides_are_selected),
        cmocka_unit_test(costly_sides_are_guarded),
        cmocka_unit_test(blocks_that_need_each_other_stay_apart),
        cmocka_unit_test(calls_are_not_executed_on_the_wrong_side),
        cmocka_unit_test(failures_say_where),
        cmocka_unit_test(entries_have_only_what_they_need),
        cmocka_unit_test(definitions_are_computed_on_the_way),
        cmocka_unit_test(registers_are_used_again),
        cmocka_unit_test(long_blocks_are_cut),
        cmocka_unit_test(functions_run),
        cmocka_unit_test(derivatives_of_functions_run),
        cmocka_unit_test(recursion_has_an_end),
        cmocka_unit_test(endless_loops_and_wrong_subscripts_fail),
        cmocka_unit_test(slow_inputs_are_kept_in_the_frame),
        cmocka_unit_test(emitted_text_is_readable),
        cmocka_unit_test(functions_of_the_library_are_declared),
    };
    return cmocka_run_group_tests(tests, harness_make_cache, harness_remove_cache);
}
