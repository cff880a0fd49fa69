// SPDX-License-Identifier: MIT
//
// From expressions to formulas that can be evaluated: small systems are integrated with nothing but
// their solution, and compared with closed forms.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/initial.h"
#include "structure/nonzero.h"
#include "structure/outline.h"
#include "structure/solution.h"
#include "support/daes.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------
// The pendulum in Cartesian coordinates
// ---------------------------------------------------------------------------

typedef struct Pendulum {
    DaesModel m;
    Node x, y, u, v, lambda;
} Pendulum;

static void make_pendulum(Pendulum *p)
{
    p->m = daes_begin();
    DaesModel *m = &p->m;
    Dag *d = m->dag;
    p->x = daes_variable(m, "x");
    p->y = daes_variable(m, "y");
    p->u = daes_variable(m, "u");
    p->v = daes_variable(m, "v");
    p->lambda = daes_variable(m, "lambda");
    daes_equate(m, daes_der(m, p->x), p->u);
    daes_equate(m, daes_der(m, p->y), p->v);
    daes_equate(m, daes_der(m, p->u), dag_negate(d, dag_multiply(d, p->lambda, p->x)));
    daes_equate(
        m, daes_der(m, p->v),
        dag_subtract(d, dag_negate(d, dag_multiply(d, p->lambda, p->y)), dag_real(d, 9.81)));
    Node two = dag_real(d, 2.0);
    daes_equate(m, dag_add(d, dag_power(d, p->x, two), dag_power(d, p->y, two)), dag_real(d, 1.0));
    daes_analyse(m);
}

static void pendulum_is_found_from_its_text(void **state)
{
    (void)state;
    Pendulum p;
    make_pendulum(&p);
    StringBuilder out = builder_create(p.m.arena);
    outline_text(p.m.structure, false, &out);
    assert_non_null(strstr(builder_string(&out).text, "5 equations, index 3\n2 states: "));
    assert_non_null(
        strstr(builder_string(&out).text, "1 linear block, size up to 5, torn up to 1"));
    assert_int_equal(p.m.structure->offsets->freedom, 2);
    daes_end(&p.m);
}

// Swings to t = 10 with `steps` steps in a second. Returns the error of x: from the horizontal at
// rest, x is known in closed form (elliptic functions).
static double swing(int steps, int *changes)
{
    Pendulum p;
    make_pendulum(&p);
    *daes_value(&p.m, p.x) = 1.0;
    *changes = daes_run(&p.m, 10.0, 10 * steps);
    double error = *daes_value(&p.m, p.x) - 0.27508746257611686;
    daes_assert_consistent(&p.m, 1e-12);
    daes_end(&p.m);
    return error;
}

// The method's order is four, through all changes of the states.
static void pendulum_swings(void **state)
{
    (void)state;
    int changes = 0, more = 0;
    double error = swing(256, &changes), smaller = swing(512, &more);
    assert_true(fabs(error) < 1e-5);
    assert_true(fabs(error / smaller - 16.0) < 4.0);
    // two changes in each of the 8.4 half swings, and the first choice
    assert_in_range(changes, 16, 19);
    assert_int_equal(more, changes);
}

// ---------------------------------------------------------------------------
// Other systems
// ---------------------------------------------------------------------------

// The car axis (Test Set for IVP Solvers): two wheels, the left one on a bumpy road; second order,
// index 3, one of the constraints changes with time.
typedef struct CarAxis {
    DaesModel m;
    Node xl, yl, xr, yr, l1, l2;
} CarAxis;

static Node square(Dag *d, Node x)
{
    return dag_power(d, x, dag_real(d, 2.0));
}

// The force of a spring from the origin to (x, y), by component: (1/2 - l) x / l.
static Node spring(Dag *d, Node x, Node y, Node component)
{
    Node l = dag_unary(d, OPERATOR_SQRT, dag_add(d, square(d, x), square(d, y)));
    return dag_divide(d, dag_multiply(d, dag_subtract(d, dag_real(d, 0.5), l), component), l);
}

// K x'' = force + multiplier * gradient +- 2 l2 difference - weight, K = weight = 5e-4
static void add_motion(CarAxis *c, Node x, Node force, Node first, double sign, Node difference,
                       double weight)
{
    Dag *d = c->m.dag;
    Node second = dag_multiply(d, dag_real(d, 2.0 * sign), dag_multiply(d, c->l2, difference));
    Node sum = dag_add(d, dag_add(d, force, first), second);
    daes_equate(&c->m, dag_multiply(d, dag_real(d, 5e-4), daes_der(&c->m, daes_der(&c->m, x))),
                dag_subtract(d, sum, dag_real(d, weight)));
}

static void make_car_axis(CarAxis *c)
{
    c->m = daes_begin();
    DaesModel *m = &c->m;
    Dag *d = m->dag;
    Node *const all[] = {&c->xl, &c->yl, &c->xr, &c->yr, &c->l1, &c->l2};
    static const char *const names[] = {"xl", "yl", "xr", "yr", "l1", "l2"};
    for (int k = 0; k < 6; k++)
        *all[k] = daes_variable(m, names[k]);
    Node yb =
        dag_multiply(d, dag_real(d, 0.1),
                     dag_unary(d, OPERATOR_SIN, dag_multiply(d, dag_real(d, 10.0), dag_time(d))));
    Node xb = dag_unary(d, OPERATOR_SQRT, dag_subtract(d, dag_real(d, 1.0), square(d, yb)));
    Node dx = dag_subtract(d, c->xl, c->xr), dy = dag_subtract(d, c->yl, c->yr);
    Node rx = dag_subtract(d, c->xr, xb), ry = dag_subtract(d, c->yr, yb), none = d->zero;
    add_motion(c, c->xl, spring(d, c->xl, c->yl, c->xl), dag_multiply(d, c->l1, xb), 1.0, dx, 0.0);
    add_motion(c, c->yl, spring(d, c->xl, c->yl, c->yl), dag_multiply(d, c->l1, yb), 1.0, dy, 5e-4);
    add_motion(c, c->xr, spring(d, rx, ry, rx), none, -1.0, dx, 0.0);
    add_motion(c, c->yr, spring(d, rx, ry, ry), none, -1.0, dy, 5e-4);
    daes_equate(m, dag_add(d, dag_multiply(d, c->xl, xb), dag_multiply(d, c->yl, yb)), none);
    daes_equate(m, dag_add(d, square(d, dx), square(d, dy)), dag_real(d, 1.0));
    daes_analyse(m);
}

static double drive(int steps)
{
    CarAxis c;
    make_car_axis(&c);
    assert_int_equal(c.m.structure->offsets->index, 3);
    assert_int_equal(c.m.solution->state_count, 4);
    *daes_value(&c.m, c.yl) = *daes_value(&c.m, c.yr) = 0.5;
    *daes_value(&c.m, c.xr) = 1.0;
    *daes_value(&c.m, daes_der(&c.m, c.xl)) = *daes_value(&c.m, daes_der(&c.m, c.xr)) = -0.5;
    daes_run(&c.m, 3.0, steps);
    daes_assert_consistent(&c.m, 1e-10);
    double error = *daes_value(&c.m, c.xr) - 1.04174252488542;
    assert_true(fabs(*daes_value(&c.m, c.xl) - 0.0493455784275403) < 1e-6);
    assert_true(fabs(*daes_value(&c.m, c.yl) - 0.496989460230171) < 1e-6);
    daes_end(&c.m);
    return error;
}

// Published end values, eight digits; the method's order is four.
static void car_axis_drives(void **state)
{
    (void)state;
    double error = drive(1000), smaller = drive(2000);
    assert_true(fabs(error) < 1e-6);
    assert_true(fabs(error / smaller - 16.0) < 4.0);
}

// Two capacitors in parallel, discharged by a resistor: u = exp(-t / (R (C1 + C2))). The parameters
// are in the matrix, which is constant.
static void capacitors_in_parallel(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node c1 = dag_reference(d, dag_add_variable(d, "c1", DAG_PLAIN, DAG_REAL, DAG_PARAMETER));
    Node u1 = daes_variable(&m, "u1"), u2 = daes_variable(&m, "u2");
    Node i1 = daes_variable(&m, "i1"), i2 = daes_variable(&m, "i2"), ir = daes_variable(&m, "ir");
    daes_equate(&m, dag_multiply(d, c1, daes_der(&m, u1)), i1);
    daes_equate(&m, dag_multiply(d, dag_real(d, 3.0), daes_der(&m, u2)), i2);
    daes_equate(&m, u1, u2);
    daes_equate(&m, dag_add(d, dag_add(d, i1, i2), ir), dag_real(d, 0.0));
    daes_equate(&m, u1, dag_multiply(d, dag_real(d, 0.5), ir));
    daes_analyse(&m);
    assert_int_equal(m.structure->offsets->index, 2);
    assert_int_equal(m.solution->state_count, 1);
    uint32_t constant = 0;
    for (uint32_t k = 0; k < m.solution->block_count; k++)
        constant += m.solution->blocks[k].kind == STRUCTURE_CONSTANT;
    assert_int_equal(constant, 1);
    *daes_value(&m, c1) = 1.0;
    m.values.scalars[m.solution->states[0].variable] = 1.0;
    for (int k = 0; k < 100; k++)
        daes_step(&m, k * 0.01, 0.01);
    // h^4 / 120 * (1/2)^5
    assert_true(fabs(*daes_value(&m, u2) - exp(-0.5)) < 1e-10);
    daes_assert_consistent(&m, 1e-14);
    daes_end(&m);
}

// x + y = sin t, x^3 + y = x: a nonlinear block, torn to one unknown, whose Jacobian has the
// definition put in.
static void torn_nonlinear_block(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node x = daes_variable(&m, "x"), y = daes_variable(&m, "y"), three = dag_real(d, 3.0);
    daes_equate(&m, dag_add(d, x, y), dag_unary(d, OPERATOR_SIN, dag_time(d)));
    daes_equate(&m, dag_add(d, dag_power(d, x, three), y), dag_multiply(d, dag_real(d, 5.0), x));
    daes_analyse(&m);
    assert_int_equal(m.solution->block_count, 1);
    const SolutionBlock *b = &m.solution->blocks[0];
    assert_int_equal(b->unknown_count, 1);
    assert_int_equal(b->definition_count, 1);
    assert_int_equal(b->kind, STRUCTURE_NONLINEAR);
    daes_evaluate(&m, m.solution, 1.0);
    daes_assert_consistent(&m, 1e-15);
    daes_end(&m);
}

// The derivative of an input is needed, as daes_der(r) of the graph.
static void inputs_are_differentiated(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node x = daes_variable(&m, "x"), f = daes_variable(&m, "f"),
         r = daes_input(&m, "r", DAG_CONTINUOUS);
    daes_equate(&m, daes_der(&m, x), dag_add(d, x, f));
    daes_equate(&m, x, r);
    daes_analyse(&m);
    assert_int_equal(m.structure->input_orders[0], 1);
    *daes_value(&m, r) = 2.0;
    *daes_value(&m, daes_der(&m, r)) = 5.0;
    daes_evaluate(&m, m.solution, 0.0);
    assert_true(*daes_value(&m, f) == 3.0);
    daes_end(&m);
}

// The solution of the initial problem: x^2 + y^2 = 1 with x fixed, a steady state of z with a free
// parameter.
static void initialization(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node x = daes_variable(&m, "x"), y = daes_variable(&m, "y"), z = daes_variable(&m, "z");
    Node p = daes_input(&m, "p", DAG_PARAMETER), two = dag_real(d, 2.0);
    m.variables[0].is_fixed = m.variables[0].has_start = true;
    m.variables[2].is_fixed = m.variables[2].has_start = true;
    daes_equate(&m, daes_der(&m, x), y);
    daes_equate(&m, dag_add(d, dag_power(d, x, two), dag_power(d, y, two)), dag_real(d, 1.0));
    daes_equate(&m, daes_der(&m, z), dag_subtract(d, dag_multiply(d, p, z), x));
    daes_equate_initially(&m, daes_der(&m, z), dag_real(d, 0.0));
    daes_analyse(&m);
    const Initial *i =
        initial_create(m.arena, m.structure, system_initial_signature(m.arena, &m.system));
    assert_non_null(i->structure);
    assert_int_equal(i->assumed_count + i->surplus_count, 0);
    Node starts[DAES_MOST];
    for (uint32_t u = 0; u < i->unknown_count; u++)
        starts[u] = dag_real(d, i->unknowns[u].number == 0 ? 0.6 : 4.0);
    SolutionFailure failure;
    const Solution *s = solution_initial(m.arena, &m.system, i, starts, &failure);
    *daes_value(&m, y) = 0.5; // a guess: the positive root
    daes_evaluate(&m, s, 0.0);
    assert_true(fabs(*daes_value(&m, y) - 0.8) < 1e-15);
    assert_true(fabs(*daes_value(&m, p) - 0.6 / 4.0) < 1e-15);
    assert_true(*daes_value(&m, daes_der(&m, z)) == 0.0);
    daes_assert_consistent(&m, 1e-15);
    daes_end(&m);
}

// ---------------------------------------------------------------------------
// Signatures
// ---------------------------------------------------------------------------

static const SignatureEntry *entry_of(const Signature *s, uint32_t equation, uint32_t variable)
{
    for (uint32_t e = s->start[equation]; e < s->start[equation + 1]; e++) {
        if (s->entries[e].variable == variable)
            return &s->entries[e];
    }
    return NULL;
}

static void entries_say_how_variables_occur(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node x = daes_variable(&m, "x"), y = daes_variable(&m, "y"), z = daes_variable(&m, "z");
    Node w = daes_variable(&m, "w");
    Node k = dag_reference(d, dag_add_variable(d, "k", DAG_PLAIN, DAG_REAL, DAG_PARAMETER));
    // k daes_der(x) + 2 x = y z exp(w) + w + (if time > 1 then w else 0)
    Node jump = dag_hold(d, dag_binary(d, OPERATOR_GREATER, dag_time(d), dag_real(d, 1.0)));
    Node right = dag_multiply(d, dag_multiply(d, y, z), dag_unary(d, OPERATOR_EXP, w));
    daes_equate(
        &m, dag_add(d, dag_multiply(d, k, daes_der(&m, x)), dag_multiply(d, dag_real(d, 2.0), x)),
        right);
    daes_equate(&m, dag_multiply(d, y, dag_unary(d, OPERATOR_EXP, w)), z);
    daes_equate(&m, dag_if(d, jump, z, w), dag_real(d, 0.0));
    daes_equate(&m, z, y);
    m.system.dag = d;
    m.system.equations = m.equations;
    m.system.variables = m.variables;
    const Signature *s = system_signature(m.arena, &m.system);
    const SignatureEntry *e = entry_of(s, 0, 0);
    assert_true(e->order == 1 && e->kind == SIGNATURE_PARAMETER && e->lower == 1);
    assert_int_equal(e->lower_kind, SIGNATURE_NUMBER);
    assert_int_equal(entry_of(s, 0, 1)->kind, SIGNATURE_LINEAR);
    assert_int_equal(entry_of(s, 0, 3)->kind, SIGNATURE_NONLINEAR);
    e = entry_of(s, 1, 1);
    assert_true(e->kind == SIGNATURE_LINEAR && e->is_nonzero);
    e = entry_of(s, 1, 2);
    assert_true(e->kind == SIGNATURE_NUMBER && e->value == -1.0);
    assert_true(entry_of(s, 2, 2)->is_partial && entry_of(s, 2, 3)->is_partial);
    assert_false(entry_of(s, 3, 2)->is_partial);
    daes_end(&m);
}

static void signs_follow_from_operators(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node x = daes_variable(&m, "x"), one = dag_real(d, 1.0), two = dag_real(d, 2.0);
    Nonzero *n = nonzero_create(d, false);
    Node square = dag_power(d, x, two);
    assert_false(nonzero_always(n, x));
    assert_false(nonzero_always(n, square));
    assert_true(nonzero_always(n, dag_add(d, one, square)));
    assert_true(nonzero_always(n, dag_negate(d, dag_add(d, square, one))));
    assert_false(nonzero_always(n, dag_subtract(d, one, square)));
    assert_true(nonzero_always(n, dag_unary(d, OPERATOR_EXP, x)));
    assert_true(nonzero_always(n, dag_divide(d, two, dag_add(d, one, square))));
    assert_true(nonzero_always(
        n, dag_multiply(d, dag_unary(d, OPERATOR_EXP, x), dag_unary(d, OPERATOR_COSH, x))));
    assert_true(nonzero_always(n, dag_unary(d, OPERATOR_SQRT, dag_add(d, one, square))));
    Node jump = dag_hold(d, dag_binary(d, OPERATOR_GREATER, x, one));
    Node choice = dag_if(d, jump, one, dag_real(d, 0.0));
    assert_true(nonzero_by_choice(n, choice) && !nonzero_always(n, choice));
    assert_true(nonzero_by_choice(n, dag_multiply(d, x, choice)));
    Node both = dag_if(d, jump, one, two);
    assert_true(nonzero_always(n, both) && !nonzero_by_choice(n, both));
    nonzero_end(n);
    daes_end(&m);
}

// What cannot be differentiated is said, with the equation.
static void impure_functions_cannot_be_differentiated(void **state)
{
    (void)state;
    DaesModel m = daes_begin();
    Dag *d = m.dag;
    Node x = daes_variable(&m, "x"), f = daes_variable(&m, "f");
    const DagType real = DAG_REAL;
    uint32_t number = dag_add_function(d, &(DagFunction){.name = "noise",
                                                         .input_count = 1,
                                                         .output_count = 1,
                                                         .input_types = &real,
                                                         .output_types = &real,
                                                         .is_impure = true,
                                                         .differentiated = DAG_NONE});
    Node time = dag_time(d), call = dag_call(d, number, 1, &time);
    daes_equate(&m, daes_der(&m, x), f);
    daes_equate(&m, x, dag_result(d, call, 0));
    m.system.dag = d;
    m.system.equations = m.equations;
    m.system.variables = m.variables;
    m.structure = structure_create(m.arena, system_signature(m.arena, &m.system), NULL);
    assert_non_null(m.structure);
    SolutionFailure failure = {0};
    assert_null(solution_create(m.arena, &m.system, m.structure, &failure));
    assert_int_equal(failure.equation, 1);
    assert_non_null(failure.reason);
    daes_end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_is_found_from_its_text),
        cmocka_unit_test(pendulum_swings),
        cmocka_unit_test(car_axis_drives),
        cmocka_unit_test(capacitors_in_parallel),
        cmocka_unit_test(torn_nonlinear_block),
        cmocka_unit_test(inputs_are_differentiated),
        cmocka_unit_test(initialization),
        cmocka_unit_test(entries_say_how_variables_occur),
        cmocka_unit_test(signs_follow_from_operators),
        cmocka_unit_test(impure_functions_cannot_be_differentiated),
    };
    return cmocka_run_group_tests_name("structure/solution", tests, NULL, NULL);
}
