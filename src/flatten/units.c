// SPDX-License-Identifier: MIT
//
// Dimension analysis (chapter 19 of the specification has the syntax of units).
//
// A unit is a product of powers of the SI base units with a factor. Sums, comparisons and equations
// need terms of one dimension; a term whose unit is not known, or a plain number, fits anything.
// Only dimensions are compared: 1 km = 1000 m is left to the modeller's care, as is degC.

#include "flatten/units.h"

#include "flatten/print.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

enum { BASE_COUNT = 7 }; // m kg s A K mol cd

static const struct {
    const char *symbol;
    signed char powers[BASE_COUNT];
    bool takes_prefix;
} symbols[] = {
    {"m", {1}, true},
    {"g", {0, 1}, true},
    {"kg", {0, 1}, false},
    {"s", {0, 0, 1}, true},
    {"A", {0, 0, 0, 1}, true},
    {"K", {0, 0, 0, 0, 1}, true},
    {"mol", {0, 0, 0, 0, 0, 1}, true},
    {"cd", {0, 0, 0, 0, 0, 0, 1}, true},
    {"rad", {0}, true},
    {"sr", {0}, false},
    {"Hz", {0, 0, -1}, true},
    {"N", {1, 1, -2}, true},
    {"Pa", {-1, 1, -2}, true},
    {"bar", {-1, 1, -2}, true},
    {"J", {2, 1, -2}, true},
    {"eV", {2, 1, -2}, true},
    {"W", {2, 1, -3}, true},
    {"C", {0, 0, 1, 1}, true},
    {"V", {2, 1, -3, -1}, true},
    {"F", {-2, -1, 4, 2}, true},
    {"Ohm", {2, 1, -3, -2}, true},
    {"S", {-2, -1, 3, 2}, true},
    {"Wb", {2, 1, -2, -1}, true},
    {"T", {0, 1, -2, -1}, true},
    {"H", {2, 1, -2, -2}, true},
    {"lm", {0, 0, 0, 0, 0, 0, 1}, true},
    {"lx", {-2, 0, 0, 0, 0, 0, 1}, true},
    {"Bq", {0, 0, -1}, true},
    {"Gy", {2, 0, -2}, true},
    {"Sv", {2, 0, -2}, true},
    {"kat", {0, 0, -1, 0, 0, 1}, true},
    {"min", {0, 0, 1}, false},
    {"h", {0, 0, 1}, false},
    {"d", {0, 0, 1}, false},
    {"l", {3}, true},
    {"t", {0, 1}, true},
    {"deg", {0}, false},
    {"degC", {0, 0, 0, 0, 1}, false},
    {"rev", {0}, false},
    {"var", {2, 1, -3}, true},
};

static const char *const prefixes[] = {"da", "Y", "Z", "E", "P", "T", "G", "M", "k", "h",
                                       "d",  "c", "m", "u", "n", "p", "f", "a", "z", "y"};

// ---------------------------------------------------------------------------
// The syntax of units
// ---------------------------------------------------------------------------

// Its powers of the base units; NULL: there is no such symbol.
static const signed char *find_symbol(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strlen(symbols[i].symbol) == length && memcmp(symbols[i].symbol, text, length) == 0)
            return symbols[i].powers;
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        const size_t skipped = strlen(prefixes[p]);
        if (length <= skipped || memcmp(prefixes[p], text, skipped) != 0)
            continue;
        for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
            if (symbols[i].takes_prefix && strlen(symbols[i].symbol) == length - skipped &&
                memcmp(symbols[i].symbol, text + skipped, length - skipped) == 0)
                return symbols[i].powers;
    }
    return NULL;
}

static bool read_expression(const char **text, double powers[BASE_COUNT], double sign, int depth);

// unit-factor: symbol [exponent], or 1, or (expression)
static bool read_factor(const char **text, double powers[BASE_COUNT], double sign, int depth)
{
    if (**text == '1' && !isalnum((unsigned char)(*text)[1])) {
        (*text)++;
        return true;
    }
    if (**text == '(') {
        (*text)++;
        if (depth > 20 || !read_expression(text, powers, sign, depth + 1) || **text != ')')
            return false;
        (*text)++;
        return true;
    }
    size_t length = 0;
    while (isalpha((unsigned char)(*text)[length]))
        length++;
    const signed char *own = length ? find_symbol(*text, length) : NULL;
    if (!own)
        return false;
    *text += length;
    long exponent = 1;
    if (isdigit((unsigned char)**text) ||
        ((**text == '-' || **text == '+') && isdigit((unsigned char)(*text)[1]))) {
        char *end;
        exponent = strtol(*text, &end, 10);
        *text = end;
    }
    for (int i = 0; i < BASE_COUNT; i++)
        powers[i] += sign * (double)exponent * own[i];
    return true;
}

// factors, separated by '.', and after one '/' the denominator
static bool read_expression(const char **text, double powers[BASE_COUNT], double sign, int depth)
{
    for (;;) {
        if (!read_factor(text, powers, sign, depth))
            return false;
        if (**text == '.') {
            (*text)++;
        } else if (**text == '/') {
            (*text)++;
            return read_factor(text, powers, -sign, depth);
        } else {
            return true;
        }
    }
}

static bool read_unit(const char *text, double powers[BASE_COUNT])
{
    memset(powers, 0, BASE_COUNT * sizeof *powers);
    return read_expression(&text, powers, 1.0, 0) && *text == '\0';
}

// The unit in Modelica's syntax that is meant: "m/s2" for "m/s^2", "N.m" for "N*m". NULL: none.
static const char *meant_unit(Arena *arena, const char *text)
{
    StringBuilder out = builder_create(arena);
    double ignored[BASE_COUNT];
    for (; *text; text++) {
        if (*text == '*') {
            builder_append_character(&out, '.');
        } else if (strncmp(text, "\xC2\xB2", 2) == 0 || strncmp(text, "\xC2\xB3", 2) == 0) {
            builder_append_character(&out, (char)(text[1] == '\xB2' ? '2' : '3'));
            text++;
        } else if (strncmp(text, "\xC2\xB7", 2) == 0) {
            builder_append_character(&out, '.');
            text++;
        } else if (*text != '^' && *text != ' ') {
            builder_append_character(&out, *text);
        }
    }
    const char *meant = builder_string(&out).text;
    return read_unit(meant, ignored) ? meant : NULL;
}

// ---------------------------------------------------------------------------
// Dimensions of expressions
// ---------------------------------------------------------------------------

typedef enum UnitKind {
    // Of a variable without unit, of the literal 0, as in Complex(R, 0)*i, and what is computed
    // from
    // these: of any dimension.
    UNIT_UNKNOWN,
    UNIT_NUMBER, // a pure number: of any dimension in a sum, of none in a product
    UNIT_KNOWN,
} UnitKind;

typedef struct Unit {
    UnitKind kind;
    double powers[BASE_COUNT]; // of the base units
    const char *text;          // as the model has it; NULL: it was computed
} Unit;

typedef struct Checker {
    Flattener *f;
    Map units;  // text of a unit -> Unit
    Span place; // of the equation
} Checker;

static const Unit unknown = {.kind = UNIT_UNKNOWN};
static const Unit number = {.kind = UNIT_NUMBER};
static const Unit dimensionless = {.kind = UNIT_KNOWN};

static void warn_unknown(Flattener *f, const FlatVariable *v, const char *text)
{
    const char *meant = meant_unit(f->arena, text);
    if (meant)
        report_warning(f, v->reference.span,
                       "unit \"%s\" of '%s' is not known; did you mean \"%s\"?", text, v->name,
                       meant);
    else
        report_warning(f, v->reference.span, "unit \"%s\" of '%s' is not known", text, v->name);
}

static Unit variable_unit(Checker *c, const FlatVariable *v)
{
    const char *text = v->attributes->unit;
    if (!text || FLAT_TYPE(v)->kind != FLAT_TYPE_REAL)
        return FLAT_TYPE(v)->kind == FLAT_TYPE_REAL ? unknown : number;
    Unit *unit = map_find(&c->units, text);
    if (!unit) {
        unit = ARENA_NEW(c->f->arena, Unit);
        unit->kind = read_unit(text, unit->powers) ? UNIT_KNOWN : UNIT_UNKNOWN;
        unit->text = text;
        if (unit->kind == UNIT_UNKNOWN)
            warn_unknown(c->f, v, text);
        map_set(c->f->arena, &c->units, text, unit);
    }
    return *unit;
}

static bool same_dimension(const Unit *a, const Unit *b)
{
    for (int i = 0; i < BASE_COUNT; i++)
        if (fabs(a->powers[i] - b->powers[i]) > 1e-9)
            return false;
    return true;
}

static const char *dimension_text(Checker *c, const Unit *u)
{
    static const char *const names[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    if (u->text)
        return u->text;
    StringBuilder above = builder_create(c->f->arena), below = builder_create(c->f->arena);
    int count = 0; // of factors below the line
    for (int i = 0; i < BASE_COUNT; i++) {
        const double p = u->powers[i];
        StringBuilder *side = p > 0.0 ? &above : &below;
        if (p == 0.0)
            continue;
        builder_append_format(side, "%s%s", side->length ? "." : "", names[i]);
        if (fabs(p) != 1.0)
            builder_append_format(side, "%g", fabs(p));
        count += p < 0.0;
    }
    if (above.length == 0)
        builder_append_character(&above, '1');
    if (count > 0)
        builder_append_format(&above, count > 1 ? "/(%s)" : "/%s", builder_string(&below).text);
    return builder_string(&above).text;
}

static void warn(Checker *c, Span span, const char *what, const Unit *a, const Unit *b)
{
    report_warning(c->f, span_is_known(span) ? span : c->place, "%s: %s and %s", what,
                   dimension_text(c, a), dimension_text(c, b));
}

// What two terms of a sum have in common.
static Unit common(Checker *c, Unit a, Unit b, const char *what, Span span)
{
    if (a.kind == UNIT_KNOWN && b.kind == UNIT_KNOWN && !same_dimension(&a, &b)) {
        warn(c, span, what, &a, &b);
        return unknown;
    }
    return a.kind >= b.kind ? a : b;
}

static Unit units_product(Unit a, Unit b, double sign)
{
    if (a.kind == UNIT_NUMBER && b.kind == UNIT_NUMBER)
        return number;
    if (a.kind == UNIT_UNKNOWN || b.kind == UNIT_UNKNOWN)
        return unknown;
    Unit result = {.kind = UNIT_KNOWN};
    for (int i = 0; i < BASE_COUNT; i++)
        result.powers[i] = a.powers[i] + sign * b.powers[i];
    return result;
}

static Unit units_power(Unit a, double exponent)
{
    for (int i = 0; i < BASE_COUNT; i++)
        a.powers[i] *= exponent;
    a.text = NULL;
    return a;
}

static Unit units_unit_of(Checker *c, const FlatExpression *e);

static Unit sum_unit(Checker *c, const FlatExpression *e, uint32_t from, uint32_t step,
                     const char *what)
{
    Unit result = units_unit_of(c, e->operands[from]);
    for (uint32_t i = from + step; i < e->count; i += step)
        result = common(c, result, units_unit_of(c, e->operands[i]), what, e->span);
    return result;
}

static Unit power_unit(Checker *c, const FlatExpression *e)
{
    const Unit base = units_unit_of(c, e->operands[0]);
    units_unit_of(c, e->operands[1]);
    if (base.kind != UNIT_KNOWN)
        return base;
    if (e->operands[1]->kind == FLAT_REAL)
        return units_power(base, e->operands[1]->real);
    return same_dimension(&base, &dimensionless) ? base : unknown;
}

static Unit function_unit(Checker *c, const FlatExpression *e)
{
    const Unit argument = units_unit_of(c, e->operands[0]);
    if (argument.kind == UNIT_KNOWN && !same_dimension(&argument, &dimensionless))
        report_warning(c->f, e->span, "the argument of '%s' should be a number, but its unit is %s",
                       operation_info((Operation)e->operation)->text, dimension_text(c, &argument));
    return e->operands[0]->variability == FLAT_CONSTANT ? number : dimensionless;
}

// By the column "unit" of base/operator_table.h.
static Unit operator_unit(Checker *c, const FlatExpression *e, OperatorUnit rule)
{
    static const char compared_text[] = "values of different units are compared";
    Unit result = unknown;
    switch (rule) {
    case OPERATOR_UNIT_UNKNOWN:
        for (uint32_t i = 0; i < e->count; i++)
            units_unit_of(c, e->operands[i]);
        return unknown;
    case OPERATOR_UNIT_NUMBER:
        return number;
    case OPERATOR_UNIT_SAME:
        return units_unit_of(c, e->operands[0]);
    case OPERATOR_UNIT_SUM:
        return sum_unit(c, e, 0, 1, "terms of different units are added");
    case OPERATOR_UNIT_COMMON:
        return sum_unit(c, e, 0, 1, compared_text);
    case OPERATOR_UNIT_RELATION:
        sum_unit(c, e, 0, 1, compared_text);
        return number;
    case OPERATOR_UNIT_RATIO:
        sum_unit(c, e, 0, 1, compared_text);
        return dimensionless;
    case OPERATOR_UNIT_PRODUCT:
        result = units_unit_of(c, e->operands[0]);
        for (uint32_t i = 1; i < e->count; i++)
            result = units_product(result, units_unit_of(c, e->operands[i]), 1.0);
        break;
    case OPERATOR_UNIT_QUOTIENT:
        return units_product(units_unit_of(c, e->operands[0]), units_unit_of(c, e->operands[1]),
                             -1.0);
    case OPERATOR_UNIT_POWER:
        return power_unit(c, e);
    case OPERATOR_UNIT_SQUARE_ROOT:
        return units_power(units_unit_of(c, e->operands[0]), 1.0 / 2.0);
    case OPERATOR_UNIT_CUBE_ROOT:
        return units_power(units_unit_of(c, e->operands[0]), 1.0 / 3.0);
    case OPERATOR_UNIT_PLAIN:
        return function_unit(c, e);
    }
    return result;
}

static Unit operation_unit(Checker *c, const FlatExpression *e)
{
    const Operator op = operation_operator((Operation)e->operation);
    if (op != OPERATOR_COUNT)
        return operator_unit(c, e, operator_info(op)->unit);
    switch ((Operation)e->operation) {
    case OPERATION_HOMOTOPY:
        return operator_unit(c, e, OPERATOR_UNIT_COMMON);
    case OPERATION_NO_EVENT:
    case OPERATION_PRE:
        return operator_unit(c, e, OPERATOR_UNIT_SAME);
    case OPERATION_SMOOTH:
        return units_unit_of(c, e->operands[1]);
    case OPERATION_DER: {
        const Unit second = {.kind = UNIT_KNOWN, .powers = {0, 0, 1}};
        return units_product(units_unit_of(c, e->operands[0]), second, -1.0);
    }
    case OPERATION_TIME:
        return unknown; // x = time and sin(time) are how people write test signals
    default:            // nothing is known, and nothing compared
        return operator_unit(c, e, OPERATOR_UNIT_UNKNOWN);
    }
}

// A number in a formula: 1 and 2 are pure numbers, as in m*v^2/2; any other may be a quantity whose
// unit nobody wrote, 9.81 say.
static Unit units_of_number(double value)
{
    const double size = fabs(value);
    return size == 1.0 || size == 2.0 || size == 0.5 ? number : unknown;
}

// Constants have become literals; what was computed from them has a unit that nobody knows.
static Unit literal_unit(Checker *c, const FlatExpression *e)
{
    const void *origin = map_find(&c->f->seen.constants, e);
    if (!origin)
        return units_of_number(e->real);
    if (origin == e)
        return unknown;
    const FlatVariable *v = origin;
    instance_attributes(c->f, variable_instance(v)); // those of packages may have none yet
    if (v->attributes && v->attributes->unit)
        return variable_unit(c, v);
    return e->real == 0.0 ? unknown : number;
}

static Unit units_unit_of(Checker *c, const FlatExpression *e)
{
    switch ((FlatKind)e->kind) {
    case FLAT_REAL:
        return literal_unit(c, e);
    case FLAT_INTEGER:
        return units_of_number((double)e->integer);
    case FLAT_BOOLEAN:
        return number;
    case FLAT_VARIABLE:
        return variable_unit(c, e->variable);
    case FLAT_OPERATION:
        return operation_unit(c, e);
    case FLAT_IF: {
        Unit result = units_unit_of(c, e->operands[e->count - 1]);
        for (uint32_t i = 0; i + 1 < e->count; i += 2) {
            units_unit_of(c, e->operands[i]);
            result = common(c, result, units_unit_of(c, e->operands[i + 1]),
                            "the branches have different units", e->span);
        }
        return result;
    }
    case FLAT_STATE_TIME:
        return (Unit){.kind = UNIT_KNOWN, .powers = {0, 0, 1}};
    default:
        return unknown;
    }
}

// ---------------------------------------------------------------------------
// The check
// ---------------------------------------------------------------------------

static void check_sides(Checker *c, const FlatExpression *left, const FlatExpression *right,
                        Span span)
{
    c->place = span;
    if (left->type->kind != FLAT_TYPE_REAL) {
        units_unit_of(c, right);
        return;
    }
    const Unit a = units_unit_of(c, left);
    const Unit b = units_unit_of(c, right);
    if (a.kind == UNIT_KNOWN && b.kind == UNIT_KNOWN && !same_dimension(&a, &b))
        warn(c, span, "the sides of the equation have different units", &a, &b);
}

void units_check(Flattener *f)
{
    const FlatModel *m = f->model;
    Checker c = {.f = f};
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (m->variables[i]->binding)
            check_sides(&c, &m->variables[i]->reference, m->variables[i]->binding,
                        m->variables[i]->binding->span);
    for (uint32_t i = 0; i < m->equation_count; i++) {
        const FlatEquation *e = m->equations[i];
        // All elements of an array equation have the same units.
        if (e->left && e->origin.element == 0)
            check_sides(&c, e->left, e->right, e->origin.span);
    }
}
