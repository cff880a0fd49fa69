// SPDX-License-Identifier: MIT
//
// What the flat model says about itself: numbers, origins, guards, relations, machines, functions.
// The language tests compare its text; here is what the text does not show.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/walk.h"
#include "support/flat.h"

#include <math.h>

static Compilation *compilation;

static int set_up(void **state)
{
    (void)state;
    compilation = compilation_create(NULL);
    return compilation ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    compilation_destroy(compilation);
    return 0;
}

static const FlatModel *flatten(const char *text)
{
    const FlatModel *model = flat_from_text(compilation, text);
    if (!model) {
        StringBuilder out = builder_create(compilation->arena);
        diagnostics_render_text(compilation->diagnostics, false, &out);
        fail_msg("%s", builder_string(&out).text);
    }
    return model;
}

static FlatVariable *variable(const FlatModel *model, const char *name)
{
    FlatVariable *v = flat_variable(model, name);
    if (!v)
        fail_msg("there is no variable '%s'", name);
    return v;
}

static void variables_are_numbered_in_order(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model A Real x[2] = {1, 2}; end A;"
                                 "model M parameter Real p = 1; A a[2]; Real y = p; end M;");
    static const char *const names[] = {"p",         "a[1].x[1]", "a[1].x[2]",
                                        "a[2].x[1]", "a[2].x[2]", "y"};
    assert_int_equal(m->variable_count, 6);
    for (uint32_t i = 0; i < m->variable_count; i++) {
        assert_string_equal(m->variables[i]->name, names[i]);
        assert_int_equal(m->variables[i]->index, i);
        assert_ptr_equal(m->variables[i]->reference.variable, m->variables[i]);
    }
}

static void elements_of_an_array_share_their_component(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model M Real x[2, 3] = [1, 2, 3; 4, 5, 6]; end M;");
    const FlatComponent *component = m->variables[0]->component;
    assert_int_equal(component->rank, 2);
    assert_int_equal(component->dims[0], 2);
    assert_int_equal(component->dims[1], 3);
    for (uint32_t i = 0; i < 6; i++) {
        assert_ptr_equal(m->variables[i]->component, component);
        assert_int_equal(m->variables[i]->element, i);
        assert_int_equal(m->equations[i]->origin.element, i);
    }
    assert_ptr_equal(component->parent, m->root);
    assert_string_equal(component->declared->class_name, "Real");
}

// Of instances of one declaration; but not where a redeclaration makes it another one.
static void instances_share_what_the_text_says(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model A \"a\" Real x = 1 \"one\"; end A;"
                                 "model B extends A; Real y = 2; end B;"
                                 "model H replaceable A a; end H;"
                                 "model M A a, b[2]; H h; H k(redeclare B a); end M;");
    const FlatDeclaration *x = m->variables[0]->component->declared;
    assert_string_equal(x->class_name, "Real");
    assert_true(string_equal(x->description, string_from("one")));
    assert_string_equal(m->variables[2]->name, "b[2].x");
    assert_ptr_equal(m->variables[1]->component->declared, x);
    assert_ptr_equal(m->variables[2]->component->declared, x);
    assert_string_equal(m->variables[3]->name, "h.a.x");
    assert_ptr_equal(m->variables[3]->component->declared, x);
    assert_string_equal(m->variables[3]->component->parent->declared->class_name, "A");
    assert_string_equal(m->variables[4]->name, "k.a.x");
    assert_string_equal(m->variables[4]->component->parent->declared->class_name, "B");
    assert_true(m->variables[4]->component->parent->declared->span.begin !=
                m->variables[3]->component->parent->declared->span.begin);
}

static void loops_can_be_recovered(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model M Real x[2, 2]; equation\n"
                                 "  for i in 1:2 loop\n"
                                 "    for j in 1:2 loop\n"
                                 "      x[i, j] = 10*i + j;\n"
                                 "    end for;\n"
                                 "  end for;\n"
                                 "end M;");
    assert_int_equal(m->equation_count, 4);
    for (uint32_t n = 0; n < 4; n++) {
        const FlatOrigin *origin = &m->equations[n]->origin;
        assert_int_equal(origin->span.begin, m->equations[0]->origin.span.begin);
        const FlatLoop *inner = origin->loop;
        assert_string_equal(inner->iterator->text, "j");
        assert_int_equal(inner->value, n % 2 + 1);
        assert_string_equal(inner->outer->iterator->text, "i");
        assert_int_equal(inner->outer->value, n / 2 + 1);
        assert_null(inner->outer->outer);
    }
}

static void equations_know_their_component(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model A Real x; equation x = time; end A;"
                                 "model M A a[2]; end M;");
    for (uint32_t i = 0; i < 2; i++) {
        StringBuilder name = builder_create(compilation->arena);
        flat_component_name(&name, m->equations[i]->origin.component);
        assert_string_equal(builder_string(&name).text, i ? "a[2]" : "a[1]");
    }
}

static void guards_of_if_equations_nest(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model M Real x; equation\n"
                                 "  if time > 1 then\n"
                                 "    if time > 2 then x = 1; else x = 2; end if;\n"
                                 "  else\n"
                                 "    x = 3;\n"
                                 "  end if;\n"
                                 "end M;");
    assert_int_equal(m->conditional_count, 2);
    const FlatGuard *first = m->equations[0]->guard;
    assert_ptr_equal(first->conditional, m->conditionals[1]);
    assert_int_equal(first->branch, 0);
    assert_ptr_equal(first->outer->conditional, m->conditionals[0]);
    assert_int_equal(first->outer->branch, 0);
    assert_null(first->outer->outer);
    assert_ptr_equal(m->equations[1]->guard->outer, first->outer);
    assert_int_equal(m->equations[1]->guard->branch, 1);
    assert_int_equal(m->equations[2]->guard->branch, 1);
    assert_null(m->equations[2]->guard->outer);
    assert_true(flat_guard_implies(first, first->outer));
    assert_false(flat_guard_implies(first->outer, first));
    assert_true(flat_guard_implies(first, NULL));
    assert_string_equal(flat_text(compilation, m->conditionals[1]->conditions[0]), "time > 2.0");
    assert_null(m->conditionals[1]->conditions[1]);
}

static void relations_are_those_that_trigger_events(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model M parameter Real p = 1; Integer n = 1; Real x = time;"
                                 "  Boolean a = x > p;"                             // 1
                                 "  Boolean b = n > 2;"                             // integers
                                 "  Boolean c = p > 2;"                             // parameters
                                 "  Real d = noEvent(if x > 3 then 1 else 2);"      // silent
                                 "  Real e = smooth(1, if x > 4 then x else 0);"    // smooth enough
                                 "  Real f = smooth(0, if x > 5 then x else 0);"    // 2
                                 "  Real g = floor(x) + mod(x, 6);"                 // 3, 4
                                 "equation when x > 7 then reinit(y, 0); end when;" // 5
                                 " der(y) = 1; public Real y; end M;");
    static const char *const texts[] = {"x > p", "x > 5.0", "floor(x)", "mod(x, 6.0)", "x > 7.0"};
    assert_int_equal(m->relations.count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_string_equal(flat_text(compilation, m->relations.items[i].expression), texts[i]);
        assert_int_equal(m->relations.items[i].expression->relation, i);
        assert_ptr_equal(m->relations.items[i].component->parent
                             ? m->relations.items[i].component->parent
                             : m->relations.items[i].component,
                         m->root);
    }
}

static void variables_have_their_kinds(void **state)
{
    (void)state;
    const FlatModel *m =
        flatten("model M constant Real c = 1; parameter Integer n = 2; parameter Real q = 3;"
                "  input Real u; output Real y = u; Real x[n](each start = 1); Real d; Integer k;"
                "protected Real z = q;"
                "equation der(x) = -x; when time > 1 then d = 1; k = 2; reinit(x[1], 0); end when;"
                "end M;");
    assert_int_equal(variable(m, "c")->kind, FLAT_CONSTANT);
    assert_true(variable(m, "c")->is_evaluated);
    assert_int_equal(variable(m, "n")->kind, FLAT_PARAMETER);
    assert_true(variable(m, "n")->is_structural);
    assert_int_equal(variable(m, "n")->value.integer, 2);
    assert_false(variable(m, "q")->is_structural);
    assert_int_equal(variable(m, "u")->direction, FLAT_INPUT);
    assert_int_equal(variable(m, "y")->direction, FLAT_OUTPUT);
    assert_int_equal(variable(m, "x[1]")->kind, FLAT_CONTINUOUS);
    assert_true(variable(m, "x[1]")->is_differentiated);
    assert_true(variable(m, "x[1]")->is_reinitialised);
    assert_false(variable(m, "x[2]")->is_reinitialised);
    assert_false(variable(m, "y")->is_differentiated);
    assert_int_equal(variable(m, "d")->kind, FLAT_DISCRETE);
    assert_int_equal(variable(m, "d")->reference.variability, FLAT_DISCRETE);
    assert_int_equal(variable(m, "k")->kind, FLAT_DISCRETE);
    assert_true(variable(m, "z")->is_protected);
}

static const char machine_text[] =
    "model Up outer output Real x; Real age(start = 0); equation der(x) = 1; der(age) = 1; end Up;"
    "model Down outer output Real x; equation der(x) = -1; end Down;"
    "model M inner Real x(start = 0); Down down; Up up; Real y = 2*x;"
    "equation initialState(up);"
    "  transition(down, up, x < 0, priority = 2, reset = false);"
    "  transition(down, down, timeInState() > 5, immediate = false, synchronize = true);"
    "  transition(up, down, x > 1);"
    "end M;";

static void machines_are_complete(void **state)
{
    (void)state;
    const FlatModel *m = flatten(machine_text);
    assert_int_equal(m->machine_count, 1);
    const FlatMachine *machine = m->machines[0];
    assert_ptr_equal(machine->component, m->root);
    assert_int_equal(machine->state_count, 2);
    assert_string_equal(machine->states[0]->name, "up"); // the initial one comes first
    assert_string_equal(machine->states[1]->name, "down");
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(machine->states[i]->index, i);
        assert_ptr_equal(machine->states[i]->machine, machine);
        assert_ptr_equal(machine->states[i]->component->state, machine->states[i]);
    }
    assert_int_equal(machine->transition_count, 3);
    const FlatTransition *t = machine->transitions; // by state, then by priority
    assert_ptr_equal(t[0].from, machine->states[0]);
    assert_true(t[0].is_immediate && t[0].is_reset && !t[0].is_synchronized);
    assert_ptr_equal(t[1].to, machine->states[1]);
    assert_true(!t[1].is_immediate && t[1].is_reset && t[1].is_synchronized);
    assert_int_equal(t[1].priority, 1);
    assert_ptr_equal(t[1].condition->operands[0]->state, machine->states[1]);
    assert_int_equal(t[2].priority, 2);
    assert_false(t[2].is_reset);
}

static void states_own_variables_and_equations(void **state)
{
    (void)state;
    const FlatModel *m = flatten(machine_text);
    const FlatState *up = m->machines[0]->states[0];
    assert_int_equal(up->variable_count, 1);
    assert_string_equal(up->variables[0]->name, "up.age");
    assert_ptr_equal(up->variables[0]->guard, up->guard);
    assert_ptr_equal(up->guard->state, up);
    assert_null(up->guard->outer);
    assert_true(variable(m, "x")->is_shared);
    assert_null(variable(m, "x")->guard);
    assert_false(variable(m, "y")->is_shared);
    int guarded = 0;
    for (uint32_t i = 0; i < m->equation_count; i++)
        guarded += m->equations[i]->guard == up->guard;
    assert_int_equal(guarded, 2);
}

static void functions_are_those_that_are_reached(void **state)
{
    (void)state;
    const FlatModel *m =
        flatten("function g input Real x; output Real y = 2*x; algorithm end g;"
                "function f input Real x; output Real y; algorithm y := g(x); end f;"
                "function n input Integer i; output Integer j = i; algorithm end n;"
                "model M Real x[n(2)] = {f(time), 1}; end M;");
    assert_int_equal(m->function_count, 2);
    assert_string_equal(m->functions[0]->name, "f");
    assert_string_equal(m->functions[1]->name, "g");
    assert_int_equal(m->functions[1]->index, 1);
    assert_int_equal(m->functions[0]->input_count, 1);
    assert_int_equal(m->functions[0]->output_count, 1);
}

static void results_of_one_call_share_it(void **state)
{
    (void)state;
    const FlatModel *m =
        flatten("function f input Real x; output Real y[2] = {x, 2*x}; algorithm end f;"
                "model M Real a[2] = f(time); end M;");
    const FlatExpression *first = m->equations[0]->right;
    const FlatExpression *second = m->equations[1]->right;
    assert_int_equal(first->kind, FLAT_RESULT);
    assert_int_equal(second->kind, FLAT_RESULT);
    assert_ptr_equal(first->operands[0], second->operands[0]);
    assert_int_equal(first->result.element, 0);
    assert_int_equal(second->result.element, 1);
}

static void count_kinds(void *data, FlatExpression *e, const FlatComponent *component)
{
    assert_non_null(component);
    ((uint32_t *)data)[e->kind]++;
    // Outside functions everything is scalar, except what a call gets.
    assert_int_equal(e->rank, 0);
}

static void expressions_of_equations_are_scalar(void **state)
{
    (void)state;
    const FlatModel *m =
        flatten("model M Real A[2, 2] = [1, time; 2, 3]; Real b[2] = {1, 2};"
                "Real x[2]; equation A*x = b; assert(sum(x) < 5, \"large\"); end M;");
    uint32_t kinds[FLAT_COMPREHENSION + 1] = {0};
    flat_walk(m, count_kinds, kinds);
    assert_int_equal(kinds[FLAT_ARRAY], 0);
    assert_true(kinds[FLAT_VARIABLE] >= 8);
}

static void conversions_are_explicit(void **state)
{
    (void)state;
    const FlatModel *m = flatten("model M Integer n = 2; Real x = n*0.5; end M;");
    const FlatExpression *product = m->equations[1]->right;
    assert_int_equal(product->operation, OPERATION_MULTIPLY);
    assert_int_equal(product->operands[0]->operation, OPERATION_TO_REAL);
    assert_ptr_equal(product->operands[0]->type, &flat_type_real);
    assert_ptr_equal(product->operands[0]->operands[0]->type, &flat_type_integer);
}

static void experiment_is_read(void **state)
{
    (void)state;
    const FlatModel *m =
        flatten("model M \"text\" Real x = 1;"
                "annotation(experiment(StopTime = 2 + 3, Tolerance = 1e-8)); end M;");
    assert_true(isnan(m->experiment.start_time));
    assert_true(m->experiment.stop_time == 5.0);
    assert_true(m->experiment.tolerance == 1e-8);
    assert_true(isnan(m->experiment.interval));
    assert_true(string_equal(m->description, string_from("text")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(variables_are_numbered_in_order),
        TEST(elements_of_an_array_share_their_component),
        TEST(instances_share_what_the_text_says),
        TEST(loops_can_be_recovered),
        TEST(equations_know_their_component),
        TEST(guards_of_if_equations_nest),
        TEST(relations_are_those_that_trigger_events),
        TEST(variables_have_their_kinds),
        TEST(machines_are_complete),
        TEST(states_own_variables_and_equations),
        TEST(functions_are_those_that_are_reached),
        TEST(results_of_one_call_share_it),
        TEST(expressions_of_equations_are_scalar),
        TEST(conversions_are_explicit),
        TEST(experiment_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
