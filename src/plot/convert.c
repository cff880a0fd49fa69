// SPDX-License-Identifier: MIT

#include "plot/convert.h"

#include "base/message.h"
#include "results/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM "rsvg-convert"

extern char **environ;

bool convert_format(const char *path, ConvertFormat *format)
{
    static const char *const ends[] = {
        [CONVERT_SVG] = ".svg", [CONVERT_PNG] = ".png", [CONVERT_PDF] = ".pdf"};
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > 4 && strcmp(path + length - 4, ends[i]) == 0) {
            *format = (ConvertFormat)i;
            return true;
        }
    return false;
}

// ---------------------------------------------------------------------------
// The program
// ---------------------------------------------------------------------------

// Runs the program with `input` as standard input and `output` as standard output, both
// descriptors; what it says goes nowhere. Returns its exit status, or -1 if it cannot be run.
static int run_program(char *const arguments[], int input, int output)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -1;
    const bool is_set =
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0;
    if (is_set && posix_spawnp(&child, PROGRAM, &actions, NULL, arguments, environ) == 0) {
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        // A shell's, and posix_spawn's where it cannot tell otherwise, for "not found".
        status = WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

// Lets the program write `svg` (rewound) to the stream.
static bool plot_convert_convert(ConvertFormat format, FILE *svg, FILE *out, double dpi,
                                 char **message)
{
    char resolution[32];
    snprintf(resolution, sizeof resolution, "%d", (int)dpi);
    char program[] = PROGRAM, f[] = "-f", d[] = "-d", p[] = "-p", png[] = "png", pdf[] = "pdf";
    char *const arguments[] = {program,    f,   format == CONVERT_PNG ? png : pdf, d, resolution, p,
                               resolution, NULL};
    fflush(out);
    const int status = run_program(arguments, fileno(svg), fileno(out));
    if (status < 0)
        message_set(message, "PNG, PDF and GIF need the program " PROGRAM
                             " (Debian: apt-get install librsvg2-bin); SVG needs nothing");
    else if (status > 0)
        message_set(message, PROGRAM " failed with exit status %d", status);
    return status == 0;
}

// What there is in a stream, from its beginning; NULL: it cannot be read.
static uint8_t *convert_read_all(Arena *arena, FILE *stream, size_t *length)
{
    long size;
    if (fseek(stream, 0, SEEK_END) != 0 || (size = ftell(stream)) < 0)
        return NULL;
    rewind(stream);
    uint8_t *bytes = arena_array(arena, (size_t)size + 1, 1);
    *length = bytes ? fread(bytes, 1, (size_t)size, stream) : 0;
    return bytes && *length == (size_t)size ? bytes : NULL;
}

const uint8_t *convert_pixels(Arena *arena, String svg, size_t *length, char **message)
{
    FILE *text = tmpfile(), *png = tmpfile();
    const uint8_t *bytes = NULL;
    if (text && png && fwrite(svg.text, 1, svg.length, text) == svg.length && fflush(text) == 0 &&
        fseek(text, 0, SEEK_SET) == 0 &&
        plot_convert_convert(CONVERT_PNG, text, png, 96.0, message))
        bytes = convert_read_all(arena, png, length);
    if (!bytes && !*message)
        message_set(message, "cannot write a temporary file");
    if (text)
        fclose(text);
    if (png)
        fclose(png);
    return bytes;
}

// ---------------------------------------------------------------------------
// Files
// ---------------------------------------------------------------------------

static bool write_converted(AtomicFile *file, ConvertFormat format, String svg, double dpi,
                            char **message)
{
    FILE *text = tmpfile();
    bool is_fine = text && fwrite(svg.text, 1, svg.length, text) == svg.length &&
                   fseek(text, 0, SEEK_SET) == 0 && fflush(text) == 0;
    if (!is_fine)
        message_set(message, "cannot write a temporary file: %s", strerror(errno));
    is_fine = is_fine && plot_convert_convert(format, text, file->stream, dpi, message);
    if (text)
        fclose(text);
    return is_fine;
}

bool convert_write(const char *path, String svg, double dpi, char **message)
{
    ConvertFormat format = CONVERT_SVG;
    AtomicFile file;
    if (path && strcmp(path, "-") != 0 && !convert_format(path, &format))
        return message_set(message, "'%s': the name must end in .svg, .png or .pdf", path);
    if (!atomic_open(&file, path, message))
        return false;
    if (format == CONVERT_SVG) {
        fwrite(svg.text, 1, svg.length, file.stream);
    } else if (!write_converted(&file, format, svg, dpi, message)) {
        atomic_discard(&file);
        return false;
    }
    return atomic_commit(&file, message);
}
