// SPDX-License-Identifier: MIT
//
// Which if-equations are structural.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/branches.h"
#include "structure/structure.h"
#include "support/signatures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static int setup(void **state)
{
    *state = arena_create(NULL);
    return 0;
}

static int teardown(void **state)
{
    arena_destroy(*state);
    return 0;
}

// Equations with a guard in front: "0.1: x y" is in branch 1 of choice 0. Choices have two
// branches and are not nested.
static BranchSystem make(Arena *arena, const char *const *texts)
{
    const char *equations[MOST + 1] = {NULL};
    BranchGuard *guards = ARENA_ARRAY(arena, MOST, BranchGuard);
    BranchChoice *choices = ARENA_ARRAY(arena, MOST, BranchChoice);
    BranchSystem system = {.guards = guards, .choices = choices};
    for (uint32_t i = 0; texts[i]; i++) {
        const char *colon = strstr(texts[i], ": ");
        equations[i] = colon ? colon + 2 : texts[i];
        guards[i] = (BranchGuard){GRAPH_NONE, 0};
        if (!colon)
            continue;
        char *dot;
        guards[i].choice = (uint32_t)strtoul(texts[i], &dot, 10);
        guards[i].branch = (uint32_t)strtoul(dot + 1, NULL, 10);
        choices[guards[i].choice] = (BranchChoice){2, {GRAPH_NONE, 0}, false, GRAPH_NONE, false};
        if (guards[i].choice >= system.choice_count)
            system.choice_count = guards[i].choice + 1;
    }
    system.all = signatures_make(arena, NULL, equations);
    return system;
}

static const Branches *decide(Arena *arena, const char *const *texts)
{
    BranchSystem system = make(arena, texts);
    const uint32_t active[MOST] = {0};
    return branches_decide(arena, &system, active);
}

// A diode with a resistance when it blocks: u = Ron i or u = Roff i. The same incidence.
static void same_incidence_stays(void **state)
{
    const char *const texts[] = {"0.0: u i=-0.1", "0.1: u i=-1000", "u r @e", "r i=-5", NULL};
    const Branches *b = decide(*state, texts);
    assert_false(b->is_structural[0]);
    assert_int_equal(b->merged->equation_count, 3);
    assert_int_equal(b->start[1] - b->start[0], 2);
    assert_int_equal(b->sources[1], 1);
    // the number differs from branch to branch, so the matrix is not constant
    const Structure *s = structure_create(*state, b->merged, NULL);
    assert_int_equal(s->blocks[s->block_count - 1].kind, STRUCTURE_LINEAR);
}

// An ideal diode: u = 0 or i = 0. Solved for different variables.
static void ideal_diode_is_structural(void **state)
{
    const char *const texts[] = {"0.0: u", "0.1: i", "u r @e", "r i=-5", NULL};
    const Branches *b = decide(*state, texts);
    assert_true(b->is_structural[0]);
    assert_int_equal(b->merged->equation_count, 3);
    assert_int_equal(b->start[3], 3);
}

// The other equations can take the part of what differs: x occurs in both branches.
static void different_incidence_stays_where_one_matching_serves(void **state)
{
    const char *const texts[] = {"0.0: x y", "0.1: x z", "y @u", "z @u", NULL};
    const Branches *b = decide(*state, texts);
    assert_false(b->is_structural[0]);
    const Structure *s = structure_create(*state, b->merged, NULL);
    assert_int_equal(s->block_count, 3);
    assert_string_equal(s->signature->variables[s->steps[2].variable].name, "x");
}

// if time < 0.5 then der(x) = 10; else x = -5; (ModelicaSpecification issue 2411)
static void number_of_states_is_structural(void **state)
{
    const char *const texts[] = {"0.0: x'", "0.1: x", NULL};
    assert_true(decide(*state, texts)->is_structural[0]);
}

// The rope: taut x^2 + y^2 = l^2, loose lambda = 0. The index is 3 or 1.
static void rope_is_structural(void **state)
{
    const char *const texts[] = {"x' u=-1",    "y' v=-1",  "u' x*lam", "v' y*lam",
                                 "0.0: x~ y~", "0.1: lam", NULL};
    BranchSystem system = make(*state, texts);
    const uint32_t taut = 0, loose = 1;
    const Branches *b = branches_decide(*state, &system, &taut);
    assert_true(b->is_structural[0]);
    assert_int_equal(structure_create(*state, b->merged, NULL)->offsets->index, 3);
    b = branches_decide(*state, &system, &loose);
    assert_int_equal(structure_create(*state, b->merged, NULL)->offsets->index, 1);
}

// The right-hand side of a differential equation may do what it wants.
static void right_hand_sides_stay(void **state)
{
    const char *const texts[] = {"0.0: x' x y", "0.1: x'", "y' x", NULL};
    const Branches *b = decide(*state, texts);
    assert_false(b->is_structural[0]);
    assert_int_equal(structure_create(*state, b->merged, NULL)->state_count, 2);
}

// Only the choice that is in the way is structural, not the one beside it.
static void innocent_choices_stay(void **state)
{
    const char *const texts[] = {"0.0: u",    "0.1: i",    "u r @e", "r i=-5", "1.0: x' i",
                                 "1.1: x' x", "2.0: w i~", "2.1: w", NULL};
    const Branches *b = decide(*state, texts);
    assert_true(b->is_structural[0]);
    assert_false(b->is_structural[1]);
    assert_false(b->is_structural[2]);
}

static void different_numbers_of_equations_are_structural(void **state)
{
    const char *const texts[] = {"0.0: x", "0.0: y", "0.1: x", "y x", NULL};
    const Branches *b = decide(*state, texts);
    assert_true(b->is_structural[0]);
    assert_int_equal(b->merged->equation_count, 3);
}

// if a then (if b then x = 1 else x = y) else x = 2: one equation of three sources.
static void nested_choices(void **state)
{
    const char *const equations[] = {"x", "x y", "x=2", "y @u", NULL};
    const BranchGuard guards[] = {{1, 0}, {1, 1}, {0, 1}, {GRAPH_NONE, 0}};
    const BranchChoice choices[] = {{2, {GRAPH_NONE, 0}, false, GRAPH_NONE, false},
                                    {2, {0, 0}, false, GRAPH_NONE, false}};
    BranchSystem system = {signatures_make(*state, NULL, equations), guards, choices, 2};
    const uint32_t active[] = {0, 0};
    const Branches *b = branches_decide(*state, &system, active);
    assert_false(b->is_structural[0] || b->is_structural[1]);
    assert_int_equal(b->merged->equation_count, 2);
    assert_int_equal(b->start[1], 3);
    // the same with y instead of x in the else branch of the outer one, which is not active
    const char *const others[] = {"x", "x z", "y", "y x~ @u", "z @u", NULL};
    const BranchGuard more[] = {{1, 0}, {1, 1}, {0, 1}, {GRAPH_NONE, 0}, {GRAPH_NONE, 0}};
    BranchSystem second = {signatures_make(*state, NULL, others), more, choices, 2};
    const uint32_t otherwise[] = {1, 0};
    b = branches_decide(*state, &second, otherwise);
    assert_true(b->is_structural[0]);
    assert_false(b->is_there[1]);
    assert_non_null(structure_create(*state, b->merged, NULL));
}

// The sign of s decides about each choice, as in ideal diodes.
static const Branches *decide_ideal(Arena *arena, const char *const *texts, const char *parameter)
{
    BranchSystem system = make(arena, texts);
    BranchChoice *choices = ARENA_ARRAY(arena, MOST, BranchChoice);
    const uint32_t active[MOST] = {0};
    for (uint32_t k = 0; k < system.choice_count; k++) {
        char name[16];
        snprintf(name, sizeof name, "%s%u", parameter, k);
        uint32_t v = 0;
        while (v < system.all->variable_count && strcmp(system.all->variables[v].name, name) != 0)
            v++;
        choices[k] = (BranchChoice){2, {GRAPH_NONE, 0}, true, v, false};
    }
    system.choices = choices;
    return branches_decide(arena, &system, active);
}

// e = u + r, r = R i, and the diode: u = s, i = 0 or u = 0, i = s. No state depends on it.
static void ideal_switch_stays(void **state)
{
    const char *const texts[] = {"0.0: u s0", "0.0: i", "0.1: u", "0.1: i s0",
                                 "u r @e",    "r i=-5", NULL};
    const Branches *b = decide_ideal(*state, texts, "s");
    assert_false(b->is_structural[0]);
    assert_int_equal(b->merged->equation_count, 4);
    // Another variable decides: nothing is known of it.
    assert_true(decide_ideal(*state, texts, "u")->is_structural[0]);
    assert_true(decide(*state, texts)->is_structural[0]);
}

// It opens a coil, u + L i' = e: blocking, its current is no state.
static void switch_of_a_coil_is_structural(void **state)
{
    const char *const texts[] = {"0.0: u s0", "0.0: i", "0.1: u", "0.1: i s0", "u i' @e", NULL};
    assert_true(decide_ideal(*state, texts, "s")->is_structural[0]);
}

// It shorts a capacitor, whose voltage it has.
static void switch_of_a_capacitor_is_structural(void **state)
{
    const char *const texts[] = {"0.0: u s0", "0.0: i", "0.1: u", "0.1: i s0", "u' i=-1", NULL};
    assert_true(decide_ideal(*state, texts, "s")->is_structural[0]);
}

// Each of two conducts a coil's current alone, but one has to.
static void switches_that_open_a_coil_together_are_structural(void **state)
{
    const char *const texts[] = {"0.0: u s0",   "0.0: i",  "0.1: u",    "0.1: i s0", "1.0: v s1",
                                 "1.0: j",      "1.1: v",  "1.1: j s1", "u w=-1 @a", "v w=-1 @b",
                                 "k i=-1 j=-1", "k' w=-1", NULL};
    const Branches *b = decide_ideal(*state, texts, "s");
    assert_true(b->is_structural[0] && b->is_structural[1]);
}

// The same without a coil, on a source of current: nothing that moves is over-determined.
static void static_switches_stay(void **state)
{
    const char *const texts[] = {"0.0: u s0", "0.0: i",    "0.1: u", "0.1: i s0",
                                 "1.0: v s1", "1.0: j",    "1.1: v", "1.1: j s1",
                                 "u w=-1 @a", "v w=-1 @b", "i j @c", NULL};
    const Branches *b = decide_ideal(*state, texts, "s");
    assert_false(b->is_structural[0] || b->is_structural[1]);
}

// Beside it, a switch whose current has no equation in one branch of another choice: that one is in
// the way, whatever it does to its own switch, and not the switch that has nothing to do with it.
static void conflicts_elsewhere_do_not_count(void **state)
{
    const char *const texts[] = {"0.0: u s0", "0.0: i",    "0.1: u",    "0.1: i s0", "u r @e",
                                 "r i=-5",    "1.0: v s1", "1.0: j",    "1.1: v",    "1.1: j s1",
                                 "v w @e",    "w j=-5",    "2.0: s1 z", "2.1: s1",   NULL};
    const Branches *b = decide_ideal(*state, texts, "s");
    assert_false(b->is_structural[0]);
    assert_false(b->is_structural[1]);
    assert_true(b->is_structural[2]);
}

// Two capacitors between the same nodes, one of them behind a diode: u = w where it conducts. The
// equations v1 - v3 = u + d and v1 - v3 = w and d = 0 have enough variables to choose from, but not
// for these numbers.
static void switch_between_capacitors_is_structural(void **state)
{
    const char *const texts[] = {
        "0.0: d s0", "0.0: i",   "0.1: d",       "0.1: i s0", "u' i=-3",       "v1 v3=-1 u=-1 d=-1",
        "v1 q @e",   "q=-1 i j", "i=-1 j=-1 v3", "w' j=-2",   "v1 v3=-1 w=-1", NULL};
    assert_true(decide_ideal(*state, texts, "s")->is_structural[0]);
    // with a resistor in place of the other capacitor
    const char *const alone[] = {
        "0.0: d s0", "0.0: i",   "0.1: d",       "0.1: i s0",     "u' i=-3", "v1 v3=-1 u=-1 d=-1",
        "v1 q @e",   "q=-1 i j", "i=-1 j=-1 v3", "v1 v3=-1 j=-5", NULL};
    assert_false(decide_ideal(*state, alone, "s")->is_structural[0]);
}

// What was decided before stands, whatever would be decided here.
static void decisions_are_kept(void **state)
{
    const char *const texts[] = {"0.0: u",   "0.1: i", "u r @e", "r i=-5", "1.0: x y",
                                 "1.1: x z", "y @u",   "z @u",   NULL};
    const BranchSystem system = make(*state, texts);
    const uint32_t active[] = {1, 0}, decided[] = {GRAPH_NONE, 1};
    const Branches *b = branches_decide(*state, &system, active);
    assert_true(b->is_structural[0] && !b->is_structural[1]);
    b = branches_decided(*state, &system, decided);
    assert_true(!b->is_structural[0] && b->is_structural[1]);
    assert_int_equal(b->merged->equation_count, 6);
    assert_int_equal(b->start[1], 2);
    assert_int_equal(b->sources[b->start[3]], 5);
}

// Every decision on random systems is checked branch by branch: with the offsets of the union,
// each combination of branches that stay has a transversal of tight entries.
static void decisions_hold_in_every_branch(void **state)
{
    enum { SIZE = 6, CHOICES = 3 };
    Random random = {12};
    int stayed = 0, structural = 0;
    for (int n = 0; n < 3000; n++) {
        ArenaMark mark = arena_mark(*state);
        SignatureBuilder *b = signature_begin(*state);
        BranchGuard guards[SIZE + CHOICES];
        const BranchChoice choices[CHOICES] = {{2, {GRAPH_NONE, 0}, false, GRAPH_NONE, false},
                                               {2, {GRAPH_NONE, 0}, false, GRAPH_NONE, false},
                                               {2, {GRAPH_NONE, 0}, false, GRAPH_NONE, false}};
        for (uint32_t j = 0; j < SIZE; j++)
            signature_variable(b, &(SignatureVariable){.name = "v"});
        for (uint32_t i = 0; i < SIZE + CHOICES; i++) {
            signature_equation(b, &(SignatureEquation){.text = "e"});
            guards[i] =
                i < 2 * CHOICES ? (BranchGuard){i / 2, i % 2} : (BranchGuard){GRAPH_NONE, 0};
            uint32_t own = i < 2 * CHOICES ? i / 2 : i - CHOICES;
            if (random_below(&random, 10) > 0)
                signature_number(b, own, random_below(&random, 6) == 0, 1.0);
            for (uint32_t j = 0; j < SIZE; j++) {
                if (random_below(&random, 100) < 25)
                    signature_entry(b, j, random_below(&random, 8) == 0, SIGNATURE_NONLINEAR,
                                    false);
            }
        }
        const uint32_t active[CHOICES] = {0};
        BranchSystem system = {signature_finish(b), guards, choices, CHOICES};
        const Branches *d = branches_decide(*state, &system, active);
        Offsets o;
        bool is_regular = offsets_find(*state, d->merged, NULL, &o);
        for (uint32_t modes = 0; is_regular && modes < 1u << CHOICES; modes++) {
            uint32_t start[SIZE + 1] = {0}, columns[SIZE * SIZE], count = 0;
            for (uint32_t r = 0; r < SIZE; r++) {
                uint32_t sources = d->start[r + 1] - d->start[r];
                uint32_t i = d->sources[d->start[r]];
                if (sources == 2 && (modes >> guards[i].choice & 1u))
                    i = d->sources[d->start[r] + 1];
                for (uint32_t e = system.all->start[i]; e < system.all->start[i + 1]; e++) {
                    const SignatureEntry *entry = &system.all->entries[e];
                    assert_true(o.c[r] + entry->order <= o.d[entry->variable]);
                    if (o.c[r] + entry->order == o.d[entry->variable])
                        columns[count++] = entry->variable;
                }
                start[r + 1] = count;
            }
            Graph g = {SIZE, SIZE, start, columns};
            Matching m = matching_empty(*state, SIZE, SIZE);
            matching_maximum(*state, &g, &m);
            assert_int_equal(m.size, SIZE);
        }
        for (uint32_t k = 0; is_regular && k < CHOICES; k++) {
            structural += d->is_structural[k];
            stayed += !d->is_structural[k];
        }
        arena_release(*state, mark);
    }
    assert_true(stayed > 500 && structural > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ideal_switch_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(switch_of_a_coil_is_structural, setup, teardown),
        cmocka_unit_test_setup_teardown(switch_of_a_capacitor_is_structural, setup, teardown),
        cmocka_unit_test_setup_teardown(switches_that_open_a_coil_together_are_structural, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(static_switches_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(conflicts_elsewhere_do_not_count, setup, teardown),
        cmocka_unit_test_setup_teardown(switch_between_capacitors_is_structural, setup, teardown),
        cmocka_unit_test_setup_teardown(decisions_are_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(same_incidence_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(ideal_diode_is_structural, setup, teardown),
        cmocka_unit_test_setup_teardown(different_incidence_stays_where_one_matching_serves, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(number_of_states_is_structural, setup, teardown),
        cmocka_unit_test_setup_teardown(rope_is_structural, setup, teardown),
        cmocka_unit_test_setup_teardown(right_hand_sides_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(innocent_choices_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(different_numbers_of_equations_are_structural, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(nested_choices, setup, teardown),
        cmocka_unit_test_setup_teardown(decisions_hold_in_every_branch, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/branches", tests, NULL, NULL);
}
