// SPDX-License-Identifier: MIT
//
// Messages: texts of any length, which functions hand out through a `char **` (NULL: nobody asks),
// to be freed by who asked. One that there was no memory for is NULL, whatever is added to it: a
// message is whole or says that memory is lacking, and is never torn.

#ifndef SALTUS_BASE_MESSAGE_H
#define SALTUS_BASE_MESSAGE_H

#include "base/text.h"
#include <saltus/saltus.h>

// In place of what is there, which may be among the arguments. Without memory it is NULL. Returns
// false, so that `return message_set(...)` says that something failed. `to` may be NULL: nobody
// asks.
bool message_set(char **to, const char *format, ...) TEXT_FORMAT(2, 3);
// Behind what is there; nothing where there is nothing.
void message_add(char **to, const char *format, ...) TEXT_FORMAT(2, 3);
void message_set_arguments(char **to, const char *format, va_list arguments);
// What is to be said: where there was no memory for the message, that is what is wrong.
const char *message_text(const char *message);

// What the public interface hands out to be filled: see saltus_say.
struct SaltusMessage {
    char *text;
    bool is_begun;
};

#endif
