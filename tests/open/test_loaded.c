// SPDX-License-Identifier: MIT
//
// Opening a model: what settings do, whatever they shape, and variants by content. The expected
// values are sums that can be counted.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "open/loaded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Loaded *open_with(const char *text, const NamedSetting *settings, size_t count)
{
    Loaded *l =
        loaded_create(&(LoadedDef){.text = text, .setting_count = count, .settings = settings});
    assert_non_null(l);
    return l;
}

// The last value of a variable at t = 1.
static double last_value(const Loaded *l, const ParameterValue *values, uint32_t count,
                         const char *name)
{
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
    SaltusOptions options = saltus_default_options();
    if (!l->model)
        fail_msg("%s", loaded_first_error(l));
    assert_int_equal(loaded_system(l, values, count, &system, &error), SALTUS_OK);
    if (loaded_run(l, system, &options, 1.0, &run, &error) != SALTUS_OK)
        fail_msg("%s", error.message);
    const SaltusRow row = saltus_run_row(run, saltus_run_row_count(run) - 1);
    double value = NAN;
    for (uint32_t i = 0; i < model_output_count(l->model); i++)
        if (strcmp(model_output_names(l->model)[i], name) == 0)
            value = row.y[i];
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    return value;
}

static const char shapes[] = "model Shapes\n"
                             "  type Size = enumeration(small, large);\n"
                             "  parameter Integer n = 1, m = 1;\n"
                             "  parameter Boolean more = false;\n"
                             "  parameter Size size = Size.small;\n"
                             "  parameter Real k = 1;\n"
                             "  parameter String name = \"\";\n"
                             "  Real a[n] = fill(k, n), b[2 * m] = ones(2 * m);\n"
                             "  Real c = 100 if more;\n"
                             "  Real d[if size == Size.large then 3 else 1] = ones(size(d, 1));\n"
                             "  Real x(start = 5, fixed = true);\n"
                             "  Real total = sum(a) + 10 * sum(b) + 1000 * sum(d) + x;\n"
                             "equation\n"
                             "  der(x) = 0;\n"
                             "end Shapes;\n";

// All kinds of settings, as texts and as numbers, mean the same.
static void settings(void **state)
{
    (void)state;
    const NamedSetting texts[] = {{"n", "3", 0},        {"m", "1 + 1", 0}, {"more", "true", 0},
                                  {"size", "large", 0}, {"k", "0.5", 0},   {"x.start", "-2", 0},
                                  {"name", "a b", 0}};
    const NamedSetting numbers[] = {{"n", NULL, 3},    {"m", NULL, 2},   {"more", NULL, 1},
                                    {"size", NULL, 2}, {"k", NULL, 0.5}, {"x.start", NULL, -2}};
    Loaded *a = open_with(shapes, texts, 7), *b = open_with(shapes, numbers, 6);
    assert_null(a->refusal);
    assert_null(b->refusal);
    // 3 * 0.5 + 10 * 4 + 1000 * 3 - 2, exactly.
    assert_true(last_value(a, NULL, 0, "total") == 3039.5);
    assert_true(last_value(b, NULL, 0, "total") == 3039.5);
    assert_true(last_value(a, NULL, 0, "c") == 100.0);
    loaded_destroy(a);
    loaded_destroy(b);
}

// A value that only becomes known to shape the model once another one has its value.
static void settings_in_rounds(void **state)
{
    (void)state;
    const char *text = "model Inner parameter Integer k = 1; Real a[k] = ones(k); end Inner;\n"
                       "model Outer parameter Boolean has = false; Inner i if has;\n"
                       "  parameter Integer n = 1; Inner all[n];\n"
                       "  Real x(start = 0, fixed = true); Real t = sum(all.a[1]);\n"
                       "equation der(x) = 1; end Outer;\n";
    const NamedSetting late[] = {{"i.k", "4", 0}, {"has", "true", 0}};
    Loaded *l = open_with(text, late, 2);
    assert_null(l->refusal);
    assert_true(last_value(l, NULL, 0, "i.a[4]") == 1.0);
    loaded_destroy(l);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        NamedSetting setting;
        const char *expected;
    } cases[] = {
        {{"q", "1", 0}, "there is no parameter 'q'; there are "},
        {{"y.start", "1", 0}, "there is no variable 'y'"},
        {{"mroe", "true", 0}, "did you mean 'more'?"},
        {{"x", "1", 0}, "x is no parameter; where it begins is x.start"},
        {{"k.start", "1", 0}, "k is a parameter: change its value"},
        {{"size", "huge", 0}, "'huge' is no value for size: small, large"},
        {{"size", NULL, 3}, "3 is no value for size: small, large"},
        {{"n", NULL, 1.5}, "1.5 is no value for n"},
        {{"k", NULL, INFINITY}, "inf is no value for k"},
        {{"", NULL, 1}, "no name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Loaded *l = open_with(shapes, &cases[i].setting, 1);
        if (!l->refusal || !strstr(l->refusal, cases[i].expected))
            fail_msg("%s: %s", cases[i].expected, l->refusal ? l->refusal : "not refused");
        loaded_destroy(l);
    }
    const NamedSetting twice[] = {{"k", "1", 0}, {"k", "2", 0}};
    Loaded *l = open_with(shapes, twice, 2);
    assert_string_equal(l->refusal, "k is given twice");
    loaded_destroy(l);
}

// Variants are found again by their content, in whatever order it is given.
static void variants(void **state)
{
    (void)state;
    const NamedSetting given = {"m", "3", 0};
    Loaded *l = open_with(shapes, &given, 1);
    uint32_t n, m, k, size;
    const char *why;
    Arena *arena = l->compilation->arena;
    assert_true(loaded_find_parameter(l, arena, "n", &n, &why));
    assert_true(loaded_find_parameter(l, arena, "m", &m, &why));
    assert_true(loaded_find_parameter(l, arena, "k", &k, &why));
    assert_true(loaded_find_parameter(l, arena, "size", &size, &why));
    const ParameterValue plain[] = {{k, 2}};
    const ParameterValue one[] = {{n, 4}, {k, 2}, {size, 2}}, two[] = {{size, 2}, {n, 4}, {k, 7}};
    const ParameterValue other[] = {{n, 4}, {m, 1}, {size, 2}};
    assert_ptr_equal(loaded_variant(l, plain, 1), l);
    const Loaded *a = loaded_variant(l, one, 3), *b = loaded_variant(l, other, 3);
    assert_ptr_equal(loaded_variant(l, two, 3), a);
    assert_ptr_not_equal(a, b);
    // n k + 10 * 2 m + 1000 * 3 + 5
    assert_true(last_value(a, one, 3, "total") == 8.0 + 60.0 + 3005.0);
    assert_true(last_value(a, two, 3, "total") == 28.0 + 60.0 + 3005.0);
    assert_true(last_value(b, other, 3, "total") == 4.0 + 20.0 + 3005.0);
    assert_true(last_value(l, plain, 1, "total") == 2.0 + 60.0 + 1005.0);
    loaded_destroy(l);
}

// Two capacitors of 1 F from one node, to ground and to a node behind R, are charged over 1 Ohm
// from 1 V. Without R they are one of 2 F, and there is one state less: v = 1 - exp(-t/2). With R =
// 1 it is v2' = 1 - 2 v2 + v1, v1' = v2 - v1, here by the series of the matrix' exponential.
static void zero_shapes(void **state)
{
    (void)state;
    const char *texts[] = {"model Zero parameter Real r = 0, R = 2*r; Real v1(start = 0, fixed = "
                           "true), v2(start = 0), u, i1, i2;\n"
                           "equation v1 = v2 - u; i1 = der(v1); i2 = der(v2); i1 + i2 = 1 - v2; "
                           "i1*R = u; end Zero;\n",
                           "model Zero parameter Real r = 0.5, R = 2*r; Real v1(start = 0, fixed = "
                           "true), v2(start = 0), u, i1, i2;\n"
                           "equation v1 = v2 - u; i1 = der(v1); i2 = der(v2); i1 + i2 = 1 - v2; "
                           "i1*R = u; end Zero;\n"};
    const double without = 0.3934693402873666, with = 0.48596333835916067;
    const double tolerance = 1e-5; // of the run: 1e-6 for a step
    for (int k = 0; k < 2; k++) {
        const NamedSetting zero = {"r", "0", 0}, half = {"r", "0.5", 0};
        Loaded *own = open_with(texts[k], NULL, 0), *a = open_with(texts[k], &zero, 1);
        Loaded *b = open_with(texts[k], &half, 1);
        assert_true(fabs(last_value(own, NULL, 0, "v2") - (k ? with : without)) < tolerance);
        assert_true(fabs(last_value(a, NULL, 0, "v2") - without) < tolerance);
        assert_true(fabs(last_value(b, NULL, 0, "v2") - with) < tolerance);
        loaded_destroy(a);
        loaded_destroy(b);
        loaded_destroy(own);
    }
    Loaded *l = open_with(texts[0], NULL, 0);
    ParameterValue value = {0, 0.5};
    const char *why;
    assert_true(loaded_find_parameter(l, l->compilation->arena, "r", &value.number, &why));
    const Loaded *variant = loaded_variant(l, &value, 1);
    assert_ptr_not_equal(variant, l);
    assert_true(fabs(last_value(variant, &value, 1, "v2") - with) < tolerance);
    loaded_destroy(l);
}

// The name of an array sets all of it, that of an element this one; one that only begins alike is
// another one.
static void whole_arrays(void **state)
{
    (void)state;
    const char *text =
        "model Arrays parameter Real a[3] = {1, 2, 3}, ab = 50; parameter Real b = 1;\n"
        "Real x(start = 0, fixed = true), y[2](each start = 1, each fixed = true);\n"
        "Real s = y[1] + 10 * y[2];\n"
        "equation der(x) = a[1] + 10 * a[2] + 100 * a[3] + 1000 * ab;\n"
        "der(y) = zeros(2); end Arrays;\n";
    static const struct {
        NamedSetting setting;
        double x, s;
    } cases[] = {
        {{"a", "{4, 5, 6}", 0}, 50654.0, 11.0}, {{"a[2]", "7", 0}, 50371.0, 11.0},
        {{"ab", "2", 0}, 2321.0, 11.0},         {{"y.start", "{3, 4}", 0}, 50321.0, 43.0},
        {{"y.start", "5", 0}, 50321.0, 55.0},   {{"y[2].start", "6", 0}, 50321.0, 61.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Loaded *l = open_with(text, &cases[i].setting, 1);
        assert_true(fabs(last_value(l, NULL, 0, "x") - cases[i].x) < 1e-6);
        assert_true(fabs(last_value(l, NULL, 0, "s") - cases[i].s) < 1e-9);
        loaded_destroy(l);
    }
}

// So many structural parameters that their names fill a page.
static void many(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    char *text = malloc(COUNT * 200), (*names)[80] = malloc(COUNT * sizeof *names);
    ParameterValue *values = calloc(COUNT, sizeof *values);
    assert_true(text && names && values);
    size_t length = (size_t)sprintf(text, "model Many\n");
    for (int i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof *names, "a_long_name_of_a_structural_parameter_%d", i);
        length += (size_t)sprintf(text + length, "parameter Integer %s = 1;\n", names[i]);
    }
    length += (size_t)sprintf(text + length, "Real x[");
    for (int i = 0; i < COUNT; i++)
        length += (size_t)sprintf(text + length, "%s%s", i ? " + " : "", names[i]);
    sprintf(text + length, "] = ones(size(x, 1)); Real total = sum(x);\nend Many;\n");
    Loaded *l = open_with(text, NULL, 0);
    const char *why;
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(
            loaded_find_parameter(l, l->compilation->arena, names[i], &values[i].number, &why));
        values[i].value = 2.0;
    }
    const Loaded *v = loaded_variant(l, values, COUNT);
    assert_true(last_value(v, values, COUNT, "total") == 2.0 * COUNT);
    loaded_destroy(l);
    free(text);
    free(names);
    free(values);
}

// terminal() is true at the end, and what it finds wrong fails the run.
static void end_of_run(void **state)
{
    (void)state;
    const char *text = "model M Real x(start = 0, fixed = true); equation der(x) = 1;\n"
                       "when terminal() then assert(x < 0.5, \"too far\"); end when; end M;\n";
    Loaded *l = open_with(text, NULL, 0);
    SaltusSystem *system;
    SaltusRun *run;
    SaltusError error;
    const SaltusOptions options = saltus_default_options();
    assert_int_equal(loaded_system(l, NULL, 0, &system, &error), SALTUS_OK);
    assert_int_equal(loaded_run(l, system, &options, 0.4, &run, &error), SALTUS_OK);
    saltus_run_destroy(run);
    assert_true(loaded_run(l, system, &options, 0.6, &run, &error) < 0);
    assert_non_null(strstr(error.message, "too far"));
    saltus_error_clear(&error);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
    loaded_destroy(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings),    cmocka_unit_test(settings_in_rounds),
        cmocka_unit_test(refusals),    cmocka_unit_test(variants),
        cmocka_unit_test(zero_shapes), cmocka_unit_test(whole_arrays),
        cmocka_unit_test(many),        cmocka_unit_test(end_of_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
