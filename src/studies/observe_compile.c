// SPDX-License-Identifier: MIT
//
// Observations from their texts: names are looked up, functions that look at the whole run become
// terms, conditions become trees over the signs of probes.

#include "base/message.h"
#include "flatten/operation.h"
#include "modelica/printer.h"
#include "studies/observe_parts.h"

#include <stdio.h>

enum { MOST_OCCURRENCES = 1000000 };

// ---------------------------------------------------------------------------
// Messages and small parts
// ---------------------------------------------------------------------------

static const Watch *observe_compile_fail(Observations *o, Span span, const char *format, ...)
    TEXT_FORMAT(3, 4);
static const Watch *observe_compile_fail(Observations *o, Span span, const char *format, ...)
{
    StringBuilder message = builder_create(o->arena);
    va_list arguments;
    va_start(arguments, format);
    builder_append_formatted(&message, format, arguments);
    va_end(arguments);
    diagnostics_error(o->compilation->diagnostics, span, "%s", builder_string(&message).text);
    return NULL;
}

static Watch *new_watch(Observations *o, WatchKind kind)
{
    Watch *w = ARENA_NEW(o->arena, Watch);
    w->kind = kind;
    return w;
}

static const char *observe_compile_text_of(Observations *o, const Expression *e)
{
    StringBuilder out = builder_create(o->arena);
    printer_print_expression(&out, e);
    return builder_string(&out).text;
}

// One more item of a list in the arena.
static uint32_t observe_compile_add(Observations *o, void *list, uint32_t *count, uint32_t *room,
                                    const void *item, size_t size)
{
    void **items = list;
    if (*count == *room) {
        const uint32_t more = *room ? 2 * *room : 8;
        *items = arena_grow(o->arena, *items, *room * size, more * size);
        *room = more;
    }
    memcpy((char *)*items + *count * size, item, size);
    return (*count)++;
}

#define ADD(o, what, item)                                                                         \
    observe_compile_add((o), &(o)->what##s, &(o)->what##_count, &(o)->what##_room, &(item),        \
                        sizeof(item))

static bool is_name(const Expression *e, const char *name)
{
    return e->kind == EXPRESSION_CALL && e->call.function->count == 1 &&
           strcmp(e->call.function->parts[0].name->text, name) == 0;
}

// ---------------------------------------------------------------------------
// Expressions
// ---------------------------------------------------------------------------

static const Watch *observe_compile_compile(Observations *o, const Expression *e);
static const Watch *compile_term(Observations *o, const Expression *e, TermKind kind);

static const Watch *compile_moment(Observations *o, const Expression *e)
{
    const bool before = o->in_moment;
    o->in_moment = true;
    const Watch *w = observe_compile_compile(o, e);
    o->in_moment = before;
    return w;
}

static const Watch *unknown_name(Observations *o, const Expression *e, const char *name)
{
    const ObserveNames *n = &o->names;
    const char *nearest = text_nearest(name, n->variables, n->variable_count);
    if (!nearest)
        nearest = text_nearest(name, n->parameters, n->parameter_count);
    return nearest ? observe_compile_fail(
                         o, e->span, "there is no variable '%s'; did you mean '%s'?", name, nearest)
                   : observe_compile_fail(o, e->span, "there is no variable '%s'", name);
}

static const Watch *compile_slot(Observations *o, const char *name)
{
    Watch *w = new_watch(o, WATCH_VARIABLE);
    for (; w->index < o->slot_count; w->index++)
        if (strcmp(o->slots[w->index], name) == 0)
            return w;
    ADD(o, slot, name);
    return w;
}

static const Watch *compile_reference(Observations *o, const Expression *e)
{
    const ObserveNames *n = &o->names;
    StringBuilder out = builder_create(o->arena);
    printer_print_reference(&out, e->reference);
    const char *name = builder_string(&out).text;
    if (strcmp(name, "time") == 0)
        return new_watch(o, WATCH_TIME);
    for (size_t i = 0; i < n->variable_count; i++)
        if (strcmp(n->variables[i], name) == 0)
            return compile_slot(o, n->variables[i]);
    for (uint32_t i = 0; i < n->parameter_count; i++)
        if (strcmp(n->parameters[i], name) == 0) {
            Watch *w = new_watch(o, WATCH_PARAMETER);
            w->index = i;
            return w;
        }
    return unknown_name(o, e, name);
}

static const Watch *compile_number(Observations *o, double value)
{
    Watch *w = new_watch(o, WATCH_NUMBER);
    w->number = value;
    return w;
}

static const Watch *compile_operation(Observations *o, Operator op, const Expression *x,
                                      const Expression *y, const Expression *z)
{
    Watch *w = new_watch(o, WATCH_OPERATION);
    w->op = op;
    w->a = observe_compile_compile(o, x);
    w->b = y ? observe_compile_compile(o, y) : NULL;
    w->c = z ? observe_compile_compile(o, z) : NULL;
    return w->a && (!y || w->b) && (!z || w->c) ? w : NULL;
}

static const Watch *compile_unary(Observations *o, const Expression *e)
{
    const SyntaxOperator op = e->unary.op;
    if (op == SYNTAX_ADD || op == SYNTAX_ELEMENTWISE_ADD)
        return observe_compile_compile(o, e->unary.operand);
    return compile_operation(o, op == SYNTAX_NOT ? OPERATOR_NOT : OPERATOR_NEGATE, e->unary.operand,
                             NULL, NULL);
}

static const Watch *compile_if(Observations *o, const Expression *e)
{
    const Watch *otherwise = observe_compile_compile(o, e->conditional.otherwise);
    for (uint32_t i = e->conditional.count; otherwise && i > 0; i--) {
        Watch *w = new_watch(o, WATCH_OPERATION);
        w->op = OPERATOR_IF;
        w->a = observe_compile_compile(o, e->conditional.branches[i - 1].condition);
        w->b = observe_compile_compile(o, e->conditional.branches[i - 1].value);
        w->c = otherwise;
        otherwise = w->a && w->b ? w : NULL;
    }
    return otherwise;
}

// Whether it is called by its name: sin(x), max(x, y).
static bool is_function(Operator op)
{
    return operation_is_function((Operation)op) || op == OPERATOR_MINIMUM || op == OPERATOR_MAXIMUM;
}

static const char *const term_names[] = {
#define TERM_NAME(name, text) text,
    TERM_LIST(TERM_NAME)
#undef TERM_NAME
};

static const char *const instant_names[] = {"crossing", "rising", "falling", "event", "transition"};

enum {
    TERM_NAME_COUNT = sizeof term_names / sizeof *term_names,
    INSTANT_COUNT = sizeof instant_names / sizeof *instant_names,
};

// What is called otherwise elsewhere; NULL: nothing that is known.
static const char *foreign_function(const char *name)
{
    static const char *const table[][2] = {
        {"mean", "integral(x) / (time of the run)"},
        {"average", "integral(x) / (time of the run)"},
        {"value", "at(x, t)"},
        {"last", "x"},
        {"ln", "log"},
        {"length", "duration"},
        {"when", "time_of"},
        {"time", "time_of"},
        {"number", "count"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(name, table[i][0]) == 0)
            return table[i][1];
    return NULL;
}

static const Watch *unknown_function(Observations *o, const Expression *e)
{
    const char *names[OPERATOR_COUNT + TERM_NAME_COUNT + INSTANT_COUNT + 1] = {"mode"};
    size_t count = 1;
    for (int op = 0; op < OPERATOR_COUNT; op++)
        if (is_function((Operator)op))
            names[count++] = operator_info((Operator)op)->text;
    for (size_t i = 0; i < TERM_NAME_COUNT; i++)
        names[count++] = term_names[i];
    for (size_t i = 0; i < INSTANT_COUNT; i++)
        names[count++] = instant_names[i];
    const char *name = e->call.function->parts[0].name->text;
    const char *nearest = foreign_function(name);
    nearest = nearest ? nearest : text_nearest(name, names, count);
    return nearest ? observe_compile_fail(
                         o, e->call.function->span,
                         "there is no function '%s' for observations; did you mean '%s'?", name,
                         nearest)
                   : observe_compile_fail(o, e->call.function->span,
                                          "there is no function '%s' for observations", name);
}

static const char *text_argument(Observations *o, const Expression *e, uint32_t i)
{
    if (i < e->call.count && e->call.arguments[i]->kind == EXPRESSION_STRING)
        return arena_copy_text(o->arena, e->call.arguments[i]->string.text,
                               e->call.arguments[i]->string.length);
    observe_compile_fail(o, e->span, "%s needs text in quotes as argument %u",
                         e->call.function->parts[0].name->text, i + 1);
    return NULL;
}

static const Watch *compile_function(Observations *o, const Expression *e, Operator op)
{
    const uint32_t count = operator_info(op)->count;
    if (e->call.count == count && !e->call.named_count)
        return compile_operation(o, op, e->call.arguments[0],
                                 count > 1 ? e->call.arguments[1] : NULL, NULL);
    const bool is_one = e->call.count == 1;
    return observe_compile_fail(o, e->span, "%s takes %u argument%s%s", operator_info(op)->text,
                                count, count > 1 ? "s" : "",
                                is_one && op == OPERATOR_MAXIMUM ? "; over the run it is maximum(x)"
                                : is_one && op == OPERATOR_MINIMUM
                                    ? "; over the run it is minimum(x)"
                                    : "");
}

static const Watch *compile_call(Observations *o, const Expression *e)
{
    for (size_t i = 0; i < TERM_NAME_COUNT; i++)
        if (is_name(e, term_names[i]))
            return compile_term(o, e, (TermKind)i);
    for (size_t i = 0; i < INSTANT_COUNT; i++)
        if (is_name(e, instant_names[i]))
            return observe_compile_fail(
                o, e->span,
                "%s(...) is an instant: it can stand for `when` in at(x, when), "
                "time_of(when), count(when)",
                instant_names[i]);
    if (is_name(e, "mode")) {
        Watch *w = new_watch(o, WATCH_MODE);
        w->text = text_argument(o, e, 0);
        return w->text ? w : NULL;
    }
    if (is_name(e, "noEvent") && e->call.count == 1) // nothing here is an event
        return observe_compile_compile(o, e->call.arguments[0]);
    for (int op = 0; op < OPERATOR_COUNT; op++)
        if (is_function((Operator)op) && is_name(e, operator_info((Operator)op)->text))
            return compile_function(o, e, (Operator)op);
    return unknown_function(o, e);
}

static const Watch *observe_compile_compile(Observations *o, const Expression *e)
{
    switch (e->kind) {
    case EXPRESSION_REAL:
        return compile_number(o, e->real);
    case EXPRESSION_INTEGER:
        return compile_number(o, (double)e->integer);
    case EXPRESSION_BOOLEAN:
        return compile_number(o, e->boolean);
    case EXPRESSION_REFERENCE:
        return compile_reference(o, e);
    case EXPRESSION_UNARY:
        return compile_unary(o, e);
    case EXPRESSION_BINARY:
        return compile_operation(o, operation_operator(operation_of_syntax(e->binary.op)),
                                 e->binary.left, e->binary.right, NULL);
    case EXPRESSION_IF:
        return compile_if(o, e);
    case EXPRESSION_CALL:
        return compile_call(o, e);
    default:
        return observe_compile_fail(
            o, e->span,
            "this cannot be observed: only numbers, variables, operators and "
            "functions can");
    }
}

// ---------------------------------------------------------------------------
// Conditions
// ---------------------------------------------------------------------------

static uint32_t add_probe(Observations *o, const Watch *watch, const char *text)
{
    const Probe probe = {watch, text};
    for (uint32_t i = 0; i < o->probe_count; i++)
        if (strcmp(o->probes[i].text, text) == 0)
            return i;
    return ADD(o, probe, probe);
}

// a < b by the sign of the probe a - b.
static const Watch *compile_relation(Observations *o, const Expression *e)
{
    Watch *difference = new_watch(o, WATCH_OPERATION), *w = new_watch(o, WATCH_SIGN);
    difference->op = OPERATOR_SUBTRACT;
    difference->a = compile_moment(o, e->binary.left);
    difference->b = compile_moment(o, e->binary.right);
    if (!difference->a || !difference->b)
        return NULL;
    StringBuilder out = builder_create(o->arena);
    printer_print_expression(&out, e->binary.left);
    builder_append_text(&out, " - (");
    printer_print_expression(&out, e->binary.right);
    builder_append_text(&out, ")");
    w->op = operation_operator(operation_of_syntax(e->binary.op));
    w->index = add_probe(o, difference, builder_string(&out).text);
    w->number = w->op == OPERATOR_LESS || w->op == OPERATOR_LESS_EQUAL ? -1.0 : 1.0;
    return w;
}

static const Watch *compile_boolean(Observations *o, const Expression *e)
{
    if (e->kind == EXPRESSION_UNARY && e->unary.op == SYNTAX_NOT) {
        Watch *w = new_watch(o, WATCH_OPERATION);
        w->op = OPERATOR_NOT;
        w->a = compile_boolean(o, e->unary.operand);
        return w->a ? w : NULL;
    }
    if (e->kind != EXPRESSION_BINARY)
        return compile_moment(o, e);
    switch (e->binary.op) {
    case SYNTAX_AND:
    case SYNTAX_OR: {
        Watch *w = new_watch(o, WATCH_OPERATION);
        w->op = e->binary.op == SYNTAX_AND ? OPERATOR_AND : OPERATOR_OR;
        w->a = compile_boolean(o, e->binary.left);
        w->b = compile_boolean(o, e->binary.right);
        return w->a && w->b ? w : NULL;
    }
    case SYNTAX_LESS:
    case SYNTAX_LESS_EQUAL:
    case SYNTAX_GREATER:
    case SYNTAX_GREATER_EQUAL:
        return compile_relation(o, e);
    case SYNTAX_EQUAL:
    case SYNTAX_NOT_EQUAL:
        return compile_moment(o, e);
    default:
        return observe_compile_fail(o, e->span, "this is a number, not a condition");
    }
}

static bool compile_crossing(Observations *o, const Expression *e, Condition *condition)
{
    condition->kind = CONDITION_CROSSING;
    condition->direction = is_name(e, "rising") ? 1 : is_name(e, "falling") ? -1 : 0;
    if (e->call.count != 1 || e->call.named_count) {
        observe_compile_fail(o, e->span, "%s takes one argument",
                             e->call.function->parts[0].name->text);
        return false;
    }
    const Watch *watch = compile_moment(o, e->call.arguments[0]);
    if (watch)
        condition->probe = add_probe(o, watch, observe_compile_text_of(o, e->call.arguments[0]));
    return watch != NULL;
}

// False after an error. `lasts`: it must be a condition that holds for a while.
static bool compile_condition(Observations *o, const Expression *e, bool lasts, uint32_t *index)
{
    Condition condition = {.text = observe_compile_text_of(o, e)};
    bool is_fine;
    if (is_name(e, "crossing") || is_name(e, "rising") || is_name(e, "falling")) {
        is_fine = compile_crossing(o, e, &condition);
    } else if (is_name(e, "event")) {
        condition.kind = CONDITION_EVENT;
        condition.from = e->call.count ? text_argument(o, e, 0) : "*";
        is_fine = condition.from != NULL;
    } else if (is_name(e, "transition")) {
        condition.kind = CONDITION_TRANSITION;
        condition.from = e->call.count ? text_argument(o, e, 0) : "*";
        condition.to = e->call.count > 1 ? text_argument(o, e, 1) : "*";
        is_fine = condition.from && condition.to;
    } else if (!lasts && e->kind == EXPRESSION_BINARY && e->binary.op == SYNTAX_EQUAL) {
        condition.kind = CONDITION_CROSSING; // x == y: where the difference becomes zero
        const Watch *sign = compile_relation(o, e);
        condition.probe = sign ? sign->index : 0;
        is_fine = sign != NULL;
    } else {
        condition.kind = CONDITION_BOOLEAN;
        condition.tree = compile_boolean(o, e);
        is_fine = condition.tree != NULL;
    }
    if (is_fine && lasts && condition.kind != CONDITION_BOOLEAN) {
        observe_compile_fail(
            o, e->span, "'%s' is an instant; duration needs a condition that holds for a while",
            condition.text);
        is_fine = false;
    }
    if (is_fine)
        *index = ADD(o, condition, condition);
    return is_fine;
}

// ---------------------------------------------------------------------------
// Terms
// ---------------------------------------------------------------------------

// An integer, with a sign or without.
static bool integer(const Expression *e, long *value)
{
    const bool is_negative = e->kind == EXPRESSION_UNARY && e->unary.op == SYNTAX_SUBTRACT;
    const Expression *digits = is_negative ? e->unary.operand : e;
    if (digits->kind != EXPRESSION_INTEGER || digits->integer == 0 ||
        digits->integer > MOST_OCCURRENCES)
        return false;
    *value = is_negative ? -(long)digits->integer : (long)digits->integer;
    return true;
}

// Which occurrences: 3, -1, 1:10, "first", "last", "every".
static bool compile_selection(Observations *o, const Expression *e, Term *term)
{
    term->first = term->last = 1;
    if (!e)
        return true;
    if (e->kind == EXPRESSION_STRING) {
        const char *word = arena_copy_text(o->arena, e->string.text, e->string.length);
        term->every = strcmp(word, "every") == 0;
        if (strcmp(word, "last") == 0)
            term->first = term->last = -1;
        if (term->every || strcmp(word, "last") == 0 || strcmp(word, "first") == 0)
            return true;
    } else if (e->kind == EXPRESSION_RANGE && !e->range.step) {
        if (integer(e->range.start, &term->first) && integer(e->range.stop, &term->last) &&
            term->first <= term->last && (term->first > 0) == (term->last > 0))
            return true;
    } else if (integer(e, &term->first)) {
        term->last = term->first;
        return true;
    }
    observe_compile_fail(
        o, e->span,
        "which occurrence is meant? 1, 2, ... from the start, -1, -2, ... from the "
        "end, a range 1:10, \"first\", \"last\" or \"every\"");
    return false;
}

// Windows are needed while the run goes on.
static bool is_known_in_time(Observations *o, const Watch *w)
{
    if (w->kind == WATCH_TERM) {
        const Term *t = &o->terms[w->index];
        return (t->kind == TERM_TIME_OF || t->kind == TERM_AT || t->kind == TERM_BEFORE ||
                t->kind == TERM_AT_TIME) &&
               !t->every && t->first > 0 && t->first == t->last;
    }
    if (w->kind == WATCH_VARIABLE || w->kind == WATCH_TIME || w->kind == WATCH_MODE)
        return false;
    const Watch *parts[] = {w->a, w->b, w->c};
    bool is_known = true;
    for (int i = 0; i < 3; i++)
        is_known &= !parts[i] || is_known_in_time(o, parts[i]);
    return is_known;
}

static const Watch *compile_known(Observations *o, const Expression *e)
{
    const Watch *w = observe_compile_compile(o, e);
    if (w && !is_known_in_time(o, w))
        return observe_compile_fail(
            o, e->span,
            "this must be known while the run goes on: numbers, parameters, "
            "time_of(when, n) and at(x, when, n) with n > 0");
    return w;
}

static bool compile_named(Observations *o, const Expression *e, Term *term, const Expression **n)
{
    for (uint32_t i = 0; i < e->call.named_count; i++) {
        const NamedExpression *argument = &e->call.named[i];
        const char *name = argument->name->text;
        if (strcmp(name, "n") == 0 && n) {
            *n = argument->value;
        } else if (strcmp(name, "from") == 0) {
            if (!(term->from = compile_known(o, argument->value)))
                return false;
        } else if (strcmp(name, "to") == 0) {
            if (!(term->to = compile_known(o, argument->value)))
                return false;
        } else {
            observe_compile_fail(o, argument->span,
                                 "there is no argument '%s' here; there are %sfrom, to", name,
                                 n ? "n, " : "");
            return false;
        }
    }
    return true;
}

static bool is_parameter(const Observations *o, const char *name)
{
    for (size_t i = 0; i < o->names.parameter_count; i++)
        if (strcmp(o->names.parameters[i], name) == 0)
            return true;
    return false;
}

// Whether the second argument of at() is a time: neither a condition nor a plain variable.
static bool is_time(Observations *o, const Expression *e)
{
    if (e->kind == EXPRESSION_REAL || e->kind == EXPRESSION_INTEGER)
        return true;
    if (e->kind == EXPRESSION_UNARY)
        return e->unary.op != SYNTAX_NOT;
    if (e->kind == EXPRESSION_BINARY)
        return syntax_operator_text(e->binary.op)[0] != 'a' &&
               syntax_operator_text(e->binary.op)[0] != 'o' &&
               !strchr("<>=", syntax_operator_text(e->binary.op)[0]);
    if (e->kind == EXPRESSION_REFERENCE)
        return is_parameter(o, observe_compile_text_of(o, e));
    if (e->kind != EXPRESSION_CALL || is_name(e, "mode"))
        return false;
    for (size_t i = 0; i < INSTANT_COUNT; i++)
        if (is_name(e, instant_names[i]))
            return false;
    return true;
}

// Arguments of a term: [moment,] [when [, n]], named n, from, to.
static bool compile_arguments(Observations *o, const Expression *e, Term *term)
{
    const bool looks =
        term->kind != TERM_TIME_OF && term->kind != TERM_COUNT && term->kind != TERM_DURATION;
    const bool has_condition =
        !looks || term->kind == TERM_AT || term->kind == TERM_BEFORE || term->kind == TERM_AFTER;
    const bool selects = has_condition && term->kind != TERM_COUNT && term->kind != TERM_DURATION;
    const uint32_t least = (uint32_t)looks + (uint32_t)has_condition, most = least + selects;
    if (e->call.count < least || e->call.count > most) {
        observe_compile_fail(o, e->span, "%s takes %s%s%s%s", term_names[term->kind],
                             looks ? "an expression" : "", looks && has_condition ? " and " : "",
                             has_condition ? "a condition" : "",
                             selects ? ", and which occurrence" : "");
        return false;
    }
    const Expression *n = e->call.count > least ? e->call.arguments[least] : NULL;
    if (!compile_named(o, e, term, selects ? &n : NULL) || !compile_selection(o, n, term))
        return false;
    if (looks && !(term->moment = compile_moment(o, e->call.arguments[0])))
        return false;
    if (looks && !has_condition)
        term->probe = add_probe(o, term->moment, observe_compile_text_of(o, e->call.arguments[0]));
    if (!has_condition)
        return true;
    const Expression *when = e->call.arguments[looks ? 1 : 0];
    if (term->kind == TERM_AT && is_time(o, when)) {
        term->kind = TERM_AT_TIME;
        return (term->when = compile_known(o, when)) != NULL;
    }
    return compile_condition(o, when, term->kind == TERM_DURATION, &term->condition);
}

static const Watch *compile_term(Observations *o, const Expression *e, TermKind kind)
{
    if (o->in_moment)
        return observe_compile_fail(
            o, e->span,
            "%s looks at the whole run; it cannot stand within another of its "
            "kind, except in from and to",
            term_names[kind]);
    Term term = {.kind = kind, .text = observe_compile_text_of(o, e)};
    if (!compile_arguments(o, e, &term))
        return NULL;
    Watch *w = new_watch(o, WATCH_TERM);
    w->index = ADD(o, term, term);
    return w;
}

// ---------------------------------------------------------------------------
// Observations
// ---------------------------------------------------------------------------

static long length_of_term(const Term *term)
{
    return term->every ? OBSERVE_EVERY : term->last - term->first + 1;
}

// The common length of what is in it; 0 after an error.
static long length_of(Observations *o, const Watch *w, Span span)
{
    if (w->kind == WATCH_TERM)
        return length_of_term(&o->terms[w->index]);
    const Watch *parts[] = {w->a, w->b, w->c};
    long length = 1;
    for (int i = 0; i < 3 && length != 0; i++) {
        const long more = parts[i] ? length_of(o, parts[i], span) : 1;
        if (length != 1 && more != 1 && more != length) {
            if (more != 0)
                observe_compile_fail(o, span,
                                     "values of different numbers of occurrences are combined");
            return 0;
        }
        length = more != 1 ? more : length;
    }
    return length;
}

// The place of the '=' in NAME = EXPRESSION; NULL: there is no name.
static const char *observe_compile_find_equals(const char *text)
{
    size_t length = strcspn(text, "=<>\"(");
    return text[length] == '=' && text[length + 1] != '=' ? text + length : NULL;
}

static const char *name_before(Arena *arena, const char *text, const char *equals)
{
    const char *end = equals ? equals : text + strlen(text);
    while (text < end && *text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    return arena_copy_text(arena, text, (size_t)(end - text));
}

// final(x), end(x): keywords of Modelica.
static bool has_final(const char *text)
{
    text += strspn(text, " ");
    return strncmp(text, "final", 5) == 0 || strncmp(text, "end", 3) == 0;
}

// A column of results is found by its name.
static bool is_named_before(const Observations *o, const char *const *texts, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (observe_compile_find_equals(texts[j]) &&
            strcmp(o->items[j].name, o->items[i].name) == 0)
            return true;
    return false;
}

static bool compile_observation(Observations *o, const char *const *texts)
{
    const uint32_t i = o->item_count++;
    const char *text = texts[i], *equals = observe_compile_find_equals(text);
    const SourceFile *file;
    StringBuilder source = builder_create(o->arena);
    o->items[i].name = name_before(o->arena, text, equals);
    // The name gives way to spaces, so that columns in messages are those of the text.
    builder_append_repeated(&source, ' ', equals ? (size_t)(equals + 1 - text) : 0);
    builder_append_text(&source, equals ? equals + 1 : text);
    const String s = builder_string(&source);
    if (sources_add(o->compilation->sources, "observation", s.text, s.length, &file) != SOURCE_OK)
        return false;
    const size_t errors = o->compilation->diagnostics->error_count;
    const Expression *e = parser_parse_expression(o->compilation, file);
    if (o->compilation->diagnostics->error_count > errors && has_final(s.text))
        diagnostics_note(o->compilation->diagnostics, o->compilation->diagnostics->last,
                         (Span){0, 0}, "a variable by itself is its value at the end of the run");
    if (!e || !*o->items[i].name) {
        if (e)
            observe_compile_fail(o, e->span, "a name is missing before '='");
        return false;
    }
    if (equals && is_named_before(o, texts, i)) {
        observe_compile_fail(o, e->span, "two observations are called '%s'", o->items[i].name);
        return false;
    }
    const Watch *tree = observe_compile_compile(o, e);
    o->items[i].tree = tree;
    o->items[i].length = tree ? length_of(o, tree, e->span) : 0;
    return o->items[i].length != 0;
}

Observations *observations_create(Compilation *compilation, const ObserveNames *names, size_t count,
                                  const char *const *texts)
{
    jmp_buf exhaustion, *before = arena_on_exhaustion(compilation->arena, &exhaustion);
    Observations *o = NULL;
    if (setjmp(exhaustion) == 0) {
        o = ARENA_NEW(compilation->arena, Observations);
        *o = (Observations){
            .arena = compilation->arena, .compilation = compilation, .names = *names};
        o->items = arena_array(compilation->arena, count ? count : 1, sizeof *o->items);
        bool is_fine = true;
        for (size_t i = 0; i < count; i++)
            is_fine &= compile_observation(o, texts);
        arena_on_exhaustion(compilation->arena, before);
        return is_fine ? o : NULL;
    }
    diagnostics_out_of_memory(compilation->diagnostics);
    arena_on_exhaustion(compilation->arena, before);
    return NULL;
}

size_t observations_count(const Observations *o)
{
    return o->item_count;
}

const char *observations_name(const Observations *o, size_t index)
{
    return o->items[index].name;
}

long observations_length(const Observations *o, size_t index)
{
    return o->items[index].length;
}
