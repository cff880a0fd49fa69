// SPDX-License-Identifier: MIT
//
// What users of models whose structure changes will do wrong, and what they are told: which
// variables, which equations, which mode, which line.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <string.h>

static void assert_says(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("\"%s\" does not say \"%s\"", text ? text : "", part);
}

// The model is refused, and the messages contain these parts (NULL ends them).
static void assert_refused(const char *text, const char *const *parts)
{
    Trial *t = trial_text(text);
    assert_false(trial_is_model(t));
    for (; *parts; parts++)
        assert_says(trial_messages(t), *parts);
    trial_end(t);
}

// The run fails at that time with a message that contains these parts.
static void assert_fails(const char *text, double time, const char *const *parts)
{
    Trial *t = trial_text(text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    assert_true(trial_run(t, 2.0) < 0);
    for (; *parts; parts++)
        assert_says(trial_error(t), *parts);
    if (time > 0.0)
        assert_true(saltus_run_time(trial_get_run(t)) == time);
    trial_end(t);
}

#define PARTS(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }

static void state_without_shared_variable(void **state)
{
    (void)state;
    assert_refused("model Lamp\n"
                   "  model On outer output Real light; equation light = 100; end On;\n"
                   "  model Off outer output Real light; end Off;\n"
                   "  inner Real light; On on; Off off;\n"
                   "equation\n"
                   "  initialState(off); transition(off, on, time > 1);\n"
                   "end Lamp;\n",
                   PARTS("state 'off' is not balanced: it has 1 unknown and 0 equations"));
}

static void transitions_in_circles(void **state)
{
    (void)state;
    assert_fails("model Cycle\n"
                 "  model Idle Real t(start = 0); equation der(t) = 1; end Idle;\n"
                 "  Idle a, b, c;\n"
                 "equation\n"
                 "  initialState(a); transition(a, b, time > 1); transition(b, c, time > 0.5);\n"
                 "  transition(c, b, time > 0.25);\n"
                 "end Cycle;\n",
                 1.0, PARTS("transitions go on without end at one instant: ", "b -> c -> b"));
}

static void two_machines_for_one_variable(void **state)
{
    (void)state;
    assert_refused("model Twice\n"
                   "  model Up outer output Real x; equation der(x) = 1; end Up;\n"
                   "  inner Real x(start = 0, fixed = true);\n"
                   "  Up a, b;\n"
                   "equation\n"
                   "  initialState(a); transition(a, a, x > 1);\n"
                   "  initialState(b); transition(b, b, x > 2);\n"
                   "end Twice;\n",
                   PARTS("'x' is defined by two state machines at once", "'a'", "'b'"));
}

static const char valve[] = "model Valve\n"
                            "  Real p(start = 1, fixed = true), q, r;\n"
                            "  Boolean open = time < 1;\n"
                            "equation\n"
                            "  der(p) = -q;\n"
                            "  r = p;\n"
                            "  if open then q = 2 * r; else r = p; end if;\n"
                            "end Valve;\n";

// The model is fine until the mode is entered; then its name, and what is wrong in it.
static void mode_with_too_few_equations(void **state)
{
    (void)state;
    assert_fails(valve, 1.0,
                 PARTS("mode not open cannot be entered",
                       "too few equations: 1 equation for 2 variables, p and q"));
}

static void entry_that_leaves_a_state_open(void **state)
{
    (void)state;
    assert_fails("model Launch\n"
                 "  model Wait Real count(start = 0); equation der(count) = 1; end Wait;\n"
                 "  model Fly\n"
                 "    Real h, v;\n"
                 "  equation der(h) = v; der(v) = -9.81; end Fly;\n"
                 "  Wait wait; Fly fly;\n"
                 "equation\n"
                 "  initialState(wait);\n"
                 "  transition(wait, fly, wait.count > 1, reset = false);\n"
                 "  when activeState(fly) then reinit(fly.h, 2); end when;\n"
                 "end Launch;\n",
                 0.0, PARTS("mode fly cannot be entered", "fly.v has no value", "line 4"));
}

static void contradicting_conditions(void **state)
{
    (void)state;
    // at the start
    assert_fails("model Switch\n"
                 "  Real u, i; Boolean closed;\n"
                 "equation\n"
                 "  u = 10 - 2 * i;\n"
                 "  if closed then u = 0; else i = 0; end if;\n"
                 "  closed = u > 5;\n"
                 "end Switch;\n",
                 0.0, PARTS("conditions contradict each other", "closed", "line 5"));
    // and at an event
    assert_fails("model Switch\n"
                 "  Real u, i; Boolean closed;\n"
                 "equation\n"
                 "  u = 10 * time - 2 * i;\n"
                 "  if closed then u = 0; else i = 0; end if;\n"
                 "  closed = u > 5;\n"
                 "end Switch;\n",
                 0.0, PARTS("conditions contradict each other", "closed", "line 5"));
    // which of several components
    assert_fails("model Switch\n"
                 "  parameter Real e = 1; Real u, i; Boolean closed;\n"
                 "equation\n"
                 "  u = e * time - 2 * i;\n"
                 "  if closed then u = 0; else i = 0; end if;\n"
                 "  closed = u > 5;\n"
                 "end Switch;\n"
                 "model Two\n"
                 "  Switch a, b(e = 10);\n"
                 "end Two;\n",
                 0.0, PARTS("conditions contradict each other", "b: 'closed'", "line 5"));
}

static void jumps_that_nothing_determines(void **state)
{
    (void)state;
    assert_fails("model Joined\n"
                 "  Real a(start = 1, fixed = true), b(start = 3, fixed = true), f, g;\n"
                 "  Boolean joined = time >= 1;\n"
                 "equation\n"
                 "  der(a) = f; der(b) = g;\n"
                 "  if joined then a = b; f ^ 3 = g; else f = 0; g = 0; end if;\n"
                 "end Joined;\n",
                 1.0, PARTS("f would have to be impulsive", "f^3 = g is not linear"));
}

static void positions_that_would_jump(void **state)
{
    (void)state;
    assert_fails("model Clamp\n"
                 "  Real x(start = 0, fixed = true), v(start = 1, fixed = true), f;\n"
                 "  Boolean clamped = time >= 1;\n"
                 "equation\n"
                 "  der(x) = v; der(v) = f;\n"
                 "  if clamped then x = 5; else f = 0; end if;\n"
                 "end Clamp;\n",
                 1.0, PARTS("x would have to jump from 1 to 5", "x = 5"));
}

// reinit of what a constraint determines; and of what it leaves free.
static void reinit_against_a_constraint(void **state)
{
    (void)state;
    static const char text[] = "model Joined\n"
                               "  Real a(start = 1, fixed = true), b(start = 3), f;\n"
                               "equation\n"
                               "  der(a) = f; der(b) = -f; a = b + 2;\n"
                               "  when time > 1 then reinit(a, 5); reinit(b, 9); end when;\n"
                               "end Joined;\n";
    Trial *t = trial_text(text);
    const bool is_refused = !trial_is_model(t);
    if (!is_refused)
        assert_true(trial_run(t, 2.0) < 0);
    assert_says(is_refused ? trial_messages(t) : trial_error(t),
                "the value that reinit gives to a, b contradicts the constraint a = b + 2.0");
    trial_end(t);
}

// In one branch an equation is there twice: no states fit, and the names are said.
static void singular_branch(void **state)
{
    (void)state;
    trial_expect_refusal("model M Real p(start = 1, fixed = true), q, r; equation\n"
                         "  der(p) = -der(q); r = p;\n"
                         "  if time < 1 then q = 2 * r; else r = p; end if; end M;",
                         "the equations for p, q are singular");
}

// What a mode cannot be made of, named with what is in the way.
static void models_that_cannot_run(void **state)
{
    (void)state;
    assert_refused("model M Real x(start = 1, fixed = true, stateSelect = StateSelect.never);\n"
                   "equation der(x) = -x; end M;\n",
                   PARTS("x has stateSelect = StateSelect.never, but must be a state: der(x) "
                         "determines it"));
    assert_refused("model M Real x(stateSelect = StateSelect.always); equation x = time; end M;\n",
                   PARTS("x has stateSelect = StateSelect.always, but no derivative of it is "
                         "needed: it cannot be a state"));
    assert_refused("model M Integer i, j; equation i = 1; i = 2; end M;\n",
                   PARTS("this discrete equation is one too many: other equations determine i"));
    // Whether a whole number is 3 says of a Boolean what it is, but not the other way round.
    assert_refused("model M Integer i; Boolean b = time > 1; equation (i == 3) = b; end M;\n",
                   PARTS("this discrete equation cannot be solved exactly for i"));
    Trial *t = trial_run_text("model M Boolean a, c, b = time > 1; "
                              "equation (a == true) = b; (c <> true) = b; end M;",
                              2.0);
    trial_assert_value(t, "a", 1.0, 0.0);
    trial_assert_value(t, "c", 0.0, 0.0);
    trial_end(t);
    assert_refused("model M Integer i(start = 0); initial equation pre(i) * pre(i) = 4;\n"
                   "equation when time > 1 then i = pre(i) + 1; end when; end M;\n",
                   PARTS("this initial equation cannot be solved exactly for the left limit of a "
                         "discrete variable that no other one determines"));
    assert_refused("model M\n"
                   "  model A Real x(start = 1); equation der(x) = 1; end A;\n"
                   "  model B end B;\n"
                   "  A a; B b; Real y = delay(a.x, 0.5);\n"
                   "equation initialState(a); transition(a, b, time > 1); end M;\n",
                   PARTS("'delay' of a.x is not supported: it is a variable of a state, which has "
                         "no past while the state is not active"));
    assert_refused("model M Real x(start = 1); equation der(x) = -x;\n"
                   "annotation(__Saltus(locate = \"magic\")); end M;\n",
                   PARTS("there is no locator 'magic'"));
    assert_refused("model M Real x(start = 1); equation der(x) = -x;\n"
                   "annotation(__Saltus(solver = \"magic\")); end M;\n",
                   PARTS("there is no solver 'magic'"));
    assert_refused("model M Real x(start = 1); equation der(x) = -x;\n"
                   "annotation(__Saltus(relativeTolerance = -1)); end M;\n",
                   PARTS("tolerances and steps must be positive"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_without_shared_variable),
        cmocka_unit_test(transitions_in_circles),
        cmocka_unit_test(two_machines_for_one_variable),
        cmocka_unit_test(mode_with_too_few_equations),
        cmocka_unit_test(entry_that_leaves_a_state_open),
        cmocka_unit_test(contradicting_conditions),
        cmocka_unit_test(jumps_that_nothing_determines),
        cmocka_unit_test(positions_that_would_jump),
        cmocka_unit_test(reinit_against_a_constraint),
        cmocka_unit_test(singular_branch),
        cmocka_unit_test(models_that_cannot_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
