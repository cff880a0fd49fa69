// SPDX-License-Identifier: MIT

#define _DEFAULT_SOURCE // MADV_DONTNEED

#include "studies/spill.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Below this there is no use in a file.
enum { SPILL_LEAST = 4 << 20 };

// A file that is there as long as it is open. -1: none can be made.
static int spill_open(void)
{
    const char *folder = getenv("TMPDIR");
    char path[512];
    const int length =
        snprintf(path, sizeof path, "%s/saltus-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = length > 0 && (size_t)length < sizeof path ? mkstemp(path) : -1;
    if (file >= 0)
        unlink(path);
    return file;
}

// All of it is reserved: a page that found no room on the disk later would end the process.
static void *spill_map(size_t bytes)
{
    const int file = spill_open();
    if (file < 0)
        return NULL;
    void *memory = posix_fallocate(file, 0, (off_t)bytes) == 0
                       ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
    close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

Spill spill_create(size_t count, size_t size)
{
    Spill s = {0};
    if (size > 0 && count > SIZE_MAX / size)
        return s;
    s.size = count * size;
    if (s.size >= SPILL_LEAST)
        s.memory = spill_map(s.size);
    s.is_file = s.memory != NULL;
    if (!s.memory)
        s.memory = calloc(s.size + 1, 1);
    return s;
}

void spill_free(Spill *s)
{
    if (s->is_file)
        munmap(s->memory, s->size);
    else
        free(s->memory);
    *s = (Spill){0};
}

void spill_relieve(const Spill *s)
{
    if (s->is_file)
        madvise(s->memory, s->size, MADV_DONTNEED);
}
