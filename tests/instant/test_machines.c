// SPDX-License-Identifier: MIT
//
// Random hierarchical state machines with every option of `transition` (immediate or delayed, with
// or without reset, synchronized, priorities), whose states are timers, against an interpreter of
// section 17.3 of the Modelica specification: ticks are event iterations, timers of suspended
// states hold. Machines that never come to rest at an instant must be refused.

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

// How many may be refused today, and in the end; none may be wrong.
static const Requirement requirement = {"state machines", 150, 0, 0, {0}, {0}};

enum { STATES = 40, MACHINES = 16, TRANSITIONS = 100, DEPTH = 3, SAMPLES = 40, TICKS = 500 };
static const double stop_time = 4.0, sample_interval = 0.09373;

// A timer, and a machine inside or none (-1).
typedef struct State {
    int machine, inner;
} State;

typedef struct Machine {
    int owner, first, count; // the state it is in or -1; its states, the first is the initial one
} Machine;

typedef enum Kind { OWN_TIMER, TIME_IN_STATE, INNER_TIMER } Kind;

// Condition: a timer > limit
typedef struct Transition {
    int machine, from, to;
    Kind kind;
    int watched; // whose timer
    double limit;
    bool is_immediate, resets, is_synchronized;
    int priority;
} Transition;

typedef struct Chart {
    int states, machines, transitions;
    State state[STATES];
    Machine machine[MACHINES];
    Transition transition[TRANSITIONS];
} Chart;

// ---------------------------------------------------------------------------
// Random charts
// ---------------------------------------------------------------------------

static int make_machine(Chance *c, Chart *n, int owner, int depth)
{
    const int m = n->machines++, first = n->states, count = 2 + chance_below(c, depth ? 2 : 3);
    n->machine[m] = (Machine){owner, first, count};
    n->states += count;
    for (int k = first; k < first + count; k++)
        n->state[k] = (State){m, -1};
    for (int k = first; k < first + count; k++)
        if (depth + 1 < DEPTH && chance_is(c, depth ? 0.2 : 0.45))
            n->state[k].inner = make_machine(c, n, k, depth + 1);
    return m;
}

static void add_transition(Chance *c, Chart *n, int m, int from, int to)
{
    const int inner = n->state[from].inner;
    int priority = 1;
    for (int k = 0; k < n->transitions; k++)
        priority += n->transition[k].from == from;
    Transition *t = &n->transition[n->transitions++];
    *t = (Transition){.machine = m,
                      .from = from,
                      .to = to,
                      .kind = (Kind)chance_below(c, inner >= 0 ? 3 : 2),
                      .watched = from,
                      .limit = round(1e3 * chance_between(c, 0.1, 1.2)) / 1e3,
                      .is_immediate = chance_is(c, 0.7),
                      .resets = chance_is(c, 0.75),
                      .is_synchronized = inner >= 0 && chance_is(c, 0.15),
                      .priority = priority};
    if (t->kind == INNER_TIMER)
        t->watched = n->machine[inner].first + chance_below(c, n->machine[inner].count);
}

// Every state is reached from one before it; some have ways on, or back.
static void make_transitions(Chance *c, Chart *n, int m)
{
    const int first = n->machine[m].first, count = n->machine[m].count;
    for (int k = 1; k < count; k++)
        add_transition(c, n, m, first + chance_below(c, k), first + k);
    for (int k = 0; k < count; k++)
        if (chance_is(c, 0.7))
            add_transition(c, n, m, first + k, first + chance_below(c, count));
}

static Chart make_chart(uint64_t seed)
{
    Chance c = chance_from(5000u + seed);
    Chart n = {0};
    make_machine(&c, &n, -1, 0);
    for (int m = 0; m < n.machines; m++)
        make_transitions(&c, &n, m);
    return n;
}

// ---------------------------------------------------------------------------
// As a Modelica model
// ---------------------------------------------------------------------------

static void write_machine(Writing *w, const Chart *n, int m, bool is_top);

static void write_classes(Writing *w, const Chart *n, int m)
{
    for (int k = n->machine[m].first; k < n->machine[m].first + n->machine[m].count; k++) {
        if (n->state[k].inner < 0)
            continue;
        write_classes(w, n, n->state[k].inner);
        writing_add(w, "  model C%d\n    Real t(start = 0);\n", k);
        write_machine(w, n, n->state[k].inner, false);
        writing_add(w, "    der(t) = 1;\n  end C%d;\n", k);
    }
}

static void write_condition(Writing *w, const Transition *t)
{
    if (t->kind == TIME_IN_STATE)
        writing_add(w, "timeInState() > %.3f", t->limit);
    else if (t->kind == OWN_TIMER)
        writing_add(w, "s%d.t > %.3f", t->from, t->limit);
    else
        writing_add(w, "s%d.s%d.t > %.3f", t->from, t->watched, t->limit);
}

static void write_machine(Writing *w, const Chart *n, int m, bool is_top)
{
    const Machine *machine = &n->machine[m];
    for (int k = machine->first; k < machine->first + machine->count; k++) {
        if (n->state[k].inner < 0)
            writing_add(w, "    Leaf s%d;\n", k);
        else
            writing_add(w, "    C%d s%d;\n", k, k);
    }
    for (int k = machine->first; is_top && k < machine->first + machine->count; k++)
        writing_add(w, "    Boolean active%d = activeState(s%d);\n", k, k);
    writing_add(w, "  equation\n    initialState(s%d);\n", machine->first);
    for (int k = 0; k < n->transitions; k++) {
        const Transition *t = &n->transition[k];
        if (t->machine != m)
            continue;
        writing_add(w, "    transition(s%d, s%d, ", t->from, t->to);
        write_condition(w, t);
        writing_add(w, ", immediate = %s, reset = %s, synchronize = %s, priority = %d);\n",
                    t->is_immediate ? "true" : "false", t->resets ? "true" : "false",
                    t->is_synchronized ? "true" : "false", t->priority);
    }
}

static void write_model(Writing *w, const Chart *n)
{
    writing_clear(w);
    writing_add(w, "model Chart\n  model Leaf Real t(start = 0); equation der(t) = 1; end Leaf;\n");
    write_classes(w, n, 0);
    write_machine(w, n, 0, true);
    writing_add(w, "end Chart;\n");
}

// Of the timer of a state, "s1.s4.t".
static void path_of(const Chart *n, int state, char *path, size_t size)
{
    char outer[64] = "";
    const int owner = n->machine[n->state[state].machine].owner;
    if (owner >= 0)
        path_of(n, owner, outer, sizeof outer);
    snprintf(path, size, "%s%ss%d", outer, outer[0] ? "." : "", state);
}

// ---------------------------------------------------------------------------
// The interpreter
// ---------------------------------------------------------------------------

typedef struct Interpreter {
    const Chart *chart;
    double time, timer[STATES], in_state[STATES];
    bool is_marked[STATES]; // to be reset when it is entered next
    int active[MACHINES];   // state of each machine
    int before[MACHINES];   // the same when the tick began: what synchronization asks for
    bool previous[TRANSITIONS];
    bool has_changed;
    bool is_unfair; // a timer that holds just at a limit was asked for: rounding decides
} Interpreter;

static bool is_final(const Chart *n, int state)
{
    for (int k = 0; k < n->transitions; k++)
        if (n->transition[k].from == state)
            return false;
    return true;
}

static double watched_timer(const Interpreter *p, const Transition *t)
{
    return t->kind == TIME_IN_STATE ? p->in_state[t->from] : p->timer[t->watched];
}

// All machines whose owners are active.
static bool is_running(const Interpreter *p, int m)
{
    const int owner = p->chart->machine[m].owner;
    return owner < 0 || (p->active[p->chart->state[owner].machine] == owner &&
                         is_running(p, p->chart->state[owner].machine));
}

static bool runs_timer(const Interpreter *p, int state)
{
    const int m = p->chart->state[state].machine;
    return p->active[m] == state && is_running(p, m);
}

// Delayed ones count with what they were in the last tick.
static bool is_enabled(Interpreter *p, const Transition *t)
{
    if (p->active[t->machine] == t->from && fabs(watched_timer(p, t) - t->limit) < 1e-9 &&
        !runs_timer(p, t->watched))
        p->is_unfair = true;
    const int inner = p->chart->state[t->from].inner;
    return watched_timer(p, t) > t->limit - 1e-10 &&
           !(t->is_synchronized && !is_final(p->chart, p->before[inner]));
}

// The transition that fires from the selected state: the smallest priority; NULL: none.
static const Transition *fired(Interpreter *p, int m, int selected)
{
    const Transition *best = NULL;
    for (int k = 0; k < p->chart->transitions; k++) {
        const Transition *t = &p->chart->transition[k];
        if (t->machine == m && t->from == selected &&
            (t->is_immediate ? is_enabled(p, t) : p->previous[k]) &&
            (!best || t->priority < best->priority))
            best = t;
    }
    return best;
}

// A state that an enclosing one interrupts, also by a self-transition, begins its time anew.
static void step_machine(Interpreter *p, int m, bool is_reset, bool is_entered)
{
    const Machine *machine = &p->chart->machine[m];
    if (is_entered && !is_reset)
        p->in_state[p->active[m]] = 0.0;
    const Transition *t = is_reset ? NULL : fired(p, m, p->active[m]);
    for (int k = machine->first; is_reset && k < machine->first + machine->count; k++)
        p->is_marked[k] = true;
    if (is_reset)
        p->active[m] = machine->first;
    if (t)
        p->active[m] = t->to;
    const int state = p->active[m];
    const bool is_new = is_reset || t;
    const bool resets = is_new && (is_reset || t->resets || p->is_marked[state]);
    if (is_new) {
        p->in_state[state] = 0.0;
        p->has_changed = true;
    }
    if (resets)
        p->timer[state] = 0.0;
    p->is_marked[state] = false;
    if (p->chart->state[state].inner >= 0)
        step_machine(p, p->chart->state[state].inner, resets, is_new || is_entered);
}

static void keep_conditions(Interpreter *p)
{
    for (int k = 0; k < p->chart->transitions; k++) {
        const Transition *t = &p->chart->transition[k];
        if (t->is_immediate || !is_running(p, t->machine))
            continue;
        const bool now = is_enabled(p, t);
        p->has_changed |= now != p->previous[k] && p->active[t->machine] == t->from;
        p->previous[k] = now;
    }
}

// Ticks until nothing changes; false: it never ends.
static bool pass_event(Interpreter *p, bool is_first)
{
    for (int tick = 0; tick < TICKS; tick++) {
        p->has_changed = false;
        memcpy(p->before, p->active, sizeof p->active);
        step_machine(p, 0, is_first && tick == 0, false);
        keep_conditions(p);
        if (!p->has_changed)
            return true;
    }
    return false;
}

// Until a timer that a transition from an active state waits for reaches its limit.
static double time_to_event(const Interpreter *p)
{
    double wait = INFINITY;
    for (int k = 0; k < p->chart->transitions; k++) {
        const Transition *t = &p->chart->transition[k];
        const double left = t->limit - watched_timer(p, t);
        if (runs_timer(p, t->from) && left > 1e-10 &&
            (t->kind == TIME_IN_STATE || runs_timer(p, t->watched)))
            wait = fmin(wait, left);
    }
    return wait;
}

static void pass_time(Interpreter *p, double h)
{
    for (int k = 0; k < p->chart->states; k++)
        if (runs_timer(p, k)) {
            p->timer[k] += h;
            p->in_state[k] += h;
        }
    p->time += h;
}

static bool follow(Interpreter *p, double to)
{
    for (;;) {
        const double wait = time_to_event(p);
        if (p->time + wait > to) {
            pass_time(p, to - p->time);
            return true;
        }
        pass_time(p, wait);
        if (!pass_event(p, false))
            return false;
    }
}

// ---------------------------------------------------------------------------
// Comparison
// ---------------------------------------------------------------------------

typedef struct Expected {
    bool is_unfair;
    bool is_endless; // and how many samples were before that
    int samples;
    double timer[SAMPLES][STATES];
    int active[SAMPLES];
} Expected;

static void expect(const Chart *n, Expected *x)
{
    Interpreter p = {.chart = n};
    *x = (Expected){.is_endless = !pass_event(&p, true)};
    while (!x->is_endless && x->samples < SAMPLES) {
        x->is_endless = !follow(&p, (x->samples + 1) * sample_interval);
        x->is_unfair = p.is_unfair;
        if (x->is_endless)
            return;
        memcpy(x->timer[x->samples], p.timer, sizeof p.timer);
        x->active[x->samples++] = p.active[0];
    }
}

// Timers are integrated exactly, and events located by rounding.
static const double bound = 1e-8;

static bool compare_row(const Chart *n, const Expected *x, int s, const Attempt *a, long row,
                        char *reason)
{
    char name[80];
    for (int k = 0; k < n->states; k++) {
        path_of(n, k, name, sizeof name - 2);
        strcat(name, ".t");
        const double value = attempt_value(a, name, row);
        if (fabs(value - x->timer[s][k]) <= bound)
            continue;
        snprintf(reason, REASON_SIZE, "%s = %.10g at %.6g, right is %.10g", name, value,
                 (s + 1) * sample_interval, x->timer[s][k]);
        return false;
    }
    for (int k = 0; k < n->machine[0].count; k++) {
        snprintf(name, sizeof name, "active%d", k);
        if (attempt_value(a, name, row) == (x->active[s] == k))
            continue;
        snprintf(reason, REASON_SIZE, "%s is wrong at %.6g", name, (s + 1) * sample_interval);
        return false;
    }
    return true;
}

static Outcome compare(const Chart *n, const Expected *x, const Attempt *a, char *reason)
{
    int s = 0;
    for (long row = 0; row < attempt_rows(a) && s < x->samples; row++)
        if (fabs(attempt_row(a, row).t - (s + 1) * sample_interval) < 1e-9) {
            if (!compare_row(n, x, s, a, row, reason))
                return OUTCOME_WRONG;
            s++;
        }
    if (s < x->samples)
        snprintf(reason, REASON_SIZE, "only %d samples", s);
    return s == x->samples ? OUTCOME_RIGHT : OUTCOME_WRONG;
}

static Outcome try_solver(const Chart *n, const Expected *x, Attempt *a, SaltusSolver solver,
                          char *reason)
{
    const AttemptDef def = {solver, stop_time, 1e-9, sample_interval, 0.0, 0.0};
    const bool runs = attempt_run(a, &def);
    if (runs && x->is_endless) {
        snprintf(reason, REASON_SIZE, "runs, but has an endless cascade before %.6g",
                 (x->samples + 1) * sample_interval);
        return OUTCOME_WRONG;
    }
    if (runs || x->is_endless)
        return compare(n, x, a, reason);
    snprintf(reason, REASON_SIZE, "%.180s", attempt_message(a));
    return OUTCOME_REFUSED;
}

static Outcome try_chart(const void *data, const char *text, char reason[REASON_SIZE])
{
    static Expected x;
    expect(data, &x);
    Attempt *a = attempt_begin(text);
    Outcome outcome = OUTCOME_RIGHT;
    for (int k = 0; k < ATTEMPT_SOLVERS && outcome == OUTCOME_RIGHT; k++) {
        outcome = try_solver(data, &x, a, attempt_solvers[k], reason);
        if (outcome != OUTCOME_RIGHT)
            attempt_blame(a, reason, REASON_SIZE);
    }
    attempt_end(a);
    return outcome;
}

// The first fair one of the seed.
static Chart make_fair_chart(int seed)
{
    static Expected x;
    Chart n = make_chart((uint64_t)seed);
    expect(&n, &x);
    for (uint64_t k = 1; x.is_unfair; k++) {
        n = make_chart((uint64_t)seed + 100000u * k);
        expect(&n, &x);
    }
    return n;
}

static void test_charts(void **state)
{
    (void)state;
    Tally tally = tally_begin(&requirement);
    static Writing text;
    static Chart n;
    int seed;
    while (tally_next(&tally, &seed)) {
        n = make_fair_chart(seed);
        write_model(&text, &n);
        tally_try(&tally, seed, try_chart, &n, text.text);
    }
    tally_end(&tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_charts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
