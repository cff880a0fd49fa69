// SPDX-License-Identifier: MIT
//
// Values of observed expressions: trees over the outputs of a row, parameters, and terms, whose
// values are those of the whole run so far. Functions mean what they mean in models
// (base/operator_table.h), NaN included, with the same bits. And the patterns of names,
// `event("x*")`.

#include "studies/observe_parts.h"

#include <math.h>

static double term_value(const ObserveResult *term, size_t element)
{
    if (term->count == 1)
        return term->values[0];
    return element < term->count ? term->values[element] : NAN;
}

static Measure of_value(double value)
{
    return (Measure){value, fabs(value)};
}

static Measure measure_operation(const Watch *w, const WatchContext *c)
{
    const Measure a = watch_measure(w->a, c);
    if (w->op == OPERATOR_IF) // what is not chosen may have no value
        return watch_measure(a.value != 0.0 ? w->b : w->c, c);
    const Measure b = w->b ? watch_measure(w->b, c) : (Measure){0};
    const double value = operator_apply(w->op, a.value, b.value, 0.0);
    if (operator_result(w->op) == 'B')
        return of_value(value);
    double size = fmax(fabs(value), fmax(a.size, b.size));
    switch (operator_info(w->op)->size) {
    case OPERATOR_SIZE_SAME:
    case OPERATOR_SIZE_SUM:
        size = fmax(a.size, b.size);
        break;
    case OPERATOR_SIZE_PRODUCT:
        size = fmax(a.size * fabs(b.value), fabs(a.value) * b.size);
        break;
    case OPERATOR_SIZE_QUOTIENT:
        size = a.size / fabs(b.value);
        break;
    case OPERATOR_SIZE_POWER:
        size = fabs(a.value) > 0.0 ? fabs(b.value * value / a.value) * a.size : 0.0;
        size = fmax(fabs(value), size);
        break;
    case OPERATOR_SIZE_VALUE:
    case OPERATOR_SIZE_SLOPE:
    case OPERATOR_SIZE_CHOICE:
        break;
    }
    return (Measure){value, size};
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
    case WATCH_OPERATION:
        return measure_operation(w, c);
    case WATCH_SIGN:
        // At rest on zero from the beginning, `<=` and `>=` hold.
        return of_value(c->signs[w->index] == 0 ? (double)(w->op == OPERATOR_LESS_EQUAL ||
                                                           w->op == OPERATOR_GREATER_EQUAL)
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

size_t watch_count(const Watch *w, const ObserveResult *terms)
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

uint32_t watch_missing(const Watch *w, const ObserveResult *terms, size_t element)
{
    if (w->kind == WATCH_TERM)
        return isnan(term_value(&terms[w->index], element)) ? w->index : UINT32_MAX;
    const Watch *parts[] = {w->a, w->b, w->c};
    uint32_t found = UINT32_MAX;
    for (int i = 0; i < 3 && found == UINT32_MAX; i++)
        found = parts[i] ? watch_missing(parts[i], terms, element) : UINT32_MAX;
    return found;
}

static bool observe_evaluate_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// The next character of a text that counts, from `at` on: not spaces, nor ".0" in 2.0. Models write
// conditions in their own way.
static const char *observe_evaluate_next(const char *text, const char *at)
{
    for (;;) {
        const bool is_whole = at > text && observe_evaluate_is_digit(at[-1]) && at[0] == '.' &&
                              at[1] == '0' && !observe_evaluate_is_digit(at[2]) && at[2] != 'e';
        if (!is_whole && *at != ' ')
            return at;
        at += is_whole ? 2 : 1;
    }
}

// Greedy with one point of return: the last '*'.
bool watch_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    const char *p = observe_evaluate_next(pattern, pattern), *t = observe_evaluate_next(text, text);
    for (;;) {
        if (*p == '*') {
            star = p = observe_evaluate_next(pattern, p + 1);
            retry = t;
        } else if (*t == '\0') {
            return *p == '\0';
        } else if (*p == *t) {
            p = observe_evaluate_next(pattern, p + 1);
            t = observe_evaluate_next(text, t + 1);
        } else if (star) {
            p = star;
            t = retry = observe_evaluate_next(text, retry + 1);
        } else {
            return false;
        }
    }
}
