// SPDX-License-Identifier: MIT

#include "plot/ticks.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MINUS "\xE2\x88\x92" // U+2212, as wide as a plus
#define DOT "\xC2\xB7"

// ---------------------------------------------------------------------------
// Units
// ---------------------------------------------------------------------------

static const struct {
    int exponent;
    const char *text;
} prefixes[] = {{-15, "f"}, {-12, "p"}, {-9, "n"}, {-6, "\xC2\xB5"}, {-3, "m"},
                {3, "k"},   {6, "M"},   {9, "G"},  {12, "T"}};

static const char *prefix_of(int exponent)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (prefixes[i].exponent == exponent)
            return prefixes[i].text;
    return NULL;
}

// Whether a prefix before `unit` scales it: its first factor takes one and has no exponent.
static bool takes_prefix(const char *unit, int exponent)
{
    static const char *const takers[] = {"s",  "m", "V", "A",   "W", "J", "N", "Hz",
                                         "Pa", "F", "H", "Ohm", "C", "T", "Wb"};
    if (!unit || !prefix_of(exponent))
        return false;
    const size_t length = strcspn(unit, "./*()-0123456789");
    if (unit[length] && unit[length] != '.' && unit[length] != '/')
        return false;
    for (size_t i = 0; i < sizeof takers / sizeof *takers; i++)
        if (strlen(takers[i]) == length && strncmp(takers[i], unit, length) == 0)
            return exponent < 0 || takers[i][0] != 's'; // nobody counts in kiloseconds
    return false;
}

const char *ticks_prefix(double *value, const char *unit)
{
    if (!isfinite(*value) || *value == 0.0)
        return "";
    // 999.99999 shall not become 1000 of something.
    const int exponent = 3 * (int)floor(log10(fabs(*value) * (1.0 + 1e-6)) / 3.0);
    if (!takes_prefix(unit, exponent))
        return "";
    *value /= pow(10.0, exponent);
    return prefix_of(exponent);
}

void ticks_unit(const char *unit, StringBuilder *out)
{
    while (*unit) {
        const size_t word = strcspn(unit, "./*()-+0123456789 ");
        if (word == 3 && strncmp(unit, "Ohm", 3) == 0)
            builder_append_text(out, "\xCE\xA9");
        else if (word == 4 && strncmp(unit, "degC", 4) == 0)
            builder_append_text(out, "\xC2\xB0"
                                     "C");
        else if (word == 3 && strncmp(unit, "deg", 3) == 0)
            builder_append_text(out, "\xC2\xB0");
        else
            builder_append(out, unit, word);
        unit += word;
        const size_t digits = strspn(unit + (*unit == '-'), "0123456789");
        if (word && digits) {
            builder_append_format(out, "^{%s%.*s}", *unit == '-' ? MINUS : "", (int)digits,
                                  unit + (*unit == '-'));
            unit += digits + (*unit == '-');
        } else if (*unit == '.' || *unit == '*') {
            builder_append_text(out, DOT);
            unit++;
        } else if (*unit) {
            builder_append_character(out, *unit++);
        }
    }
}

void ticks_axis_label(const Ticks *ticks, const PlotAxis *axis, StringBuilder *out)
{
    const char *unit =
        axis->unit && *axis->unit && strcmp(axis->unit, "1") != 0 ? axis->unit : NULL;
    const bool is_prefixed = unit && takes_prefix(unit, ticks->exponent);
    builder_append_text(out, axis->label ? axis->label : "");
    if (ticks->offset[0]) {
        const bool is_negative = strncmp(ticks->offset, MINUS, strlen(MINUS)) == 0;
        builder_append_format(out, " %s %s", is_negative ? "+" : MINUS,
                              ticks->offset + (is_negative ? strlen(MINUS) : 0));
        if (unit) {
            builder_append_character(out, ' ');
            ticks_unit(unit, out);
        }
    }
    if (!unit && !ticks->exponent)
        return;
    builder_append_text(out, out->length ? " (" : "(");
    if (is_prefixed)
        builder_append_text(out, prefix_of(ticks->exponent));
    else if (ticks->exponent)
        builder_append_format(out, "10^{%s%d}%s", ticks->exponent < 0 ? MINUS : "",
                              abs(ticks->exponent), unit ? " " : "");
    if (unit)
        ticks_unit(unit, out);
    builder_append_character(out, ')');
}

// ---------------------------------------------------------------------------
// Linear axes
// ---------------------------------------------------------------------------

static double times_power(double value, int exponent)
{
    // A power of ten is exact up to 10^22, one below one never is: divide.
    return exponent < 0 ? value / pow(10.0, -exponent) : value * pow(10.0, exponent);
}

static int exponent_of(double positive)
{
    int exponent = (int)floor(log10(positive));
    if (times_power(1.0, exponent + 1) <= positive)
        exponent++;
    return exponent;
}

// n 10^-decimals as text.
static void write_decimal(char out[TICKS_LABEL_LENGTH], int64_t n, int decimals)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%0*lld", decimals + 1, llabs(n));
    snprintf(out, TICKS_LABEL_LENGTH, "%s%.*s%s%s", n < 0 ? MINUS : "", length - decimals, digits,
             decimals > 0 ? "." : "", digits + length - decimals);
}

// The step m 10^k, m of 1, 2, 5, that divides `range` into at most `wanted` parts, or a few more.
static void ticks_choose_step(double range, int wanted, int *m, int *k)
{
    const double rough = range / wanted;
    *k = exponent_of(rough);
    const double mantissa = times_power(rough, -*k); // 1 <= mantissa < 10
    *m = mantissa <= 1.2 ? 1 : mantissa <= 2.4 ? 2 : mantissa <= 6.0 ? 5 : 10;
    if (*m == 10) {
        *m = 1;
        ++*k;
    }
}

// Which power of ten the labels share: a multiple of three, 0 where plain decimals are short.
static int common_exponent(double largest, const char *unit)
{
    const int p = exponent_of(largest);
    const int common = (p < 0 ? p - 2 : p) / 3 * 3;
    const int least = takes_prefix(unit, common) ? -1 : -3;
    const int most = takes_prefix(unit, common) ? 3 : 4;
    return p >= least && p <= most ? 0 : common;
}

static int count_digits(int64_t n)
{
    int digits = 1;
    while ((n /= 10) != 0)
        digits++;
    return digits;
}

// Takes what is common to first ... last (units of 10^k) out of the labels; returns it.
static int64_t common_offset(int64_t first, int64_t last)
{
    enum { LONGEST = 6 };
    const int64_t largest = llabs(first) > llabs(last) ? first : last;
    if (count_digits(largest) <= LONGEST || (first <= 0 && last >= 0))
        return 0;
    int64_t power = 1;
    while (power <= last - first)
        power *= 10;
    return (first < 0 ? last : first) / power * power;
}

// n 10^k, plainly where that is short.
static void write_offset(char out[TICKS_LABEL_LENGTH], int64_t n, int k)
{
    enum { SMALLEST = -12, LARGEST = 3 };
    for (; n % 10 == 0; n /= 10)
        k++;
    if (k < SMALLEST || k > LARGEST) {
        write_decimal(out, n, 0);
        const size_t length = strlen(out);
        snprintf(out + length, TICKS_LABEL_LENGTH - length, DOT "10^{%s%d}", k < 0 ? MINUS : "",
                 abs(k));
        return;
    }
    for (; k > 0; k--)
        n *= 10;
    write_decimal(out, n, -k);
}

static void linear_ticks(Ticks *t, double from, double to, int wanted, const char *unit)
{
    int m, k;
    ticks_choose_step(to - from, wanted, &m, &k);
    const double step = times_power(m, k), slack = 1e-9;
    const int64_t first = (int64_t)ceil(from / step - slack) * m;
    const int64_t last = (int64_t)floor(to / step + slack) * m;
    const int64_t offset = common_offset(first, last);
    const double low = times_power((double)(first - offset), k);
    const double high = times_power((double)(last - offset), k);
    const double largest = fmax(fabs(low), fabs(high));
    t->exponent = largest > 0.0 ? common_exponent(largest, unit) : 0;
    if (offset)
        write_offset(t->offset, offset, k);
    const int decimals = t->exponent > k ? t->exponent - k : 0;
    for (int64_t n = first; n <= last && t->count < TICKS_MOST; n += m) {
        Tick *tick = &t->ticks[t->count++];
        tick->value = times_power((double)n, k);
        int64_t shown = n - offset;
        for (int i = t->exponent; i < k; i++)
            shown *= 10;
        write_decimal(tick->label, shown, decimals);
    }
}

// One tick says nothing about the scale.
static void enough_linear_ticks(Ticks *t, double from, double to, int wanted, const char *unit)
{
    do {
        *t = (Ticks){0};
        linear_ticks(t, from, to, wanted++, unit);
    } while (t->count < 2 && wanted < TICKS_MOST / 2);
}

// ---------------------------------------------------------------------------
// Logarithmic axes
// ---------------------------------------------------------------------------

// is_plain: 500 and 1000, not 5 10^2 and 10^3.
static void add_tick(Ticks *t, double from, double to, int m, int k, bool is_minor, bool is_plain)
{
    static const double slack = 1e-9;
    const double value = times_power(m, k);
    if (value < from * (1.0 - slack) || value > to * (1.0 + slack) || t->count == TICKS_MOST)
        return;
    Tick *tick = &t->ticks[t->count++];
    *tick = (Tick){.value = value, .is_minor = is_minor};
    if (is_minor)
        return;
    if (is_plain)
        write_decimal(tick->label, k > 0 ? (int64_t)value : m, k < 0 ? -k : 0);
    else if (m != 1)
        snprintf(tick->label, sizeof tick->label, "%d" DOT "10^{%s%d}", m, k < 0 ? MINUS : "",
                 abs(k));
    else
        snprintf(tick->label, sizeof tick->label, "10^{%s%d}", k < 0 ? MINUS : "", abs(k));
}

// One tick for every so many decades, and small ones between.
static void decade_ticks(Ticks *t, double from, double to, int wanted)
{
    const int first = exponent_of(from), last = exponent_of(to) + 1;
    static const int multiples[] = {1, 2, 3, 5, 10, 20, 50, 100, 200};
    size_t choice = 0;
    while ((last - first) / multiples[choice] > wanted &&
           choice + 1 < sizeof multiples / sizeof *multiples)
        choice++;
    const int every = multiples[choice];
    const bool has_minor = every == 1 && (last - first) * 9 < TICKS_MOST;
    for (int k = first; k <= last; k++) {
        if (k % every == 0)
            add_tick(t, from, to, 1, k, false, false);
        for (int m = 2; m < 10 && has_minor; m++)
            add_tick(t, from, to, m, k, true, false);
    }
}

static size_t count_major(const Ticks *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->count; i++)
        count += !t->ticks[i].is_minor;
    return count;
}

static void logarithmic_ticks(Ticks *t, double from, double to, int wanted, const char *unit)
{
    decade_ticks(t, from, to, wanted);
    if (count_major(t) >= 2)
        return;
    *t = (Ticks){0};
    const int first = exponent_of(from), last = exponent_of(to);
    for (int k = first; k <= last; k++)
        for (int m = 1; m < 10; m++)
            add_tick(t, from, to, m, k, m != 1 && m != 2 && m != 5, first >= -3 && last <= 3);
    if (count_major(t) >= 2)
        return;
    enough_linear_ticks(t, from, to, wanted, unit);
}

Ticks ticks_whole(double from, int count)
{
    Ticks ticks = {0};
    for (int i = 0; i < count && i < TICKS_MOST; i++) {
        Tick *t = &ticks.ticks[ticks.count++];
        t->value = from + i;
        snprintf(t->label, sizeof t->label, "%s%.0f", t->value < 0.0 ? MINUS : "", fabs(t->value));
    }
    return ticks;
}

Ticks ticks_boolean(void)
{
    return (Ticks){.ticks = {{.value = 0.0, .label = "false"}, {.value = 1.0, .label = "true"}},
                   .count = 2};
}

Ticks ticks_make(PlotScale scale, double from, double to, int wanted, const char *unit)
{
    Ticks t = {0};
    if (wanted < 2)
        wanted = 2;
    if (wanted > TICKS_MOST / 4)
        wanted = TICKS_MOST / 4;
    if (scale == PLOT_LOGARITHMIC)
        logarithmic_ticks(&t, from, to, wanted, unit);
    else
        enough_linear_ticks(&t, from, to, wanted, unit);
    return t;
}
