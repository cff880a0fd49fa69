// SPDX-License-Identifier: MIT
//
// ModelicaInternal_, ModelicaStreams_, ModelicaIO_: what reads files. Nothing writes: see the
// refusals in external.c.

#include "external/chart.h"
#include "external/functions.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static bool files_give(ExternalCall *call, uint32_t index, const char *text, size_t length)
{
    if (!call->arena)
        return external_fail(call, "a String cannot be made while the model runs");
    call->arguments[index].texts[0] = arena_copy_text(call->arena, text, length);
    return true;
}

// An absolute name, without symbolic links if the file exists.
bool files_full_name(ExternalCall *call)
{
    const char *name = external_text(call, 0);
    char *real = realpath(name, NULL);
    if (real) {
        const bool is_fine = files_give(call, 1, real, strlen(real));
        free(real);
        return is_fine;
    }
    if (*name == '/')
        return files_give(call, 1, name, strlen(name));
    char *folder = realpath(".", NULL);
    if (!folder || !call->arena)
        return external_fail(call, "the working directory has no name");
    StringBuilder text = builder_create(call->arena);
    builder_append_format(&text, "%s/%s", folder, name);
    free(folder);
    call->arguments[1].texts[0] = builder_string(&text).text;
    return true;
}

// 1 none, 2 a regular file, 3 a directory, 4 something else: the literals of Types.FileType.
bool files_kind(ExternalCall *call)
{
    struct stat s;
    const bool exists = stat(external_text(call, 0), &s) == 0;
    external_set(call, 1, !exists ? 1 : S_ISREG(s.st_mode) ? 2 : S_ISDIR(s.st_mode) ? 3 : 4);
    return true;
}

bool files_close(ExternalCall *call)
{
    (void)call; // none is open
    return true;
}

FILE *files_open(ExternalCall *call, const char *path)
{
    // A pipe or a device would be waited for, or have no end.
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat s;
    FILE *file = NULL;
    if (descriptor < 0)
        external_fail(call, "'%s' cannot be read: %s", path, strerror(errno));
    else if (fstat(descriptor, &s) != 0 || !S_ISREG(s.st_mode))
        external_fail(call, "'%s' cannot be read: it is no regular file", path);
    else if (!store_may_read(call->store, path))
        external_fail(call,
                      "'%s' is not read: it is neither below the working directory nor below the "
                      "folder of a file that was given",
                      path);
    else if (!(file = fdopen(descriptor, "rb")))
        external_fail(call, "'%s' cannot be read: %s", path, strerror(errno));
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

// Calls visit with every line of a file, without its end, until that is false.
static bool files_lines(ExternalCall *call,
                        bool (*visit)(ExternalCall *, uint32_t, const char *, size_t))
{
    FILE *file = files_open(call, external_text(call, 0));
    if (!file)
        return false;
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    for (uint32_t number = 1; (length = getline(&line, &room, file)) >= 0; number++) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            length--;
        if (!visit(call, number, line, (size_t)length))
            break;
    }
    free(line);
    fclose(file);
    return !call->has_failed;
}

static bool files_count_line(ExternalCall *call, uint32_t number, const char *line, size_t length)
{
    (void)line;
    (void)length;
    external_set(call, 1, number);
    return true;
}

bool files_count(ExternalCall *call)
{
    external_set(call, 1, 0.0);
    return files_lines(call, files_count_line);
}

static bool files_take_line(ExternalCall *call, uint32_t number, const char *line, size_t length)
{
    if (number != external_number(call, 1))
        return true;
    external_set(call, 2, 0.0);
    files_give(call, 3, line, length);
    return false;
}

// readLine(file, number, end of file) > line
bool files_line(ExternalCall *call)
{
    external_set(call, 2, 1.0);
    return files_give(call, 3, "", 0) && files_lines(call, files_take_line);
}

static bool files_keep_line(ExternalCall *call, uint32_t number, const char *line, size_t length)
{
    if (!call->arena)
        return external_fail(call, "a String cannot be made while the model runs");
    if (number > call->arguments[1].count)
        return false;
    call->arguments[1].texts[number - 1] = arena_copy_text(call->arena, line, length);
    return true;
}

// readFile(file, lines, how many)
bool files_read(ExternalCall *call)
{
    return files_lines(call, files_keep_line);
}

// readMatrixSizes(file, matrix, sizes)
bool files_matrix_size(ExternalCall *call)
{
    double *values = NULL;
    uint32_t rows = 0, columns = 0;
    const bool is_fine = chart_read(call, external_text(call, 0), external_text(call, 1), ",", 0,
                                    &values, &rows, &columns);
    free(values);
    if (!is_fine || call->arguments[2].count != 2)
        return is_fine && external_fail(call, "a matrix has two sizes");
    call->arguments[2].numbers[0] = rows;
    call->arguments[2].numbers[1] = columns;
    return true;
}

// readRealMatrix(file, matrix, values, rows, columns, verbose)
bool files_matrix(ExternalCall *call)
{
    double *values = NULL;
    uint32_t rows = 0, columns = 0;
    bool is_fine = chart_read(call, external_text(call, 0), external_text(call, 1), ",", 0, &values,
                              &rows, &columns);
    const ExternalArgument *to = &call->arguments[2];
    if (is_fine && (to->rank != 2 || to->dims[0] != rows || to->dims[1] != columns))
        is_fine = external_fail(call, "matrix '%s' of '%s' has %u rows and %u columns",
                                external_text(call, 1), external_text(call, 0), rows, columns);
    if (is_fine)
        memcpy(to->numbers, values, (size_t)rows * columns * sizeof *values);
    free(values);
    return is_fine;
}
