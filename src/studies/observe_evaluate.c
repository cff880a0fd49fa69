// SPDX-License-Identifier: MIT
//
// Values of observed expressions.

#include "studies/observe_parts.h"

#include <math.h>

static double apply(ObserveFunction function, double a, double b)
{
    switch (function) {
#define OBSERVE_FUNCTION_CASE(name, count, value)                                                  \
    case OBSERVE_FUNCTION_##name:                                                                  \
        return value;
        OBSERVE_FUNCTION_LIST(OBSERVE_FUNCTION_CASE)
#undef OBSERVE_FUNCTION_CASE
    }
    return NAN;
}

static double term_value(const TermValues *term, size_t element)
{
    if (term->count == 1)
        return term->values[0];
    return element < term->count ? term->values[element] : NAN;
}

static Measure of_value(double value)
{
    return (Measure){value, fabs(value)};
}

static Measure measure_binary(const Watch *w, const WatchContext *c)
{
    const Measure a = watch_measure(w->a, c), b = watch_measure(w->b, c);
    switch (w->op) {
    case SYNTAX_ADD:
    case SYNTAX_ELEMENTWISE_ADD:
        return (Measure){a.value + b.value, fmax(a.size, b.size)};
    case SYNTAX_SUBTRACT:
    case SYNTAX_ELEMENTWISE_SUBTRACT:
        return (Measure){a.value - b.value, fmax(a.size, b.size)};
    case SYNTAX_MULTIPLY:
    case SYNTAX_ELEMENTWISE_MULTIPLY:
        return (Measure){a.value * b.value, fmax(a.size * fabs(b.value), fabs(a.value) * b.size)};
    case SYNTAX_DIVIDE:
    case SYNTAX_ELEMENTWISE_DIVIDE:
        return (Measure){a.value / b.value, a.size / fabs(b.value)};
    case SYNTAX_POWER:
    case SYNTAX_ELEMENTWISE_POWER: {
        const double value = pow(a.value, b.value);
        const double rate = fabs(a.value) > 0.0 ? fabs(b.value * value / a.value) * a.size : 0.0;
        return (Measure){value, fmax(fabs(value), rate)};
    }
    case SYNTAX_LESS:
        return of_value(a.value < b.value);
    case SYNTAX_LESS_EQUAL:
        return of_value(a.value <= b.value);
    case SYNTAX_GREATER:
        return of_value(a.value > b.value);
    case SYNTAX_GREATER_EQUAL:
        return of_value(a.value >= b.value);
    case SYNTAX_EQUAL:
        return of_value(a.value == b.value);
    case SYNTAX_NOT_EQUAL:
        return of_value(a.value != b.value);
    case SYNTAX_AND:
        return of_value(a.value != 0.0 && b.value != 0.0);
    case SYNTAX_OR:
        return of_value(a.value != 0.0 || b.value != 0.0);
    default:
        return of_value(NAN);
    }
}

Measure watch_measure(const Watch *w, const WatchContext *c)
{
    switch (w->kind) {
    case WATCH_NUMBER:
        return of_value(w->number);
    case WATCH_TIME:
        return of_value(c->t);
    case WATCH_VARIABLE:
        return of_value(c->slots[w->index]);
    case WATCH_PARAMETER:
        return of_value(c->parameters[w->index]);
    case WATCH_TERM:
        return of_value(term_value(&c->terms[w->index], c->element));
    case WATCH_BINARY:
        return measure_binary(w, c);
    case WATCH_NEGATE: {
        const Measure a = watch_measure(w->a, c);
        return (Measure){-a.value, a.size};
    }
    case WATCH_NOT:
        return of_value(watch_measure(w->a, c).value == 0.0);
    case WATCH_IF:
        return watch_measure(watch_measure(w->c, c).value != 0.0 ? w->a : w->b, c);
    case WATCH_FUNCTION: {
        const Measure a = watch_measure(w->a, c), b = w->b ? watch_measure(w->b, c) : a;
        const double value = apply(w->function, a.value, b.value);
        return (Measure){value, fmax(fabs(value), w->b ? fmax(a.size, b.size) : a.size)};
    }
    case WATCH_SIGN:
        // At rest on zero from the beginning, `<=` and `>=` hold.
        return of_value(c->signs[w->index] == 0
                            ? (double)(w->op == SYNTAX_LESS_EQUAL || w->op == SYNTAX_GREATER_EQUAL)
                            : (double)(c->signs[w->index] == w->number));
    case WATCH_MODE:
        return of_value(c->mode && watch_matches(w->text, c->mode));
    }
    return of_value(NAN);
}

double watch_value(const Watch *watch, const WatchContext *context)
{
    return watch_measure(watch, context).value;
}

size_t watch_count(const Watch *w, const TermValues *terms)
{
    if (w->kind == WATCH_TERM)
        return terms[w->index].count;
    const Watch *parts[] = {w->a, w->b, w->c};
    size_t most = 1;
    bool is_empty = false; // a list of no values
    for (int i = 0; i < 3; i++) {
        const size_t count = parts[i] ? watch_count(parts[i], terms) : 1;
        is_empty |= count == 0;
        most = count > most ? count : most;
    }
    return is_empty ? 0 : most;
}

uint32_t watch_missing(const Watch *w, const TermValues *terms, size_t element)
{
    if (w->kind == WATCH_TERM)
        return isnan(term_value(&terms[w->index], element)) ? w->index : UINT32_MAX;
    const Watch *parts[] = {w->a, w->b, w->c};
    uint32_t found = UINT32_MAX;
    for (int i = 0; i < 3 && found == UINT32_MAX; i++)
        found = parts[i] ? watch_missing(parts[i], terms, element) : UINT32_MAX;
    return found;
}

enum { MOST_TEXT = 512 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Without spaces, and 2 for 2.0: models write conditions in their own way.
static void normalise(const char *text, char out[MOST_TEXT])
{
    size_t length = 0;
    for (const char *c = text; *c && length + 1 < MOST_TEXT; c++) {
        const bool is_whole = c > text && is_digit(c[-1]) && c[0] == '.' && c[1] == '0' &&
                              !is_digit(c[2]) && c[2] != 'e';
        if (is_whole)
            c++;
        else if (*c != ' ')
            out[length++] = *c;
    }
    out[length] = '\0';
}

// Greedy with one point of return: the last '*'.
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    for (;;) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*text == '\0') {
            return *pattern == '\0';
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
}

bool watch_matches(const char *pattern, const char *text)
{
    char normal_pattern[MOST_TEXT], normal_text[MOST_TEXT];
    normalise(pattern, normal_pattern);
    normalise(text, normal_text);
    return matches(normal_pattern, normal_text);
}
