// SPDX-License-Identifier: MIT
//
// Structures for people and programs: golden text of the pendulum with an energy and an input.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/outline.h"
#include "support/signatures.h"

#include <string.h>

static int setup(void **state)
{
    Arena *arena = arena_create(NULL);
    *state = arena;
    return 0;
}

static int teardown(void **state)
{
    arena_destroy(*state);
    return 0;
}

static const Structure *pendulum(Arena *arena)
{
    const char *const declarations[] = {"x prefer", "u", "y", "v", "lam", "e", NULL};
    const char *const equations[] = {"x' u=-1",  "y' v=-1", "u' x*lam", "v' y*lam",
                                     "x~ y~ @l", "e x~ y~", NULL};
    return structure_create(arena, signatures_make(arena, declarations, equations), NULL);
}

static void text_tells_everything(void **state)
{
    StringBuilder out = builder_create(*state);
    outline_text(pendulum(*state), true, &out);
    assert_string_equal(builder_string(&out).text,
                        "6 equations, index 3\n"
                        "2 states: x, u\n"
                        "dummy derivatives: der(der(x)), der(y), der(der(y)), der(v)\n"
                        "differentiated once: x' u=-1\n"
                        "differentiated once: y' v=-1\n"
                        "differentiated twice: x~ y~ @l\n"
                        "input needed differentiated twice: l\n"
                        "4 assignment blocks\n"
                        "1 linear block, size up to 5, torn up to 1\n"
                        "1 nonlinear block, size up to 1, torn up to 1\n"
                        "  1: nonlinear, size 1, torn 1\n"
                        "      guess y from x~ y~ @l\n"
                        "  2: assignment\n"
                        "      solve der(x) from x' u=-1\n"
                        "  3: assignment\n"
                        "      solve der(y) from x~ y~ @l, differentiated once\n"
                        "  4: assignment, not needed for derivatives\n"
                        "      solve v from y' v=-1\n"
                        "  5: linear, size 5, torn 1\n"
                        "      solve der(v) from v' y*lam\n"
                        "      solve der(der(y)) from y' v=-1, differentiated once\n"
                        "      solve der(u) from u' x*lam\n"
                        "      solve der(der(x)) from x' u=-1, differentiated once\n"
                        "      guess lam from x~ y~ @l, differentiated twice\n"
                        "  6: assignment, not needed for derivatives\n"
                        "      solve e from e x~ y~\n");
}

static void assignments_can_be_left_out(void **state)
{
    StringBuilder out = builder_create(*state);
    outline_text(pendulum(*state), false, &out);
    const char *text = builder_string(&out).text;
    assert_non_null(strstr(text, "guess lam"));
    assert_null(strstr(text, "solve e from"));
}

static void json_of_a_small_system(void **state)
{
    const char *const equations[] = {"x' y", "y z", "y=2 z x~", NULL};
    const Structure *s = structure_create(*state, signatures_make(*state, NULL, equations), NULL);
    StringBuilder out = builder_create(*state);
    outline_json(s, &out);
    assert_string_equal(
        builder_string(&out).text,
        "{\"equations\":3,\"index\":1,\"degreesOfFreedom\":1,\"states\":[\"x\"],"
        "\"dummyDerivatives\":[],\"differentiated\":[],\"blocks\":["
        "{\"kind\":\"constant\",\"stage\":0,\"size\":2,\"torn\":1,\"needed\":true,\"steps\":["
        "{\"unknown\":\"z\",\"equation\":\"y=2 z x~\",\"differentiated\":0,\"torn\":false},"
        "{\"unknown\":\"y\",\"equation\":\"y z\",\"differentiated\":0,\"torn\":true}]},"
        "{\"kind\":\"assignment\",\"stage\":0,\"size\":1,\"torn\":0,\"needed\":true,\"steps\":["
        "{\"unknown\":\"der(x)\",\"equation\":\"x' y\",\"differentiated\":0,\"torn\":false}]}]}");
}

static void graph_has_a_node_for_each_block_and_its_edges_once(void **state)
{
    StringBuilder out = builder_create(*state);
    outline_dot(pendulum(*state), &out);
    assert_string_equal(
        builder_string(&out).text,
        "digraph structure {\n"
        "  rankdir=LR;\n"
        "  node [fontsize=10];\n"
        "  b1 [shape=octagon, label=\"y (nonlinear 1, torn 1)\"];\n"
        "  b2 [shape=box, label=\"der(x)\"];\n"
        "  b3 [shape=box, label=\"der(y)\"];\n"
        "  b4 [shape=box,style=dashed, label=\"v\"];\n"
        "  b5 [shape=hexagon, label=\"der(v), der(der(y)), der(u), der(der(x)) and 1 more "
        "(linear 5, torn 1)\"];\n"
        "  b6 [shape=box,style=dashed, label=\"e\"];\n"
        "  b2 -> b3;\n"
        "  b1 -> b3;\n"
        "  b3 -> b4;\n"
        "  b1 -> b5;\n"
        "  b2 -> b5;\n"
        "  b3 -> b5;\n"
        "  b1 -> b6;\n"
        "}\n");
}

// The matrix is block lower triangular: no entry is to the right of its block.
static void picture_has_all_entries(void **state)
{
    const char *const equations[] = {"x' y", "y x", NULL};
    const Structure *s = structure_create(*state, signatures_make(*state, NULL, equations), NULL);
    StringBuilder out = builder_create(*state);
    outline_svg(s, &out);
    const char *text = builder_string(&out).text;
    assert_non_null(strstr(text, ">der(x)</text>"));       // a column
    assert_non_null(strstr(text, "text-anchor=\"end\">")); // a row
    assert_non_null(
        strstr(text, "d=\"M0.2 0.2h.6v.6h-.6zM1.2 1.2h.6v.6h-.6zM0.2 1.2h.6v.6h-.6z\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(text_tells_everything, setup, teardown),
        cmocka_unit_test_setup_teardown(assignments_can_be_left_out, setup, teardown),
        cmocka_unit_test_setup_teardown(json_of_a_small_system, setup, teardown),
        cmocka_unit_test_setup_teardown(graph_has_a_node_for_each_block_and_its_edges_once, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(picture_has_all_entries, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/outline", tests, NULL, NULL);
}
