// SPDX-License-Identifier: MIT
//
// The short way through usual events (src/instant/plain.h) is the long one with nothing left out
// that matters: rows, event times, iterations, changes and their order are the same, bit by bit.

#include "model/trial.h"
#include "modes/model_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct PlainCase {
    const char *text;
    double stop;
    SaltusSolver solver;
    bool fails;
} PlainCase;

static const PlainCase cases[] = {
    // reinit, a counter, terminate
    {"model A Real x(start = 10, fixed = true), v(start = 0, fixed = true); Integer n(start = 0, "
     "fixed = true); equation der(x) = v; der(v) = -9.81; when x <= 0 then reinit(v, -0.9 * "
     "pre(v)); n = pre(n) + 1; end when; when n >= 20 then terminate(\"enough\"); end when; end A;",
     100.0, SALTUS_SOLVER_AUTO, false},
    // air, a discrete variable of the states, two clauses at one event
    {"model B Real x(start = 10, fixed = true), v(start = 0, fixed = true); discrete Real h(start "
     "= 0, fixed = true), last(start = 0, fixed = true); equation der(x) = v; der(v) = -9.81 - "
     "0.002 * v * noEvent(abs(v)); when x <= 0 then reinit(v, -0.9 * pre(v)); last = time; end "
     "when; when v <= 0 then h = x; end when; when x <= 0 then reinit(x, 0); end when; end B;",
     10.0, SALTUS_SOLVER_DOPRI5, false},
    // conditions that the flow reads: a relay with two thresholds
    {"model C Real x(start = 0, fixed = true); Boolean on(start = true, fixed = true); equation "
     "der(x) = if on then 1 - x else -x; on = (pre(on) or x < 0.3) and not x > 0.7; end C;",
     20.0, SALTUS_SOLVER_DOPRI5, false},
    // what nothing reads; a loop that is solved for
    {"model D Real x(start = 1, fixed = true), y; Boolean a, b; Integer k(start = 0, fixed = "
     "true); equation der(x) = -y; y + 0.1 * y ^ 3 = sin(3 * time) + 0.1 * x; a = y > 0.5; b = a "
     "and x > 0; when {a, b} then k = pre(k) + (if edge(a) and edge(b) then 2 else 1); end when; "
     "end D;",
     10.0, SALTUS_SOLVER_DOPRI5, false},
    // the same with a solver that goes on behind such events
    {"model E Real x(start = 1, fixed = true), v(start = 0, fixed = true); Boolean b[9]; Integer "
     "k(start = 0, fixed = true); equation der(x) = v; der(v) = -x - 0.1 * x ^ 3; for i in 1:9 "
     "loop b[i] = x > 0.2 * i - 1; end for; when b[3] then k = pre(k) + 1; end when; end E;",
     20.0, SALTUS_SOLVER_CVODE, false},
    // times, conditions of discrete variables, conditions of conditions
    {"model F Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); Boolean late, "
     "many; Real r; equation der(x) = if late then -1 else r; r = if many then 2 else 1; late = "
     "time >= 1.5; many = n > 2; when x >= 0.25 * (pre(n) + 1) then n = pre(n) + 1; end when; end "
     "F;",
     4.0, SALTUS_SOLVER_DOPRI5, false},
    // an event function that moves with discrete variables
    {"model G Real x(start = 0, fixed = true); discrete Real next(start = 1, fixed = true); "
     "equation der(x) = 1 + 0.1 * sin(x); when x > pre(next) then next = pre(next) + 0.5; end "
     "when; "
     "end G;",
     6.0, SALTUS_SOLVER_DOPRI5, false},
    // actions by values of the states; two reinits at once
    {"model H Real x(start = 0.5, fixed = true), v(start = 1, fixed = true); Boolean hit = x > 1 "
     "or "
     "x < 0; equation der(x) = v; der(v) = 0.01 * x; when hit then reinit(v, -v); reinit(x, if x > "
     "0.5 then 1 else 0); end when; end H;",
     20.0, SALTUS_SOLVER_DOPRI5, false},
    // an assertion that an event violates
    {"model I Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation der(x) "
     "= 1; when x > pre(n) + 1 then n = pre(n) + 1; end when; assert(n < 4, \"too many\"); end I;",
     20.0, SALTUS_SOLVER_DOPRI5, true},
    // a function that fails at an event
    {"model J function f input Integer k; output Integer y; algorithm assert(k < 3, \"no\"); y := "
     "k "
     "+ 1; end f; Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); equation "
     "der(x) = 1; when x > pre(n) + 1 then n = f(pre(n)); end when; end J;",
     20.0, SALTUS_SOLVER_DOPRI5, true},
    // one state, two values
    {"model K Real x(start = 0, fixed = true); equation der(x) = 1; when x > 1 then reinit(x, 0); "
     "end when; when x > 1 then reinit(x, 0.5); end when; end K;",
     20.0, SALTUS_SOLVER_DOPRI5, true},
    // circles
    {"model L Real x(start = 0, fixed = true); Boolean b(start = false, fixed = true); equation "
     "der(x) = 1; b = if x > 1 then not pre(b) else false; end L;",
     2.0, SALTUS_SOLVER_DOPRI5, true},
};

static Trial *run_case(const PlainCase *c, bool is_short, BackendChoice backend)
{
    Trial *t = trial_text(c->text);
    if (!trial_is_model(t))
        fail_msg("%s", trial_messages(t));
    // A mode is constant for all but the maker and this test.
    Mode *mode = (Mode *)(uintptr_t)model_mode_of(trial_model(t), 0);
    assert_true(mode->plain.is_plain);
    mode->plain.is_plain = is_short;
    trial_backend(t, backend, NULL);
    trial_options(t)->method.solver = c->solver;
    trial_options(t)->record = SALTUS_RECORD_STEPS;
    const SaltusStatus status = trial_run(t, c->stop);
    if ((status < 0) != c->fails)
        fail_msg("%.40s: %s", c->text, trial_error(t));
    return t;
}

static void compare_events(const SaltusRun *a, const SaltusRun *b)
{
    assert_int_equal(saltus_run_event_count(a), saltus_run_event_count(b));
    for (long i = 0; i < saltus_run_event_count(a); i++) {
        const SaltusLogEntry p = saltus_run_event(a, i), q = saltus_run_event(b, i);
        if (p.t != q.t)
            fail_msg("event %ld is at %.17g and at %.17g", i, p.t, q.t);
        assert_int_equal(p.occasion, q.occasion);
        assert_int_equal(p.classes, q.classes);
        // The short way sees in an iteration that the next one would find all as it is.
        assert_true(p.iterations <= q.iterations);
        assert_int_equal(p.fired_count, q.fired_count);
        assert_int_equal(p.time_count, q.time_count);
        assert_int_equal(p.change_count, q.change_count);
        for (int k = 0; k < p.change_count; k++) {
            assert_string_equal(p.changes[k].name, q.changes[k].name);
            assert_memory_equal(&p.changes[k].before, &q.changes[k].before, sizeof(double));
            assert_memory_equal(&p.changes[k].after, &q.changes[k].after, sizeof(double));
        }
    }
}

static void compare_rows(const Trial *a, const Trial *b)
{
    const SaltusRun *p = trial_get_run(a), *q = trial_get_run(b);
    const char *const *names = model_output_names(trial_model(a));
    assert_int_equal(saltus_run_row_count(p), saltus_run_row_count(q));
    for (long row = 0; row < saltus_run_row_count(p); row++) {
        assert_true(saltus_run_row(p, row).t == saltus_run_row(q, row).t);
        for (uint32_t i = 0; i < model_output_count(trial_model(a)); i++) {
            const double x = trial_value_at(a, names[i], row), y = trial_value_at(b, names[i], row);
            if (memcmp(&x, &y, sizeof x) != 0)
                fail_msg("%s is %.17g and %.17g", names[i], x, y);
        }
    }
}

// Without the name of the file, which is another one in each trial.
static const char *what_failed(const Trial *t)
{
    const char *line = strstr(trial_error(t), ", line ");
    return line ? line : trial_error(t);
}

static void both_ways(void **state)
{
    static const BackendChoice backends[] = {BACKEND_INTERPRET, BACKEND_C};
    (void)state;
    for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            Trial *a = run_case(&cases[i], true, backends[k]);
            Trial *b = run_case(&cases[i], false, backends[k]);
            compare_events(trial_get_run(a), trial_get_run(b));
            compare_rows(a, b);
            if (cases[i].fails)
                assert_string_equal(what_failed(a), what_failed(b));
            trial_end(a);
            trial_end(b);
        }
}

// What events of unread variables are spared.
static void unread_variables(void **state)
{
    (void)state;
    Trial *t = run_case(&cases[4], true, BACKEND_INTERPRET);
    const SaltusStatistics s = saltus_run_statistics(trial_get_run(t));
    assert_true(s.events > 40);
    assert_int_equal(s.restarts, 1); // the beginning
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways),
        cmocka_unit_test(unread_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
