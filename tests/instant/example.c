// SPDX-License-Identifier: MIT

#include "instant/example.h"

#include "instant/attempt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EVENTS = 64 };

// Times of the events of the first solver, for the others.
typedef struct Times {
    bool is_given;
    long count;
    double time[EVENTS];
} Times;

static Outcome check_values(const Example *x, const Attempt *a, char *reason)
{
    const double bound = x->bound > 0.0 ? x->bound : 1e-6;
    for (int k = 0; k < EXAMPLE_VALUES && x->values[k].name; k++) {
        const double right = x->values[k].value, value = attempt_last(a, x->values[k].name);
        if (fabs(value - right) <= bound * (1.0 + fabs(right)))
            continue;
        snprintf(reason, REASON_SIZE, "%s = %.12g, right is %.12g", x->values[k].name, value,
                 right);
        return OUTCOME_WRONG;
    }
    return OUTCOME_RIGHT;
}

static double apart(const Example *x)
{
    return x->apart > 0.0 ? x->apart : 1e-6;
}

// Events at one instant count as one.
static void list_times(const Example *x, const Attempt *a, Times *times)
{
    times->count = 0;
    for (long e = 0; e < attempt_events(a) && times->count < EVENTS; e++) {
        const double t = attempt_event_time(a, e);
        if (t > 0.0 && (times->count == 0 || t > times->time[times->count - 1] + apart(x)))
            times->time[times->count++] = t;
    }
}

static Outcome check_events(const Example *x, const Attempt *a, Times *first, char *reason)
{
    Times times = {.is_given = true};
    list_times(x, a, &times);
    if (x->events > 0 && times.count != x->events) {
        snprintf(reason, REASON_SIZE, "%ld events, right is %d", times.count, x->events);
        return OUTCOME_WRONG;
    }
    if (!first->is_given)
        *first = times;
    bool agree = times.count == first->count;
    for (long e = 0; agree && e < times.count; e++)
        agree = fabs(times.time[e] - first->time[e]) <= 2.0 * apart(x) * (1.0 + first->time[e]);
    if (!agree)
        snprintf(reason, REASON_SIZE, "other events than the first solver (%ld and %ld)",
                 times.count, first->count);
    return agree ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

static Outcome check_run(const Example *x, Attempt *a, SaltusSolver solver, Times *first,
                         char *reason)
{
    const double stop_time = x->stop_time > 0.0 ? x->stop_time : 1.0;
    const AttemptDef def = {solver, stop_time, 1e-9, 0.0, 0.0, stop_time / 50.0};
    const bool runs = attempt_run(a, &def);
    if (!runs && x->refusal && strstr(attempt_message(a), x->refusal))
        return OUTCOME_RIGHT;
    if (!runs) {
        attempt_explain(a, reason, REASON_SIZE);
        return OUTCOME_REFUSED;
    }
    Outcome outcome = OUTCOME_WRONG;
    if (x->refusal)
        snprintf(reason, REASON_SIZE, "runs, right is to refuse it ('%s')", x->refusal);
    else
        outcome = check_values(x, a, reason);
    if (outcome == OUTCOME_RIGHT)
        outcome = check_events(x, a, first, reason);
    if (outcome != OUTCOME_RIGHT)
        attempt_blame(a, reason, REASON_SIZE);
    return outcome;
}

// The worst outcome of all solvers.
static Outcome try_example(const void *data, const char *text, char reason[REASON_SIZE])
{
    const Example *x = data;
    Attempt *a = attempt_begin(text);
    Times first = {.is_given = false};
    Outcome worst = OUTCOME_RIGHT;
    for (int k = 0; k < ATTEMPT_SOLVERS; k++) {
        char why[REASON_SIZE] = "";
        const Outcome outcome = check_run(x, a, attempt_solvers[k], &first, why);
        if (outcome <= worst)
            continue;
        worst = outcome;
        memcpy(reason, why, sizeof why);
    }
    attempt_end(a);
    return worst;
}

static bool is_as_noted(const Example *x)
{
    char reason[REASON_SIZE] = "";
    const Outcome outcome = outcome_in_child(try_example, x, x->text, reason);
    if (x->is_open && outcome == OUTCOME_RIGHT) {
        printf("%s: now right: close it\n", x->name);
        return false;
    }
    if (outcome != OUTCOME_RIGHT)
        printf("%s: %s%s: %s\n", x->name, outcome_name(outcome), x->is_open ? ", open" : "",
               reason);
    return outcome == OUTCOME_RIGHT || (x->is_open && x->today >> outcome & 1u);
}

void example_check_all(const Example *examples, int count)
{
    int failures = 0, open = 0;
    for (int k = 0; k < count; k++) {
        failures += !is_as_noted(&examples[k]);
        open += examples[k].is_open;
    }
    printf("%d examples, %d of them open\n", count, open);
    if (failures > 0)
        fail_msg("%d are not as noted", failures);
}

// ---------------------------------------------------------------------------
// Other units of time
// ---------------------------------------------------------------------------

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

// Whether a word stands there.
static bool example_has_word(const char *text, const char *at, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && (at == text || !is_part_of_name(at[-1])) &&
           !is_part_of_name(at[length]);
}

static bool is_scalable(const char *text)
{
    static const char *const words[] = {"sample", "delay", "after", "Clock", "algorithm"};
    for (const char *at = text; *at; at++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (example_has_word(text, at, words[i]))
                return false;
    return true;
}

static void write_scaled(Writing *w, const char *text, double scale)
{
    writing_clear(w);
    for (const char *at = text; *at; at++) {
        if (example_has_word(text, at, "der")) {
            writing_add(w, "%.17g*der", scale);
            at += strlen("der") - 1;
        } else if (example_has_word(text, at, "time")) {
            writing_add(w, "(time/%.17g)", scale);
            at += strlen("time") - 1;
        } else {
            writing_add(w, "%c", *at);
        }
    }
}

// With two solvers, one of them implicit.
static Outcome try_scaled(const void *data, const char *text, char reason[REASON_SIZE])
{
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS};
    const Example *x = data;
    Attempt *a = attempt_begin(text);
    Outcome outcome = OUTCOME_RIGHT;
    for (int k = 0; k < 2 && outcome == OUTCOME_RIGHT; k++) {
        const AttemptDef def = {solvers[k], x->stop_time, 1e-9, 0.0, 0.0, x->stop_time / 50.0};
        if (attempt_run(a, &def)) {
            outcome = check_values(x, a, reason);
        } else {
            outcome = OUTCOME_REFUSED;
            attempt_explain(a, reason, REASON_SIZE);
        }
    }
    attempt_end(a);
    return outcome;
}

void example_check_scaled(const Example *examples, int count, double scale)
{
    int failures = 0, tried = 0;
    for (int k = 0; k < count; k++) {
        Example x = examples[k];
        if (x.is_open || x.refusal || !is_scalable(x.text))
            continue;
        Writing text;
        char reason[REASON_SIZE] = "";
        write_scaled(&text, x.text, scale);
        x.stop_time = scale * (x.stop_time > 0.0 ? x.stop_time : 1.0);
        const Outcome outcome = outcome_in_child(try_scaled, &x, text.text, reason);
        tried++;
        failures += outcome != OUTCOME_RIGHT;
        if (outcome != OUTCOME_RIGHT)
            printf("%s, %g times as long: %s: %s\n", x.name, scale, outcome_name(outcome), reason);
    }
    printf("%d examples, %g times as long\n", tried, scale);
    assert_true(tried > 0);
    if (failures > 0)
        fail_msg("%d are not right", failures);
}
