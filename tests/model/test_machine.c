// SPDX-License-Identifier: MIT
//
// The step of state machines, against traces worked out by hand from the rules of chapter 17. The
// conditions are given by the tests.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "modes/machine.h"
#include "support/flattened.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 512 };

typedef struct Chart {
    Flattened flat;
    const MachineTables *t;
    MachineEffects effects;
    double memory[ROOM], conditions[ROOM], time;
} Chart;

static Chart *chart_begin(Chart *c, const char *equations)
{
    char text[4096];
    snprintf(text, sizeof text,
             "model S Real x(start = 0); equation der(x) = 1; end S;"
             "model Inner Boolean g = time > 1; S p; S q; equation initialState(p);"
             "  transition(p, q, g); transition(q, p, g, reset = false); end Inner;"
             "model Ending Boolean g = time > 1; S p; S q; equation initialState(p);"
             "  transition(p, q, g); end Ending;"
             "model M Boolean f = time > 1; S a; S b; S d; %s%s equation %s end M;",
             strstr(equations, "(i)") || strstr(equations, ", i,") ? "Inner i;" : "",
             strstr(equations, "(e)") ? "Ending e;" : "", equations);
    *c = (Chart){.flat = flattened_from_text(text)};
    c->t = machine_tables(c->flat.arena, c->flat.model);
    assert_true(c->t->memory_count <= ROOM);
    c->effects =
        (MachineEffects){.is_entered = ARENA_ARRAY(c->flat.arena, c->t->state_count, bool),
                         .is_left = ARENA_ARRAY(c->flat.arena, c->t->state_count, bool),
                         .is_reset = ARENA_ARRAY(c->flat.arena, c->t->state_count, bool),
                         .fired = ARENA_ARRAY(c->flat.arena, c->t->machine_count, uint32_t)};
    machine_start(c->t, 0.0, c->memory, &c->effects);
    return c;
}

static void chart_end(Chart *c)
{
    flattened_end(&c->flat);
}

static uint32_t state_named(const Chart *c, const char *name)
{
    for (uint32_t k = 0; k < c->t->state_count; k++)
        if (strcmp(c->t->states[k].flat->name, name) == 0)
            return k;
    fail_msg("there is no state %s", name);
    return 0;
}

static uint32_t machine_of(const Chart *c, const char *state)
{
    return c->t->states[state_named(c, state)].machine;
}

// Sets the condition of the n-th transition between two states.
static void set_nth(Chart *c, const char *from, const char *to, int n, bool value)
{
    uint32_t f = state_named(c, from), g = state_named(c, to);
    for (uint32_t k = 0; k < c->t->transition_count; k++)
        if (c->t->transitions[k].from == f && c->t->transitions[k].to == g && n-- == 0)
            c->conditions[k] = value;
}

static void set(Chart *c, const char *from, const char *to, bool value)
{
    set_nth(c, from, to, 0, value);
}

static const char *names(const Chart *c, const bool *flags, char *text, size_t size)
{
    text[0] = '\0';
    for (uint32_t k = 0; k < c->t->state_count; k++)
        if (flags[k])
            snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] ? " " : "",
                     c->t->states[k].flat->name);
    return text;
}

static void assert_active(const Chart *c, const char *expected)
{
    bool active[ROOM];
    char text[256];
    for (uint32_t k = 0; k < c->t->state_count; k++)
        active[k] = machine_is_active(c->t, c->memory, k);
    assert_string_equal(names(c, active, text, sizeof text), expected);
}

// One iteration; then which states are active, were entered, were reset.
static void step(Chart *c, const char *active, const char *entered, const char *reset)
{
    char text[256];
    double next[ROOM];
    machine_step(c->t, c->time, c->memory, c->conditions, next, &c->effects);
    machine_step(c->t, c->time, c->memory, c->conditions, c->memory, &c->effects);
    assert_memory_equal(next, c->memory, c->t->memory_count * sizeof *next); // in place, too
    assert_active(c, active);
    assert_string_equal(names(c, c->effects.is_entered, text, sizeof text), entered);
    assert_string_equal(names(c, c->effects.is_reset, text, sizeof text), reset);
    assert_int_equal(c->effects.has_changed, entered[0] != '\0');
}

// ---------------------------------------------------------------------------
// One machine
// ---------------------------------------------------------------------------

static void initial_state_is_entered_by_reset(void **state)
{
    (void)state;
    Chart c;
    char text[64];
    chart_begin(&c, "initialState(b); transition(b, a, f); transition(a, b, f);");
    assert_active(&c, "b");
    assert_string_equal(names(&c, c.effects.is_reset, text, sizeof text), "b");
    assert_true(c.effects.is_unsettled);
    step(&c, "b", "", "");
    assert_false(c.effects.is_unsettled);
    chart_end(&c);
}

// One transition in each iteration, though the next exit is true already.
static void immediate_transitions(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(a); transition(a, b, f); transition(b, d, f);");
    set(&c, "a", "b", true);
    set(&c, "b", "d", true);
    step(&c, "b", "b", "b");
    assert_true(c.effects.is_unsettled);
    assert_true(c.effects.is_left[state_named(&c, "a")]);
    assert_int_equal(c.effects.fired[0], 0);
    step(&c, "d", "d", "d");
    step(&c, "d", "", "");
    assert_false(c.effects.is_unsettled);
    assert_int_equal(c.effects.fired[0], MACHINE_NONE);
    chart_end(&c);
}

// A delayed one fires an iteration later, even if its condition does not hold any more; until then
// the fixed point is not reached. In the iteration of the entry its condition does not count.
static void delayed_transitions(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(a); transition(a, b, f, immediate = false);"
                    "transition(b, a, f, immediate = false);");
    step(&c, "a", "", "");
    set(&c, "a", "b", true);
    step(&c, "a", "", "");
    assert_true(c.effects.is_unsettled);
    set(&c, "a", "b", false);
    set(&c, "b", "a", true);
    step(&c, "b", "b", "b");
    step(&c, "b", "", "");
    assert_true(c.effects.is_unsettled);
    step(&c, "a", "a", "a");
    set(&c, "b", "a", false);
    step(&c, "a", "", "");
    assert_false(c.effects.is_unsettled);
    chart_end(&c);
}

// The smallest number goes first, also between an immediate and a delayed transition.
static void priorities(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(a); transition(a, b, f, priority = 3);"
                    "transition(a, d, f, priority = 2); transition(b, a, f); transition(d, a, f);");
    set(&c, "a", "b", true);
    set(&c, "a", "d", true);
    step(&c, "d", "d", "d");
    chart_end(&c);
    chart_begin(&c, "initialState(a); transition(a, b, f, priority = 2);"
                    "transition(a, d, f, priority = 1, immediate = false);"
                    "transition(b, a, f); transition(d, a, f);");
    set(&c, "a", "d", true);
    step(&c, "a", "", "");
    set(&c, "a", "b", true); // both can fire now: d waits
    step(&c, "d", "d", "d");
    chart_end(&c);
}

// Without reset a state goes on, except when it is entered for the first time.
static void history(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(a); transition(a, b, f, reset = false);"
                    "transition(b, a, f, reset = false);");
    set(&c, "a", "b", true);
    set(&c, "b", "a", true);
    step(&c, "b", "b", "b");
    step(&c, "a", "a", "");
    step(&c, "b", "b", "");
    chart_end(&c);
}

// Time and ticks count from the entry; a self transition is one.
static void time_and_ticks(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(a); transition(a, a, f, reset = false); transition(a, b, f,"
                    "priority = 2);");
    assert_true(machine_ticks(c.t, c.memory, 0) == 1.0);
    c.time = 2.0;
    step(&c, "a", "", "");
    step(&c, "a", "", "");
    assert_true(machine_ticks(c.t, c.memory, 0) == 3.0);
    assert_true(machine_entry_time(c.t, c.memory, 0) == 0.0);
    c.time = 3.0;
    set(&c, "a", "a", true);
    step(&c, "a", "a", "");
    assert_true(machine_ticks(c.t, c.memory, 0) == 1.0);
    assert_true(machine_entry_time(c.t, c.memory, 0) == 3.0);
    assert_true(c.effects.is_left[state_named(&c, "a")]);
    chart_end(&c);
}

// ---------------------------------------------------------------------------
// Several
// ---------------------------------------------------------------------------

static void parallel_machines(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(a); transition(a, b, f); initialState(d); transition(d, d, f);");
    assert_int_equal(c.t->machine_count, 2);
    assert_active(&c, "a d");
    set(&c, "a", "b", true);
    set(&c, "d", "d", true);
    step(&c, "b d", "b d", "b d");
    set(&c, "d", "d", false);
    step(&c, "b d", "", "");
    chart_end(&c);
}

// The outer machine comes first: what is left does not step. Entered by reset the inner machine
// begins anew, and its other state is reset when its turn comes; else it goes on.
static void hierarchy(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(a); transition(a, i, f); transition(i, a, f, reset = false);"
                    "transition(a, i, f, reset = false, priority = 2);");
    assert_active(&c, "a");
    assert_int_equal(machine_active(c.t, c.memory, machine_of(&c, "i.p")), MACHINE_NONE);
    set(&c, "i.p", "i.q", true); // true already, but not looked at before the entry
    set_nth(&c, "a", "i", 1, true);
    step(&c, "i i.p", "i i.p", "i i.p"); // for the first time: by reset, whatever is said
    set_nth(&c, "a", "i", 1, false);
    step(&c, "i i.q", "i.q", "i.q");
    set(&c, "i.p", "i.q", false);
    set(&c, "i.q", "i.p", true);
    step(&c, "i i.p", "i.p", ""); // reset = false
    set(&c, "i.q", "i.p", false);
    set(&c, "i.p", "i.q", true);
    set(&c, "i", "a", true);
    step(&c, "a", "a", ""); // the inner exit is true, too
    assert_true(c.effects.is_left[state_named(&c, "i.p")]);
    set(&c, "i", "a", false);
    set_nth(&c, "a", "i", 1, true);
    step(&c, "i i.p", "i i.p", ""); // history, and no inner step yet
    set_nth(&c, "a", "i", 1, false);
    step(&c, "i i.q", "i.q", "i.q");
    set(&c, "i.p", "i.q", false);
    set(&c, "i", "a", true);
    step(&c, "a", "a", "");
    set(&c, "i", "a", false);
    set(&c, "a", "i", true);
    step(&c, "i i.p", "i i.p", "i i.p");
    chart_end(&c);
}

// A reset of the outer state marks the inner ones: q is reset though no transition says so.
static void inner_states_are_marked(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(i); transition(i, i, f);");
    set(&c, "i.p", "i.q", true);
    step(&c, "i i.q", "i.q", "i.q");
    set(&c, "i.p", "i.q", false);
    set(&c, "i.q", "i.p", true);
    step(&c, "i i.p", "i.p", "");
    set(&c, "i.q", "i.p", false);
    set(&c, "i", "i", true);
    step(&c, "i i.p", "i i.p", "i i.p");
    chart_end(&c);
}

// Not before the machine inside is in a final state.
static void synchronize(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(e); transition(e, a, f, synchronize = true);");
    set(&c, "e", "a", true);
    step(&c, "e e.p", "", "");
    assert_false(c.effects.is_unsettled);
    set(&c, "e.p", "e.q", true);
    step(&c, "e e.q", "e.q", "e.q");
    step(&c, "a", "a", "a");
    chart_end(&c);
}

// A two-level machine with history beside an independent one, iteration by iteration.
static void statechart(void **state)
{
    (void)state;
    Chart c;
    chart_begin(&c, "initialState(i); transition(i, a, f, immediate = false);"
                    "transition(a, i, f, reset = false);"
                    "initialState(b); transition(b, d, f); transition(d, b, f);");
    assert_active(&c, "i b i.p");
    set(&c, "b", "d", true);
    set(&c, "i.p", "i.q", true);
    step(&c, "i d i.q", "d i.q", "d i.q");
    set(&c, "i", "a", true);
    set(&c, "d", "b", true);
    set(&c, "b", "d", false);
    step(&c, "i b i.q", "b", "b");
    set(&c, "i", "a", false);
    set(&c, "i.q", "i.p", true);
    step(&c, "a b", "a", "a"); // the delayed transition wins over the inner one
    set(&c, "a", "i", true);
    step(&c, "i b i.q", "i i.q", "");
    set(&c, "a", "i", false);
    step(&c, "i b i.p", "i.p", "");
    set(&c, "i.q", "i.p", false);
    set(&c, "i.p", "i.q", false);
    step(&c, "i b i.p", "", "");
    assert_false(c.effects.is_unsettled);
    chart_end(&c);
}

// ---------------------------------------------------------------------------
// Endless cascades
// ---------------------------------------------------------------------------

static int run_endlessly(Chart *c)
{
    int count = 0;
    do {
        machine_step(c->t, c->time, c->memory, c->conditions, c->memory, &c->effects);
        count++;
    } while (!c->effects.is_endless && count < 10 * MACHINE_MOST_TRANSITIONS);
    return count;
}

static void endless_cascades_are_named(void **state)
{
    (void)state;
    Chart c;
    char *text = NULL;
    chart_begin(&c, "initialState(a); transition(a, b, f); transition(b, d, f);"
                    "transition(d, b, f);");
    set(&c, "a", "b", true);
    set(&c, "b", "d", true);
    set(&c, "d", "b", true);
    assert_int_equal(run_endlessly(&c), MACHINE_MOST_TRANSITIONS + 1);
    machine_cycle(c.t, c.memory, &text);
    assert_string_equal(text, "b -> d -> b");
    free(text);
    // at another instant the count begins anew
    c.time = 1.0;
    machine_step(c.t, c.time, c.memory, c.conditions, c.memory, &c.effects);
    assert_false(c.effects.is_endless);
    chart_end(&c);
}

// Each state has a name of 600 characters, which differ at the end.
static void long_names_are_whole(void **state)
{
    enum { LENGTH = 600 };
    (void)state;
    Chart c;
    char a[LENGTH + 1], b[LENGTH + 1], *text = NULL;
    memset(a, 'x', LENGTH);
    a[LENGTH] = '\0';
    memcpy(b, a, sizeof b);
    a[LENGTH - 1] = 'a';
    b[0] = 'y';
    b[LENGTH - 1] = 'b';
    chart_begin(&c, "initialState(a); transition(a, b, f); transition(b, a, f);");
    set(&c, "a", "b", true);
    set(&c, "b", "a", true);
    assert_int_equal(run_endlessly(&c), MACHINE_MOST_TRANSITIONS + 1);
    for (uint32_t i = 0; i < c.t->state_count; i++) {
        FlatState *flat = (FlatState *)(uintptr_t)c.t->states[i].flat;
        flat->name = strcmp(flat->name, "a") == 0 ? a : b;
    }
    machine_cycle(c.t, c.memory, &text);
    // It begins and ends with the same state: "x..a -> y..b -> x..a", or the other way round.
    const char *first = text[0] == 'x' ? a : b, *second = text[0] == 'x' ? b : a;
    assert_int_equal(strlen(text), 3 * LENGTH + 2 * strlen(" -> "));
    assert_memory_equal(text, first, LENGTH);
    assert_memory_equal(text + LENGTH + 4, second, LENGTH);
    assert_string_equal(text + 2 * (LENGTH + 4), first);
    free(text);
    chart_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initial_state_is_entered_by_reset),
        cmocka_unit_test(immediate_transitions),
        cmocka_unit_test(delayed_transitions),
        cmocka_unit_test(priorities),
        cmocka_unit_test(history),
        cmocka_unit_test(time_and_ticks),
        cmocka_unit_test(parallel_machines),
        cmocka_unit_test(hierarchy),
        cmocka_unit_test(inner_states_are_marked),
        cmocka_unit_test(synchronize),
        cmocka_unit_test(statechart),
        cmocka_unit_test(endless_cascades_are_named),
        cmocka_unit_test(long_names_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
