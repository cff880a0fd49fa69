// SPDX-License-Identifier: MIT
//
// Reading: a significand below 2^53 and a power of ten up to 10^22 are exact doubles, so one
// multiplication or division rounds correctly (Clinger, "How to read floating point numbers
// accurately", 1990). Everything else goes to strtod, rewritten as integer digits and an exponent
// so that the locale's decimal point never matters.

#include "base/number.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parts of a decimal number: 0.DIGITS is never formed, value = digits * 10^exponent.
typedef struct Decimal {
    const char *digits; // with at most one '.' among them
    size_t length;
    uint64_t significand; // of the first 19 significant digits
    int significant;      // digits that went into the significand
    bool is_cut;          // there were more
    long exponent;        // of the significand
} Decimal;

static bool number_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_digit(Decimal *d, char c, bool is_fraction)
{
    if (d->significant < 19) {
        d->significand = d->significand * 10 + (uint64_t)(c - '0');
        d->significant += d->significand != 0;
        d->exponent -= is_fraction;
    } else {
        d->is_cut |= c != '0';
        d->exponent += !is_fraction;
    }
}

static bool number_split(const char *text, size_t length, Decimal *d, long *power)
{
    const char *s = text, *end = text + length;
    size_t digits = 0;
    *d = (Decimal){.digits = text};
    for (; s < end && number_is_digit(*s); s++, digits++)
        add_digit(d, *s, false);
    if (s < end && *s == '.')
        for (s++; s < end && number_is_digit(*s); s++, digits++)
            add_digit(d, *s, true);
    d->length = (size_t)(s - text);
    *power = 0;
    if (digits == 0)
        return false;
    if (s < end && (*s == 'e' || *s == 'E')) {
        bool is_negative = ++s < end && *s == '-';
        s += s < end && (*s == '-' || *s == '+');
        if (s == end)
            return false;
        for (; s < end && number_is_digit(*s); s++)
            if (*power < 100000000)
                *power = *power * 10 + (*s - '0');
        if (is_negative)
            *power = -*power;
    }
    return s == end;
}

// No double, and no middle between two, has more significant digits than 767; of what follows it
// matters only whether it is zero.
enum { ENOUGH_DIGITS = 770 };

static double read_slowly(const Decimal *d, long power)
{
    char buffer[ENOUGH_DIGITS + 32];
    size_t n = 0;
    bool after_point = false, has_rest = false;
    for (size_t i = 0; i < d->length; i++) {
        char c = d->digits[i];
        if (c == '.') {
            after_point = true;
        } else if (n == ENOUGH_DIGITS) {
            has_rest |= c != '0';
            power += !after_point;
        } else {
            if (n > 0 || c != '0')
                buffer[n++] = c;
            power -= after_point;
        }
    }
    if (has_rest) {
        buffer[n++] = '1';
        power--;
    }
    snprintf(buffer + n, 32, "e%ld", power);
    int saved = errno;
    double value = strtod(buffer, NULL);
    errno = saved;
    return value;
}

bool number_read(const char *text, size_t length, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    Decimal d;
    long power;
    if (!number_split(text, length, &d, &power))
        return false;
    long exponent = d.exponent + power;
    if (d.significand == 0 && !d.is_cut) {
        *value = 0.0;
        return true;
    }
    if (!d.is_cut && d.significand < (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22) {
        double x = (double)d.significand;
        *value = exponent < 0 ? x / powers[-exponent] : x * powers[exponent];
        return true;
    }
    *value = read_slowly(&d, power);
    return true;
}

// ---------------------------------------------------------------------------
// Seventeen digits
// ---------------------------------------------------------------------------

static size_t print_slowly(double value, char out[NUMBER_LENGTH])
{
    const int length = snprintf(out, NUMBER_LENGTH, "%.17g", value);
    char *comma = strchr(out, ',');
    if (comma)
        *comma = '.';
    return (size_t)length;
}

// |value| = digits * 10^(exponent - 16) with 17 digits. 10^27 and below are exact with the 64 bits
// of an extended double, so two operations are wrong by 0.01 of the last digit at most. False where
// that may matter: the rounding then takes exact arithmetic.
static bool find_digits(double value, uint64_t *digits, int *exponent)
{
    static const long double powers_of_ten[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                                1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                                1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                                1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    enum { MOST = 27 };
    int binary;
    (void)frexp(value, &binary);
    *exponent = (int)floor((binary - 1) * 0.30102999566398119521); // or one less than it should be
    long double x = fabs(value);
    for (int round = 0; round < 2; round++) {
        const int scale = 16 - *exponent, first = scale < MOST ? scale : MOST;
        if (scale < -MOST || scale > 2 * MOST)
            return false;
        x = fabs(value);
        x = scale < 0 ? x / powers_of_ten[-scale]
                      : x * powers_of_ten[first] * powers_of_ten[scale - first];
        if (x < 1e17L)
            break;
        ++*exponent;
    }
    const uint64_t whole = (uint64_t)x;
    const double rest = (double)(x - (long double)whole);
    *digits = whole + (rest > 0.5);
    return fabs(rest - 0.5) > 0.02 && *digits > UINT64_C(10000000000000001) &&
           *digits < UINT64_C(99999999999999998);
}

// What is whole and has at most nine digits.
static size_t print_whole(double value, char out[NUMBER_LENGTH])
{
    char text[10];
    size_t count = 0, length = 0;
    uint32_t rest = (uint32_t)fabs(value);
    do
        text[count++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (signbit(value))
        out[length++] = '-';
    while (count > 0)
        out[length++] = text[--count];
    out[length] = '\0';
    return length;
}

size_t number_print(double value, char out[NUMBER_LENGTH])
{
    enum { DIGITS = 17 };
    static const double most_whole = 999999999.0;
    uint64_t digits;
    int exponent;
    if (fabs(value) <= most_whole && value == (double)(int32_t)value)
        return print_whole(value, out);
    if (LDBL_MANT_DIG < 64 || !isfinite(value) || !find_digits(value, &digits, &exponent))
        return print_slowly(value, out);
    char text[DIGITS];
    uint32_t half[2] = {(uint32_t)(digits / 100000000), (uint32_t)(digits % 100000000)};
    for (int k = DIGITS; k-- > 0; half[k > 8] /= 10) // nine digits and eight
        text[k] = (char)('0' + half[k > 8] % 10);
    int count = DIGITS; // without zeros at the end
    while (count > 1 && text[count - 1] == '0')
        count--;
    char *to = out;
    if (value < 0.0)
        *to++ = '-';
    const bool is_plain = exponent >= -4 && exponent < DIGITS;
    const int before = is_plain ? exponent + 1 : 1; // digits before the point, if any
    if (before <= 0) {
        memcpy(to, "0.0000", (size_t)(2 - before));
        to += 2 - before;
    }
    for (int k = 0; k < count || k < before; k++) {
        if (k == before && k > 0)
            *to++ = '.';
        *to++ = text[k];
    }
    if (!is_plain)
        to += snprintf(to, 8, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
    *to = '\0';
    return (size_t)(to - out);
}

size_t number_write(double value, char out[NUMBER_LENGTH])
{
    size_t n = 0;
    for (int precision = 1; precision <= 17; precision++) {
        double back;
        int length = snprintf(out, NUMBER_LENGTH, "%.*e", precision - 1, value);
        n = (size_t)length;
        char *digits = out + (out[0] == '-');
        if (precision > 1)
            digits[1] = '.'; // whatever the locale has there
        if (number_read(digits, n - (size_t)(digits - out), &back) &&
            (out[0] == '-' ? -back : back) == value)
            break;
    }
    // Numbers of ordinary size read better without an exponent: 0.001, 1.5, 12300.0
    char *mark = strchr(out, 'e');
    long exponent = strtol(mark + 1, NULL, 10);
    if (exponent < -4 || exponent > 15)
        return (size_t)(mark - out) + (size_t)snprintf(mark, 8, "e%ld", exponent);
    char plain[NUMBER_LENGTH];
    int digits = (int)(mark - out) - (out[0] == '-');
    int significant = digits > 1 ? digits - 1 : 1;
    int decimals = significant - 1 - (int)exponent;
    int length = snprintf(plain, sizeof plain, "%.*f", decimals > 1 ? decimals : 1, value);
    for (int i = 0; i < length; i++)
        if (!number_is_digit(plain[i]) && plain[i] != '-')
            plain[i] = '.';
    memcpy(out, plain, (size_t)length + 1);
    return (size_t)length;
}
