// SPDX-License-Identifier: MIT

#define _GNU_SOURCE // dladdr

#include "fmu/location.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int location_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// Where the path of a URI begins: file:/a, file:///a, file://host/a. NULL: it is none of a file.
static const char *location_path(const char *uri)
{
    static const char scheme[] = "file:";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return NULL;
    const char *path = uri + sizeof scheme - 1;
    if (path[0] == '/' && path[1] == '/')
        path = strchr(path + 2, '/');
    return path && path[0] == '/' ? path : NULL;
}

char *location_folder(const char *location)
{
    if (!location)
        return NULL;
    const bool is_uri = strstr(location, "://") || strncmp(location, "file:", 5) == 0;
    const char *from = is_uri ? location_path(location) : location;
    char *folder = from ? malloc(strlen(from) + 1) : NULL;
    if (!folder)
        return NULL;
    char *to = folder;
    for (; *from; from++) {
        const int high = is_uri && *from == '%' ? location_digit(from[1]) : -1;
        const int low = high >= 0 ? location_digit(from[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *from;
        from += low >= 0 ? 2 : 0;
    }
    while (to > folder + 1 && to[-1] == '/')
        to--;
    *to = '\0';
    return folder;
}

char *location_modes(void)
{
    static const char place = 0; // an address in this library
    static const char name[] = "modes";
    Dl_info info;
    const char *slash =
        dladdr(&place, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    const size_t length = slash ? (size_t)(slash - info.dli_fname) + 1 : 0;
    char *folder = slash ? malloc(length + sizeof name) : NULL;
    if (!folder)
        return NULL;
    memcpy(folder, info.dli_fname, length);
    memcpy(folder + length, name, sizeof name);
    return folder;
}
