// SPDX-License-Identifier: MIT
//
// Printing what has lines of its own, classes, elements, equations, statements, and what stands in
// them.
//
// Comments are merged in by position: before something is printed, all comments that begin before
// it are, and behind it those that stand on the line where it ended.

#include "support/printer.h"

#include "modelica/equality.h"

#include <assert.h>

typedef struct Printing {
    StringBuilder *out;
    const SourceFile *file; // where the comments are
    const Span *comments;
    uint32_t comment_count; // 0: print without
    uint32_t next_comment;
    unsigned indent;
} Printing;

static void print_redeclaration(StringBuilder *out, const Argument *argument);
static void print_description(StringBuilder *out,
                              const Description *description); // blank before it
static void print_class(Printing *p, const ClassDefinition *class);
static void modelica_printer_print_equation(Printing *p, const Equation *equation);
static void modelica_printer_print_statement(Printing *p, const Statement *statement);

static void printer_text(Printing *p, const char *zero_terminated)
{
    builder_append_text(p->out, zero_terminated);
}

static void text_if(Printing *p, bool condition, const char *zero_terminated)
{
    if (condition)
        printer_text(p, zero_terminated);
}

static void printer_begin_line(Printing *p)
{
    builder_append_repeated(p->out, ' ', 2 * (size_t)p->indent);
}

static void modelica_printer_expression(Printing *p, const Expression *e)
{
    printer_print_expression(p->out, e);
}

// ---------------------------------------------------------------------------
// Parts of a line
// ---------------------------------------------------------------------------

static void print_string(StringBuilder *out, String string)
{
    const Expression e = {.kind = EXPRESSION_STRING, .string = string};
    printer_print_expression(out, &e);
}

static void print_name(StringBuilder *out, const Name *name)
{
    if (name)
        builder_append(out, name->text, name->length);
}

static void print_list(StringBuilder *out, Expression *const *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        builder_append_text(out, i > 0 ? ", " : "");
        if (items[i])
            printer_print_expression(out, items[i]);
    }
}

static void print_subscripts(StringBuilder *out, Expression *const *subscripts, uint32_t count)
{
    if (count == 0)
        return;
    builder_append_character(out, '[');
    print_list(out, subscripts, count);
    builder_append_character(out, ']');
}

static void print_iterators(StringBuilder *out, const NamedExpression *iterators, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        builder_append_text(out, i > 0 ? ", " : "");
        print_name(out, iterators[i].name);
        if (iterators[i].value) {
            builder_append_text(out, " in ");
            printer_print_expression(out, iterators[i].value);
        }
    }
}

// An if-expression stands in parentheses.
static void print_simple_expression(StringBuilder *out, const Expression *e)
{
    const bool is_if = e->kind == EXPRESSION_IF;
    builder_append_text(out, is_if ? "(" : "");
    printer_print_expression(out, e);
    builder_append_text(out, is_if ? ")" : "");
}

static void print_argument(StringBuilder *out, const Argument *a)
{
    switch (a->kind) {
    case ARGUMENT_MODIFICATION:
        builder_append_text(out, a->is_each ? "each " : "");
        builder_append_text(out, a->is_final ? "final " : "");
        printer_print_reference(out, a->name);
        if (a->modification)
            printer_print_modification(out, a->modification);
        print_description(out, a->description);
        break;
    case ARGUMENT_ELEMENT:
        print_redeclaration(out, a);
        break;
    case ARGUMENT_BREAK_COMPONENT:
        builder_append_text(out, "break ");
        printer_print_reference(out, a->name);
        break;
    case ARGUMENT_BREAK_CONNECT:
        builder_append_text(out, "break connect(");
        printer_print_reference(out, a->from);
        builder_append_text(out, ", ");
        printer_print_reference(out, a->to);
        builder_append_character(out, ')');
        break;
    }
}

void printer_print_modification(StringBuilder *out, const Modification *m)
{
    if (m->has_arguments) {
        builder_append_character(out, '(');
        for (uint32_t i = 0; i < m->count; i++) {
            if (i > 0)
                builder_append_text(out, ", ");
            print_argument(out, m->arguments[i]);
        }
        builder_append_character(out, ')');
    }
    if (m->value || m->is_break)
        builder_append_text(out, m->is_assignment ? " := " : " = ");
    if (m->is_break)
        builder_append_text(out, "break");
    else if (m->value)
        printer_print_expression(out, m->value);
}

static void print_annotation(StringBuilder *out, const Modification *annotation)
{
    builder_append_text(out, "annotation");
    printer_print_modification(out, annotation);
}

static void print_description(StringBuilder *out, const Description *description)
{
    if (!description)
        return;
    if (description->text.text) {
        builder_append_character(out, ' ');
        print_string(out, description->text);
    }
    if (description->annotation) {
        builder_append_character(out, ' ');
        print_annotation(out, description->annotation);
    }
}

// ---------------------------------------------------------------------------
// Comments
// ---------------------------------------------------------------------------

static const char *source_at(const Printing *p, uint32_t position)
{
    assert(p->file); // comments come from one
    return p->file->text + (position - p->file->base);
}

// The next comment that is not printed yet; false if there is none.
static bool peek_comment(const Printing *p, Span *span)
{
    if (p->next_comment == p->comment_count)
        return false;
    *span = p->comments[p->next_comment];
    return true;
}

static void print_comment(Printing *p, Span span)
{
    builder_append(p->out, source_at(p, span.begin), span.end - span.begin);
    p->next_comment++;
}

// The comments that begin before a position, each on a line of its own.
static void comments_before(Printing *p, uint32_t position)
{
    for (Span comment; peek_comment(p, &comment) && comment.begin < position;) {
        printer_begin_line(p);
        print_comment(p, comment);
        printer_text(p, "\n");
    }
}

// The next comment, if it begins on the line where `position` is.
static bool peek_comment_on_line(const Printing *p, uint32_t position, Span *comment)
{
    if (!peek_comment(p, comment) || position == 0 || comment->begin < position)
        return false;
    const char *from = source_at(p, position), *to = source_at(p, comment->begin);
    for (; from < to; from++)
        if (*from == '\n' || *from == '\r')
            return false;
    return true;
}

// Ends a line of what ended at `position`, with the comments that follow it there.
static void printer_end_line(Printing *p, uint32_t position)
{
    for (Span comment; peek_comment_on_line(p, position, &comment); position = comment.end) {
        printer_text(p, " ");
        print_comment(p, comment);
        if (source_at(p, comment.begin)[1] == '/')
            break;
    }
    printer_text(p, "\n");
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

static void print_import(Printing *p, const Element *element)
{
    const Import *import = element->import;
    printer_text(p, "import ");
    if (import->kind == IMPORT_RENAMED) {
        print_name(p->out, import->alias.name);
        printer_text(p, " = ");
    }
    printer_print_reference(p->out, import->path);
    text_if(p, import->kind == IMPORT_UNQUALIFIED, ".*");
    if (import->kind == IMPORT_LIST) {
        printer_text(p, ".{");
        for (uint32_t i = 0; i < import->count; i++) {
            text_if(p, i > 0, ", ");
            print_name(p->out, import->imported[i].name);
        }
        printer_text(p, "}");
    }
    print_description(p->out, element->description);
}

static void print_extends(Printing *p, const Element *element)
{
    printer_text(p, "extends ");
    printer_print_reference(p->out, element->extends.type);
    if (element->extends.modification)
        printer_print_modification(p->out, element->extends.modification);
    print_description(p->out, element->description);
}

static void print_prefixes(Printing *p, const Element *element, bool is_each)
{
    text_if(p, element->is_redeclare, "redeclare ");
    text_if(p, is_each, "each ");
    text_if(p, element->is_final, "final ");
    text_if(p, element->is_inner, "inner ");
    text_if(p, element->is_outer, "outer ");
    text_if(p, element->is_replaceable, "replaceable ");
}

static void print_clause(Printing *p, const ComponentClause *clause)
{
    static const char *const roles[] = {"", "flow ", "stream "};
    static const char *const variabilities[] = {"", "discrete ", "parameter ", "constant "};
    static const char *const directions[] = {"", "input ", "output "};
    printer_text(p, roles[clause->role]);
    printer_text(p, variabilities[clause->variability]);
    printer_text(p, directions[clause->direction]);
    printer_print_reference(p->out, clause->type);
    print_subscripts(p->out, clause->subscripts, clause->subscript_count);
    printer_text(p, " ");
}

static void print_component(Printing *p, const Element *element)
{
    const Component *c = element->component;
    print_name(p->out, c->name);
    print_subscripts(p->out, c->subscripts, c->subscript_count);
    if (c->modification)
        printer_print_modification(p->out, c->modification);
    if (c->condition) {
        printer_text(p, " if ");
        modelica_printer_expression(p, c->condition);
    }
    print_description(p->out, element->description);
}

static void print_constraint(Printing *p, const Constraint *constraint)
{
    if (!constraint)
        return;
    printer_text(p, " constrainedby ");
    printer_print_reference(p->out, constraint->type);
    if (constraint->modification)
        printer_print_modification(p->out, constraint->modification);
    print_description(p->out, constraint->description);
}

// Prints the first of the elements and those of the same clause; returns how many.
static uint32_t print_elements(Printing *p, Element *const *elements, uint32_t count)
{
    const Element *first = elements[0];
    uint32_t printed = 1;
    bool is_class = first->kind == ELEMENT_CLASS;
    comments_before(p, is_class ? first->span.begin : first->span.end);
    printer_begin_line(p);
    print_prefixes(p, first, false);
    switch (first->kind) {
    case ELEMENT_IMPORT:
        print_import(p, first);
        break;
    case ELEMENT_EXTENDS:
        print_extends(p, first);
        break;
    case ELEMENT_CLASS:
        print_class(p, first->class_definition);
        break;
    case ELEMENT_COMPONENT:
        print_clause(p, first->component->clause);
        print_component(p, first);
        for (; printed < count && elements[printed]->kind == ELEMENT_COMPONENT &&
               elements[printed]->component->clause == first->component->clause;
             printed++) {
            printer_text(p, ", ");
            print_component(p, elements[printed]);
        }
        break;
    }
    print_constraint(p, first->constraint);
    printer_text(p, ";");
    printer_end_line(p, elements[printed - 1]->span.end);
    return printed;
}

static void print_redeclaration(StringBuilder *out, const Argument *argument)
{
    Printing p = {.out = out};
    const Element *element = argument->element;
    print_prefixes(&p, element, argument->is_each);
    if (element->kind == ELEMENT_CLASS) {
        print_class(&p, element->class_definition);
    } else {
        print_clause(&p, element->component->clause);
        print_component(&p, element);
    }
    print_constraint(&p, element->constraint);
}

// ---------------------------------------------------------------------------
// What equations and statements share
// ---------------------------------------------------------------------------

static void printer_print_equations(Printing *p, Equation *const *equations, uint32_t count)
{
    p->indent++;
    for (uint32_t i = 0; i < count; i++)
        modelica_printer_print_equation(p, equations[i]);
    p->indent--;
}

static void print_statements(Printing *p, Statement *const *statements, uint32_t count)
{
    p->indent++;
    for (uint32_t i = 0; i < count; i++)
        modelica_printer_print_statement(p, statements[i]);
    p->indent--;
}

// "if c then", "else" and so on, and the end of the line.
static void print_branch_head(Printing *p, const char *word, const Expression *condition)
{
    printer_begin_line(p);
    printer_text(p, word);
    if (condition) {
        printer_text(p, " ");
        modelica_printer_expression(p, condition);
        printer_text(p, " then");
    }
    printer_end_line(p, condition ? condition->span.end : 0);
}

static const char *branch_word(bool is_when, uint32_t index, bool has_condition)
{
    if (index == 0)
        return is_when ? "when" : "if";
    return is_when ? "elsewhen" : has_condition ? "elseif" : "else";
}

static void print_block_end(Printing *p, const char *word, uint32_t end)
{
    p->indent++;
    comments_before(p, end);
    p->indent--;
    printer_begin_line(p);
    printer_text(p, word);
}

// An if or a when, which ends at `end`.
static void printer_print_branches(Printing *p, bool is_when, const Section *branches,
                                   uint32_t count, uint32_t end)
{
    for (uint32_t i = 0; i < count; i++) {
        const Section *branch = &branches[i];
        comments_before(p, branch->span.begin);
        print_branch_head(p, branch_word(is_when, i, branch->condition), branch->condition);
        if (branch->is_algorithm)
            print_statements(p, branch->statements, branch->count);
        else
            printer_print_equations(p, branch->equations, branch->count);
    }
    print_block_end(p, is_when ? "end when" : "end if", end);
}

static void print_loop_head(Printing *p, const NamedExpression *iterators, uint32_t count)
{
    printer_begin_line(p);
    printer_text(p, "for ");
    print_iterators(p->out, iterators, count);
    printer_text(p, " loop");
    const Expression *last = iterators[count - 1].value;
    printer_end_line(p, last ? last->span.end : iterators[count - 1].span.end);
}

// ---------------------------------------------------------------------------
// Equations
// ---------------------------------------------------------------------------

static void print_simple_equation(Printing *p, const Equation *equation)
{
    printer_begin_line(p);
    if (equation->kind == EQUATION_EQUALITY) {
        print_simple_expression(p->out, equation->equality.left);
        printer_text(p, " = ");
        modelica_printer_expression(p, equation->equality.right);
    } else if (equation->kind == EQUATION_CONNECT) {
        printer_text(p, "connect(");
        printer_print_reference(p->out, equation->connect.from);
        printer_text(p, ", ");
        printer_print_reference(p->out, equation->connect.to);
        printer_text(p, ")");
    } else {
        modelica_printer_expression(p, equation->call);
    }
}

static void modelica_printer_print_equation(Printing *p, const Equation *equation)
{
    switch (equation->kind) {
    case EQUATION_EQUALITY:
    case EQUATION_CALL:
    case EQUATION_CONNECT:
        comments_before(p, equation->span.end);
        print_simple_equation(p, equation);
        break;
    case EQUATION_IF:
    case EQUATION_WHEN:
        printer_print_branches(p, equation->kind == EQUATION_WHEN, equation->branches.items,
                               equation->branches.count, equation->span.end);
        break;
    case EQUATION_FOR:
        comments_before(p, equation->span.begin);
        print_loop_head(p, equation->loop.iterators, equation->loop.iterator_count);
        printer_print_equations(p, equation->loop.equations, equation->loop.count);
        print_block_end(p, "end for", equation->span.end);
        break;
    }
    print_description(p->out, equation->description);
    printer_text(p, ";");
    printer_end_line(p, equation->span.end);
}

// ---------------------------------------------------------------------------
// Statements
// ---------------------------------------------------------------------------

static void print_simple_statement(Printing *p, const Statement *statement)
{
    printer_begin_line(p);
    if (statement->kind == STATEMENT_ASSIGNMENT) {
        printer_print_reference(p->out, statement->assignment.target);
        printer_text(p, " := ");
        modelica_printer_expression(p, statement->assignment.value);
    } else if (statement->kind == STATEMENT_CALL_ASSIGNMENT) {
        printer_text(p, "(");
        print_list(p->out, statement->call_assignment.targets, statement->call_assignment.count);
        printer_text(p, ") := ");
        modelica_printer_expression(p, statement->call_assignment.call);
    } else if (statement->kind == STATEMENT_CALL) {
        modelica_printer_expression(p, statement->call);
    } else {
        printer_text(p, statement->kind == STATEMENT_BREAK ? "break" : "return");
    }
}

static void print_while_head(Printing *p, const Expression *condition)
{
    printer_begin_line(p);
    printer_text(p, "while ");
    modelica_printer_expression(p, condition);
    printer_text(p, " loop");
    printer_end_line(p, condition->span.end);
}

static void modelica_printer_print_statement(Printing *p, const Statement *statement)
{
    switch (statement->kind) {
    case STATEMENT_ASSIGNMENT:
    case STATEMENT_CALL_ASSIGNMENT:
    case STATEMENT_CALL:
    case STATEMENT_BREAK:
    case STATEMENT_RETURN:
        comments_before(p, statement->span.end);
        print_simple_statement(p, statement);
        break;
    case STATEMENT_IF:
    case STATEMENT_WHEN:
        printer_print_branches(p, statement->kind == STATEMENT_WHEN, statement->branches.items,
                               statement->branches.count, statement->span.end);
        break;
    case STATEMENT_FOR:
        comments_before(p, statement->span.begin);
        print_loop_head(p, statement->loop.iterators, statement->loop.iterator_count);
        print_statements(p, statement->loop.statements, statement->loop.count);
        print_block_end(p, "end for", statement->span.end);
        break;
    case STATEMENT_WHILE:
        comments_before(p, statement->span.begin);
        print_while_head(p, statement->while_loop.condition);
        print_statements(p, statement->while_loop.statements, statement->while_loop.count);
        print_block_end(p, "end while", statement->span.end);
        break;
    }
    print_description(p->out, statement->description);
    printer_text(p, ";");
    printer_end_line(p, statement->span.end);
}

// ---------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------

static void print_section(Printing *p, const Section *section)
{
    comments_before(p, section->span.begin);
    printer_begin_line(p);
    text_if(p, section->is_initial, "initial ");
    printer_text(p, section->is_algorithm ? "algorithm\n" : "equation\n");
    if (section->is_algorithm)
        print_statements(p, section->statements, section->count);
    else
        printer_print_equations(p, section->equations, section->count);
}

// Which keyword a following element would be under.
typedef enum Heading { HEADING_PUBLIC, HEADING_PROTECTED, HEADING_SECTION } Heading;

static Heading print_heading(Printing *p, Heading heading, bool is_protected)
{
    Heading needed = is_protected ? HEADING_PROTECTED : HEADING_PUBLIC;
    if (heading != needed) {
        printer_begin_line(p);
        printer_text(p, is_protected ? "protected\n" : "public\n");
    }
    return needed;
}

static bool is_element_first(const Element *element, const Section *section)
{
    bool has_positions = span_is_known(element->span) && span_is_known(section->span);
    return !has_positions || element->span.begin < section->span.begin;
}

static void printer_print_external(Printing *p, const External *external)
{
    comments_before(p, external->span.end);
    printer_begin_line(p);
    printer_text(p, "external");
    if (external->language.text) {
        printer_text(p, " ");
        print_string(p->out, external->language);
    }
    if (external->function) {
        printer_text(p, " ");
        if (external->result) {
            printer_print_reference(p->out, external->result);
            printer_text(p, " = ");
        }
        print_name(p->out, external->function);
        printer_text(p, "(");
        print_list(p->out, external->arguments, external->count);
        printer_text(p, ")");
    }
    if (external->annotation) {
        printer_text(p, " ");
        print_annotation(p->out, external->annotation);
    }
    printer_text(p, ";");
    printer_end_line(p, external->span.end);
}

// Elements and sections in the order of the text.
static void print_composition(Printing *p, const ClassBody *body)
{
    Heading heading = HEADING_PUBLIC;
    uint32_t i = 0, j = 0;
    while (i < body->element_count || j < body->section_count) {
        bool is_element =
            i < body->element_count &&
            (j == body->section_count || is_element_first(body->elements[i], body->sections[j]));
        if (is_element) {
            heading = print_heading(p, heading, body->elements[i]->is_protected);
            p->indent++;
            i += print_elements(p, body->elements + i, body->element_count - i);
            p->indent--;
        } else {
            print_section(p, body->sections[j++]);
            heading = HEADING_SECTION;
        }
    }
    if (body->external)
        printer_print_external(p, body->external);
}

static void print_long_class(Printing *p, const ClassDefinition *class)
{
    text_if(p, class->form == FORM_EXTENDING, "extends ");
    print_name(p->out, class->name);
    if (class->body.modification)
        printer_print_modification(p->out, class->body.modification);
    if (class->description.text) {
        printer_text(p, " ");
        print_string(p->out, class->description);
    }
    printer_end_line(p, class->name_span.end);
    print_composition(p, &class->body);
    p->indent++;
    for (uint32_t i = 0; i < class->annotation_count; i++) {
        comments_before(p, class->annotations[i]->span.end);
        printer_begin_line(p);
        print_annotation(p->out, class->annotations[i]);
        printer_text(p, ";");
        printer_end_line(p, class->annotations[i]->span.end);
    }
    p->indent--;
    print_block_end(p, "end ", class->span.end);
    print_name(p->out, class->name);
}

static void printer_print_enumeration(Printing *p, const ClassDefinition *class)
{
    printer_text(p, "enumeration(");
    text_if(p, class->enumeration.is_open, ":");
    for (uint32_t i = 0; i < class->enumeration.count; i++) {
        text_if(p, i > 0, ", ");
        print_name(p->out, class->enumeration.literals[i].name);
        print_description(p->out, class->enumeration.literals[i].description);
    }
    printer_text(p, ")");
}

static void printer_print_derivative(Printing *p, const ClassDefinition *class)
{
    printer_text(p, "der(");
    printer_print_reference(p->out, class->derivative.function);
    for (uint32_t i = 0; i < class->derivative.count; i++) {
        printer_text(p, ", ");
        print_name(p->out, class->derivative.variables[i].name);
    }
    printer_text(p, ")");
}

static void print_alias(Printing *p, const ClassDefinition *class)
{
    text_if(p, class->alias.direction == DIRECTION_INPUT, "input ");
    text_if(p, class->alias.direction == DIRECTION_OUTPUT, "output ");
    printer_print_reference(p->out, class->alias.type);
    print_subscripts(p->out, class->alias.subscripts, class->alias.subscript_count);
    if (class->alias.modification)
        printer_print_modification(p->out, class->alias.modification);
}

static void print_short_class(Printing *p, const ClassDefinition *class)
{
    print_name(p->out, class->name);
    printer_text(p, " = ");
    if (class->form == FORM_ENUMERATION)
        printer_print_enumeration(p, class);
    else if (class->form == FORM_DERIVATIVE)
        printer_print_derivative(p, class);
    else
        print_alias(p, class);
    Description description = {
        .text = class->description,
        .annotation = class->annotation_count ? class->annotations[0] : NULL,
    };
    print_description(p->out, &description);
}

// On the current line, without ';'.
static void print_class(Printing *p, const ClassDefinition *class)
{
    text_if(p, class->is_final, "final ");
    text_if(p, class->is_encapsulated, "encapsulated ");
    text_if(p, class->is_partial, "partial ");
    text_if(p, class->purity == PURITY_PURE, "pure ");
    text_if(p, class->purity == PURITY_IMPURE, "impure ");
    printer_text(p, class_kind_text(class->kind));
    printer_text(p, " ");
    if (class->form == FORM_LONG || class->form == FORM_EXTENDING)
        print_long_class(p, class);
    else
        print_short_class(p, class);
}

// ---------------------------------------------------------------------------
// Entry
// ---------------------------------------------------------------------------

void printer_print(StringBuilder *out, const StoredDefinition *definition)
{
    Printing p = {.out = out,
                  .file = definition->file,
                  .comments = definition->comments,
                  .comment_count = definition->comment_count};
    if (definition->has_within) {
        if (definition->within)
            comments_before(&p, definition->within->span.begin);
        printer_text(&p, "within");
        if (definition->within) {
            printer_text(&p, " ");
            printer_print_reference(out, definition->within);
        }
        printer_text(&p, ";");
        printer_end_line(&p, definition->within ? definition->within->span.end : 0);
    }
    for (uint32_t i = 0; i < definition->count; i++) {
        const ClassDefinition *class = definition->classes[i];
        comments_before(&p, class->span.begin);
        print_class(&p, class);
        printer_text(&p, ";");
        printer_end_line(&p, class->span.end);
    }
    comments_before(&p, UINT32_MAX);
}

void printer_print_equation(StringBuilder *out, const Equation *equation, unsigned indent)
{
    Printing p = {.out = out, .indent = indent};
    modelica_printer_print_equation(&p, equation);
}

void printer_print_statement(StringBuilder *out, const Statement *statement, unsigned indent)
{
    Printing p = {.out = out, .indent = indent};
    modelica_printer_print_statement(&p, statement);
}

void printer_print_element(StringBuilder *out, const Element *element, unsigned indent)
{
    Printing p = {.out = out, .indent = indent};
    Element *const elements[] = {(Element *)(uintptr_t)element};
    print_elements(&p, elements, 1);
}

bool definition_equal(const StoredDefinition *a, const StoredDefinition *b)
{
    bool is_equal = a->has_within == b->has_within && reference_equal(a->within, b->within) &&
                    a->count == b->count;
    for (uint32_t i = 0; is_equal && i < a->count; i++)
        is_equal = class_equal(a->classes[i], b->classes[i]);
    return is_equal;
}
