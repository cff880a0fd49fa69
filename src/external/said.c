// SPDX-License-Identifier: MIT
//
// What is said: Streams.print, and the calls that would write files, which are left
// out with a warning. The texts are kept for whoever runs the model; nothing is written here.

#include "base/message.h"
#include "external/functions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void said_give(ExternalCall *call, const char *text)
{
    if (!call->printed) {
        store_say(call->store, NAN, false, text);
        return;
    }
    const size_t size = strlen(text) + 1;
    *call->printed = malloc(size);
    if (*call->printed)
        memcpy(*call->printed, text, size);
}

static void said_left_out(ExternalCall *call, const char *what, const char *file)
{
    char *text = NULL;
    message_set(&text, "a model does not write files: '%s' is not %s", file, what);
    store_say(call->store, NAN, true, message_text(text));
    free(text);
}

// ModelicaInternal_print(string, file); no file: for the reader
bool said_text(ExternalCall *call)
{
    if (*external_text(call, 1))
        said_left_out(call, "written", external_text(call, 1));
    else
        said_give(call, external_text(call, 0));
    return true;
}

// ModelicaInternal_removeFile(file): a file that is not there need not be removed.
bool said_remove(ExternalCall *call)
{
    if (access(external_text(call, 0), F_OK) != 0) // (to open a pipe might take for ever)
        return true;
    said_left_out(call, "removed", external_text(call, 0));
    return true;
}

// ModelicaIO_writeRealMatrix(file, name, matrix, rows, columns, append, format) = success
bool said_matrix(ExternalCall *call)
{
    said_left_out(call, "written", external_text(call, 0));
    external_set(call, 7, 0.0);
    return true;
}
