// SPDX-License-Identifier: MIT

#include "plot/derived.h"

#include "base/message.h"
#include "base/operator.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 100 }; // parentheses in parentheses

// Values of an expression, one for each row. Its unit is known where that is plain: of a variable,
// of a sum of equal ones, of a multiple.
typedef struct Derived {
    double *values; // NULL after a message
    const char *unit;
    bool is_number; // written as one
} Derived;

typedef struct Deriving {
    Arena *arena;
    const Table *table;
    const Table *first; // of the request: what patterns are about
    const char *name;   // of the table
    const char *whole;  // the expression
    const char *next;   // what is not read yet
    char **message;
    int depth;
} Deriving;

static Derived derived_sum(Deriving *d);

static Derived derived_fail(Deriving *d, const char *what, int length, const char *text)
{
    message_set(d->message, "%s '%.*s' in '%s'", what, length, text, d->whole);
    return (Derived){0};
}

static void derived_skip_blanks(Deriving *d)
{
    while (*d->next == ' ')
        d->next++;
}

static Derived derived_new(Deriving *d)
{
    return (Derived){.values = ARENA_ARRAY(d->arena, d->table->row_count + 1, double)};
}

static Derived derived_apply(Deriving *d, Operator op, const Derived *a, const Derived *b)
{
    Derived to = derived_new(d);
    for (size_t i = 0; i < d->table->row_count; i++)
        to.values[i] = operator_apply(op, a->values[i], b->values[i], 0.0);
    return to;
}

// ---------------------------------------------------------------------------
// Names and functions
// ---------------------------------------------------------------------------

// The length of a variable's name: identifiers, which may be quoted, dots and subscripts.
static size_t name_length(const char *s)
{
    size_t length = 0;
    for (;;) {
        if (s[length] == '\'') {
            const char *close = strchr(s + length + 1, '\'');
            if (!close)
                return length;
            length = (size_t)(close - s) + 1;
        } else {
            while (isalnum((unsigned char)s[length]) || s[length] == '_')
                length++;
        }
        if (s[length] == '[')
            length += strcspn(s + length, "]") + (strchr(s + length, ']') != NULL);
        if (s[length] != '.')
            return length;
        length++;
    }
}

static bool derived_find(Deriving *d, const char *name, Derived *found)
{
    const TableColumn *column = table_column(d->table, name);
    const TableConstant *constant = column ? NULL : table_constant(d->table, name);
    if (!constant && (!column || column->heading.kind == TABLE_WORDS))
        return false;
    *found = derived_new(d);
    found->unit = column ? column->heading.unit : constant->heading.unit;
    for (size_t i = 0; i < d->table->row_count; i++)
        found->values[i] = column ? column->values[i] : constant->value;
    return true;
}

// der(x), which is a column.
static bool find_derivative(Deriving *d, Derived *found)
{
    const char *close = strncmp(d->next, "der(", 4) == 0 ? strchr(d->next, ')') : NULL;
    if (!close ||
        !derived_find(d, arena_copy_text(d->arena, d->next, (size_t)(close + 1 - d->next)), found))
        return false;
    d->next = close + 1;
    return true;
}

// By name and number of arguments; OPERATOR_COUNT: there is none.
static Operator function_named(const char *name, size_t length, uint32_t count)
{
    for (Operator op = 0; op < OPERATOR_COUNT; op++) {
        const OperatorInfo *info = operator_info(op);
        if (strlen(info->text) == length && strncmp(info->text, name, length) == 0 &&
            info->count == count && isalpha((unsigned char)*name) && op != OPERATOR_IF)
            return op;
    }
    return OPERATOR_COUNT;
}

// name(a) or name(a, b), after the parenthesis.
static Derived derived_call(Deriving *d, const char *name, size_t length)
{
    Derived arguments[2] = {{0}, {0}};
    uint32_t count = 0;
    do {
        if (count == 2)
            return derived_fail(d, "there is no function", (int)length, name);
        arguments[count] = derived_sum(d);
        if (!arguments[count++].values)
            return (Derived){0};
    } while (*d->next == ',' && d->next++);
    if (*d->next++ != ')')
        return derived_fail(d, "')' is missing behind", (int)(d->next - name) - 1, name);
    const Operator op = function_named(name, length, count);
    if (op == OPERATOR_COUNT)
        return derived_fail(d, "there is no function", (int)length, name);
    Derived to = derived_apply(d, op, &arguments[0], &arguments[count - 1]);
    if (op == OPERATOR_ABS)
        to.unit = arguments[0].unit;
    return to;
}

static Derived derived_variable(Deriving *d)
{
    const char *name = d->next;
    const size_t length = name_length(name);
    Derived found = {0};
    if (find_derivative(d, &found))
        return found;
    d->next += length;
    if (*d->next == '(' && d->depth < DEEPEST) {
        d->next++;
        d->depth++;
        const Derived called = derived_call(d, name, length);
        d->depth--;
        return called;
    }
    if (!derived_find(d, arena_copy_text(d->arena, name, length), &found)) {
        StringBuilder what = builder_create(d->arena);
        builder_append_format(&what, "%s has no variable", d->name);
        return derived_fail(d, what.text, (int)length, name);
    }
    return found;
}

// ---------------------------------------------------------------------------
// Grammar
// ---------------------------------------------------------------------------

static Derived derived_number(Deriving *d)
{
    char *end;
    const double value = strtod(d->next, &end);
    Derived to = derived_new(d);
    d->next = end;
    to.is_number = true;
    for (size_t i = 0; i < d->table->row_count; i++)
        to.values[i] = value;
    return to;
}

// primary = number | name | name "(" sum {"," sum} ")" | "(" sum ")"
static Derived derived_primary(Deriving *d)
{
    derived_skip_blanks(d);
    const char *begin = d->next;
    Derived to;
    if (*begin == '(' && d->depth < DEEPEST) {
        d->next++;
        d->depth++;
        to = derived_sum(d);
        d->depth--;
        if (to.values && *d->next++ != ')')
            return derived_fail(d, "')' is missing behind", (int)(d->next - begin) - 1, begin);
    } else if (isdigit((unsigned char)*begin) || *begin == '.') {
        to = derived_number(d);
    } else if (name_length(begin)) {
        to = derived_variable(d);
    } else {
        return derived_fail(d,
                            *begin ? "a name or a number is missing before"
                                   : "a name or a number is missing at the end,",
                            20, begin);
    }
    derived_skip_blanks(d);
    return to;
}

// power = primary ["^" primary]
static Derived derived_power(Deriving *d)
{
    const Derived base = derived_primary(d);
    if (!base.values || *d->next != '^')
        return base;
    d->next++;
    derived_skip_blanks(d);
    const bool is_negative = *d->next == '-' && d->next++;
    Derived exponent = derived_primary(d);
    if (!exponent.values)
        return exponent;
    for (size_t i = 0; i < d->table->row_count && is_negative; i++)
        exponent.values[i] = -exponent.values[i];
    return derived_apply(d, OPERATOR_POWER, &base, &exponent);
}

// product = power {("*" | "/") power}
static Derived derived_product(Deriving *d)
{
    Derived a = derived_power(d);
    while (a.values && (*d->next == '*' || *d->next == '/')) {
        const bool is_quotient = *d->next++ == '/';
        const Derived b = derived_power(d);
        if (!b.values)
            return b;
        Derived to = derived_apply(d, is_quotient ? OPERATOR_DIVIDE : OPERATOR_MULTIPLY, &a, &b);
        to.unit = b.is_number ? a.unit : a.is_number && !is_quotient ? b.unit : NULL;
        to.is_number = a.is_number && b.is_number;
        a = to;
    }
    return a;
}

// sum = ["+" | "-"] product {("+" | "-") product}
static Derived derived_sum(Deriving *d)
{
    derived_skip_blanks(d);
    const bool is_negative = *d->next == '-';
    d->next += is_negative || *d->next == '+';
    Derived a = derived_product(d);
    for (size_t i = 0; a.values && is_negative && i < d->table->row_count; i++)
        a.values[i] = -a.values[i];
    while (a.values && (*d->next == '+' || *d->next == '-')) {
        const Operator op = *d->next++ == '-' ? OPERATOR_SUBTRACT : OPERATOR_ADD;
        const Derived b = derived_product(d);
        if (!b.values)
            return b;
        Derived to = derived_apply(d, op, &a, &b);
        if (a.is_number || b.is_number || (a.unit && b.unit && strcmp(a.unit, b.unit) == 0))
            to.unit = a.is_number ? b.unit : a.unit;
        a = to;
    }
    return a;
}

static Derived derived_read(Deriving *d)
{
    const Derived to = derived_sum(d);
    if (to.values && *d->next)
        return derived_fail(d, "this is not understood:", 40, d->next);
    return to;
}

// ---------------------------------------------------------------------------
// Panels
// ---------------------------------------------------------------------------

// Whether it is neither a name nor, of the first table, a pattern.
static bool is_expression(const Deriving *d, const char *text)
{
    const size_t length = strlen(text);
    if (table_column(d->table, text) || table_constant(d->table, text) ||
        !strpbrk(text, "+-*/^(") || strchr(text, '?') || text[0] == '*' || text[length - 1] == '*')
        return false; // (a pattern that matches nothing)
    for (size_t i = 1; i < d->first->column_count; i++)
        if (text_matches(text, d->first->columns[i].heading.name))
            return false;
    return true;
}

// Appends the column of a text, if it is an expression.
static bool derived_append(Deriving *d, Table *table, const char *text, size_t length)
{
    d->whole = d->next = arena_copy_text(d->arena, text, length);
    d->table = table;
    if (!is_expression(d, d->whole))
        return true;
    const Derived made = derived_read(d);
    if (!made.values)
        return false;
    TableColumn *columns = ARENA_ARRAY(d->arena, table->column_count + 1, TableColumn);
    memcpy(columns, table->columns, table->column_count * sizeof *columns);
    columns[table->column_count++] =
        (TableColumn){.heading = {.name = d->whole, .unit = made.unit}, .values = made.values};
    table->columns = columns;
    return true;
}

static bool derived_panel(Deriving *d, Table *table, const char *panel)
{
    for (const char *s = panel;;) {
        const char *end = request_part_end(s, ',');
        const char *name = arena_copy_text(d->arena, s, (size_t)(end - s));
        const char *colon = request_part_end(name, ':');
        if (!table_column(table, name) &&
            (!derived_append(d, table, name, (size_t)(colon - name)) ||
             (*colon && !derived_append(d, table, colon + 1, strlen(colon + 1)))))
            return false;
        if (!*end)
            return true;
        s = end + 1;
    }
}

bool derived_columns(Arena *arena, PlotRequest *request, char **message)
{
    const Table **wider = ARENA_ARRAY(arena, request->table_count, const Table *);
    for (size_t k = 0; k < request->table_count; k++) {
        Deriving d = {.arena = arena,
                      .first = request->tables[0],
                      .name = request->names[k],
                      .message = message};
        Table *table = ARENA_NEW(arena, Table);
        *table = *request->tables[k];
        wider[k] = table;
        for (size_t i = 0; i < request->panel_count; i++)
            if (!derived_panel(&d, table, request->panels[i]))
                return false;
    }
    request->tables = wider;
    return true;
}
