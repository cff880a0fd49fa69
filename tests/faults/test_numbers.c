// SPDX-License-Identifier: MIT
//
// Numbers do not lie: what is not finite, diverges, contradicts itself or is slow for a reason is
// said, with the place, and changes the exit status where the result is wrong.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static void what_is_not_finite(void **state)
{
    (void)state;
    command_write("nan.mo", "model M Real x(start = 1, fixed = true), y;\n"
                            "equation der(x) = -1;\n  y = sqrt(x - 0.5);\nend M;");
    command_expect("simulate nan.mo -o n.csv 2>&1", 1, "y is not finite at t = 0.5");
    command_expect("simulate nan.mo -o n.csv 2>&1", 1,
                   "nan.mo:3:3: note: this is the equation of y");
    command_expect("animate nan.mo -o n.html 2>&1", 1, "y is not finite at t = 0.5");
    command_write("member.mo", "model M record R Real a, b; end R; function f input Real u; "
                               "output R r; algorithm r.a := u; end f;\n  R r = f(time);\nend M;");
    command_expect("simulate member.mo -o n.csv 2>&1", 1, "r.b is not finite at t = 0");
    command_expect("simulate member.mo -o n.csv 2>&1", 1, "member.mo:2:9: note: this is the");
    command_write("endless.mo", "model M function f input Integer n; output Integer y; algorithm y "
                                ":= if n <= 1 then n else f(n - 1) + f(n - 2); end f;\n"
                                "  parameter Integer k = f(60); Real x = k; end M;");
    command_expect("simulate endless.mo -o n.csv 2>&1", 1,
                   "the parameter k has no value: in function M.f");
    command_write("bound.mo", "model M parameter Real p = 0; Real y = sqrt(p - time); end M;");
    command_expect("simulate bound.mo -o n.csv 2>&1", 1, "equation of y; with p = 0");
}

// The operation that ends is named, also behind other equations, by every solver; one that is
// kept inside by max, or stands in a branch that does not hold, is not.
static void what_is_not_defined(void **state)
{
    (void)state;
    command_write("tank.mo",
                  "model Tank\n  Real h(start = 1, fixed = true), w(start = 0, fixed = "
                  "true), q, p;\nequation\n  der(w) = p;\n  der(h) = -q;\n"
                  "  q = 0.1*sqrt(h);\n"
                  "  p = sqrt(max(h, 0)) + (if h > 2 then log(h - 2) else 0);\nend Tank;");
    static const char *const solvers[] = {"dopri5", "dop853", "rodas", "cvode", "adams", "ida"};
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        char command[120];
        snprintf(command, sizeof command,
                 "simulate tank.mo --stop-time 30 --solver %s -o n.csv 2>&1", solvers[i]);
        command_expect(command, 1, "of h is not finite so that no step succeeds");
        command_expect(command, 1,
                       "tank.mo:6:11: note: sqrt(h) comes to the end of where it is defined (the "
                       "square root of a negative number): h was ");
        assert_null(strstr(command_run(command)->text, "max(h"));
        assert_null(strstr(command_run(command)->text, "log(h"));
    }
    command_write("edge.mo", "model Edge\n  Real x(start = 0, fixed = true), v(start = 0, fixed = "
                             "true);\nequation\n  der(x) = 1;\n  der(v) = asin(x/2);\nend Edge;");
    command_expect("simulate edge.mo --stop-time 5 -o n.csv 2>&1", 1,
                   "asin(x/2.0) comes to the end of where it is defined (the argument is not "
                   "between -1 and 1): x/2.0 was 1 at the last step");
}

// At an event it is the statement that gives the new value: of a when clause, an algorithm, reinit.
static void what_becomes_no_number(void **state)
{
    (void)state;
    static const char *const statements[] = {"d = sqrt(x - 1);", "reinit(x, sqrt(x - 1));"};
    for (size_t i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "model M\n  Real x(start = 1, fixed = true);\n"
                 "  discrete Real d(start = 0, fixed = true);\nequation\n  der(x) = -1;\n"
                 "  when x < 0.5 then\n    %s\n  %s\n  end when;\nend M;",
                 statements[i], i ? "  d = 2;" : "");
        command_write("when.mo", text);
        command_expect("simulate when.mo -o n.csv 2>&1", 1, "event x < 0.5, t = 0.5: the ");
        command_expect("simulate when.mo -o n.csv 2>&1", 1,
                       i ? "gave no finite value to: x" : "new value of d is not a number");
        command_expect("simulate when.mo -o n.csv 2>&1", 1,
                       i ? "when.mo:7:5: note: this gives x its new value"
                         : "when.mo:7:5: note: this is the equation of d");
        command_expect("simulate when.mo -o n.csv 2>&1", 1,
                       "note: sqrt(x - 1.0) has no finite value (the square root of a negative "
                       "number): x - 1.0 is -0.5");
    }
    command_write("code.mo", "model M\n  Real x(start = 1, fixed = true);\n"
                             "  discrete Real d(start = 1e300, fixed = true), e;\nalgorithm\n"
                             "  when sample(0.25, 0.25) then\n    d := pre(d)*1e5;\n"
                             "    e := log(-d);\n  end when;\n"
                             "equation\n  der(x) = -1;\nend M;");
    command_expect("simulate code.mo -o n.csv 2>&1", 1, "the new value of e is not a number");
    command_expect("simulate code.mo -o n.csv 2>&1", 1,
                   "code.mo:7:5: note: this is the equation of e");
    command_write("large.mo", "model M\n  Real x(start = 1, fixed = true);\n"
                              "  discrete Real d(start = 1e300, fixed = true);\nequation\n"
                              "  der(x) = -1;\n  when sample(0.25, 0.25) then\n"
                              "    d = pre(d)*1e5;\n  end when;\nend M;");
    command_expect("simulate large.mo -o n.csv 2>&1", 1, "d is not finite at t = 0.5");
    command_expect("simulate large.mo -o n.csv 2>&1", 1,
                   "large.mo:7:5: note: this is the equation of d");
}

static void steps_that_diverge(void **state)
{
    (void)state;
    command_write("fast.mo", "model M Real x(start = 1, fixed = true);\n"
                             "equation der(x) = -1e6 * (x - cos(time)); end M;");
    command_expect("simulate fast.mo --solver=rk4 --step=0.01 -o x.csv 2>&1", 1, "diverges");
    // an explicit method that goes through says what it costs; others have nothing to say
    command_expect("simulate fast.mo --solver=dopri5 --stop-time=0.01 -o x.csv 2>&1", 0,
                   "the model is stiff: stability limits");
    assert_null(strstr(command_run("simulate fast.mo -o x.csv 2>&1")->text, "stiff"));
    command_write("plain.mo", "model M Real x(start = 1, fixed = true);\n"
                              "equation der(x) = sin(20 * time) - x; end M;");
    assert_null(
        strstr(command_run("simulate plain.mo --solver=dopri5 -o x.csv 2>&1")->text, "warning"));
}

// A forcing that jumps at sin(37 t) = 0.3 without an event, first at asin(0.3)/37 = 0.0082343,
// which the steps must find: each jump takes many tries. The same with events has nothing to say,
// nor has a run in which there are a few jumps only.
static void jumps_without_events(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real y(start = 0, fixed = true), x(start = 0, fixed = true);"
        "equation der(y) = 1; der(x) = %s(if sin(37 * time) > 0.3 then 1e3 "
        "else -1e3) - x; end M;";
    static const char *const solvers[] = {"dopri5", "dop853", "rodas"};
    char model[300], line[200];
    snprintf(model, sizeof model, text, "noEvent");
    command_write("abrupt.mo", model);
    snprintf(model, sizeof model, text, "");
    command_write("events.mo", model);
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        snprintf(line, sizeof line, "simulate abrupt.mo --solver=%s --stop-time=10 -o x.csv 2>&1",
                 solvers[i]);
        const char *said = command_run(line)->text, *named = strstr(said, "x changes abruptly");
        double first = 0.0;
        assert_non_null(named);
        assert_non_null(strstr(named, "that no event announces"));
        assert_int_equal(sscanf(strstr(said, "t = "), "t = %lf", &first), 1);
        // where a step begins that has the jump inside; the ones before it are short, too, since
        // one of a kick of 1000 begins the run
        assert_true(first > 0.004 && first <= 0.0082343);
        snprintf(line, sizeof line, "simulate events.mo --solver=%s --stop-time=10 -o x.csv 2>&1",
                 solvers[i]);
        assert_null(strstr(command_run(line)->text, "warning"));
    }
    assert_null(strstr(command_run("simulate abrupt.mo --solver=dopri5 --stop-time=0.3 -o x.csv "
                                   "2>&1")
                           ->text,
                       "warning"));
}

// The other name of a variable has another start value: y is x before the run begins.
static void starts_that_contradict(void **state)
{
    (void)state;
    command_write("alias.mo",
                  "model M Real x(start = 1, fixed = true), y(start = 2, fixed = true);\n"
                  "equation der(x) = -x; y = x; end M;");
    command_expect("simulate alias.mo -o x.csv 2>&1", 1, "contradicts the others by 1");
    command_write("same.mo",
                  "model M Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
                  "equation der(x) = -x; y = x; end M;");
    command_expect("simulate same.mo -o x.csv 2>&1", 0, "");
}

// A relay in a function: no event, and the state goes along the surface in ever shorter steps.
static void steps_that_come_to_nothing(void **state)
{
    (void)state;
    command_write("relay.mo",
                  "function relay input Real u; output Real y; algorithm\n"
                  "  if u > 0 then y := -1; else y := 1; end if; end relay;\n"
                  "model M Real x(start = 0.5, fixed = true), v(start = 0, fixed = true), z;\n"
                  "equation der(x) = v; der(v) = z; z + 0.1 * sin(z) = relay(x + v); end M;");
    const CommandOutcome *outcome =
        command_run("simulate relay.mo --stop-time=5 --max-time=10 -o x.csv 2>&1");
    if (!strstr(outcome->text, "that no event announces") &&
        !strstr(outcome->text, "without an event"))
        fail_msg("%d: %s", outcome->status, outcome->text);
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite),        cmocka_unit_test(what_is_not_defined),
        cmocka_unit_test(what_becomes_no_number),    cmocka_unit_test(steps_that_diverge),
        cmocka_unit_test(jumps_without_events),      cmocka_unit_test(starts_that_contradict),
        cmocka_unit_test(steps_that_come_to_nothing)};
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
