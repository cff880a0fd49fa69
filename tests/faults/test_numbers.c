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

#include <math.h>
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
    command_write("first.mo", "model M function f input Real x; output Real y; algorithm\n"
                              "  assert(x > 1, \"x is only \" + String(x)); y := sqrt(x); end f;\n"
                              "  discrete Real d(start = f(0.5), fixed = true);\n"
                              "equation when time > 0.5 then d = 1; end when; end M;");
    command_expect("simulate first.mo -o n.csv 2>&1", 1,
                   "no initial values: in function M.f (first.mo, line 2): x is only 0.5");
    command_write("none.mo", "model M parameter Real p = 0, q = 0/p; Real x = time; end M;");
    command_expect("simulate none.mo -o n.csv 2>&1", 0, "the parameter q is not finite: nan\n");
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

// Parameters beyond limits that are numbers, wherever their values come from.
static void what_is_beyond_limits(void **state)
{
    (void)state;
    command_write("mass.mo", "model M type Mass = Real(min = 0); parameter Mass m = 1, k = 2*m;\n"
                             "  parameter Integer n(max = 3) = 3; Real x = n*m + k; end M;");
    assert_null(strstr(command_run("simulate mass.mo -o x.csv 2>&1")->text, "warning"));
    command_expect("simulate mass.mo -p m=-1 -o x.csv 2>&1", 0,
                   "warning: the parameter m = -1 is less than its 'min', 0 (and others");
    command_write("tank.mo", "model T Real h(start = 1, fixed = true, min = 0, max = 1);\n"
                             "  Real q(max = 2) = 2 + 1e-9*time, small(min = 0, nominal = 1e-9);\n"
                             "equation der(h) = -2; small = -1e-8*time; end T;");
    command_expect("simulate tank.mo -o x.csv 2>&1", 0,
                   " on: h is less than its 'min', 0: it comes to -1 (and "
                   "other variables are beyond their limits)\n");
    command_expect("simulate tank.mo --json -o x.csv 2>&1", 0, "h is less than its 'min', 0");
    command_expect("simulate tank.mo --stop-time=0.5 --variables=small -o x.csv 2>&1", 0,
                   "small is less than its 'min', 0: it comes to -5e-09\n");
    assert_null(
        strstr(command_run("simulate tank.mo --stop-time=0.5 --variables=h,q -o x.csv 2>&1")->text,
               "warning"));
    command_expect("simulate mass.mo -p n=4 -o x.csv 2>&1", 0,
                   "warning: the parameter n = 4 is more than its 'max', 3\n");
    command_write("size.mo", "model S parameter Real q = 0, r = 1; Real x(start = 1, fixed = true, "
                             "nominal = r), y(nominal = q);\n"
                             "equation der(x) = -x; y = x; end S;");
    command_expect("simulate size.mo -o x.csv 2>&1", 0,
                   "warning: 'nominal' of y is its size, more than 0; q = 0 counts as 1\n");
    command_expect("simulate size.mo -p q=1 -p r=-2 -o x.csv 2>&1", 0,
                   "warning: 'nominal' of x is its size, more than 0; r = -2 counts as 1\n");
    assert_null(strstr(command_run("simulate size.mo -p q=1 -o x.csv 2>&1")->text, "warning"));
}

// Euler's method ends at x = 0.25, others at 0.37: y has no value there. (A sweep over it writes a
// row for each point, and says how many lack something.)
static void what_is_compared_or_swept(void **state)
{
    (void)state;
    command_write("edge.mo", "model Edge parameter Real c = 0.3;\n"
                             "  Real x(start = 1, fixed = true), y = sqrt(x - c);\n"
                             "equation der(x) = -x; end Edge;");
    command_expect("compare edge.mo --solver=euler --step=0.5 --repeat=1 -o c.csv && "
                   "head -2 c.csv | grep -c ,inf, ",
                   0, "1");
    command_expect("compare edge.mo --solver=dopri5 --repeat=1 -o c.csv && grep -c ,inf, c.csv", 1,
                   "0");
    command_expect("sweep edge.mo -p c=0.3,0.4,0.5 --observe y -o s.csv 2>&1", 0,
                   "note: 2 points lack a value, or have an infinite one; the first one is row 2: "
                   "'y' is not a number");
    command_expect("sweep edge.mo -p c=0.3,0.4 --observe 'integral(y)' -o s.csv 2>&1", 0,
                   "row 2: 'integral(y)' has no value: what it looks at is not finite at t = 0.91");
    assert_null(
        strstr(command_run("sweep edge.mo -p c=0.1 --observe y -o s.csv 2>&1")->text, "note"));
}

// Far below the tolerance an implicit step leads over any growth; zero, which rounding makes
// something of, is none of that.
static void what_grows_from_nearly_nothing(void **state)
{
    (void)state;
    command_write("grows.mo",
                  "model M parameter Real s = 1e-310;\n"
                  "  Real x(start = 1e-310, fixed = true), y(start = s, fixed = true);\n"
                  "  Real z(start = 0, fixed = true);\n"
                  "equation der(x) = 1e300*x; der(y) = 1e9*y;\n"
                  "  der(z) = 1e-17*(1 - z); end M;");
    command_expect("simulate grows.mo --solver=cvode -o x.csv 2>&1", 0,
                   "the errors of x (and other states) are not controlled: it is never larger");
    command_write("rests.mo", "model M Real z(start = 0, fixed = true);\n"
                              "equation der(z) = 1e-17*(1 - z); end M;");
    assert_null(strstr(command_run("simulate rests.mo -o x.csv 2>&1")->text, "controlled"));
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

// From t to the next time at which sin(37 t) = 0.3.
static double until_jump(double t)
{
    const double pi = acos(-1.0), turn = 2.0 * pi, up = asin(0.3), phase = fmod(37.0 * t, turn);
    const double next = phase <= up ? up : phase <= pi - up ? pi - up : up + turn;
    return (next - phase) / 37.0;
}

// A forcing that jumps at sin(37 t) = 0.3 without an event, which the steps must find: each jump
// takes many tries. What is named is where a step begins that has a jump inside; steps that were
// tried thrice are short beside 0.07 and 0.1, the distances of the jumps. The same with events has
// nothing to say, nor has a run in which there are a few jumps only.
static void jumps_without_events(void **state)
{
    (void)state;
    static const char text[] =
        "model M Real y(start = 0, fixed = true), x(start = 0, fixed = true);"
        "equation der(y) = 1; der(x) = %s(if sin(37 * time) > 0.3 then 1e3 "
        "else -1e3) - x; end M;";
    static const char *const solvers[] = {"dopri5", "dop853", "rodas", "cvode", "adams", "ida"};
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
        assert_true(until_jump(first - 1e-6) < 0.005); // it is printed with six digits
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

// Relays whose chattering is below the tolerance, from 0.5 and 0.414 on: few steps are in vain, but
// they are very many. They chatter until T, for more than a hundred thousand steps.
static void steps_without_number(void **state)
{
    (void)state;
    static const struct {
        const char *file, *solver;
        double until;
    } runs[] = {{"one.mo", "dopri5", 0.52},
                {"one.mo", "dop853", 0.502},
                {"two.mo", "cvode", 0.43},
                {"two.mo", "adams", 0.43},
                {"two.mo", "ida", 0.416}};
    char line[200];
    command_write("one.mo",
                  "model M parameter Real T = 1; Real x(start = 0.5, fixed = true);"
                  "equation der(x) = noEvent(if time > T then 0 elseif x > 0 then -1 else 1);"
                  "end M;");
    command_write("two.mo",
                  "model M parameter Real T = 1;"
                  "Real x(start = 0.5, fixed = true), v(start = 0, fixed = true);"
                  "equation der(x) = v; der(v) = noEvent(if time > T then -v elseif x + v > 0 then "
                  "-1 else 1); end M;");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        snprintf(line, sizeof line, "simulate %s --solver=%s -p T=%g --stop-time=5 -o x.csv 2>&1",
                 runs[i].file, runs[i].solver, runs[i].until);
        command_expect(line, 0, "at this pace");
    }
}

// Numbers of values that an enumeration does not have: in an equation, of a parameter, in a
// function that is called in the run and in one that is called before it.
static void values_of_enumerations(void **state)
{
    (void)state;
    static const char *const lines[] = {"simulate e.mo Next --backend=interpret -o x.csv 2>&1",
                                        "simulate e.mo Next --backend=c -o x.csv 2>&1",
                                        "simulate e.mo Next -p 'first=0' -o x.csv 2>&1",
                                        "simulate e.mo Called -o x.csv 2>&1"};
    command_write(
        "e.mo",
        "type E = enumeration(a, b, c);\n"
        "function back input Integer i; output Integer y; protected E e; algorithm e := E(i);\n"
        "  y := Integer(e); end back;\n"
        "model Next parameter Integer first = 1; E e, f = E(first); Integer n = integer(5*time);\n"
        "equation e = E(1 + n); end Next;\n"
        "model Called Integer n = back(1 + integer(5*time)); end Called;\n"
        "model Known constant Integer n = back(4); Real x = n*time; end Known;\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        command_expect(lines[i], 1, "the enumeration has no value of this number (");
    command_expect("simulate e.mo Next -o x.csv 2>&1", 1, "t = 0.6: ");
    command_expect("simulate e.mo Next --stop-time=0.5 -o x.csv 2>&1", 0, "");
    command_expect("check e.mo Known 2>&1", 3, "the enumeration has no value of this number");
}

// A Boolean that changes is a subscript, in equations, algorithms and functions: false is the
// first.
static void booleans_are_subscripts(void **state)
{
    (void)state;
    static const char *const lines[] = {"simulate b.mo --backend=interpret -q --json",
                                        "simulate b.mo --backend=c -q --json"};
    command_write("b.mo",
                  "function pick input Real x[Boolean]; input Boolean b; output Real y;\n"
                  "algorithm y := x[b]; end pick;\n"
                  "function put input Boolean b; output Real y[Boolean];\n"
                  "algorithm y := {0, 0}; y[b] := 7; end put;\n"
                  "model M Real x[Boolean] = {3, 5}, u, v, w[2], y[2], z[Boolean]; Boolean b;\n"
                  "equation b = time > 0.5; u = x[b]; v = pick(x, b); w = put(b);\n"
                  "y = x[{not b, b}]; algorithm z := {0, 0}; z[b] := 9;\n"
                  "annotation(experiment(StopTime = 1)); end M;\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const CommandOutcome *outcome = command_run(lines[i]);
        assert_int_equal(outcome->status, 0);
        assert_non_null(strstr(outcome->text, "\"u\":5,\"v\":5,\"w[1]\":0,\"w[2]\":7,\"y[1]\":3,"
                                              "\"y[2]\":5,\"z[1]\":0,\"z[2]\":9,\"b\":"));
    }
    command_expect("simulate b.mo --stop-time=0.4 -q --json", 0, "\"u\":3,\"v\":3,\"w[1]\":7");
}

// der(x) = x^2 from 1 has a pole at 1; all solvers that choose their steps end there by name.
static void poles(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dopri5", "dop853", "rodas", "cvode", "adams", "ida"};
    char line[200];
    command_write("pole.mo",
                  "model M Real y(start = 0, fixed = true), x(start = 1, fixed = true);\n"
                  "equation der(y) = 1; der(x) = x^2; end M;");
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        snprintf(line, sizeof line, "simulate pole.mo --solver=%s --stop-time=2 -o x.csv 2>&1",
                 solvers[i]);
        const CommandOutcome *outcome = command_run(line);
        double end = 0.0;
        assert_int_equal(outcome->status, 1);
        assert_non_null(strstr(outcome->text, "the error test of x failed"));
        assert_non_null(strstr(outcome->text, "the equation of der(x)"));
        assert_int_equal(sscanf(strstr(outcome->text, "t = "), "t = %lf", &end), 1);
        // its value there, 1/(1 - t), has a relative error of 1e-6 per unit of its logarithm and
        // the methods' own factor: the pole is seen within 1e-4 of its place
        assert_true(fabs(end - 1.0) < 1e-4);
    }
}

// A relay in a function: no event, and the state goes along the surface, from 0.414 to 0.45, in
// ever shorter steps.
static void steps_that_come_to_nothing(void **state)
{
    (void)state;
    command_write("relay.mo",
                  "function relay input Real u; output Real y; algorithm\n"
                  "  if u > 0 then y := -1; else y := 1; end if; end relay;\n"
                  "model M Real x(start = 0.5, fixed = true), v(start = 0, fixed = true), z;\n"
                  "equation der(x) = v; der(v) = z;\n"
                  "  z + 0.1 * sin(z) = relay(if time > 0.45 then x else x + v); end M;");
    command_expect("simulate relay.mo --solver=dopri5 --stop-time=5 -o x.csv 2>&1", 0,
                   "that no event announces");
    command_expect("simulate relay.mo --solver=dopri5 --stop-time=5 -o x.csv 2>&1", 0,
                   "without an event");
}

// What follows from a condition takes it back, and no pre() remembers it: no value is right. A
// relay that a when clause keeps from sliding is another matter.
static void conditions_that_contradict(void **state)
{
    (void)state;
    static const char *const lines[] = {"Jumps", "Counts", "Remembers"};
    char line[120];
    command_write("not.mo",
                  "model Jumps Boolean b = x < 0.5; Real x = 1 - time + (if b then 1 else 0);\n"
                  "end Jumps;\n"
                  "model Counts Integer k = if x + k < 0.5 then 1 else 0; Real x = 1 - time;\n"
                  "end Counts;\n"
                  "model Remembers Real x(start = 1, fixed = true); discrete Real d(start = 0);\n"
                  "Boolean b = x + d < 0.5; equation der(x) = -1;\n"
                  "when {b, not b} then d = if b then 1 else 0; end when; end Remembers;\n"
                  "model Relay Real x(start = 1, fixed = true); Integer n(start = 0);\n"
                  "equation der(x) = if x > 0 then -1 else 1;\n"
                  "when x > 0 then n = pre(n) + 1; end when; end Relay;");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "simulate not.mo %s -o x.csv 2>&1", lines[i]);
        command_expect(line, 4, "takes it back at once: the condition contradicts itself");
        command_expect(line, 4, "t = 0.5");
    }
    command_expect("simulate not.mo Relay --stop-time=2 -o x.csv 2>&1", 4, "chatter");
    assert_null(strstr(command_run("simulate not.mo Relay --stop-time=2 -o x.csv 2>&1")->text,
                       "contradicts"));
}

// Events on the way to a pole come ever closer, though not at the resolution of time; x is 1/(1-t).
static void events_before_a_pole(void **state)
{
    (void)state;
    command_write("crowd.mo",
                  "model M Real x(start = 1, fixed = true);\n"
                  "Boolean b = sin(x) > 0; Integer n(start = 0); equation der(x) = x^2;\n"
                  "when change(b) then n = pre(n) + 1; end when; end M;");
    const CommandOutcome *outcome = command_run("simulate crowd.mo --stop-time=20 -o x.csv 2>&1");
    double x = 0.0, doubling = 0.0;
    assert_int_equal(outcome->status, 4);
    assert_non_null(strstr(outcome->text, "follow each other too closely"));
    const char *why = strstr(outcome->text, "; x, ");
    assert_non_null(why);
    assert_int_equal(sscanf(why, "; x, %lf now, grows by as much in %lf", &x, &doubling), 2);
    assert_true(x > 1e4 && fabs(x * doubling - 1.0) < 0.01); // x' = x^2, to the digits printed
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_finite),
                                       cmocka_unit_test(what_grows_from_nearly_nothing),
                                       cmocka_unit_test(what_is_compared_or_swept),
                                       cmocka_unit_test(what_is_beyond_limits),
                                       cmocka_unit_test(what_is_not_defined),
                                       cmocka_unit_test(what_becomes_no_number),
                                       cmocka_unit_test(steps_that_diverge),
                                       cmocka_unit_test(jumps_without_events),
                                       cmocka_unit_test(starts_that_contradict),
                                       cmocka_unit_test(steps_that_come_to_nothing),
                                       cmocka_unit_test(poles),
                                       cmocka_unit_test(steps_without_number),
                                       cmocka_unit_test(values_of_enumerations),
                                       cmocka_unit_test(booleans_are_subscripts),
                                       cmocka_unit_test(conditions_that_contradict),
                                       cmocka_unit_test(events_before_a_pole)};
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
