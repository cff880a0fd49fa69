// SPDX-License-Identifier: MIT

#include "fmi/disk.h"

#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

char *disk_read(const char *path, long most, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size = 0;
    bool is_fine = file && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0;
    if (is_fine && size > most) {
        errno = EFBIG;
        is_fine = false;
    }
    if (is_fine) {
        rewind(file);
        bytes = malloc((size_t)size + 1);
        is_fine = bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size;
    }
    if (file)
        fclose(file);
    if (!is_fine) {
        free(bytes);
        return NULL;
    }
    bytes[size] = '\0';
    *length = (size_t)size;
    return bytes;
}

static int disk_remove_one(const char *path, const struct stat *info, int flag, struct FTW *base)
{
    (void)info, (void)flag, (void)base;
    return remove(path);
}

void disk_remove(const char *folder)
{
    nftw(folder, disk_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
