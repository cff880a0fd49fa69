// SPDX-License-Identifier: MIT
//
// What printed text looks like; that it parses to the same tree is tested with every file of
// tests/language/syntax.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "modelica/equality.h"
#include "modelica/parser.h"
#include "support/printer.h"

static StoredDefinition *parse(Compilation *c, const char *text)
{
    const SourceFile *file;
    assert_int_equal(sources_add(c->sources, "t.mo", text, strlen(text), &file), SOURCE_OK);
    StoredDefinition *definition = parser_parse(c, file);
    assert_int_equal(c->diagnostics->error_count, 0);
    return definition;
}

static void assert_printed(const char *text, const char *expected)
{
    Compilation *c = compilation_create(NULL);
    StringBuilder out = builder_create(c->arena);
    printer_print(&out, parse(c, text));
    assert_string_equal(builder_string(&out).text, expected);
    compilation_destroy(c);
}

static void classes_are_laid_out(void **state)
{
    (void)state;
    assert_printed("within A;partial model M\"d\"Real x,y=1;protected Real z;equation x=1;"
                   "if a then b=c;else d=e;end if;annotation(v=1);end M;",
                   "within A;\n"
                   "partial model M \"d\"\n"
                   "  Real x, y = 1;\n"
                   "protected\n"
                   "  Real z;\n"
                   "equation\n"
                   "  x = 1;\n"
                   "  if a then\n"
                   "    b = c;\n"
                   "  else\n"
                   "    d = e;\n"
                   "  end if;\n"
                   "  annotation(v = 1);\n"
                   "end M;\n");
}

static void statements_are_laid_out(void **state)
{
    (void)state;
    assert_printed(
        "function f algorithm (a,,b):=g(x);while a loop break;end while;for i in 1:3 "
        "loop x[i]:=-i^2;end for;when a then b:=1;elsewhen c then return;end when;end f;",
        "function f\n"
        "algorithm\n"
        "  (a, , b) := g(x);\n"
        "  while a loop\n"
        "    break;\n"
        "  end while;\n"
        "  for i in 1:3 loop\n"
        "    x[i] := -i^2;\n"
        "  end for;\n"
        "  when a then\n"
        "    b := 1;\n"
        "  elsewhen c then\n"
        "    return;\n"
        "  end when;\n"
        "end f;\n");
}

static void parentheses_are_minimal(void **state)
{
    (void)state;
    assert_printed("model M equation x=((a+b))*(c*d)-(e-f)/(g);x=(not(a and(b or c)));"
                   "x=(if a then b else c)+(1:2)[1];end M;",
                   "model M\n"
                   "equation\n"
                   "  x = (a + b) * (c * d) - (e - f) / g;\n"
                   "  x = not (a and (b or c));\n"
                   "  x = (if a then b else c) + (1:2)[1];\n"
                   "end M;\n");
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_printed("model M String s=\"a\\\"\\\\\\t\\n\\?\";end M;",
                   "model M\n"
                   "  String s = \"a\\\"\\\\\\t\n?\";\n"
                   "end M;\n");
}

static void comments_stay_near(void **state)
{
    (void)state;
    assert_printed("// top\n"
                   "model M // of M\n"
                   "  /* before x */\n"
                   "  Real x; // of x\n"
                   "equation\n"
                   "  // before\n"
                   "  x = /* in */ 1; // behind\n"
                   "  if a then // of if\n"
                   "    b = c;\n"
                   "    // last\n"
                   "  end if;\n"
                   "  // end\n"
                   "end M;\n"
                   "// bottom",
                   "// top\n"
                   "model M // of M\n"
                   "  /* before x */\n"
                   "  Real x; // of x\n"
                   "equation\n"
                   "  // before\n"
                   "  /* in */\n"
                   "  x = 1; // behind\n"
                   "  if a then // of if\n"
                   "    b = c;\n"
                   "    // last\n"
                   "  end if;\n"
                   "  // end\n"
                   "end M;\n"
                   "// bottom\n");
}

// Trees that a program made have no positions, and numbers no text has.
static void made_trees_are_printed(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    Expression half = {.kind = EXPRESSION_REAL, .height = 1, .real = -0.5};
    Expression two = {.kind = EXPRESSION_INTEGER, .height = 1, .integer = -2};
    Expression product = {.kind = EXPRESSION_BINARY, .height = 2};
    product.binary.op = SYNTAX_MULTIPLY;
    product.binary.left = &half;
    product.binary.right = &two;
    Equation equation = {.kind = EQUATION_EQUALITY};
    equation.equality.left = &product;
    equation.equality.right = &half;
    StringBuilder out = builder_create(c->arena);
    printer_print_equation(&out, &equation, 1);
    assert_string_equal(builder_string(&out).text, "  (-0.5) * (-2) = -0.5;\n");
    compilation_destroy(c);
}

static void parts_are_printed(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    StoredDefinition *d = parse(c, "model A Real x(a=1)=2,y;algorithm x:=1;end A;");
    StringBuilder out = builder_create(c->arena);
    const ClassBody *body = &d->classes[0]->body;
    printer_print_element(&out, body->elements[0], 0);
    printer_print_element(&out, body->elements[1], 1);
    printer_print_statement(&out, body->sections[0]->statements[0], 0);
    printer_print_modification(&out, body->elements[0]->component->modification);
    assert_string_equal(builder_string(&out).text, "Real x(a = 1) = 2;\n"
                                                   "  Real y;\n"
                                                   "x := 1;\n"
                                                   "(a = 1) = 2");
    compilation_destroy(c);
}

// Each pair differs in one thing only.
static void differences_are_seen(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"model A end A;", "model B end B;"},
        {"model A end A;", "block A end A;"},
        {"model A end A;", "partial model A end A;"},
        {"model A end A;", "within; model A end A;"},
        {"model A \"a\" end A;", "model A \"b\" end A;"},
        {"model A Real x, y; end A;", "model A Real x; Real y; end A;"},
        {"model A Real x; end A;", "model A protected Real x; end A;"},
        {"model A Real x; end A;", "model A inner Real x; end A;"},
        {"model A Real x; end A;", "model A Real x(); end A;"},
        {"model A Real x = 1; end A;", "model A Real x = 1.0; end A;"},
        {"model A Real x = 1; end A;", "model A Real x := 1; end A;"},
        {"model A Real x(a = 1); end A;", "model A Real x(final a = 1); end A;"},
        {"model A Real x = a + b; end A;", "model A Real x = a - b; end A;"},
        {"model A Real x = f(a); end A;", "model A Real x = f(a = a); end A;"},
        {"model A Real x = a[1]; end A;", "model A Real x = a[:]; end A;"},
        {"model A Real x = a.b; end A;", "model A Real x = .a.b; end A;"},
        {"model A Real x = {1}; end A;", "model A Real x = [1]; end A;"},
        {"model A Real x = [1, 2]; end A;", "model A Real x = [1; 2]; end A;"},
        {"model A import B.C; end A;", "model A import B.C.*; end A;"},
        {"model A extends B; end A;", "model A extends C; end A;"},
        {"model A extends B; end A;", "model A extends B annotation(x); end A;"},
        {"model A equation x = 1; end A;", "model A initial equation x = 1; end A;"},
        {"model A equation x = 1; end A;", "model A equation x = 1 \"t\"; end A;"},
        {"model A equation if a then end if; end A;",
         "model A equation when a then end when; end A;"},
        {"model A equation connect(a, b); end A;", "model A equation connect(b, a); end A;"},
        {"model A algorithm break; end A;", "model A algorithm return; end A;"},
        {"type A = B;", "type A = input B;"},
        {"type A = enumeration(a);", "type A = enumeration(:);"},
        {"function f external; end f;", "function f external \"C\"; end f;"},
        {"function f external \"C\" g(); end f;", "function f external \"C\" h(); end f;"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Compilation *c = compilation_create(NULL);
        StoredDefinition *a = parse(c, pairs[i][0]), *b = parse(c, pairs[i][1]);
        assert_true(definition_equal(a, a));
        assert_true(definition_equal(a, parse(c, pairs[i][0])));
        if (definition_equal(a, b))
            fail_msg("equal: %s and %s", pairs[i][0], pairs[i][1]);
        compilation_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_laid_out),    cmocka_unit_test(statements_are_laid_out),
        cmocka_unit_test(parentheses_are_minimal), cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(comments_stay_near),      cmocka_unit_test(made_trees_are_printed),
        cmocka_unit_test(parts_are_printed),       cmocka_unit_test(differences_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
