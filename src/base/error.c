// SPDX-License-Identifier: MIT

#include "base/error.h"

#include <math.h>
#include <stdlib.h>

// The message is the one in its memory.
static void error_take(SaltusError *error)
{
    error->message = message_text(error->memory);
}

SaltusStatus error_set(SaltusError *error, SaltusStatus status, const char *format, ...)
{
    if (!error)
        return status;
    *error = (SaltusError){.status = status, .time = NAN, .mode = -1, .event = -1, .message = ""};
    if (status == SALTUS_OK)
        return status;
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&error->memory, format, arguments);
    va_end(arguments);
    error_take(error);
    return status;
}

void error_word(SaltusError *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&error->memory, format, arguments);
    va_end(arguments);
    error_take(error);
}

void error_pass(SaltusError *to, SaltusError *from)
{
    if (to)
        *to = *from;
    else
        free(from->memory);
    *from = (SaltusError){.status = SALTUS_OK};
}

void error_copy(SaltusError *to, const SaltusError *from)
{
    if (!to)
        return;
    *to = *from;
    to->memory = NULL;
    if (from->message && *from->message)
        error_word(to, "%s", from->message);
}

void saltus_error_clear(SaltusError *error)
{
    free(error->memory);
    *error = (SaltusError){.status = SALTUS_OK, .message = ""};
}
