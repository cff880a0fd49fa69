// SPDX-License-Identifier: MIT
//
// The table of external functions: see external.h.

#include "external/external.h"

#include "base/message.h"
#include "external/functions.h"

#include <stdarg.h>
#include <stdio.h>

static const ExternalInfo external_table[] = {
#define X(name, signature, function) {#name, signature, function, NULL},
    EXTERNAL_LIST(X)
#undef X
        {NULL, NULL, NULL, NULL},
};

static const ExternalInfo forwards[] = {
#define X(name, signature, function) {#name, signature, function, NULL},
    EXTERNAL_FORWARD_LIST(X)
#undef X
        {NULL, NULL, NULL, NULL},
};

static const struct {
    const char *name, *reason;
} refused[] = {
    {"ModelicaInternal_mkdir", "a model does not make folders"},
    {"ModelicaInternal_rmdir", "a model does not remove folders"},
    {"ModelicaInternal_rename", "a model does not rename files"},
    {"ModelicaInternal_copyFile", "a model does not write files"},
    {"ModelicaInternal_temporaryFileName", "a model does not write files"},
    {"ModelicaInternal_chdir", "a model does not change the working directory"},
    {"ModelicaInternal_setenv", "a model does not change the environment"},
    {"system", "a model does not run commands"},
};

const ExternalInfo *external_find(const char *name)
{
    for (const ExternalInfo *info = external_table; info->name; info++)
        if (strcmp(info->name, name) == 0)
            return info;
    return NULL;
}

const ExternalInfo *external_forward(const ExternalInfo *info)
{
    for (const ExternalInfo *f = forwards; f->name; f++)
        if (strcmp(f->name, info->name) == 0)
            return f;
    return info->forward;
}

bool external_is_reader(const ExternalInfo *info)
{
    return strncmp(info->name, "ModelicaInternal_", 17) == 0 ||
           strncmp(info->name, "ModelicaStreams_", 16) == 0 ||
           strncmp(info->name, "ModelicaIO_", 11) == 0;
}

bool external_is_impure(const ExternalInfo *info)
{
    return info->signature[0] == '!' || external_prints(info);
}

bool external_prints(const ExternalInfo *info)
{
    return info->signature[0] == '?';
}

const char *external_refusal(const char *name)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(refused[i].name, name) == 0)
            return refused[i].reason;
    return NULL;
}

char external_letter(const char *signature, uint32_t index, bool *is_written)
{
    *is_written = false;
    for (const char *s = signature; *s; s++) {
        if (*s == '!' || *s == '?')
            continue;
        if (*s == '>' || *s == '&') {
            *is_written = true;
            continue;
        }
        if (index-- == 0)
            return *s;
        *is_written = false;
    }
    return 0;
}

uint32_t external_argument_count(const char *signature)
{
    uint32_t count = 0;
    for (const char *s = signature; *s; s++)
        count += *s != '>' && *s != '&' && *s != '!' && *s != '?';
    return count;
}

bool external_has_result(const char *signature)
{
    return strchr(signature, '>') != NULL;
}

bool external_fail(ExternalCall *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_set_arguments(&call->message, format, arguments);
    va_end(arguments);
    call->has_failed = true;
    return false;
}
