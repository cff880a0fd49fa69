// SPDX-License-Identifier: MIT
//
// Messages in buffers of a fixed size, as errors have them that are passed by value. One that is
// too long loses its middle, for "...": the beginning says what is wrong, the end why or where.
// Characters stay whole.

#ifndef SALTUS_BASE_MESSAGE_H
#define SALTUS_BASE_MESSAGE_H

#include "base/text.h"

// Where there is room for `size` bytes, with the zero at the end; no argument may be in it.
void message_write(char *to, size_t size, const char *format, ...) TEXT_FORMAT(3, 4);
// Behind what is there already; both together lose their middle.
void message_more(char *to, size_t size, const char *format, ...) TEXT_FORMAT(3, 4);
// Behind the first `begin` bytes of what is there.
void message_arguments(char *to, size_t size, size_t begin, const char *format, va_list arguments);

#endif
