// SPDX-License-Identifier: MIT
//
// Preloaded into the command: allocation number STARVE_AT fails (with STARVE_ON=1 all after it,
// too). STARVE_COUNT names a file that gets the number of allocations at the end. With STARVE_OWN=1
// those that libraries make do not count (MPI's crash without memory).

#define _GNU_SOURCE // RTLD_NEXT, dl_iterate_phdr

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static atomic_long count, at = -1;
static atomic_int closing; // libraries
static int is_on, is_over;
static uintptr_t first, last; // of the code whose allocations count

// When the program ends, what is loaded before it does its own: gcov writes its counters then, and
// crashes without memory. So it does when a library is closed.
static void starve_relent(void)
{
    is_over = 1;
}

// The first object is the program itself.
static int find_program(struct dl_phdr_info *program, size_t size, void *user)
{
    (void)size;
    (void)user;
    first = UINTPTR_MAX;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        const uintptr_t begin = program->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        first = begin < first ? begin : first;
        last = begin + part->p_memsz > last ? begin + part->p_memsz : last;
    }
    return 1;
}

__attribute__((constructor)) static void starve_begin(void)
{
    const char *number = getenv("STARVE_AT");
    is_on = getenv("STARVE_ON") != NULL;
    last = UINTPTR_MAX;
    if (getenv("STARVE_OWN")) {
        last = 0;
        dl_iterate_phdr(find_program, NULL);
    }
    count = 0;
    at = number ? atol(number) : -1;
}

__attribute__((destructor)) static void starve_end(void)
{
    const char *path = getenv("STARVE_COUNT");
    char text[32];
    FILE *file = path ? fopen(path, "w") : NULL;
    snprintf(text, sizeof text, "%ld\n", (long)count);
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

static int is_denied(const void *caller)
{
    enum { FIRST = 8 }; // of which some are from after the start of the C library
    if (is_over || closing || (uintptr_t)caller < first || (uintptr_t)caller > last)
        return 0;
    const long limit = at, now = ++count;
    if (now <= FIRST)
        atexit(starve_relent);
    if (limit < 0 || (is_on ? now < limit : now != limit))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return is_denied(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return is_denied(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    return is_denied(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

int dlclose(void *library)
{
    int (*const next)(void *) = dlsym(RTLD_NEXT, "dlclose");
    closing++;
    const int result = next(library);
    closing--;
    return result;
}
