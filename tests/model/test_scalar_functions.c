// SPDX-License-Identifier: MIT
//
// Every function of the table in base/operator_table.h, called in a model: evaluated before the run
// and in it, interpreted and compiled, all equal bit for bit; its derivative in a model; what of
// the model's own goes before it.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "code/cache.h"
#include "flatten/operation.h"
#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double points[][2] = {{0.3, 0.7}, {-0.62, 0.45}, {2.4, -1.3}, {-2.5, -0.8}};
enum { POINTS = sizeof points / sizeof *points };

static bool is_called(uint32_t op, int point)
{
    return operation_is_function((Operation)op) &&
           !operator_outside((Operator)op, points[point][0], points[point][1]);
}

// "sin(x1)" or "atan2(x1, z1)"
static void append_call(StringBuilder *out, uint32_t op, const char *a, const char *b, int point)
{
    builder_append_format(out, "%s(%s%d", operator_info((Operator)op)->text, a, point);
    if (operator_info((Operator)op)->count == 2)
        builder_append_format(out, ", %s%d", b, point);
    builder_append_text(out, ")");
}

// For every function and point inside its domain: k its value of constants, y of variables, i
// inside a function.
static const char *model_text(Arena *arena)
{
    StringBuilder out = builder_create(arena);
    builder_append_text(&out, "model M\n");
    for (int n = 0; n < POINTS; n++)
        builder_append_format(&out,
                              "  constant Real a%d = %.17g, b%d = %.17g;\n"
                              "  Real x%d(start = a%d, fixed = true);\n"
                              "  Real z%d(start = b%d, fixed = true);\n",
                              n, points[n][0], n, points[n][1], n, n, n, n);
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++)
        for (int n = 0; n < POINTS; n++) {
            if (!is_called(op, n))
                continue;
            const char *name = operator_info((Operator)op)->text;
            builder_append_format(&out, "  constant Real c_%s%d = ", name, n);
            append_call(&out, op, "a", "b", n);
            builder_append_format(&out, ";\n  Real k_%s%d = c_%s%d;\n  Real y_%s%d = ", name, n,
                                  name, n, name, n);
            append_call(&out, op, "x", "z", n);
            builder_append_format(&out, ";\n  Real i_%s%d = f_%s(x%d, z%d);\n", name, n, name, n,
                                  n);
        }
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++)
        if (operation_is_function((Operation)op))
            builder_append_format(&out,
                                  "  function f_%s\n    input Real u, v;\n    output Real y;\n"
                                  "  algorithm\n    y := %s(u%s);\n  end f_%s;\n",
                                  operator_info((Operator)op)->text,
                                  operator_info((Operator)op)->text,
                                  operator_info((Operator)op)->count == 2 ? ", v" : "",
                                  operator_info((Operator)op)->text);
    builder_append_text(&out, "equation\n");
    for (int n = 0; n < POINTS; n++)
        builder_append_format(&out, "  der(x%d) = 0;\n  der(z%d) = 0;\n", n, n);
    builder_append_text(&out, "end M;\n");
    return builder_string(&out).text;
}

static void compare(const Trial *t, const char *setting)
{
    int found = 0;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++)
        for (int n = 0; n < POINTS; n++) {
            if (!is_called(op, n))
                continue;
            const double expected =
                operator_apply((Operator)op, points[n][0], points[n][1], 0.0) + 0.0;
            for (int k = 0; k < 3; k++) {
                char name[40];
                snprintf(name, sizeof name, "%c_%s%d", "kyi"[k],
                         operator_info((Operator)op) -> text, n);
                const double value = trial_value(t, name) + 0.0; // one zero
                if (memcmp(&value, &expected, sizeof value) != 0)
                    fail_msg("%s, %s is %.17g, not %.17g", setting, name, value, expected);
                found++;
            }
        }
    assert_true(found > 30 * 3 * 2); // more than thirty functions
}

static void all_settings_agree(void **state)
{
    (void)state;
    Cache cache;
    assert_true(cache_open(&cache, "/dev/null/none")); // a private one
    Arena *arena = arena_create(NULL);
    const char *text = model_text(arena);
    for (int compiled = 0; compiled < 2; compiled++) {
        Trial *t = trial_text(text);
        if (!trial_is_model(t))
            fail_msg("%s", trial_messages(t));
        const NativeOptions options = {.cache = cache.folder};
        trial_backend(t, compiled ? BACKEND_C : BACKEND_INTERPRET, &options);
        if (trial_run(t, 0.125) != SALTUS_OK)
            fail_msg("%s", trial_error(t));
        compare(t, trial_is_compiled(t) ? "compiled" : "interpreted");
        trial_end(t);
    }
    arena_destroy(arena);
    cache_close(&cache);
}

// Newton's method and der() have the derivatives: r(t) from erf(r) + r = t, r' = 1/(1 + erf'(r));
// h = hypot(3 t, 4 t) = 5 t, h' = 5.
static void derivatives_are_used(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  Real x(start = 0.5, fixed = true), r, d = der(r), e = der(h);\n"
                              "  Real h = hypot(3 * x, 4 * x);\n"
                              "equation\n"
                              "  der(x) = 1;\n"
                              "  erf(r) + r = x;\n"
                              "end M;\n",
                              1.0);
    const double r = trial_value(t, "r");
    // Newton's method ends at about 1e-10 of its variables.
    trial_assert_value(t, "x", erf(r) + r, 1e-9);
    trial_assert_value(t, "d", 1.0 / (1.0 + 2.0 / sqrt(acos(-1.0)) * exp(-r * r)), 1e-9);
    trial_assert_value(t, "e", 5.0, 1e-14);
    trial_end(t);
}

// Modelica does not know hypot: a class of that name goes before it, wherever it comes from, and
// nobody is told. In a class where there is none it is Saltus' own.
static void own_functions_go_first(void **state)
{
    (void)state;
    static const char text[] =
        "package P\n"
        "  function hypot input Real u, v; output Real y; algorithm y := u + v; end hypot;\n"
        "  function erf input Real u; output Real y; algorithm y := 10 * u; end erf;\n"
        "end P;\n"
        "function cbrt input Real u; output Real y; algorithm y := 100 * u; end cbrt;\n"
        "partial model B\n"
        "  function expm1 input Real u; output Real y; algorithm y := -u; end expm1;\n"
        "end B;\n"
        "model A Real y = hypot(3 + time, 4); end A;\n"
        "model M extends B; import P.erf; import P.*;\n"
        "  Real a = hypot(3 + time, 4), b = erf(1 + time), c = cbrt(1 + time),\n"
        "       d = expm1(1 + time); A e;\n"
        "end M;\n";
    Trial *t = trial_run_text(text, 0.0);
    assert_string_equal(trial_messages(t), "");
    trial_assert_value(t, "a", 7.0, 0.0);
    trial_assert_value(t, "b", 10.0, 0.0);
    trial_assert_value(t, "c", 100.0, 0.0);
    trial_assert_value(t, "d", -1.0, 0.0);
    trial_assert_value(t, "e.y", 5.0, 0.0);
    trial_end(t);
}

// The manual lists them.
static void manual_has_all(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    FILE *file = fopen(SALTUS_SOURCE_DIR "/docs/modelica.md", "r");
    assert_non_null(file);
    StringBuilder out = builder_create(arena);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        builder_append_character(&out, (char)c);
    fclose(file);
    const char *manual = builder_string(&out).text;
    for (uint32_t op = 0; op < OPERATOR_COUNT; op++) {
        char name[20];
        snprintf(name, sizeof name, "`%s", operator_info((Operator)op)->text);
        const char *found = operation_is_function((Operation)op) ? manual : NULL;
        for (bool is_whole = false; found && !is_whole; found++) {
            found = strstr(found, name);
            if (!found)
                fail_msg("docs/modelica.md does not mention %s`", name);
            is_whole = found[strlen(name)] == '`' || found[strlen(name)] == '(';
        }
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_settings_agree),
        cmocka_unit_test(derivatives_are_used),
        cmocka_unit_test(own_functions_go_first),
        cmocka_unit_test(manual_has_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
