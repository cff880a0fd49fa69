// SPDX-License-Identifier: MIT
//
// The shape of trees (what parses at all is a matter of tests/language/syntax), and what no text
// may do: exhaust the stack, the memory or the reader's patience.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "modelica/equality.h"
#include "modelica/parser.h"
#include "support/printer.h"

#include <stdio.h>
#include <stdlib.h>

static StoredDefinition *parse(Compilation *c, const char *text)
{
    const SourceFile *file;
    assert_int_equal(sources_add(c->sources, "t.mo", text, strlen(text), &file), SOURCE_OK);
    StoredDefinition *definition = parser_parse(c, file);
    assert_non_null(definition);
    return definition;
}

// ---------------------------------------------------------------------------
// Expressions as S-expressions
// ---------------------------------------------------------------------------

static void dump(StringBuilder *b, const Expression *e);

static void dump_all(StringBuilder *b, Expression *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        builder_append_character(b, ' ');
        dump(b, items[i]);
    }
}

static void dump_named(StringBuilder *b, const NamedExpression *named, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        builder_append_format(b, " %s=", named[i].name->text);
        dump(b, named[i].value);
    }
}

static void dump_iterators(StringBuilder *b, const NamedExpression *iterators, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        builder_append_format(b, " %s:", iterators[i].name->text);
        dump(b, iterators[i].value);
    }
}

static void dump_reference(StringBuilder *b, const Reference *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        builder_append_text(b, i > 0 || r->is_global ? "." : "");
        builder_append_text(b, r->parts[i].name->text);
        if (r->parts[i].subscript_count) {
            builder_append_text(b, "[");
            dump_all(b, r->parts[i].subscripts, r->parts[i].subscript_count);
            builder_append_text(b, " ]");
        }
    }
}

static void dump_if(StringBuilder *b, const Expression *e)
{
    builder_append_text(b, "(if");
    for (uint32_t i = 0; i < e->conditional.count; i++) {
        Expression *pair[] = {e->conditional.branches[i].condition,
                              e->conditional.branches[i].value};
        dump_all(b, pair, 2);
    }
    dump_all(b, &e->conditional.otherwise, 1);
    builder_append_text(b, ")");
}

static void dump_compound(StringBuilder *b, const Expression *e)
{
    builder_append_text(b, "(");
    switch (e->kind) {
    case EXPRESSION_CALL:
        builder_append_text(b, "call ");
        dump_reference(b, e->call.function);
        dump_all(b, e->call.arguments, e->call.count);
        dump_named(b, e->call.named, e->call.named_count);
        break;
    case EXPRESSION_COMPREHENSION:
        builder_append_text(b, "for ");
        if (e->comprehension.function)
            dump_reference(b, e->comprehension.function);
        dump_all(b, &e->comprehension.body, 1);
        dump_iterators(b, e->comprehension.iterators, e->comprehension.iterator_count);
        break;
    case EXPRESSION_PARTIAL:
        builder_append_text(b, "function ");
        dump_reference(b, e->partial.function);
        dump_named(b, e->partial.named, e->partial.named_count);
        break;
    case EXPRESSION_UNARY:
        builder_append_text(b, syntax_operator_text(e->unary.op));
        dump_all(b, &e->unary.operand, 1);
        break;
    case EXPRESSION_BINARY:
        builder_append_text(b, syntax_operator_text(e->binary.op));
        dump_all(b, &e->binary.left, 1);
        dump_all(b, &e->binary.right, 1);
        break;
    case EXPRESSION_RANGE:
        builder_append_text(b, ":");
        dump_all(b, &e->range.start, 1);
        dump_all(b, &e->range.step, 1);
        dump_all(b, &e->range.stop, 1);
        break;
    case EXPRESSION_ARRAY:
    case EXPRESSION_TUPLE:
        builder_append_text(b, e->kind == EXPRESSION_ARRAY ? "array" : "tuple");
        dump_all(b, e->array.items, e->array.count);
        break;
    case EXPRESSION_MATRIX:
        builder_append_text(b, "matrix");
        for (uint32_t i = 0; i < e->matrix.count; i++) {
            builder_append_text(b, i > 0 ? " ;" : "");
            dump_all(b, e->matrix.rows[i].items, e->matrix.rows[i].count);
        }
        break;
    case EXPRESSION_SUBSCRIPTED:
        builder_append_text(b, "subscript");
        dump_all(b, &e->subscripted.base, 1);
        dump_all(b, e->subscripted.subscripts, e->subscripted.count);
        break;
    case EXPRESSION_MEMBER:
        builder_append_format(b, "member %s", e->member.name->text);
        dump_all(b, &e->member.base, 1);
        break;
    default:
        fail();
    }
    builder_append_text(b, ")");
}

static void dump(StringBuilder *b, const Expression *e)
{
    if (!e)
        builder_append_text(b, "-");
    else if (e->kind == EXPRESSION_INTEGER)
        builder_append_format(b, "%lld", (long long)e->integer);
    else if (e->kind == EXPRESSION_REAL)
        builder_append_format(b, "%g", e->real);
    else if (e->kind == EXPRESSION_BOOLEAN)
        builder_append_text(b, e->boolean ? "true" : "false");
    else if (e->kind == EXPRESSION_STRING)
        builder_append_format(b, "'%.*s'", STRING_ARGUMENTS(e->string));
    else if (e->kind == EXPRESSION_REFERENCE)
        dump_reference(b, e->reference);
    else if (e->kind == EXPRESSION_END)
        builder_append_text(b, "end");
    else if (e->kind == EXPRESSION_COLON)
        builder_append_text(b, ":");
    else if (e->kind == EXPRESSION_IF)
        dump_if(b, e);
    else
        dump_compound(b, e);
}

// The tree, and also that printing the expression and parsing it again gives the same.
static void assert_shape(const char *text, const char *expected)
{
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    assert_int_equal(sources_add(c->sources, "e", text, strlen(text), &file), SOURCE_OK);
    Expression *e = parser_parse_expression(c, file);
    assert_non_null(e);
    StringBuilder shape = builder_create(c->arena), printed = builder_create(c->arena);
    dump(&shape, e);
    assert_string_equal(builder_string(&shape).text, expected);
    printer_print_expression(&printed, e);
    assert_int_equal(sources_add(c->sources, "p", printed.text, printed.length, &file), SOURCE_OK);
    assert_true(expression_equal(e, parser_parse_expression(c, file)));
    compilation_destroy(c);
}

static void operators_bind_by_precedence(void **state)
{
    (void)state;
    assert_shape("a + b * c", "(+ a (* b c))");
    assert_shape("a - b - c", "(- (- a b) c)");
    assert_shape("a / b * c", "(* (/ a b) c)");
    assert_shape("a - (b - c)", "(- a (- b c))");
    assert_shape("-a + b", "(+ (- a) b)");
    assert_shape("-a * b", "(- (* a b))");
    assert_shape("(-a) * b", "(* (- a) b)");
    assert_shape("-a ^ 2", "(- (^ a 2))");
    assert_shape("2 * a ^ b / c", "(/ (* 2 (^ a b)) c)");
    assert_shape("(a ^ b) ^ c", "(^ (^ a b) c)");
    assert_shape("a or b and not c", "(or a (and b (not c)))");
    assert_shape("not a == b", "(not (== a b))");
    assert_shape("a < b + 1 and c", "(and (< a (+ b 1)) c)");
    assert_shape("a .+ b .* c .^ d", "(.+ a (.* b (.^ c d)))");
    assert_shape("(((a)))", "a");
}

static void other_expressions_have_their_shape(void **state)
{
    (void)state;
    assert_shape("1:n", "(: 1 - n)");
    assert_shape("1:2:n + 1", "(: 1 2 (+ n 1))");
    assert_shape("if a then b elseif c then d else e", "(if a b c d e)");
    assert_shape("if a then b else if c then d else e", "(if a b (if c d e))");
    assert_shape("f()", "(call f)");
    assert_shape("M.f(1, x, y = 2, z = g(3))", "(call M.f 1 x y=2 z=(call g 3))");
    assert_shape("der(x)", "(call der x)");
    assert_shape("initial()", "(call initial)");
    assert_shape("pure(f(x))", "(call pure (call f x))");
    assert_shape("f(function g(a = 1), b = function h())",
                 "(call f (function g a=1) b=(function h))");
    assert_shape("{1, 2.5, true, \"s\"}", "(array 1 2.5 true 's')");
    assert_shape("[1, 2; 3, 4]", "(matrix 1 2 ; 3 4)");
    assert_shape("{i for i in 1:2, j}", "(for  i i:(: 1 - 2) j:-)");
    assert_shape("sum(x for x in y)", "(for sum x x:y)");
    assert_shape(".a[1, :].b[end - 1]", ".a[ 1 : ].b[ (- end 1) ]");
    assert_shape("(a, , b)", "(tuple a - b)");
    assert_shape("()", "(tuple)");
    assert_shape("(a, )", "(tuple a -)");
    assert_shape("(a + b)[1]", "(subscript (+ a b) 1)");
    assert_shape("(f(x)).y", "(member y (call f x))");
}

// ---------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------

static void class_has_its_parts(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    StoredDefinition *d = parse(c, "within P.Q;\n"
                                   "encapsulated partial model A \"text\"\n"
                                   "  import X = B.C;\n"
                                   "  extends D(x = 1);\n"
                                   "  inner parameter Real[2] p(min = 0) = 3 \"p\", q[4] if b;\n"
                                   "protected\n"
                                   "  replaceable model M = N constrainedby O;\n"
                                   "initial equation\n"
                                   "  p = 1;\n"
                                   "algorithm\n"
                                   "  q := 2; break;\n"
                                   "  annotation(version = \"1\");\n"
                                   "end A;\n");
    assert_int_equal(c->diagnostics->error_count, 0);
    assert_int_equal(d->within->count, 2);
    assert_int_equal(d->count, 1);
    const ClassDefinition *a = d->classes[0];
    assert_true(a->kind == CLASS_MODEL && a->form == FORM_LONG);
    assert_true(a->is_encapsulated && a->is_partial);
    assert_string_equal(a->name->text, "A");
    assert_true(string_equal(a->description, string_from("text")));
    assert_int_equal(a->annotation_count, 1);
    assert_int_equal(a->body.element_count, 5);
    Element *const *e = a->body.elements;
    assert_int_equal(e[0]->import->kind, IMPORT_RENAMED);
    assert_string_equal(e[0]->import->alias.name->text, "X");
    assert_int_equal(e[1]->extends.modification->count, 1);
    assert_true(e[2]->is_inner && !e[2]->is_protected);
    assert_ptr_equal(e[2]->component->clause, e[3]->component->clause);
    assert_int_equal(e[2]->component->clause->variability, VARIABILITY_PARAMETER);
    assert_int_equal(e[2]->component->clause->subscript_count, 1);
    assert_int_equal(e[2]->component->modification->value->integer, 3);
    assert_true(string_equal(e[2]->description->text, string_from("p")));
    assert_non_null(e[3]->component->condition);
    assert_true(e[4]->is_protected && e[4]->is_replaceable && e[4]->constraint);
    assert_ptr_equal(e[4]->class_definition->enclosing, a);
    assert_int_equal(e[4]->class_definition->form, FORM_SHORT);
    assert_int_equal(a->body.section_count, 2);
    assert_true(a->body.sections[0]->is_initial && !a->body.sections[0]->is_algorithm);
    assert_int_equal(a->body.sections[1]->count, 2);
    assert_int_equal(a->body.sections[1]->statements[1]->kind, STATEMENT_BREAK);
    compilation_destroy(c);
}

static void assert_span(const Compilation *c, Span span, const char *expected)
{
    assert_true(string_equal(sources_text(c->sources, span), string_from(expected)));
}

static void nodes_have_their_spans(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    StoredDefinition *d = parse(c, "model A\n"
                                   "  parameter Real x(start = 1) = (2 + 3) * y, z \"text\";\n"
                                   "equation\n"
                                   "  (a + b) * c = f(x)  ;\n"
                                   "  if a then b = c; end if \"end\" ;\n"
                                   "end A ;\n");
    const ClassDefinition *a = d->classes[0];
    assert_span(c, a->name_span, "A");
    const Element *x = a->body.elements[0], *z = a->body.elements[1];
    assert_span(c, x->span, "parameter Real x(start = 1) = (2 + 3) * y");
    assert_span(c, x->component->clause->span, "parameter Real");
    assert_span(c, x->component->modification->span, "(start = 1) = (2 + 3) * y");
    assert_span(c, x->component->modification->value->span, "(2 + 3) * y");
    assert_span(c, x->component->modification->value->binary.left->span, "2 + 3");
    assert_span(c, z->span, "z \"text\"");
    assert_span(c, z->description->span, "\"text\"");
    const Section *s = a->body.sections[0];
    assert_span(c, s->equations[0]->span, "(a + b) * c = f(x)");
    assert_span(c, s->equations[0]->equality.left->span, "(a + b) * c");
    assert_span(c, s->equations[0]->equality.right->span, "f(x)");
    assert_span(c, s->equations[1]->span, "if a then b = c; end if \"end\"");
    assert_span(c, s->equations[1]->branches.items[0].span, "if a then b = c;");
    assert_int_equal(a->span.end, s->span.end + (uint32_t)strlen("\nend A"));
    compilation_destroy(c);
}

static void names_are_shared_between_files(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    StoredDefinition *a = parse(c, "model A end A;"), *b = parse(c, "package A end A;");
    assert_ptr_equal(a->classes[0]->name, b->classes[0]->name);
    assert_string_equal(sources_find(c->sources, b->classes[0]->span.begin)->name, "t.mo");
    assert_ptr_equal(sources_find(c->sources, b->classes[0]->span.begin), b->file);
    compilation_destroy(c);
}

static void expression_alone_must_end(void **state)
{
    (void)state;
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    sources_add(c->sources, "e", "1 2", 3, &file);
    assert_null(parser_parse_expression(c, file));
    sources_add(c->sources, "e", "", 0, &file);
    assert_null(parser_parse_expression(c, file));
    assert_int_equal(c->diagnostics->error_count, 2);
    compilation_destroy(c);
}

// ---------------------------------------------------------------------------
// Limits
// ---------------------------------------------------------------------------

static char *repeat(const char *head, const char *unit, size_t count, const char *tail)
{
    size_t length = strlen(unit);
    char *text = malloc(strlen(head) + count * length + strlen(tail) + 1);
    char *end = text + sprintf(text, "%s", head);
    for (size_t i = 0; i < count; i++, end += length)
        memcpy(end, unit, length);
    strcpy(end, tail);
    return text;
}

// Something that nests, a million times: one message, no more.
static void assert_too_deep(const char *head, const char *unit, const char *message)
{
    char *text = repeat(head, unit, 1000000, "");
    Compilation *c = compilation_create(NULL);
    parse(c, text);
    assert_int_equal(c->diagnostics->error_count, 1);
    assert_non_null(strstr(c->diagnostics->first->message, message));
    compilation_destroy(c);
    free(text);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    static const char *const equation = "model A equation x = ";
    static const char *const expressions[] = {
        "(",
        "{",
        "[",
        "a[",
        "f(",
        "der(",
        "f(x = ",
        "if ",
        "if a then ",
        "f(function g(x = ",
        "-(",
        "not (",
        "if a then b else ",
        "(1 + ",
    };
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
        assert_too_deep(equation, expressions[i], "nested");
    assert_too_deep("", "model A ", "nested");
    assert_too_deep("model A equation ", "if a then ", "nested");
    assert_too_deep("model A equation ", "for i loop ", "nested");
    assert_too_deep("model A equation ", "when a then ", "nested");
    assert_too_deep("model A algorithm ", "while a loop ", "nested");
    assert_too_deep("model A algorithm ", "if a then ", "nested");
    assert_too_deep("model A B b", "(a", "nested");
    assert_too_deep("model A B b", "(redeclare model A = B", "nested");
    assert_too_deep("model A equation x = 1 annotation", "(a", "nested");
}

static void chains_are_limited(void **state)
{
    (void)state;
    assert_too_deep("model A equation x = a", " + a", "operators");
    assert_too_deep("model A equation x = a", " * a", "operators");
    assert_too_deep("model A equation x = a", " and a", "operators");
    assert_too_deep("model A equation x = a", " or a", "operators");
}

// What is just allowed can be printed and compared recursively.
static void assert_deep_round_trip(const char *head, const char *unit, size_t count,
                                   const char *tail)
{
    char *text = repeat(head, unit, count, tail);
    Compilation *c = compilation_create(NULL);
    StoredDefinition *first = parse(c, text);
    assert_int_equal(c->diagnostics->error_count, 0);
    StringBuilder printed = builder_create(c->arena);
    printer_print(&printed, first);
    assert_true(definition_equal(first, parse(c, builder_string(&printed).text)));
    assert_int_equal(c->diagnostics->error_count, 0);
    compilation_destroy(c);
    free(text);
}

static void deepest_trees_survive(void **state)
{
    (void)state;
    assert_deep_round_trip("model A equation x = a", " + a", EXPRESSION_HEIGHT_MAXIMUM - 1,
                           "; end A;");
    assert_deep_round_trip("model A equation x = a", " - a * b ^ c", 4000, "; end A;");
    assert_deep_round_trip("model A equation x = {1", ", {1, 2}", 100000, "}; end A;");
    assert_deep_round_trip("model A equation ", "x = f(1);\n", 100000, "end A;");
    char *close = repeat("1", ")", SYNTAX_DEPTH_MAXIMUM - 2, "; end A;");
    assert_deep_round_trip("model A equation x = ", "(", SYNTAX_DEPTH_MAXIMUM - 2, close);
    free(close);
}

// ---------------------------------------------------------------------------
// Memory
// ---------------------------------------------------------------------------

static const char sample[] =
    "model A \"text \\\"quoted\\\"\" extends B(x = {1, 2}); parameter Real a, b(start = 1) = 1.5; "
    "equation when a > b then reinit(x, sum(y[i] for i in 1:3)); end when; // comment\n"
    "algorithm (a, , b) := f(function g(x = 1)); annotation(Icon(graphics = {})); end A;"
    "model B Real x y; end C;";

// At every possible point of exhaustion the parser ends with that message.
static void exhaustion_is_reported(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t extra = 0; extra < 60000; extra += 997) {
        Compilation *c = compilation_create(NULL);
        const SourceFile *file;
        char *text = repeat(sample, sample, 20, "");
        assert_int_equal(sources_add(c->sources, "t", text, strlen(text), &file), SOURCE_OK);
        arena_set_maximum(c->arena, c->arena->taken + extra);
        if (!parser_parse(c, file)) {
            failures++;
            assert_string_equal(c->diagnostics->last->message, "out of memory");
        }
        compilation_destroy(c);
        free(text);
    }
    assert_true(failures > 10);
}

typedef struct Failing {
    int calls_left, blocks;
} Failing;

static void *reallocate_failing(void *user, void *block, size_t size)
{
    Failing *f = user;
    if (size == 0) {
        f->blocks--;
        free(block);
        return NULL;
    }
    if (f->calls_left-- <= 0)
        return NULL;
    f->blocks += block == NULL;
    return realloc(block, size);
}

static void failed_allocations_leak_nothing(void **state)
{
    (void)state;
    for (int calls = 0; calls < 8; calls++) {
        Failing failing = {.calls_left = calls};
        SaltusAllocator allocator = {reallocate_failing, &failing};
        Compilation *c = compilation_create(&allocator);
        const SourceFile *file;
        if (c && sources_add(c->sources, "t", sample, strlen(sample), &file) == SOURCE_OK)
            parser_parse(c, file);
        compilation_destroy(c);
        assert_int_equal(failing.blocks, 0);
    }
}

// Bytes per byte for n and 4 n repetitions: the same, but for the rounding of lists and blocks to
// powers of two, less than a factor of 2.5. Quadratic growth would give 4.
static void assert_linear_memory(const char *unit)
{
    double ratio[2];
    for (int i = 0; i < 2; i++) {
        char *text = repeat("model A ", unit, i == 0 ? 20000 : 80000, "");
        Compilation *c = compilation_create(NULL);
        parse(c, text);
        ratio[i] = (double)c->arena->taken / (double)strlen(text);
        compilation_destroy(c);
        free(text);
    }
    if (ratio[1] > 2.5 * ratio[0])
        fail_msg("%s: %g bytes per byte became %g", unit, ratio[0], ratio[1]);
}

static void memory_is_linear(void **state)
{
    (void)state;
    static const char *const units[] = {
        "Real x;\n",        "Real x(start = 1) = 2 \"t\";\n",
        "// c\n",           "/* c */ ",
        "model B end B;\n", "equation ",
        "public ",          "annotation(x);",
        "\"\\n\" ",         "Real x @;",
        "end if;",          ";",
        "Real x = [1;;",    "'",
        "import A.{b, c};",
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        assert_linear_memory(units[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_by_precedence),
        cmocka_unit_test(other_expressions_have_their_shape),
        cmocka_unit_test(class_has_its_parts),
        cmocka_unit_test(nodes_have_their_spans),
        cmocka_unit_test(names_are_shared_between_files),
        cmocka_unit_test(expression_alone_must_end),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(chains_are_limited),
        cmocka_unit_test(deepest_trees_survive),
        cmocka_unit_test(exhaustion_is_reported),
        cmocka_unit_test(failed_allocations_leak_nothing),
        cmocka_unit_test(memory_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
