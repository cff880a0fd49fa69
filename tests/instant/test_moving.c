// SPDX-License-Identifier: MIT
//
// Random relays on a line, x' = d + (if x > r then -a else b), that come to their surfaces and
// slide on them, while events of other variables move the surfaces: the surface goes, x stays, and
// comes to it again. What moves them are when clauses of states, of time and of samples, and
// conditions in equations; other events give x another value, or turn its drift. Several relays
// share the states whose events these are. The reference goes from event to event: all is
// piecewise linear, and the times of the events are known.
//
// On a grid, all numbers are multiples of a quarter: then events coincide more often than not.

#include "instant/attempt.h"
#include "instant/chance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// How many may be refused today, and in the end; none may be wrong.
static const Requirement anywhere = {"relays that are moved", 60, 0, 0, {0}, {0}};
static const Requirement on_grid = {"relays that are moved, on a grid", 60, 0, 0, {0}, {0}};

typedef enum Form { IF, ELSE, SIGN, EQUATION, BOOLEAN, NOT, FORMS } Form;
typedef enum Cause { WHEN, ELSEWHEN, TIME, SAMPLE, EQUATIONS, REINIT, DRIFT, NONE, CAUSES } Cause;
typedef enum Change { SURFACE, VALUE, SPEED } Change;

enum { RELAYS = 3, RAMPS = 2, CHANGES = 8 };
static const double stop_time = 3.9, sample_interval = 0.1437, bound = 1e-7;

typedef struct Relay {
    Form form;
    Cause cause;
    double x, r, a, b, d;
    int ramp;
    double period, to[3];
    double level[2]; // of the ramp, at which something changes
    int changes;
    struct {
        double time, value;
        Change what;
    } change[CHANGES];
} Relay;

typedef struct Row {
    int relays;
    double start[RAMPS], slope[RAMPS];
    Relay relay[RELAYS];
} Row;

// ---------------------------------------------------------------------------
// Random relays, and their models
// ---------------------------------------------------------------------------

static double random_number(Chance *c, bool grid, double low, double high)
{
    if (!grid)
        return chance_rounded(c, low, high);
    const int least = (int)ceil(4.0 * low), most = (int)floor(4.0 * high);
    return 0.25 * (least + chance_below(c, most - least + 1));
}

static void add_change(Relay *r, double time, double value, Change what)
{
    r->change[r->changes].time = time;
    r->change[r->changes].value = value;
    r->change[r->changes++].what = what;
}

static void add_changes(Relay *r, const Row *n, double second)
{
    const double time = (r->level[0] - n->start[r->ramp]) / n->slope[r->ramp];
    const Change what = r->cause == REINIT ? VALUE : r->cause == DRIFT ? SPEED : SURFACE;
    if (r->cause == SAMPLE)
        for (int k = 1; k * r->period < stop_time; k++)
            add_change(r, k * r->period, r->r + k * r->to[0], SURFACE);
    else if (r->cause != NONE)
        add_change(r, time, r->to[0], what);
    if (r->cause == ELSEWHEN)
        add_change(r, second, r->to[0] + r->to[1], SURFACE);
}

static Relay make_relay(Chance *c, bool grid, const Row *n)
{
    Relay r = {.form = (Form)chance_below(c, FORMS),
               .cause = (Cause)chance_below(c, CAUSES),
               .x = random_number(c, grid, -1.0, 1.0),
               .r = random_number(c, grid, -1.0, 1.0),
               .a = random_number(c, grid, 0.75, 3.0),
               .b = random_number(c, grid, 0.75, 3.0),
               .d = random_number(c, grid, -0.5, 0.5),
               .ramp = chance_below(c, RAMPS),
               .period = random_number(c, grid, 0.6, 1.5)};
    const double most = r.cause == SAMPLE ? 0.4 : r.cause == DRIFT ? 4.0 : 1.0;
    for (int k = 0; k < 2; k++)
        r.to[k] = random_number(c, grid, -most, most);
    r.b = r.form == SIGN ? r.a : r.b;
    const double first = random_number(c, grid, 0.5, 2.0),
                 second = first + random_number(c, grid, 0.25, 1.5);
    r.level[0] = n->start[r.ramp] + n->slope[r.ramp] * first;
    r.level[1] = n->start[r.ramp] + n->slope[r.ramp] * second;
    add_changes(&r, n, second);
    return r;
}

static Row make_row(int seed, bool grid)
{
    Chance c = chance_from(21000u + (grid ? 500000u : 0u) + (uint64_t)seed);
    Row n = {.relays = 1 + chance_below(&c, RELAYS)};
    for (int k = 0; k < RAMPS; k++) {
        n.start[k] = random_number(&c, grid, -1.0, 1.0);
        n.slope[k] = random_number(&c, grid, 0.5, 1.5) * (chance_is(&c, 0.5) ? 1.0 : -1.0);
    }
    for (int i = 0; i < n.relays; i++)
        n.relay[i] = make_relay(&c, grid, &n);
    return n;
}

// d: how the drift is written.
static void write_law(Writing *w, const Relay *r, int i, const char *d)
{
    switch (r->form) {
    case IF:
        writing_add(w, "  der(x%d) = %s + (if x%d > r%d then -%g else %g);\n", i, d, i, i, r->a,
                    r->b);
        return;
    case ELSE:
        writing_add(w, "  der(x%d) = %s + (if x%d <= r%d then %g else -%g);\n", i, d, i, i, r->b,
                    r->a);
        return;
    case SIGN:
        writing_add(w, "  der(x%d) = %s - %g*sign(x%d - r%d);\n", i, d, r->a, i, i);
        return;
    case EQUATION:
        writing_add(w, "  der(x%d) = %s + u%d;\n", i, d, i);
        writing_add(w, "  if x%d > r%d then u%d = -%g; else u%d = %g; end if;\n", i, i, i, r->a, i,
                    r->b);
        return;
    case BOOLEAN:
        writing_add(w, "  b%d = x%d - r%d > 0;\n", i, i, i);
        writing_add(w, "  der(x%d) = %s + (if b%d then -%g else %g);\n", i, d, i, r->a, r->b);
        return;
    case NOT:
    case FORMS:
        writing_add(w, "  der(x%d) = %s + (if not x%d >= r%d then %g else -%g);\n", i, d, i, i,
                    r->b, r->a);
    }
}

static void write_cause(Writing *w, const Relay *r, int i, const char *condition)
{
    switch (r->cause) {
    case WHEN:
        writing_add(w, "  when %s then r%d = %g; end when;\n", condition, i, r->to[0]);
        return;
    case ELSEWHEN:
        writing_add(w, "  when %s then r%d = %g; elsewhen y%d %s %.17g then r%d = pre(r%d) + (%g);",
                    condition, i, r->to[0], r->ramp, strchr(condition, '>') ? ">" : "<",
                    r->level[1], i, i, r->to[1]);
        writing_add(w, " end when;\n");
        return;
    case TIME:
        writing_add(w, "  when time >= %.17g then r%d = %g; end when;\n", r->change[0].time, i,
                    r->to[0]);
        return;
    case SAMPLE:
        writing_add(w, "  when sample(%g, %g) then r%d = pre(r%d) + (%g); end when;\n", r->period,
                    r->period, i, i, r->to[0]);
        return;
    case EQUATIONS:
        writing_add(w, "  r%d = if %s then %g else %g;\n", i, condition, r->to[0], r->r);
        return;
    case REINIT:
        writing_add(w, "  when %s then reinit(x%d, %g); end when;\n", condition, i, r->to[0]);
        return;
    case DRIFT:
    case NONE:
    case CAUSES:
        return;
    }
}

static void write_relay(Writing *w, const Row *n, int i)
{
    const Relay *r = &n->relay[i];
    char condition[80], drift[160];
    snprintf(condition, sizeof condition, "y%d %s %.17g", r->ramp,
             n->slope[r->ramp] > 0.0 ? ">" : "<", r->level[0]);
    snprintf(drift, sizeof drift, "(%g)", r->d);
    if (r->cause == DRIFT)
        snprintf(drift, sizeof drift, "(if %s then %g else %g)", condition, r->to[0], r->d);
    write_cause(w, r, i, condition);
    write_law(w, r, i, drift);
}

static void write_model(Writing *w, const Row *n)
{
    writing_clear(w);
    writing_add(w, "model Relays\n");
    for (int k = 0; k < RAMPS; k++)
        writing_add(w, "  Real y%d(start = %g, fixed = true);\n", k, n->start[k]);
    for (int i = 0; i < n->relays; i++) {
        const Relay *r = &n->relay[i];
        writing_add(w, "  Real x%d(start = %g, fixed = true), u%d%s; Boolean b%d%s;\n  ", i, r->x,
                    i, r->form == EQUATION ? "" : " = 0", i, r->form == BOOLEAN ? "" : " = false");
        if (r->cause == EQUATIONS)
            writing_add(w, "Real r%d;\n", i);
        else if (r->cause <= SAMPLE)
            writing_add(w, "discrete Real r%d(start = %g, fixed = true);\n", i, r->r);
        else
            writing_add(w, "parameter Real r%d = %g;\n", i, r->r);
    }
    writing_add(w, "equation\n");
    for (int k = 0; k < RAMPS; k++)
        writing_add(w, "  der(y%d) = %g;\n", k, n->slope[k]);
    for (int i = 0; i < n->relays; i++)
        write_relay(w, n, i);
    writing_add(w, "end Relays;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

typedef struct Motion {
    double t, x, r, d;
} Motion;

// Without events in between. A relay on its surface stays there if both flows do not leave it.
static void follow(Motion *m, const Relay *r, double to)
{
    while (m->t < to) {
        const double above = m->d - r->a, below = m->d + r->b, left = to - m->t;
        const bool is_there = fabs(m->x - m->r) < 1e-13;
        if (is_there && above <= 0.0 && below >= 0.0)
            m->x = m->r;
        const bool slides = m->x == m->r && above <= 0.0 && below >= 0.0;
        const double rate = slides        ? 0.0
                            : is_there    ? (above > 0.0 ? above : below)
                            : m->x > m->r ? above
                                          : below;
        const double way = rate != 0.0 && !is_there ? (m->r - m->x) / rate : -1.0;
        const bool arrives = way > 0.0 && way < left;
        m->x = arrives ? m->r : m->x + rate * left;
        m->t = arrives ? m->t + way : to;
    }
}

static double expect(const Relay *r, double time)
{
    Motion m = {0.0, r->x, r->r, r->d};
    for (int k = 0; k < r->changes && r->change[k].time < time; k++) {
        follow(&m, r, r->change[k].time);
        *(r->change[k].what == SURFACE ? &m.r
          : r->change[k].what == VALUE ? &m.x
                                       : &m.d) = r->change[k].value;
    }
    follow(&m, r, time);
    return m.x;
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

// The rows of the intervals; what happens at events is between them.
static Outcome compare(const void *expected, const Attempt *a, char *reason)
{
    const Row *n = expected;
    int samples = 0;
    for (long row = 0; row < attempt_rows(a); row++) {
        const double t = attempt_row(a, row).t, part = t / sample_interval;
        if (fabs(part - round(part)) > 1e-9)
            continue;
        samples++;
        for (int i = 0; i < n->relays; i++) {
            const char name[] = {'x', (char)('0' + i), '\0'};
            const double value = attempt_value(a, name, row), right = expect(&n->relay[i], t);
            if (fabs(value - right) <= bound)
                continue;
            snprintf(reason, REASON_SIZE, "%s = %.10g at %.6g, right is %.10g", name, value, t,
                     right);
            return OUTCOME_WRONG;
        }
    }
    if (samples >= (int)(stop_time / sample_interval))
        return OUTCOME_RIGHT;
    snprintf(reason, REASON_SIZE, "only %d samples", samples);
    return OUTCOME_WRONG;
}

static Outcome try_relays(const void *data, const char *text, char reason[REASON_SIZE])
{
    const AttemptDef def = {.stop_time = stop_time,
                            .tolerance = 1e-9,
                            .interval = sample_interval,
                            .max_step = stop_time / 50.0};
    return attempt_by_all(text, def, compare, data, reason);
}

static void try_family(const Requirement *requirement, bool grid)
{
    Tally tally = tally_begin(requirement);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        const Row n = make_row(seed, grid);
        write_model(&text, &n);
        tally_try(&tally, seed, try_relays, &n, text.text);
    }
    tally_end(&tally);
}

static void moved_anywhere(void **state)
{
    (void)state;
    try_family(&anywhere, false);
}

static void moved_on_grid(void **state)
{
    (void)state;
    try_family(&on_grid, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moved_anywhere),
                                       cmocka_unit_test(moved_on_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
