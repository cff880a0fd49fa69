// SPDX-License-Identifier: MIT

#define _GNU_SOURCE // fopencookie
#include "cli/terminal.h"

#include "base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The length of a colour as messages have them (base/diagnostics.c); 0: it is something else, as a
// sequence that conceals text is.
static size_t terminal_colour(const char *text, size_t length)
{
    static const char *const own[] = {"\033[0m",    "\033[1m",    "\033[34m",
                                      "\033[1;31m", "\033[1;35m", "\033[1;36m"};
    for (size_t i = 0; length > 0 && text[0] == '\033' && i < sizeof own / sizeof *own; i++)
        if (length >= strlen(own[i]) && memcmp(text, own[i], strlen(own[i])) == 0)
            return strlen(own[i]);
    return 0;
}

// C0 but line feed, tabulator, carriage return; DEL; C1, U+0080 to U+009F; what turns the direction
// of the text around it, U+202A to U+202E and U+2066 to U+2069.
static bool terminal_is_control(const unsigned char *c, size_t length)
{
    if (length == 1)
        return (c[0] < 0x20 && c[0] != '\n' && c[0] != '\t' && c[0] != '\r') || c[0] == 0x7f;
    if (length == 2)
        return c[0] == 0xc2 && c[1] < 0xa0;
    return length == 3 && c[0] == 0xe2 &&
           ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
            (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

void terminal_clean(char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const size_t colour = terminal_colour(text + i, length - i);
        const size_t character = utf8_length(text + i, length - i);
        if (colour == 0 &&
            (character == 0 || terminal_is_control((unsigned char *)text + i, character)))
            memset(text + i, '?', character ? character : 1);
        i += colour ? colour : character ? character : 1;
    }
}

// The first so many bytes or fewer: no character is cut.
static size_t terminal_whole(const char *text, size_t length, size_t most)
{
    size_t count = length < most ? length : most;
    while (count > 1 && count < length && ((unsigned char)text[count] & 0xc0) == 0x80)
        count--;
    return count;
}

#if defined(__GLIBC__)

// The cookie is the number of the descriptor.
static ssize_t terminal_write(void *cookie, const char *text, size_t length)
{
    char clean[4096];
    const int descriptor = (int)(intptr_t)cookie;
    size_t done = 0;
    while (done < length) {
        const size_t count = terminal_whole(text + done, length - done, sizeof clean);
        memcpy(clean, text + done, count);
        terminal_clean(clean, count);
        for (size_t sent = 0; sent < count;) {
            const ssize_t n = write(descriptor, clean + sent, count - sent);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0)
                return 0; // an error of the stream
            sent += (size_t)n;
        }
        done += count;
    }
    return (ssize_t)length;
}

static FILE *terminal_open(int descriptor, int buffering)
{
    const cookie_io_functions_t functions = {.write = terminal_write};
    FILE *file = fopencookie((void *)(intptr_t)descriptor, "w", functions);
    if (file)
        setvbuf(file, NULL, buffering, BUFSIZ);
    return file;
}

void terminal_protect(void)
{
    // A line at a time, as far as a message goes: sequences stay in one piece.
    FILE *error = terminal_open(STDERR_FILENO, _IONBF);
    if (error)
        stderr = error;
    FILE *output = isatty(STDOUT_FILENO) ? terminal_open(STDOUT_FILENO, _IOLBF) : NULL;
    if (output)
        stdout = output;
}

#else

void terminal_protect(void) {}

#endif
