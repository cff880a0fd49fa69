// SPDX-License-Identifier: MIT
//
// saltus structure as a user meets it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "results/json.h"

#include <stdio.h>
#include <string.h>

static const char pendulum[] =
    "model Pendulum Real x(start = 1), y(start = 0), vx(start = 0), vy(start = 0), f; equation "
    "der(x) = vx; der(y) = vy; der(vx) = -f * x; der(vy) = -f * y - 9.81; x^2 + y^2 = 1; "
    "end Pendulum;";

// Textbook: the pendulum has index 3 and two degrees of freedom; its constraint is differentiated
// twice.
static void text(void **state)
{
    (void)state;
    command_write("pendulum.mo", pendulum);
    const CommandOutcome *o =
        command_expect("structure pendulum.mo 2>/dev/null", 0, "5 equations, index 3\n2 states: ");
    assert_non_null(strstr(o->text, "differentiated twice: x^2"));
    assert_non_null(strstr(o->text, "dummy derivatives: "));
    assert_non_null(strstr(o->text, "size 5, torn 1\n"));
    assert_null(strstr(o->text, "assignment\n"));
    command_expect("structure --all pendulum.mo 2>/dev/null", 0, ": assignment\n");
}

static void json(void **state)
{
    (void)state;
    const CommandOutcome *o = command_run("structure --json pendulum.mo 2>/dev/null");
    assert_int_equal(o->status, 0);
    SaltusAllocator allocator = memory_default();
    MemoryPool pool = {.allocator = &allocator};
    const Json *all = json_parse(&pool, o->text, strlen(o->text));
    assert_non_null(all);
    assert_string_equal(json_member_text(all, "schema"), "saltus-structure");
    const Json *mode = json_member(all, "modes")->first;
    assert_null(mode->next);
    const Json *structure = json_member(mode, "structure");
    assert_true(json_member(structure, "index")->number == 3.0);
    assert_true(json_member(structure, "degreesOfFreedom")->number == 2.0);
    memory_pool_free(&pool);
}

static void pictures(void **state)
{
    (void)state;
    command_expect("structure pendulum.mo --dot g.dot --svg g.svg 2>/dev/null", 0, "index 3");
    assert_non_null(strstr(command_read("g.dot"), "digraph structure {"));
    assert_non_null(strstr(command_read("g.svg"), "<svg "));
    const CommandOutcome *o =
        command_expect("structure pendulum.mo --svg - 2>/dev/null", 0, "<svg ");
    assert_null(strstr(o->text, "index 3"));
    command_expect("structure pendulum.mo --svg - --json 2>&1", 2, "standard output");
    command_expect("structure pendulum.mo --svg no/g.svg 2>&1", 2, "cannot write 'no/g.svg'");
}

static const char rope[] =
    "model Rope Boolean taut(start = true, fixed = true); Real x(start = 1, fixed = true), "
    "v(start = 0, fixed = true), f; equation der(x) = v; der(v) = 1 - f; "
    "when time > 0.5 then taut = false; end when; "
    "if taut then x = 1; else f = 0; end if; end Rope;";

// Taut: x = 1 differentiated twice gives f, no state is left. Loose: a free mass.
static void modes(void **state)
{
    (void)state;
    command_write("rope.mo", rope);
    command_expect("structure rope.mo 2>/dev/null", 0,
                   "2 modes\n  1: taut: index 3, 0 states; then 2\n"
                   "  2: not taut: index 1, 2 states (x, v); then 1\n");
    command_expect("structure rope.mo --mode 'not taut' 2>/dev/null", 0,
                   "3 equations, index 1\n2 states: x, v\n");
    command_expect("structure rope.mo --mode loose 2>&1", 2, "there is no mode 'loose'");
    // Each name once, though the taut rope is found with two choices of its states.
    command_expect("structure " SALTUS_SOURCE_DIR "/docs/models/CupAndBall.mo --mode foo 2>&1", 2,
                   "there are 'not taut', 'taut'\n");
    command_expect("structure rope.mo --all 2>/dev/null", 0, "\nmode not taut\n3 equations");
    command_expect("structure rope.mo --max-modes 1 2>/dev/null", 0, "3 equations, index 3");
    command_expect("structure rope.mo --max-modes 0 2>&1", 2, "--max-modes must be");
    command_expect("structure rope.mo --dot - 2>/dev/null", 0, "m1 -> m2;\n  m2 -> m1;\n");
    command_expect("structure rope.mo --svg - 2>/dev/null", 0, ">not taut</text>");
    command_expect("structure rope.mo --mode taut --svg - 2>/dev/null", 0, "<svg ");
    command_expect("structure rope.mo --json 2>/dev/null", 0,
                   "\"complete\":true,\"modes\":[\n{\"name\":\"taut\",\"enterable\":true,");
    command_expect("simulate rope.mo --json 2>/dev/null", 0, "\"modes\":[{\"name\":\"taut\",");
    command_expect("simulate rope.mo --stats -o /dev/null 2>&1", 0,
                   " ms  to analyse mode not taut\n");
}

// The mode that is entered later has two equations for x and none for y.
static void broken_mode(void **state)
{
    (void)state;
    command_write("broken.mo", "model Broken Real x, y; equation if time < 0.5 then x = 1; y = 2; "
                               "else x = 2; 2 * x = time; end if; end Broken;");
    command_expect("check broken.mo 2>&1", 0, "");
    command_expect("check --modes broken.mo 2>&1", 3, "error: in mode not (time < 0.5): ");
    command_expect("check --modes rope.mo 2>&1", 0, "");
    command_expect("structure broken.mo 2>&1", 0, "2: not (time < 0.5): ");
    command_expect("structure broken.mo --json 2>&1", 0, "\"enterable\":false");
}

// The last branch is the one where no condition holds: its name says all of them.
static void last_branch(void **state)
{
    (void)state;
    command_write("last.mo", "model Last Real x(start = 0, fixed = true), y; equation "
                             "if time < 1 then der(x) = 1; y = 0; elseif time < 2 then x = 1; "
                             "y = 1; else y = x; y = 2; end if; end Last;");
    command_expect("structure last.mo 2>&1", 0, ": not (time < 1 or time < 2): ");
}

// An ideal diode stays within one structure, however its condition is written.
static void switch_in_one_structure(void **state)
{
    (void)state;
    static const char *const conditions[] = {"s > 0", "0 < s", "s >= 0", "0 <= s"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char diode[300];
        snprintf(diode, sizeof diode,
                 "model Diode Real s, u, i, v(start = 0, fixed = true); equation if %s then "
                 "u = 0; i = s; else u = s; i = 0; end if; sin(time) = u + v + i; "
                 "i = der(v) + v; end Diode;",
                 conditions[i]);
        command_write("diode.mo", diode);
        command_expect("structure diode.mo 2>&1", 0, "4 equations, index 1\n1 state: v\n");
    }
}

static void failures(void **state)
{
    (void)state;
    command_expect("structure nothing.mo 2>&1", 2, "cannot read 'nothing.mo'");
    command_expect("structure 2>&1", 2, "no file given");
    command_expect("structure . 2>&1", 2, "the folder '.' is no package");
    command_write("wrong.mo", "model Wrong Real x; equation x = 1; x = 2; end Wrong;");
    command_expect("structure wrong.mo 2>&1", 3, "error");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(text),
                                       cmocka_unit_test(json),
                                       cmocka_unit_test(pictures),
                                       cmocka_unit_test(modes),
                                       cmocka_unit_test(broken_mode),
                                       cmocka_unit_test(last_branch),
                                       cmocka_unit_test(switch_in_one_structure),
                                       cmocka_unit_test(failures)};
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
