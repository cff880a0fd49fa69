// SPDX-License-Identifier: MIT
//
// What is said about structurally singular systems.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structure/diagnosis.h"
#include "support/signatures.h"

#include <string.h>

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

static void assert_list(const uint32_t *found, uint32_t count, const uint32_t *expected,
                        uint32_t expected_count)
{
    assert_int_equal(count, expected_count);
    assert_memory_equal(found, expected, count * sizeof *found);
}

static void regular_systems_have_no_parts(void **state)
{
    const char *const equations[] = {"x' u=-1", "y' v=-1", "u' x*lam", "v' y*lam", "x~ y~", NULL};
    Diagnosis d = diagnosis_find(*state, signatures_make(*state, NULL, equations));
    assert_int_equal(d.count, 0);
}

// Equations 1, 2 and 4 for x and y; z and w in equation 3; equation 0 is innocent, and so is v.
static void both_parts_are_found_and_the_rest_is_left_out(void **state)
{
    const char *const equations[] = {"v' x", "x y", "x=2 y", "v z w", "y", NULL};
    Diagnosis d = diagnosis_find(*state, signatures_make(*state, NULL, equations));
    assert_int_equal(d.count, 2);
    const DiagnosisPart *over = &d.parts[0], *under = &d.parts[1];
    assert_true(over->is_over && !under->is_over);
    assert_int_equal(over->surplus, 1);
    assert_int_equal(under->surplus, 1);
    assert_list(over->equations, over->equation_count, (const uint32_t[]){1, 2, 4}, 3);
    assert_list(over->variables, over->variable_count, (const uint32_t[]){1, 2}, 2);
    assert_list(under->equations, under->equation_count, (const uint32_t[]){3}, 1);
    assert_list(under->variables, under->variable_count, (const uint32_t[]){3, 4}, 2);
}

// Two conflicts that have nothing to do with each other are two parts.
static void conflicts_are_told_apart(void **state)
{
    const char *const equations[] = {"x", "x=2", "y", "y=2", NULL};
    Diagnosis d = diagnosis_find(*state, signatures_make(*state, NULL, equations));
    assert_int_equal(d.count, 2);
    assert_list(d.parts[0].equations, d.parts[0].equation_count, (const uint32_t[]){0, 1}, 2);
    assert_list(d.parts[1].equations, d.parts[1].equation_count, (const uint32_t[]){2, 3}, 2);
}

// Model text with the places of its equations, as a front end gives them.
static void messages_are_in_the_words_of_the_model(void **state)
{
    const char *text = "model M\n  Real x, y, lonely;\nequation\n  x = 1;\n  2*x = 3;\nend M;\n";
    Sources *sources = sources_create(*state);
    const SourceFile *file;
    assert_int_equal(sources_add(sources, "M.mo", text, strlen(text), &file), SOURCE_OK);
    Diagnostics *diagnostics = diagnostics_create(*state, sources);
    SignatureBuilder *b = signature_begin(*state);
    const char *names[] = {"x", "y", "lonely"}, *equations[] = {"x = 1", "2*x = 3"};
    for (int k = 0; k < 3; k++) {
        uint32_t at = file->base + (uint32_t)(strstr(text, names[k]) - text);
        Span span = {at, at + (uint32_t)strlen(names[k])};
        signature_variable(b, &(SignatureVariable){.name = names[k], .span = span});
    }
    for (int k = 0; k < 2; k++) {
        uint32_t at = file->base + (uint32_t)(strstr(text, equations[k]) - text);
        Span span = {at, at + (uint32_t)strlen(equations[k])};
        signature_equation(b, &(SignatureEquation){.text = equations[k], .span = span});
        signature_number(b, 0, 0, 1.0 + k);
    }
    signature_equation(b, &(SignatureEquation){.text = "y = lonely"});
    signature_number(b, 1, 0, 1.0);
    signature_number(b, 2, 0, -1.0);
    const Signature *s = signature_finish(b);
    Diagnosis d = diagnosis_find(*state, s);
    diagnosis_report(s, &d, diagnostics);
    // the front end's places are kept: "line:column message"
    StringBuilder out = builder_create(*state);
    for (const Diagnostic *e = diagnostics->first; e; e = e->next) {
        for (const Diagnostic *n = e; n; n = n == e ? e->notes : n->next) {
            SourcePlace at = sources_locate(sources, n->span.begin);
            builder_append_format(&out, "%u:%u %s\n", at.line, at.column, n->message);
        }
    }
    assert_string_equal(builder_string(&out).text,
                        "4:3 too many equations: 2 equations for 1 variable, x\n"
                        "4:3 x = 1\n"
                        "5:3 2*x = 3\n"
                        "2:11 too few equations: 1 equation for 2 variables, y and lonely\n"
                        "0:0 y = lonely\n"
                        "2:11 y is declared here\n"
                        "2:14 lonely is declared here\n");
}

static const Diagnostic *first_report(Arena *arena, const char *const *declarations,
                                      const char *const *equations)
{
    const Signature *s = signatures_make(arena, declarations, equations);
    Diagnostics *diagnostics = diagnostics_create(arena, sources_create(arena));
    Diagnosis d = diagnosis_find(arena, s);
    diagnosis_report(s, &d, diagnostics);
    assert_non_null(diagnostics->first);
    return diagnostics->first;
}

static const char *first_message(Arena *arena, const char *const *declarations,
                                 const char *const *equations)
{
    return first_report(arena, declarations, equations)->message;
}

static void special_cases_have_their_own_words(void **state)
{
    const char *const no_variable[] = {"@u", NULL};
    assert_string_equal(first_message(*state, NULL, no_variable),
                        "the equation @u contains no unknown variable");
    assert_null(first_report(*state, NULL, no_variable)->notes);
    const char *const declarations[] = {"x", "y", NULL}, *const no_equation[] = {"x", NULL};
    assert_string_equal(first_message(*state, declarations, no_equation),
                        "no equation determines y");
    const char *const many[] = {"a b c d e f g h i j", NULL};
    assert_string_equal(first_message(*state, NULL, many),
                        "too few equations: 1 equation for 10 variables, a, b, c, d, e, f, g and 3 "
                        "more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(regular_systems_have_no_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(both_parts_are_found_and_the_rest_is_left_out, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(conflicts_are_told_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(messages_are_in_the_words_of_the_model, setup, teardown),
        cmocka_unit_test_setup_teardown(special_cases_have_their_own_words, setup, teardown),
    };
    return cmocka_run_group_tests_name("structure/diagnosis", tests, NULL, NULL);
}
