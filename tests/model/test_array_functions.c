// SPDX-License-Identifier: MIT
//
// Every built-in function on arrays in its three settings, against values worked out by hand: on
// variables in an equation of the model (expressions), in a function that is evaluated before the
// run (values), in a function that is called during the run (nodes of the graph). Inputs of the
// function have sizes that are known by the call only, so that nothing is spelt out before.

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "model/trial.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 18 };

typedef struct Case {
    const char *expression;
    uint32_t rank, dims[3];
    double expected[MOST];
} Case;

// a = {1, -2, 3}, b = {0.5, 4, -1}, m = [1, 2, 3; 4, 5, 6], q = [1, 2; 3, 4], i = {2, 3, 5}
static const Case cases[] = {
    {"sum(a)", 0, {0}, {2}},
    {"sum(m)", 0, {0}, {21}},
    {"sum(a[1:0])", 0, {0}, {0}},
    {"product(b)", 0, {0}, {-2}},
    {"product(a[1:0])", 0, {0}, {1}},
    {"min(a)", 0, {0}, {-2}},
    {"max(m)", 0, {0}, {6}},
    {"min(a[1], b[1])", 0, {0}, {0.5}},
    {"max(a[1], b[1])", 0, {0}, {1}},
    {"sum(a[k] * k for k in 1:size(a, 1))", 0, {0}, {6}},
    {"{a[k] * k for k in 1:size(a, 1)}", 1, {3}, {1, -4, 9}},
    {"size(m)", 1, {2}, {2, 3}},
    {"size(m, 2)", 0, {0}, {3}},
    {"ndims(m)", 0, {0}, {2}},
    {"scalar(a[2:2])", 0, {0}, {-2}},
    {"scalar([a[3]])", 0, {0}, {3}},
    {"vector([a])", 1, {3}, {1, -2, 3}},
    {"vector(m[1:1, :])", 1, {3}, {1, 2, 3}},
    {"vector(transpose([b]))", 1, {3}, {0.5, 4, -1}},
    {"matrix(a)", 2, {3, 1}, {1, -2, 3}},
    {"matrix({m[1, :]})", 2, {1, 3}, {1, 2, 3}},
    {"transpose(m)", 2, {3, 2}, {1, 4, 2, 5, 3, 6}},
    {"transpose({m, 2 * m})", 3, {2, 2, 3}, {1, 2, 3, 2, 4, 6, 4, 5, 6, 8, 10, 12}},
    {"outerProduct(a, b)", 2, {3, 3}, {0.5, 4, -1, -1, -8, 2, 1.5, 12, -3}},
    {"outerProduct(a, b[1:2])", 2, {3, 2}, {0.5, 4, -1, -8, 1.5, 12}},
    {"symmetric(q)", 2, {2, 2}, {1, 2, 2, 4}},
    {"cross(a, b)", 1, {3}, {-10, 2.5, 5}},
    {"cross(i, a)", 1, {3}, {19, -1, -7}},
    {"skew(a)", 2, {3, 3}, {0, -3, -2, 3, 0, -1, 2, 1, 0}},
    {"identity(size(q, 1))", 2, {2, 2}, {1, 0, 0, 1}},
    {"diagonal(a)", 2, {3, 3}, {1, 0, 0, 0, -2, 0, 0, 0, 3}},
    {"zeros(size(q, 1), size(m, 2))", 2, {2, 3}, {0}},
    {"ones(size(a, 1))", 1, {3}, {1, 1, 1}},
    {"fill(a[2], size(q, 1), 3)", 2, {2, 3}, {-2, -2, -2, -2, -2, -2}},
    {"fill(b, size(q, 1))", 2, {2, 3}, {0.5, 4, -1, 0.5, 4, -1}},
    {"linspace(a[1], a[3], size(a, 1) + 2)", 1, {5}, {1, 1.5, 2, 2.5, 3}},
    {"cat(1, a, b)", 1, {6}, {1, -2, 3, 0.5, 4, -1}},
    {"cat(1, i, a)", 1, {6}, {2, 3, 5, 1, -2, 3}},
    {"cat(1, q, 2 * q)", 2, {4, 2}, {1, 2, 3, 4, 2, 4, 6, 8}},
    {"cat(2, m, q)", 2, {2, 5}, {1, 2, 3, 1, 2, 4, 5, 6, 3, 4}},
    {"[m, q; 9, 8, 7, 6, 5]", 2, {3, 5}, {1, 2, 3, 1, 2, 4, 5, 6, 3, 4, 9, 8, 7, 6, 5}},
    {"[a, b]", 2, {3, 2}, {1, 0.5, -2, 4, 3, -1}},
    {"{a, b}", 2, {2, 3}, {1, -2, 3, 0.5, 4, -1}},
    {"promote(a, 2)", 2, {3, 1}, {1, -2, 3}},
    {"a * b", 0, {0}, {-10.5}},
    {"m * a", 1, {2}, {6, 12}},
    {"b[1:2] * q", 1, {2}, {12.5, 17}},
    {"q * m", 2, {2, 3}, {9, 12, 15, 19, 26, 33}},
    {"q ^ 0", 2, {2, 2}, {1, 0, 0, 1}},
    {"q ^ 1", 2, {2, 2}, {1, 2, 3, 4}},
    {"q ^ 3", 2, {2, 2}, {37, 54, 81, 118}},
    {"1:size(a, 1)", 1, {3}, {1, 2, 3}},
    {"size(a, 1):-2:0", 1, {2}, {3, 1}},
    {"1.0:0.5:size(a, 1)", 1, {5}, {1, 1.5, 2, 2.5, 3}},
    {"sum(i)", 0, {0}, {10}},
    {"product(i)", 0, {0}, {30}},
    {"max(i)", 0, {0}, {5}},
    {"skew(i)", 2, {3, 3}, {0, -5, 3, 5, 0, -2, -3, 2, 0}},
    {"diagonal(i)", 2, {3, 3}, {2, 0, 0, 0, 3, 0, 0, 0, 5}},
    {"i * i", 0, {0}, {38}},
};

static uint32_t size_of(const Case *c)
{
    uint32_t size = 1;
    for (uint32_t k = 0; k < c->rank; k++)
        size *= c->dims[k];
    return size;
}

// "[2,3]"
static void append_list(StringBuilder *out, uint32_t count, const uint32_t *list)
{
    for (uint32_t k = 0; k < count; k++)
        builder_append_format(out, "%s%u", k ? "," : "[", (unsigned)list[k]);
    builder_append_text(out, count ? "]" : "");
}

static const char *case_text(Arena *arena, const Case *c)
{
    StringBuilder dims = builder_create(arena), out = builder_create(arena);
    append_list(&dims, c->rank, c->dims);
    const char *shape = builder_string(&dims).text;
    builder_append_format(
        &out,
        "model M\n"
        "  function f\n"
        "    input Real a[:], b[:], m[:, :], q[:, :];\n    input Integer i[:];\n"
        "    output Real y%s;\n"
        "  algorithm\n    y := %s;\n  end f;\n"
        "  constant Real ca[3] = {1, -2, 3}, cb[3] = {0.5, 4, -1};\n"
        "  constant Real cm[2, 3] = [1, 2, 3; 4, 5, 6], cq[2, 2] = [1, 2; 3, 4];\n"
        "  constant Integer ci[3] = {2, 3, 5};\n"
        "  Real a[3] = ca * time, b[3] = cb * time, m[2, 3] = cm * time, q[2, 2] = cq * time;\n"
        "  parameter Integer i[3] = {2, 3, 5};\n"
        "  constant Real c%s = f(ca, cb, cm, cq, ci);\n"
        "  Real equation_%s = %s;\n"
        "  Real before_%s = c;\n"
        "  Real run_%s = f(a, b, m, q, i);\n"
        "end M;\n",
        shape, c->expression, shape, shape, c->expression, shape, shape);
    return builder_string(&out).text;
}

static void check_case(Arena *arena, const Case *c)
{
    static const char *const settings[] = {"equation_", "before_", "run_"};
    Trial *t = trial_text(case_text(arena, c));
    if (!trial_is_model(t))
        fail_msg("%s\n%s", c->expression, trial_messages(t));
    if (trial_run(t, 1.0) != SALTUS_OK)
        fail_msg("%s\n%s", c->expression, trial_error(t));
    for (uint32_t n = 0; n < size_of(c); n++) {
        uint32_t place[3], rest = n;
        for (uint32_t k = c->rank; k-- > 0; rest /= c->dims[k])
            place[k] = rest % c->dims[k] + 1;
        for (int k = 0; k < 3; k++) {
            StringBuilder name = builder_create(arena);
            builder_append_text(&name, settings[k]);
            append_list(&name, c->rank, place);
            // Small whole numbers and halves: all of it is exact.
            const double value = trial_value(t, builder_string(&name).text);
            if (value != c->expected[n])
                fail_msg("%s: %s is %g, not %g", c->expression, builder_string(&name).text, value,
                         c->expected[n]);
        }
    }
    trial_end(t);
}

static void all_settings_agree(void **state)
{
    (void)state;
    Arena *arena = arena_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(arena, &cases[i]);
    arena_destroy(arena);
}

// Arrays of records, which have several scalars in each element.
static void records_are_elements(void **state)
{
    (void)state;
    static const char text[] =
        "model M\n"
        "  record R Real u; Real w[2]; end R;\n"
        "  function f input R r[:]; output Real y[4, 3];\n"
        "  protected R s[4] = cat(1, r, r);\n"
        "  algorithm\n"
        "    for k in 1:4 loop y[k, :] := cat(1, {s[k].u}, s[k].w); end for;\n"
        "  end f;\n"
        "  function g input R r; input Integer n; output Real y;\n"
        "  protected R s[n] = fill(r, n);\n"
        "  algorithm y := s[n].u + 10 * s[n].w[2]; end g;\n"
        "  constant R c[2] = {R(1, {2, 3}), R(4, {5, 6})};\n"
        "  R r[2](u = {1, 4} * time, w = [2, 3; 5, 6] * time);\n"
        "  constant Real fc[4, 3] = f(c), gc = g(c[2], 3);\n"
        "  Real y[4, 3] = f(r), x[4, 3] = fc, z = g(r[2], 3), v = gc;\n"
        "  R e[4] = cat(1, r, r);\n"
        "end M;\n";
    Trial *t = trial_run_text(text, 1.0);
    for (int n = 0; n < 12; n++) {
        char name[3][20];
        snprintf(name[0], sizeof name[0], "y[%d,%d]", n / 3 + 1, n % 3 + 1);
        snprintf(name[1], sizeof name[1], "x[%d,%d]", n / 3 + 1, n % 3 + 1);
        if (n % 3)
            snprintf(name[2], sizeof name[2], "e[%d].w[%d]", n / 3 + 1, n % 3);
        else
            snprintf(name[2], sizeof name[2], "e[%d].u", n / 3 + 1);
        for (int k = 0; k < 3; k++)
            trial_assert_value(t, name[k], n % 6 + 1, 0.0);
    }
    trial_assert_value(t, "z", 64.0, 0.0);
    trial_assert_value(t, "v", 64.0, 0.0);
    trial_end(t);
}

// Sizes that do not fit are found where they are first known, with the same words.
static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *expression, *wanted;
    } wrong[] = {
        {"sum(vector(m))", "must be an array with one dimension larger than 1"},
        {"scalar(m)", "must be an array with one element"},
        {"sum(matrix({m, m}))", "must be an array whose later dimensions have size 1"},
        {"sum(symmetric(m))", "must be a square matrix"},
        {"sum(cross(m[1, 1:2], m[2, :]))", "must be a vector of size 3"},
        {"sum(skew(m[1, 1:2]))", "must be a vector of size 3"},
        {"sum(linspace(0, 1, size(m, 1) - 1))", "must be at least 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int k = 0; k < 3; k++) {
            char text[600];
            snprintf(
                text, sizeof text,
                "model M function f input Real m[:, :]; output Real y; algorithm y := %s; "
                "end f; Real n[2, 3] = [1, 2, 3; 4, 5, 6] * time; Real m[2, 3] = n; "
                "constant Real c[2, 3] = [1, 2, 3; 4, 5, 6]; %sReal y = %s; Real z = y; end M;",
                wrong[i].expression, k == 1 ? "constant " : "",
                k == 0   ? wrong[i].expression
                : k == 1 ? "f(c)"
                         : "f(n)");
            trial_expect_refusal(text, wrong[i].wanted);
        }
}

// Of no Reals the least is the greatest Real (section 10.3.4.1): in equations, before the run and
// in functions of the run, where the size is known at the call only.
static void extremum_of_none(void **state)
{
    (void)state;
    Trial *t = trial_run_text("model M\n"
                              "  function f input Real v[:]; output Real y;\n"
                              "  algorithm y := min(v) + 0.5 * max(v); end f;\n"
                              "  constant Real c = f(fill(0.0, 0));\n"
                              "  Real none[0], x = min(none), y = f(none), z = c;\n"
                              "  Real one = f({time});\n"
                              "end M;\n",
                              1.0);
    trial_assert_value(t, "x", DBL_MAX, 0.0);
    trial_assert_value(t, "y", DBL_MAX / 2, 0.0);
    trial_assert_value(t, "z", DBL_MAX / 2, 0.0);
    trial_assert_value(t, "one", 1.5, 0.0);
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_settings_agree),
        cmocka_unit_test(records_are_elements),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(extremum_of_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
