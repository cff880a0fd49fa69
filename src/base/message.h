// SPDX-License-Identifier: MIT
//
// Messages. Functions hand them out as texts of any length, through a `char **`: NULL at first, and
// to be freed by who asked. Errors that are passed by value have them in buffers of a fixed size:
// one that is too long loses its middle there, for "...": the beginning says what is wrong, the end
// why or where. Characters stay whole.

#ifndef SALTUS_BASE_MESSAGE_H
#define SALTUS_BASE_MESSAGE_H

#include "base/text.h"

// In place of what is there, which may be among the arguments. Without memory it is NULL. Returns
// false, so that `return message_set(...)` says that something failed. `to` may be NULL: nobody
// asks.
bool message_set(char **to, const char *format, ...) TEXT_FORMAT(2, 3);
// Behind what is there.
void message_add(char **to, const char *format, ...) TEXT_FORMAT(2, 3);
void message_add_arguments(char **to, const char *format, va_list arguments);
// What is to be said: where there was no memory for the message, that is what is wrong.
const char *message_text(const char *message);

// Where there is room for `size` bytes, with the zero at the end; no argument may be in it.
void message_write(char *to, size_t size, const char *format, ...) TEXT_FORMAT(3, 4);
// Behind what is there already; both together lose their middle.
void message_more(char *to, size_t size, const char *format, ...) TEXT_FORMAT(3, 4);
// Behind the first `begin` bytes of what is there.
void message_arguments(char *to, size_t size, size_t begin, const char *format, va_list arguments);

#endif
