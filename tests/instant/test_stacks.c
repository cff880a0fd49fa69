// SPDX-License-Identifier: MIT
//
// Blocks on each other on a floor that shakes, with Coulomb friction at every interface: sticks
// until the force exceeds F0, slips with F < F0 until the relative speed changes its sign. What
// sticks loses a degree of freedom; one interface that stops or lets go may make others let go at
// the same instant. Written in three ways. What holds is more than what slides, so that two states
// may agree after an event: with pre(s), and in machines, all interfaces decide at once, again and
// again; where s acts in the same instant that it changes in, any of them is right. The reference
// is event-driven and in closed form: blocks that stick to the floor move with it, all others have
// constant accelerations.

#include "instant/attempt.h"
#include "instant/chance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef enum Form { MACHINES, IF_PRE, WHEN_SETS } Form;

// How many may be refused today, and in the end; none may be wrong.
static const Requirement requirements[] = {
    [MACHINES] = {"stacks, state machines", 24, 0, 0, {0}, {0}},
    [IF_PRE] = {"stacks, if pre(s) == 0", 24, 0, 0, {0}, {0}},
    [WHEN_SETS] = {"stacks, when sets s", 24, 0, 0, {0}, {130}},
};
// With steps as long as the solver likes: the speeds are lines, so that they are long, and the
// floor swings several times in one.
static const Requirement long_steps = {"stacks, long steps", 24, 0, 0, {0}, {0}};

enum { BLOCKS = 3 };
static const double gravity = 9.81, stop_time = 3.8, sample_interval = 0.25;

// Interface k is below block k.
typedef struct Stack {
    int blocks;
    double mass[BLOCKS], holds[BLOCKS], slides[BLOCKS]; // F0 and F in newton
    double a, w;                                        // the floor's speed is a/w (1 - cos w t)
    double max_step;
    bool acts_at_once; // s, in the iteration that changes it
} Stack;

// ---------------------------------------------------------------------------
// Random stacks, and their models
// ---------------------------------------------------------------------------

static double rounded(double value)
{
    return round(1e3 * value) / 1e3;
}

static Stack make_stack(int seed)
{
    Chance c = chance_from(4000u + (uint64_t)seed);
    Stack n = {.blocks = 2 + chance_below(&c, BLOCKS - 1)};
    double above = 0.0;
    for (int k = 0; k < n.blocks; k++)
        n.mass[k] = chance_rounded(&c, 0.3, 2.0);
    for (int k = n.blocks - 1; k >= 0; k--) {
        above += n.mass[k];
        n.holds[k] = rounded(chance_between(&c, 0.3, 0.8) * gravity * above);
        n.slides[k] = rounded(chance_between(&c, 0.6, 0.95) * n.holds[k]);
    }
    n.a = chance_rounded(&c, 4.0, 14.0);
    n.w = chance_rounded(&c, 4.0, 8.0);
    return n;
}

static const char *const friction[] = {
    [MACHINES] = "  model Friction\n"
                 "    parameter Real F0, F; input Real v; inner Real rate = v; inner Real f;\n"
                 "    model Stick outer output Real f; outer Real rate; equation rate = 0; end "
                 "Stick;\n"
                 "    model Slip outer output Real f; parameter Real F; equation f = F; end Slip;\n"
                 "    Stick stick; Slip forwards(F = F), backwards(F = -F);\n"
                 "  equation\n"
                 "    initialState(stick);\n"
                 "    transition(stick, forwards, f > F0, priority = 1);\n"
                 "    transition(stick, backwards, f < -F0, priority = 2);\n"
                 "    transition(forwards, stick, v < 0);\n"
                 "    transition(backwards, stick, v > 0);\n"
                 "  end Friction;\n",
    [IF_PRE] = "  model Friction\n"
               "    parameter Real F0, F; input Real v; Real f; Integer s(start = 0, fixed = "
               "true);\n"
               "  equation\n"
               "    if pre(s) == 0 then v = 0; else f = pre(s)*F; end if;\n"
               "    when {pre(s) == 0 and f > F0, pre(s) == 0 and f < -F0} then\n"
               "      s = if f > 0 then 1 else -1;\n"
               "    elsewhen {pre(s) == 1 and v < 0, pre(s) == -1 and v > 0} then\n"
               "      s = 0;\n"
               "    end when;\n"
               "  end Friction;\n",
    [WHEN_SETS] = "  model Friction\n"
                  "    parameter Real F0, F; input Real v; Real f; Integer s(start = 0, fixed = "
                  "true);\n"
                  "  equation\n"
                  "    if s == 0 then v = 0; else f = s*F; end if;\n"
                  "    when {pre(s) == 0 and f > F0, pre(s) == 0 and f < -F0} then\n"
                  "      s = if f > 0 then 1 else -1;\n"
                  "    elsewhen {pre(s) == 1 and v < 0, pre(s) == -1 and v > 0} then\n"
                  "      s = 0;\n"
                  "    end when;\n"
                  "  end Friction;\n",
};

static void write_model(Writing *w, const Stack *n, Form form)
{
    writing_clear(w);
    writing_add(w, "model Stack\n%s", friction[form]);
    writing_add(w, "  Real v0 = %.17g*(1 - cos(%.2f*time));\n", n->a / n->w, n->w);
    for (int k = 1; k <= n->blocks; k++) {
        writing_add(w, "  Real x%d(start = 0, fixed = true), v%d(start = 0);\n", k, k);
        writing_add(w, "  Friction i%d(v = v%d - v%d, F0 = %.3f, F = %.3f);\n", k, k, k - 1,
                    n->holds[k - 1], n->slides[k - 1]);
    }
    writing_add(w, "equation\n");
    for (int k = 1; k <= n->blocks; k++) {
        writing_add(w, "  der(x%d) = v%d;\n  %.2f*der(v%d) = -i%d.f", k, k, n->mass[k - 1], k, k);
        if (k < n->blocks)
            writing_add(w, " + i%d.f", k + 1);
        writing_add(w, ";\n");
    }
    writing_add(w, "end Stack;\n");
}

// ---------------------------------------------------------------------------
// The reference
// ---------------------------------------------------------------------------

// Interface k sticks with s[k] = 0, slips forwards or backwards with 1 or -1.
typedef struct Motion {
    const Stack *stack;
    const Attempt *run;
    int s[BLOCKS];
    double t, x[BLOCKS], v[BLOCKS];
} Motion;

static double floor_speed(const Stack *n, double t)
{
    return n->a / n->w * (1.0 - cos(n->w * t));
}

static double floor_way(const Stack *n, double t)
{
    return n->a / n->w * (t - sin(n->w * t) / n->w);
}

// Block k sticks to the floor through all that is below it.
static bool is_grounded(const Motion *m, int k)
{
    for (int j = 0; j <= k; j++)
        if (m->s[j] != 0)
            return false;
    return true;
}

static double slip_force(const Motion *m, int k)
{
    return k < m->stack->blocks ? m->s[k] * m->stack->slides[k] : 0.0;
}

// The constant acceleration of what sticks together with block k, not grounded.
static double loose_acceleration(const Motion *m, int k)
{
    const Stack *n = m->stack;
    int low = k, high = k;
    while (m->s[low] == 0)
        low--;
    while (high + 1 < n->blocks && m->s[high + 1] == 0)
        high++;
    double mass = 0.0;
    for (int j = low; j <= high; j++)
        mass += n->mass[j];
    return (slip_force(m, high + 1) - slip_force(m, low)) / mass;
}

static double acceleration(const Motion *m, int k, double t)
{
    return is_grounded(m, k) ? m->stack->a * sin(m->stack->w * t) : loose_acceleration(m, k);
}

// From the top: m a = f above - f below.
static void forces(const Motion *m, double t, double *f)
{
    double above = 0.0;
    for (int k = m->stack->blocks - 1; k >= 0; k--) {
        f[k] = m->s[k] ? slip_force(m, k) : above - m->stack->mass[k] * acceleration(m, k, t);
        above = f[k];
    }
}

static void move(const Motion *m, double t, double *x, double *v)
{
    const Stack *n = m->stack;
    const double h = t - m->t;
    for (int k = 0; k < n->blocks; k++) {
        if (is_grounded(m, k)) {
            v[k] = floor_speed(n, t);
            x[k] = m->x[k] + floor_way(n, t) - floor_way(n, m->t);
            continue;
        }
        const double a = loose_acceleration(m, k);
        v[k] = m->v[k] + h * a;
        x[k] = m->x[k] + h * m->v[k] + h * h / 2.0 * a;
    }
}

static double relative(const double *values, double floor_value, int k)
{
    return values[k] - (k ? values[k - 1] : floor_value);
}

static bool contradicts(const Motion *m, double t)
{
    const Stack *n = m->stack;
    double x[BLOCKS], v[BLOCKS], f[BLOCKS];
    move(m, t, x, v);
    forces(m, t, f);
    for (int k = 0; k < n->blocks; k++) {
        if (m->s[k] == 0 && fabs(f[k]) > n->holds[k] + 1e-12)
            return true;
        if (m->s[k] && m->s[k] * relative(v, floor_speed(n, t), k) < -1e-12)
            return true;
    }
    return false;
}

// What the run has made of an event, just after it; false: there is no such row.
static bool read_states(const Motion *m, int *s)
{
    for (long row = attempt_rows(m->run); row-- > 0;) {
        const SaltusRow here = attempt_row(m->run, row);
        if (here.kind != SALTUS_ROW_AFTER_EVENT || fabs(here.t - m->t) > 1e-7)
            continue;
        for (int k = 0; k < m->stack->blocks; k++) {
            char name[16];
            snprintf(name, sizeof name, "i%d.s", k + 1);
            s[k] = (int)attempt_value(m->run, name, row);
        }
        return true;
    }
    return false;
}

// Whether these states follow from those before, too, with what has to stop: what sticks can hold,
// what slips was let go by a force that was too large, or slipped before, and goes that way.
static bool is_right_too(const Motion *m, const int *before, const int *s)
{
    const Stack *n = m->stack;
    Motion stopped = *m, after = *m;
    double f_stopped[BLOCKS], f[BLOCKS], a[BLOCKS];
    for (int k = 0; k < n->blocks; k++) {
        const bool rests = fabs(relative(m->v, floor_speed(n, m->t), k)) < 1e-9;
        stopped.s[k] = rests ? 0 : before[k];
        after.s[k] = s[k];
    }
    forces(&stopped, m->t, f_stopped);
    forces(&after, m->t, f);
    for (int k = 0; k < n->blocks; k++)
        a[k] = acceleration(&after, k, m->t);
    for (int k = 0; k < n->blocks; k++) {
        const double gain = relative(a, n->a * sin(n->w * m->t), k);
        const bool holds = stopped.s[k] == 0 && fabs(f[k]) <= n->holds[k];
        const bool slips = stopped.s[k] ? s[k] == stopped.s[k]
                                        : s[k] * gain > 0.0 && (before[k] == s[k] ||
                                                                s[k] * f_stopped[k] > n->holds[k]);
        if (s[k] ? !slips : !holds)
            return false;
    }
    return true;
}

// All interfaces at once, until none changes: those whose speed has changed its sign, or would do
// so, stick; those whose force is too large slip.
static void pass_event(Motion *m)
{
    const Stack *n = m->stack;
    for (int round = 0; round < 20; round++) {
        double f[BLOCKS], a[BLOCKS];
        int next[BLOCKS] = {0};
        forces(m, m->t, f);
        for (int k = 0; k < n->blocks; k++)
            a[k] = acceleration(m, k, m->t);
        for (int k = 0; k < n->blocks; k++) {
            const double rate = relative(m->v, floor_speed(n, m->t), k);
            const double gain = relative(a, n->a * sin(n->w * m->t), k);
            next[k] = m->s[k];
            if (m->s[k] == 0 && fabs(f[k]) > n->holds[k])
                next[k] = f[k] > 0.0 ? 1 : -1;
            else if (m->s[k] && fabs(rate) < 1e-9 && m->s[k] * gain < 0.0)
                next[k] = 0;
        }
        if (memcmp(next, m->s, (size_t)n->blocks * sizeof *next) == 0)
            return;
        memcpy(m->s, next, (size_t)n->blocks * sizeof *next);
    }
}

static void follow(Motion *m, double to)
{
    const Stack *n = m->stack;
    while (m->t < to) {
        double end = fmin(m->t + 1e-3, to), low = m->t;
        const bool is_event = contradicts(m, end);
        while (is_event && end - low > 1e-15) {
            const double middle = (low + end) / 2.0;
            if (middle == low || middle == end)
                break;
            *(contradicts(m, middle) ? &end : &low) = middle;
        }
        double x[BLOCKS] = {0}, v[BLOCKS] = {0};
        move(m, end, x, v);
        memcpy(m->x, x, sizeof x);
        memcpy(m->v, v, sizeof v);
        m->t = end;
        if (is_event) {
            int before[BLOCKS], found[BLOCKS];
            memcpy(before, m->s, sizeof before);
            pass_event(m);
            if (n->acts_at_once && read_states(m, found) && is_right_too(m, before, found))
                memcpy(m->s, found, (size_t)n->blocks * sizeof *found);
        }
    }
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

// A run at the tolerance 1e-9 with some dozen events: a thousand tolerances.
static const double bound = 1e-6;

static Outcome compare(const void *expected, const Attempt *a, char *reason)
{
    const Stack *n = expected;
    Motion m = {.stack = n, .run = a};
    for (long row = 0; row < attempt_rows(a); row++) {
        const SaltusRow here = attempt_row(a, row);
        if (here.kind != SALTUS_ROW_INTERVAL && here.kind != SALTUS_ROW_END)
            continue;
        follow(&m, here.t);
        for (int k = 0; k < n->blocks; k++) {
            char name[2][16];
            snprintf(name[0], sizeof name[0], "x%d", k + 1);
            snprintf(name[1], sizeof name[1], "v%d", k + 1);
            for (int j = 0; j < 2; j++) {
                const double value = attempt_value(a, name[j], row), right = j ? m.v[k] : m.x[k];
                if (fabs(value - right) <= bound * (1.0 + fabs(right)))
                    continue;
                snprintf(reason, REASON_SIZE, "%s = %.10g at %.6g, right is %.10g", name[j], value,
                         here.t, right);
                return OUTCOME_WRONG;
            }
        }
    }
    return OUTCOME_RIGHT;
}

static Outcome try_stack(const void *data, const char *text, char reason[REASON_SIZE])
{
    const Stack *n = data;
    const AttemptDef def = {.stop_time = stop_time,
                            .tolerance = 1e-9,
                            .interval = sample_interval,
                            .max_step = n->max_step};
    return attempt_by_all(text, def, compare, n, reason);
}

static void try_form(const Requirement *requirement, Form form, double max_step)
{
    Tally tally = tally_begin(requirement);
    static Writing text;
    int seed;
    while (tally_next(&tally, &seed)) {
        Stack n = make_stack(seed);
        n.max_step = max_step;
        n.acts_at_once = form == WHEN_SETS;
        write_model(&text, &n, form);
        tally_try(&tally, seed, try_stack, &n, text.text);
    }
    tally_end(&tally);
}

static void test_machines(void **state)
{
    (void)state;
    try_form(&requirements[MACHINES], MACHINES, stop_time / 50.0);
}

static void test_if_pre(void **state)
{
    (void)state;
    try_form(&requirements[IF_PRE], IF_PRE, stop_time / 50.0);
}

static void test_when_sets(void **state)
{
    (void)state;
    try_form(&requirements[WHEN_SETS], WHEN_SETS, stop_time / 50.0);
}

static void test_long_steps(void **state)
{
    (void)state;
    try_form(&long_steps, IF_PRE, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_if_pre),
        cmocka_unit_test(test_when_sets),
        cmocka_unit_test(test_long_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
