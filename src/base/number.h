// SPDX-License-Identifier: MIT
//
// Decimal numbers to doubles and back, correctly rounded and independent of the locale.

#ifndef SALTUS_BASE_NUMBER_H
#define SALTUS_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

// Reads `length` bytes of the form digits [. digits] [e [+|-] digits] or . digits ...
// False if they have another form. Too large: infinity; too small: 0 or subnormal.
bool number_read(const char *text, size_t length, double *value);

enum { NUMBER_LENGTH = 32 };
// The shortest text that reads back as the same finite double. It always has a '.' or an 'e', so
// that it is a Real in Modelica. Returns its length.
size_t number_write(double value, char out[NUMBER_LENGTH]);
// The text that printf has for "%.17g" in the "C" locale, some times faster. Returns its length.
size_t number_print(double value, char out[NUMBER_LENGTH]);

#endif
