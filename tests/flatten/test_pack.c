// SPDX-License-Identifier: MIT
//
// Packed equations (pack.h) are, once they are unpacked, those of the model that was not packed:
// every node of them, with its place in the text.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "flatten/pack.h"
#include "flatten/print.h"
#include "support/flat.h"

#include <glob.h>
#include <stdio.h>

static void assert_same_node(const FlatExpression *a, const FlatExpression *b)
{
    if (!a || !b) {
        assert_true(a == b);
        return;
    }
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->variability, b->variability);
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->is_silent, b->is_silent);
    assert_int_equal(a->span.begin, b->span.begin);
    assert_int_equal(a->span.end, b->span.end);
    assert_string_equal(a->type->name, b->type->name);
    assert_int_equal(a->count, b->count);
    if (a->kind == FLAT_OPERATION) {
        assert_int_equal(a->operation, b->operation);
        assert_int_equal(a->relation, b->relation);
    } else if (a->kind == FLAT_VARIABLE) {
        assert_string_equal(a->variable->name, b->variable->name);
        assert_int_equal(a == &a->variable->reference, b == &b->variable->reference);
    } else if (a->kind == FLAT_REAL) {
        assert_memory_equal(&a->real, &b->real, sizeof a->real);
    } else if (a->kind == FLAT_INTEGER || a->kind == FLAT_ENUMERATION) {
        assert_true(a->integer == b->integer);
    } else if (a->kind == FLAT_BOOLEAN) {
        assert_int_equal(a->boolean, b->boolean);
    }
    for (uint32_t i = 0; i < a->count; i++)
        assert_same_node(a->operands[i], b->operands[i]);
}

static void assert_same_equation(const FlatEquation *a, const FlatEquation *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->origin.span.begin, b->origin.span.begin);
    assert_int_equal(a->origin.span.end, b->origin.span.end);
    assert_int_equal(a->origin.element, b->origin.element);
    assert_int_equal(!a->origin.component, !b->origin.component);
    const FlatLoop *left = a->origin.loop, *right = b->origin.loop;
    for (; left && right; left = left->outer, right = right->outer)
        assert_true(left->value == right->value);
    assert_true(left == right);
    assert_int_equal(flat_guard_depth(a->guard), flat_guard_depth(b->guard));
    assert_same_node(a->left, b->left);
    assert_same_node(a->right, b->right);
    assert_int_equal(a->scalar_count, b->scalar_count);
    assert_int_equal(a->target_count, b->target_count);
    for (uint32_t i = 0; i < a->target_count; i++)
        assert_same_node(a->targets[i], b->targets[i]);
}

static const char *text_of(Compilation *c, const FlatModel *model)
{
    StringBuilder out = builder_create(c->arena);
    flat_print(&out, model);
    flat_print_json(&out, model, c->sources);
    return builder_string(&out).text;
}

static void assert_same_model(Compilation *c, const FlatModel *whole, Compilation *other,
                              const FlatModel *packed)
{
    const FlatModel *unpacked = flat_unpack(other->arena, packed);
    assert_int_equal(whole->equation_count, unpacked->equation_count);
    for (uint32_t i = 0; i < whole->equation_count; i++)
        assert_same_equation(whole->equations[i], unpacked->equations[i]);
    for (uint32_t i = 0; i < whole->relations.count; i++)
        assert_same_node(whole->relations.items[i].expression,
                         unpacked->relations.items[i].expression);
    assert_string_equal(text_of(c, whole), text_of(other, unpacked));
}

static FlattenOptions options_of(bool packs)
{
    FlattenOptions options = flatten_default_options();
    options.library_path = NULL;
    options.standard_libraries = false;
    options.packs_equations = packs;
    return options;
}

// True: it was packed.
static bool compare_text(const char *text)
{
    Compilation *c = compilation_create(NULL), *other = compilation_create(NULL);
    assert_true(c && other);
    const FlattenOptions plain = options_of(false), packing = options_of(true);
    const FlatModel *whole = flat_from_text_with(c, text, NULL, &plain);
    const FlatModel *packed = flat_from_text_with(other, text, NULL, &packing);
    assert_true(whole && packed && !whole->packed);
    assert_same_model(c, whole, other, packed);
    const bool is_packed = packed->packed != NULL;
    assert_int_equal(is_packed, packed->equations == NULL);
    compilation_destroy(c);
    compilation_destroy(other);
    return is_packed;
}

static void plain_trees_are_packed(void **state)
{
    (void)state;
    assert_true(compare_text("model M\n"
                             "  type E = enumeration(one, two);\n"
                             "  parameter Real k = 2; constant Real c = 3;\n"
                             "  Real x[3](each start = 1), y, z = 2 * y; Integer n; Boolean b;\n"
                             "  E e;\n"
                             "equation\n"
                             "  for i in 1:3 loop der(x[i]) = -k * c * x[i] / i; end for;\n"
                             "  y = if k > 1 then sum(x) ^ 2 else -1e300 * sin(time);\n"
                             "  n = -1000000; b = true; e = E.two;\n"
                             "end M;"));
}

static void components_and_connections_are_packed(void **state)
{
    (void)state;
    assert_true(compare_text("connector Pin Real v; flow Real i; end Pin;\n"
                             "model R Pin p, n; parameter Real r = 1;\n"
                             "equation p.v - n.v = r * p.i; p.i + n.i = 0; end R;\n"
                             "model G Pin p; equation p.v = sin(time); end G;\n"
                             "model M R r[5]; G g, h;\n"
                             "equation for i in 1:4 loop connect(r[i].n, r[i + 1].p); end for;\n"
                             "  connect(g.p, r[1].p); connect(r[5].n, h.p); end M;"));
}

// Relations, calls, branches and states: what they have is copied, and nothing else is left.
static void others_are_copied(void **state)
{
    (void)state;
    assert_true(compare_text("function f input Real a[2]; output Real s; output Real d[2];\n"
                             "algorithm s := a[1] + a[2]; d := 2 * a; end f;\n"
                             "function g input Real u; output Real y = u * h(u); end g;\n"
                             "function h input Real u; output Real y = u + 1; end h;\n"
                             "model M Real x(start = 1), y, s, d[2], w, q; Integer n(start = 0);\n"
                             "equation\n"
                             "  der(x) = if x > 0.5 then -x else g(y) - 1;\n"
                             "  if x > y then y = 2 * x; else y = x * x + time; end if;\n"
                             "  (s, d) = f({x, y});\n"
                             "  w = noEvent(if x < 3 then d[1] else 0) + max(x, y);\n"
                             "  q = delay(x, 0.5) + pre(n);\n"
                             "  when {x < 0.2, sample(0, 1)} then n = pre(n) + 1; end when;\n"
                             "initial equation y = 1;\n"
                             "algorithm assert(x < 10, \"large \" + String(x));\n"
                             "end M;"));
}

static void all_models_are_what_they_were(void **state)
{
    (void)state;
    static const char *const folders[] = {"/models/examples/*.mo", "/models/modes/*.mo",
                                          "/benchmarks/*/*.mo"};
    unsigned compared = 0, packed = 0;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        char pattern[4096];
        snprintf(pattern, sizeof pattern, "%s%s", SALTUS_SOURCE_DIR, folders[k]);
        glob_t files;
        assert_int_equal(glob(pattern, 0, NULL, &files), 0);
        for (size_t i = 0; i < files.gl_pathc; i++) {
            const char *path = files.gl_pathv[i];
            Compilation *c = compilation_create(NULL), *other = compilation_create(NULL);
            const FlattenOptions plain = options_of(false), packing = options_of(true);
            const FlatModel *a = flatten_files(c, 1, &path, NULL, &plain);
            const FlatModel *b = flatten_files(other, 1, &path, NULL, &packing);
            assert_int_equal(!a, !b);
            if (a) {
                assert_same_model(c, a, other, b);
                compared++;
                packed += b->packed != NULL;
                if (!b->packed)
                    print_message("not packed: %s\n", path);
            }
            compilation_destroy(c);
            compilation_destroy(other);
        }
        globfree(&files);
    }
    assert_true(compared > 40);
    assert_int_equal(packed, compared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_trees_are_packed),
        cmocka_unit_test(components_and_connections_are_packed),
        cmocka_unit_test(others_are_copied),
        cmocka_unit_test(all_models_are_what_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
