// SPDX-License-Identifier: MIT
//
// No input may crash the flattener, hang it or take all memory: memory that ends at any point,
// limits of the options, names that do not exist.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/flat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "connector Pin Real v; flow Real i; end Pin;"
    "function f input Real x[:]; output Real y; algorithm y := 0;"
    "  for i in 1:size(x, 1) loop y := y + x[i]^2; end for; end f;"
    "model R parameter Real r = 1; Pin p, n; equation p.v - n.v = r*p.i; p.i + n.i = 0; end R;"
    "model G Pin p; equation p.v = 0; end G;"
    "model S outer output Real x; equation der(x) = 1; end S;"
    "model M parameter Integer n = 20; parameter Real k = f({1, 2, 3}); R r[n](each r = k); G g;"
    "  inner Real x(start = 0); S a, b; Real z; Integer c(start = 0);"
    "equation for i in 1:n - 1 loop connect(r[i].n, r[i + 1].p); end for; connect(g.p, r[1].p);"
    "  initialState(a); transition(a, b, x > 1);"
    "  if x > 2 then z = 1; else z = 2; end if;"
    "  when x > 3 then c = pre(c) + 1; end when;"
    "end M;";

static FlattenOptions options_without_library(void)
{
    FlattenOptions options = flatten_default_options();
    options.library_path = NULL;
    options.standard_libraries = false;
    return options;
}

// An allocator that gives out only so many blocks.
typedef struct Rationed {
    size_t left;
} Rationed;

static void *rationed_reallocate(void *user, void *block, size_t size)
{
    Rationed *rationed = user;
    if (size == 0) {
        free(block);
        return NULL;
    }
    if (rationed->left == 0)
        return NULL;
    rationed->left--;
    return realloc(block, size);
}

static void memory_that_ends_is_an_error(void **state)
{
    (void)state;
    bool has_succeeded = false;
    for (size_t blocks = 0; !has_succeeded; blocks++) {
        assert_true(blocks < 1000);
        Rationed rationed = {blocks};
        const SaltusAllocator allocator = {rationed_reallocate, &rationed};
        Compilation *c = compilation_create(&allocator);
        if (!c)
            continue;
        const FlatModel *model = flat_from_text(c, text);
        has_succeeded = model != NULL;
        compilation_destroy(c);
    }
}

// The last of so many in a chain, each by the next one or by the one before; NAN: it has no value.
static double end_of_chain(const char *declaration, bool is_backwards, int count, bool is_circle)
{
    char *long_text = malloc((size_t)count * 60 + 200);
    assert_non_null(long_text);
    size_t length = (size_t)sprintf(long_text, "model M\n");
    for (int i = 0; i < count; i++) {
        const int k = is_backwards ? count - 1 - i : i; // p0 is the first one of the chain
        length +=
            (size_t)(k ? sprintf(long_text + length, "%s p%d = p%d + 1;\n", declaration, k, k - 1)
                     : is_circle
                         ? sprintf(long_text + length, "%s p0 = p%d;\n", declaration, count - 1)
                         : sprintf(long_text + length, "%s p0 = 1;\n", declaration));
    }
    sprintf(long_text + length, "%s n = if p%d > 0 then 1 else 2; Real x[n] = ones(n);\nend M;\n",
            declaration, count - 1);
    Compilation *c = compilation_create(NULL);
    assert_non_null(c);
    const FlattenOptions options = options_without_library();
    const FlatModel *m = flat_from_text_with(c, long_text, NULL, &options);
    double value = NAN;
    char name[20];
    snprintf(name, sizeof name, "p%d", count - 1);
    for (uint32_t i = 0; m && i < m->variable_count; i++)
        if (strcmp(m->variables[i]->name, name) == 0 && m->variables[i]->is_evaluated)
            value = (double)m->variables[i]->value.integer;
    compilation_destroy(c);
    free(long_text);
    return value;
}

// Chains that are longer than the stack could be deep.
static void long_chains_have_values(void **state)
{
    (void)state;
    enum { COUNT = 30000 };
    for (int is_backwards = 0; is_backwards < 2; is_backwards++) {
        assert_true(end_of_chain("constant Integer", is_backwards, COUNT, false) == COUNT);
        assert_true(end_of_chain("parameter Integer", is_backwards, COUNT, false) == COUNT);
        assert_true(isnan(end_of_chain("constant Integer", is_backwards, COUNT, true)));
        assert_true(isnan(end_of_chain("parameter Integer", is_backwards, COUNT, true)));
    }
}

static void the_memory_limit_holds(void **state)
{
    (void)state;
    FlattenOptions options = options_without_library();
    options.memory_maximum = (size_t)2 << 20;
    Compilation *c = compilation_create(NULL);
    assert_non_null(c);
    const FlatModel *model = flat_from_text_with(
        c, "model M Real x[100000]; equation der(x) = -x; end M;", NULL, &options);
    assert_null(model);
    assert_true(c->diagnostics->error_count > 0);
    compilation_destroy(c);
    // little by little; there is still memory for what is to be said
    c = compilation_create(NULL);
    assert_non_null(c);
    assert_null(flat_from_text_with(
        c, "model M Real x, y = z; equation for i in 1:100000 loop x = i*time; end for; end M;",
        NULL, &options));
    assert_true(flat_has_error(c, "the model is too large"));
    StringBuilder said = builder_create(c->arena);
    diagnostics_render_text(c->diagnostics, false, &said);
    assert_non_null(strstr(builder_string(&said).text, "the model is too large"));
    const Span at = c->diagnostics->exhaustion.span; // where it was
    assert_int_equal(at.end - at.begin, strlen("for i in 1:100000 loop x = i*time; end for"));
    compilation_destroy(c);
}

static void the_step_limit_holds(void **state)
{
    (void)state;
    FlattenOptions options = options_without_library();
    options.step_maximum = 1000;
    Compilation *c = compilation_create(NULL);
    assert_non_null(c);
    assert_null(
        flat_from_text_with(c,
                            "function f input Integer n; output Integer s; algorithm s := 0;"
                            "  for i in 1:n loop s := s + 1; end for; end f;"
                            "model M Real x[f(10000)]; equation der(x) = -x; end M;",
                            NULL, &options));
    assert_true(flat_has_error(c, "more than 1000 steps"));
    compilation_destroy(c);
}

// Elements of an array are counted by its first one before they are made; where modifications make
// them differ, the others may be smaller: 1e8 by the first one, 100,999 in truth.
static void small_elements_after_a_large_one(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    const FlatModel *model = flat_from_text(
        c, "model M model A parameter Integer n = 1; Real x[n] = fill(time, n); end A; "
           "A a[1000](n = cat(1, {100000}, fill(1, 999))); end M;");
    assert_non_null(model);
    assert_non_null(flat_variable(model, "a[1000].x[1]"));
    compilation_destroy(c);
}

static void models_that_do_not_exist(void **state)
{
    (void)state;
    static const char *const names[] = {"N", "M.x", "M.M", "", ".", "M.", "'M'", "R.r.s"};
    const FlattenOptions options = options_without_library();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Compilation *c = compilation_create(NULL);
        assert_non_null(c);
        assert_null(flat_from_text_with(c, text, names[i], &options));
        assert_true(c->diagnostics->error_count > 0);
        compilation_destroy(c);
    }
}

static void modifications_of_the_model(void **state)
{
    (void)state;
    FlattenOptions options = options_without_library();
    options.modification = "(n = 3, r(r = {1, 2, 3}))";
    Compilation *c = compilation_create(NULL);
    assert_non_null(c);
    const FlatModel *model = flat_from_text_with(c, text, NULL, &options);
    assert_non_null(model);
    assert_null(flat_variable(model, "r[4].r"));
    assert_string_equal(flat_text(c, flat_variable(model, "r[3].r")->binding), "3.0");
    compilation_destroy(c);
}

static void wrong_modifications_of_the_model(void **state)
{
    (void)state;
    static const char *const wrong[] = {"(m = 3)", "(n = )", "n = 3", "(n = 2.5)", "(n = -1)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        FlattenOptions options = options_without_library();
        options.modification = wrong[i];
        Compilation *c = compilation_create(NULL);
        assert_non_null(c);
        assert_null(flat_from_text_with(c, text, NULL, &options));
        assert_true(c->diagnostics->error_count > 0);
        compilation_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_ends_is_an_error),
        cmocka_unit_test(the_memory_limit_holds),
        cmocka_unit_test(the_step_limit_holds),
        cmocka_unit_test(long_chains_have_values),
        cmocka_unit_test(small_elements_after_a_large_one),
        cmocka_unit_test(models_that_do_not_exist),
        cmocka_unit_test(modifications_of_the_model),
        cmocka_unit_test(wrong_modifications_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
