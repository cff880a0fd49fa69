// SPDX-License-Identifier: MIT
//
// Axes: see axis.h.

#include "studies/axis.h"

#include "base/message.h"
#include "base/number.h"
#include "numerics/normal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_VALUES = 10000000 };

static const char hint[] = "right are k=5, k=1,2,5, k=0:1:11 (11 values from 0 to 1), "
                           "k=1e4:1e8:log:30, where one is searched or sampled, k=0:1, and where "
                           "one is sampled, k=normal(5,0.1)";

static const struct {
    const char *name;
    int count; // of parameters
    AxisLaw law;
    const char *parameters;
} axis_laws[] = {
    {"uniform", 2, AXIS_UNIFORM, "(from, to)"},
    {"normal", 2, AXIS_NORMAL, "(mean, standard deviation > 0)"},
    {"lognormal", 2, AXIS_LOGNORMAL, "(median > 0, factor > 1 of one standard deviation)"},
    {"triangular", 3, AXIS_TRIANGULAR, "(from, peak, to)"},
    {"exponential", 1, AXIS_EXPONENTIAL, "(mean > 0)"},
};

TEXT_FORMAT(3, 4)
static bool axis_complain(char **message, const char *text, const char *format, ...)
{
    char *what = NULL;
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&what, format, arguments);
    va_end(arguments);
    message_set(message, "'%s': %s; %s", text, message_text(what), hint);
    free(what);
    return false;
}

// Characters of a value, with the zero at their end: the longest that "%f" writes has 317.
enum { AXIS_PART = 400 };

// The part before the separator, which is skipped; false: there is none left. One that is too long
// to be a value is empty: no part of it may be taken for one.
static bool next_part(const char **rest, char separator, char part[AXIS_PART])
{
    if (!*rest)
        return false;
    const char *end = strchr(*rest, separator);
    const size_t length = end ? (size_t)(end - *rest) : strlen(*rest);
    snprintf(part, AXIS_PART, "%.*s", length < AXIS_PART ? (int)length : 0, *rest);
    *rest = end ? end + 1 : NULL;
    return true;
}

static bool axis_read_value(const Study *study, const Axis *axis, const char *text, double *value)
{
    const Parameters p = model_list_parameters(study_model(study));
    return loaded_read_value(p.flat[axis->parameter], text, value);
}

static bool axis_read_list(const Study *study, const char *text, const char *values, Axis *axis,
                           char **message)
{
    size_t count = 1;
    for (const char *c = values; *c; c++)
        count += *c == ',';
    axis->list = calloc(count, sizeof *axis->list);
    if (!axis->list)
        return axis_complain(message, text, "out of memory");
    char part[AXIS_PART];
    while (next_part(&values, ',', part))
        if (!axis_read_value(study, axis, part, &axis->list[axis->count++]))
            return axis_complain(message, text, "'%s' is no value for %s", part, axis->name);
    axis->lower = axis->list[0];
    axis->upper = axis->list[count - 1];
    return true;
}

// Whether the parameters of a distribution make sense.
static bool axis_is_law(const Axis *axis)
{
    const double *p = axis->law_parameters;
    switch (axis->law) {
    case AXIS_UNIFORM:
        return p[0] < p[1];
    case AXIS_NORMAL:
        return p[1] > 0.0;
    case AXIS_LOGNORMAL:
        return p[0] > 0.0 && p[1] > 1.0;
    case AXIS_TRIANGULAR:
        return p[0] <= p[1] && p[1] <= p[2] && p[0] < p[2];
    case AXIS_EXPONENTIAL:
        return p[0] > 0.0;
    }
    return false;
}

// NAME(NUMBERS). An interval of the distribution's bulk stands for it where one is needed.
static bool axis_read_law(const Study *study, const char *text, const char *values, Axis *axis,
                          char **message)
{
    const size_t length = strcspn(values, "(");
    size_t k = 0;
    while (k < sizeof axis_laws / sizeof *axis_laws &&
           (strlen(axis_laws[k].name) != length || strncmp(axis_laws[k].name, values, length) != 0))
        k++;
    char part[AXIS_PART], inner[2 * AXIS_PART];
    if (k == sizeof axis_laws / sizeof *axis_laws)
        return axis_complain(message, text,
                             "there is no distribution '%.*s': uniform, normal, lognormal, "
                             "triangular, exponential",
                             (int)length, values);
    const char *close = strrchr(values, ')');
    int count = 0;
    axis->law = axis_laws[k].law;
    snprintf(inner, sizeof inner, "%.*s",
             close && close > values + length ? (int)(close - (values + length) - 1) : 0,
             values + length + 1);
    bool is_read = close && !close[1] && strlen(inner) < sizeof inner - 1;
    for (const char *rest = inner; is_read && next_part(&rest, ',', part); count++) {
        const char *number = part + strspn(part, " ");
        is_read = count < axis_laws[k].count &&
                  axis_read_value(study, axis, number, &axis->law_parameters[count]);
    }
    if (!is_read || count != axis_laws[k].count || !axis_is_law(axis))
        return axis_complain(message, text, "%s takes %s", axis_laws[k].name,
                             axis_laws[k].parameters);
    axis->lower = axis_sample(axis, 1e-3);
    axis->upper = axis_sample(axis, 1.0 - 1e-3);
    if (axis->law == AXIS_UNIFORM) {
        axis->lower = axis->law_parameters[0];
        axis->upper = axis->law_parameters[1];
    }
    return true;
}

static bool read_count(const char *part, size_t *count)
{
    double value;
    if (!number_read(part, strlen(part), &value) || value != floor(value) || !(value >= 1.0) ||
        value > MOST_VALUES)
        return false;
    *count = (size_t)value;
    return true;
}

static bool read_range(const Study *study, const char *text, const char *values, Axis *axis,
                       char **message)
{
    char parts[5][AXIS_PART];
    int count = 0;
    while (count < 5 && next_part(&values, ':', parts[count]))
        count++;
    for (int i = 0; i < 2; i++)
        if (!axis_read_value(study, axis, parts[i], i ? &axis->upper : &axis->lower))
            return axis_complain(message, text, "'%s' is no value for %s", parts[i], axis->name);
    axis->is_logarithmic = count > 2 && strcmp(parts[2], "log") == 0;
    const bool has_word = axis->is_logarithmic || (count > 2 && strcmp(parts[2], "lin") == 0);
    if (values || count > 3 + has_word)
        return axis_complain(message, text, "too many parts");
    if (count > 2 + has_word && !read_count(parts[2 + has_word], &axis->count))
        return axis_complain(message, text, "'%s' is no number of values", parts[2 + has_word]);
    if (axis->is_logarithmic &&
        (axis->lower == 0.0 || axis->upper == 0.0 || signbit(axis->lower) != signbit(axis->upper)))
        return axis_complain(message, text, "a logarithmic range cannot reach or cross zero");
    if (axis->count == 1 && axis->lower != axis->upper)
        return axis_complain(message, text, "a range of one value");
    return true;
}

bool axis_read(const Study *study, const char *text, Axis *axis, char **message)
{
    *axis = (Axis){0};
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return axis_complain(message, text, "NAME=VALUES is needed");
    axis->name = calloc((size_t)(equals - text) + 1, 1);
    if (!axis->name)
        return axis_complain(message, text, "out of memory");
    memcpy(axis->name, text, (size_t)(equals - text));
    const char *why;
    if (!loaded_find_parameter(study_loaded(study), study_compilation(study)->arena, axis->name,
                               &axis->parameter, &why))
        return message_set(message, "%s", why);
    const Parameters p = model_list_parameters(study_model(study));
    axis->is_whole = FLAT_TYPE(p.flat[axis->parameter])->kind != FLAT_TYPE_REAL;
    if (strchr(equals, '('))
        return axis_read_law(study, text, equals + 1, axis, message);
    return strchr(equals, ':') ? read_range(study, text, equals + 1, axis, message)
                               : axis_read_list(study, text, equals + 1, axis, message);
}

void axis_free(Axis *axis)
{
    free(axis->name);
    free(axis->list);
    *axis = (Axis){0};
}

static double axis_between(const Axis *axis, double part)
{
    const double lower = axis->lower, upper = axis->upper;
    double value =
        axis->is_logarithmic ? lower * pow(upper / lower, part) : lower + (upper - lower) * part;
    // The ends may be so far apart that their difference or quotient is no number.
    if (axis->is_logarithmic && !isnormal(upper / lower))
        value = copysign(exp(log(fabs(lower)) * (1.0 - part) + log(fabs(upper)) * part), lower);
    else if (!axis->is_logarithmic && isinf(upper - lower))
        value = lower * (1.0 - part) + upper * part;
    return axis->is_whole ? round(value) : value;
}

double axis_value(const Axis *axis, size_t index)
{
    if (axis->list)
        return axis->list[index];
    if (index == 0)
        return axis->lower;
    return index + 1 == axis->count ? axis->upper
                                    : axis_between(axis, (double)index / (double)(axis->count - 1));
}

static double axis_quantile(const Axis *axis, double part)
{
    const double *p = axis->law_parameters;
    switch (axis->law) {
    case AXIS_UNIFORM:
        break;
    case AXIS_NORMAL:
        return p[0] + p[1] * normal_quantile(part);
    case AXIS_LOGNORMAL:
        return p[0] * pow(p[1], normal_quantile(part));
    case AXIS_TRIANGULAR: {
        const double width = p[2] - p[0], rise = (p[1] - p[0]) / width;
        return part < rise ? p[0] + width * sqrt(part * rise)
                           : p[2] - width * sqrt((1.0 - part) * (1.0 - rise));
    }
    case AXIS_EXPONENTIAL:
        return -p[0] * log1p(-part);
    }
    return axis_between(axis, part);
}

double axis_sample(const Axis *axis, double part)
{
    if (axis->law != AXIS_UNIFORM) {
        // The ends of a distribution are infinitely far away; a sample never hits them exactly.
        const double least = 0x1p-54, inside = part < least         ? least
                                               : part > 1 - 0x1p-53 ? 1 - 0x1p-53
                                                                    : part;
        const double value = axis_quantile(axis, inside);
        return axis->is_whole ? round(value) : value;
    }
    if (!axis->list)
        return axis_between(axis, part);
    const size_t index = (size_t)(part * (double)axis->count);
    return axis->list[index < axis->count ? index : axis->count - 1];
}
