// SPDX-License-Identifier: MIT
//
// The compiler is a child process, without a shell. Its input and output have names of their own in
// the cache folder; the result is renamed to its digest, so many processes can do the same at once.

#include "code/native.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/process.h"
#include "base/sha256.h"
#include "code/cache.h"
#include "code/emit.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CACHED = 500 };
enum { MOST_VERSION_SECONDS = 5, MOST_COMPILING_SECONDS = 600, MOST_ENDING_SECONDS = 1 };

struct Native {
    SaltusAllocator allocator;
    Cache cache;
    NativeStatus status;
    Process compiler;
    char compiler_path[CACHE_PATH];
    char source[CACHE_PATH], object[CACHE_PATH], log[CACHE_PATH]; // temporary files
    char path[CACHE_PATH];                                        // of the result
    void *handle;
    CodeFunction *entries;
    char **names; // of the entries
    uint32_t entry_count;
    const char *language;
    const char *const *flags; // ends with NULL
    NativeStore store;
    const NativeBuiltIn *built_in;
    char *reason; // NULL: nothing failed
};

static const char *const native_flags[] = {NATIVE_FLAGS, NULL};
// Code that stays on this machine takes wider vectors; their components have the same bits.
#if defined(__x86_64__)
static const char *const native_wide_flags[] = {NATIVE_FLAGS, "-mavx2", NULL};
#endif
static const char *const stored_flags[] = {NATIVE_FLAGS, "-s", NULL}; // without temporary names

static const char *const *native_machine_flags(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2"))
        return native_wide_flags;
#endif
    return native_flags;
}

static NativeStatus native_fail(Native *n, NativeStatus status, const char *reason)
{
    message_set(&n->reason, "%s", reason);
    return n->status = status;
}

// ---------------------------------------------------------------------------
// The compiler
// ---------------------------------------------------------------------------

// As execvp would find it.
static bool native_find_program(const char *name, char path[CACHE_PATH])
{
    if (strchr(name, '/'))
        return snprintf(path, CACHE_PATH, "%s", name) < CACHE_PATH && access(path, X_OK) == 0;
    const char *list = getenv("PATH");
    while (list && *list) {
        const size_t length = strcspn(list, ":");
        const int written =
            snprintf(path, CACHE_PATH, "%.*s/%s", (int)length, length ? list : ".", name);
        if (written > 0 && written < CACHE_PATH && access(path, X_OK) == 0)
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

static void native_read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    line[0] = 0;
    if (file && fgets(line, (int)size, file))
        line[strcspn(line, "\n")] = 0;
    if (file)
        fclose(file);
}

// The first line of what the compiler says about its version. It is kept in the cache under the
// compiler's identity (real path, size, time), because asking takes milliseconds.
static void compiler_version(const Native *n, char *version, size_t size)
{
    char real[CACHE_PATH], path[CACHE_PATH], temporary[CACHE_PATH], name[SHA256_TEXT];
    unsigned char digest[SHA256_SIZE];
    struct stat s = {0};
    version[0] = 0;
    if (!realpath(n->compiler_path, real) || stat(real, &s) != 0)
        return;
    const int64_t identity[] = {(int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec,
                                (int64_t)s.st_mtim.tv_nsec};
    Sha256 hash = sha256_begin();
    sha256_add(&hash, real, strlen(real));
    sha256_add(&hash, identity, sizeof identity);
    sha256_end(&hash, digest);
    sha256_text(digest, name);
    if (!cache_path(&n->cache, name, ".compiler", path))
        return;
    native_read_line(path, version, size);
    if (version[0] || !cache_path(&n->cache, "version-XXXXXX", "", temporary))
        return;
    const int file = mkstemp(temporary);
    if (file < 0)
        return;
    close(file);
    char *arguments[] = {(char *)(uintptr_t)n->compiler_path, "--version", NULL};
    Process child = process_start(arguments, temporary, NULL);
    bool is_fine = false;
    if (child.id && process_ends_in_time(&child, MOST_VERSION_SECONDS, &is_fine) && is_fine) {
        native_read_line(temporary, version, size);
        rename(temporary, path);
    } else {
        unlink(temporary);
    }
}

// ---------------------------------------------------------------------------
// The key
// ---------------------------------------------------------------------------

static void native_add_text(Sha256 *hash, const char *text)
{
    sha256_add(hash, text, strlen(text) + 1); // with its end: "ab", "c" is not "a", "bc"
}

static void native_make_key(const Native *n, String source, char key[SHA256_TEXT])
{
    char version[256];
    unsigned char digest[SHA256_SIZE];
    Sha256 hash = sha256_begin();
    native_add_text(&hash, EMIT_VERSION);
    if (n->store == NATIVE_CACHED) {
        for (size_t i = 0; n->flags[i]; i++)
            native_add_text(&hash, n->flags[i]);
        compiler_version(n, version, sizeof version);
        native_add_text(&hash, n->compiler_path);
        native_add_text(&hash, version);
    }
    sha256_add(&hash, source.text, source.length);
    sha256_end(&hash, digest);
    sha256_text(digest, key);
}

// ---------------------------------------------------------------------------
// Loading
// ---------------------------------------------------------------------------

static NativeStatus native_load(Native *n)
{
    n->handle = dlopen(n->path, RTLD_NOW | RTLD_LOCAL);
    if (!n->handle)
        return native_fail(n, NATIVE_FAILED, dlerror());
    for (uint32_t i = 0; i < n->entry_count; i++) {
        void *symbol = dlsym(n->handle, n->names[i]);
        if (!symbol)
            return native_fail(n, NATIVE_FAILED, "the compiled code lacks a function");
        // POSIX: a pointer from dlsym can be that of a function, although C does not say so.
        memcpy(&n->entries[i], &symbol, sizeof symbol);
    }
    free(n->reason);
    n->reason = NULL;
    return n->status = NATIVE_READY;
}

// ---------------------------------------------------------------------------
// Compiling
// ---------------------------------------------------------------------------

static bool write_source(Native *n, String source)
{
    if (!cache_path(&n->cache, "source-XXXXXX", "", n->source))
        return false;
    const int descriptor = mkstemp(n->source);
    if (descriptor < 0)
        return false;
    FILE *file = fdopen(descriptor, "w");
    if (!file) {
        close(descriptor);
        return false;
    }
    const bool is_written = fwrite(source.text, 1, source.length, file) == source.length;
    return fclose(file) == 0 && is_written;
}

static NativeStatus native_compile(Native *n, String source)
{
    if (!write_source(n, source) ||
        snprintf(n->object, CACHE_PATH, "%s.so", n->source) >= CACHE_PATH ||
        snprintf(n->log, CACHE_PATH, "%s.log", n->source) >= CACHE_PATH)
        return native_fail(n, NATIVE_FAILED, "the source cannot be written");
    enum { MOST_FLAGS = 20 };
    char *arguments[MOST_FLAGS + 10];
    size_t count = 0;
    arguments[count++] = n->compiler_path;
    for (size_t i = 0; i < MOST_FLAGS && n->flags[i]; i++)
        arguments[count++] = (char *)(uintptr_t)n->flags[i];
    arguments[count++] = "-x";
    arguments[count++] = (char *)(uintptr_t)n->language;
    arguments[count++] = n->source;
    arguments[count++] = "-o";
    arguments[count++] = n->object;
    arguments[count++] = "-lm";
    arguments[count] = NULL;
    const char *reason = "";
    n->compiler = process_start(arguments, n->log, &reason);
    return n->compiler.id ? (n->status = NATIVE_COMPILING) : native_fail(n, NATIVE_FAILED, reason);
}

static void remove_temporaries(Native *n)
{
    if (n->source[0])
        unlink(n->source);
    if (n->object[0])
        unlink(n->object);
    if (n->log[0])
        unlink(n->log);
    n->source[0] = n->object[0] = n->log[0] = 0;
}

static NativeStatus native_finish(Native *n, bool is_fine)
{
    if (!is_fine || access(n->object, R_OK) != 0) {
        char line[256];
        native_read_line(n->log, line, sizeof line);
        native_fail(n, NATIVE_FAILED, line[0] ? line : "the compiler failed");
    } else if (!cache_store(n->object, n->path)) {
        native_fail(n, NATIVE_FAILED, "the compiled code cannot be stored");
    } else {
        native_load(n);
        if (n->store == NATIVE_CACHED)
            cache_evict(&n->cache, MOST_CACHED);
    }
    remove_temporaries(n);
    return n->status;
}

// ---------------------------------------------------------------------------
// Interface
// ---------------------------------------------------------------------------

static bool native_make_names(Native *n, uint32_t count)
{
    n->entry_count = count;
    n->entries = MEMORY_NEW(&n->allocator, count, CodeFunction);
    n->names = MEMORY_NEW(&n->allocator, count, char *);
    return n->entries && n->names;
}

static bool native_copy_name(Native *n, uint32_t i, const char *prefix, const char *name)
{
    const size_t size = strlen(prefix) + strlen(name) + 1;
    n->names[i] = MEMORY_NEW(&n->allocator, size, char);
    if (n->names[i])
        snprintf(n->names[i], size, "%s%s", prefix, name);
    return n->names[i] != NULL;
}

static bool native_copy_names(Native *n, const CodeModule *m)
{
    bool is_fine = native_make_names(n, m->entry_count);
    for (uint32_t i = 0; is_fine && i < m->entry_count; i++)
        is_fine = native_copy_name(n, i, "saltus_", m->entries[i]->name);
    return is_fine;
}

static bool native_find_built_in(Native *n, const char *key)
{
    const NativeBuiltIn *code = n->built_in;
    while (code && code->key && strcmp(code->key, key) != 0)
        code++;
    if (!code || !code->key)
        return false;
    memcpy(n->entries, code->entries, n->entry_count * sizeof *n->entries);
    n->status = NATIVE_READY;
    return true;
}

// The text beside the code of a store that is filled.
static void native_keep_text(const Native *n, const char *key, String source)
{
    char path[CACHE_PATH];
    FILE *file = cache_path(&n->cache, key, ".c", path) ? fopen(path, "w") : NULL;
    if (!file)
        return;
    bool is_fine = fwrite(source.text, 1, source.length, file) == source.length;
    is_fine = fclose(file) == 0 && is_fine;
    if (!is_fine)
        unlink(path);
}

// Loads the code for a source, or begins to compile it.
static void load_or_compile(Native *n, String source)
{
    char key[SHA256_TEXT];
    native_make_key(n, source, key);
    if (native_find_built_in(n, key))
        return;
    if (!cache_path(&n->cache, key, ".so", n->path)) {
        native_fail(n, NATIVE_FAILED, "the path of the cache is too long");
        return;
    }
    if (n->store == NATIVE_FILLED)
        native_keep_text(n, key, source);
    if (cache_check(n->path, n->store != NATIVE_SEALED) && native_load(n) == NATIVE_READY)
        return;
    if (n->store == NATIVE_SEALED)
        native_fail(n, NATIVE_NO_COMPILER, "no compiled code of it came with the model");
    else if (n->compiler_path[0])
        native_compile(n, source);
}

// The text has an arena of its own: the module's may be in use by another thread.
static void emit_and_compile(Native *n, const CodeModule *m, const char *title)
{
    jmp_buf exhaustion;
    Arena *arena = arena_create(&n->allocator);
    if (!arena) {
        native_fail(n, NATIVE_FAILED, "out of memory");
        return;
    }
    arena_on_exhaustion(arena, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        StringBuilder text = builder_create(arena);
        emit_module(m, title, &text);
        load_or_compile(n, builder_string(&text));
    } else {
        native_fail(n, NATIVE_FAILED, "out of memory");
    }
    arena_destroy(arena);
}

// False: it has failed.
static bool native_prepare(Native *n, const char *usual, const NativeOptions *options)
{
    const char *compiler = options && options->compiler ? options->compiler : usual;
    n->store = options ? options->store : NATIVE_CACHED;
    n->built_in = options ? options->built_in : NULL;
    n->flags = n->store == NATIVE_FILLED ? stored_flags : n->flags;
    if (n->store == NATIVE_SEALED)
        return snprintf(n->cache.folder, CACHE_PATH, "%s", options->cache) < CACHE_PATH;
    if (!native_find_program(compiler, n->compiler_path)) {
        n->compiler_path[0] = '\0';
        native_fail(n, NATIVE_NO_COMPILER,
                    strcmp(usual, "cc") == 0 ? "there is no C compiler" : "there is no nvcc");
        if (n->store == NATIVE_CACHED)
            return false;
    }
    if (!cache_open(&n->cache, options ? options->cache : NULL)) {
        n->cache.is_private = false;
        native_fail(n, NATIVE_FAILED, "there is no folder for compiled code");
        return false;
    }
    return true;
}

Native *native_start(const CodeModule *m, const char *title, const NativeOptions *options)
{
    const SaltusAllocator allocator = m->arena->allocator;
    Native *n = MEMORY_NEW(&allocator, 1, Native);
    if (!n)
        return NULL;
    n->allocator = allocator;
    n->language = "c";
    n->flags = !options || options->store == NATIVE_CACHED ? native_machine_flags() : native_flags;
    if (!native_copy_names(n, m)) {
        native_destroy(n);
        return NULL;
    }
    if (native_prepare(n, "cc", options))
        emit_and_compile(n, m, title);
    return n;
}

Native *native_start_text(String source, const char *language, const char *const *flags,
                          const char *const *names, const NativeOptions *options)
{
    uint32_t count = 0;
    while (names[count])
        count++;
    const SaltusAllocator allocator = memory_default();
    Native *n = MEMORY_NEW(&allocator, 1, Native);
    if (!n)
        return NULL;
    n->allocator = allocator;
    n->language = language;
    n->flags = flags;
    bool is_fine = native_make_names(n, count);
    for (uint32_t i = 0; is_fine && i < count; i++)
        is_fine = native_copy_name(n, i, "", names[i]);
    if (!is_fine) {
        native_destroy(n);
        return NULL;
    }
    if (native_prepare(n, strcmp(language, "cu") == 0 ? "nvcc" : "cc", options))
        load_or_compile(n, source);
    return n;
}

NativeStatus native_poll(Native *n, bool wait)
{
    bool is_fine = false;
    if (n->status != NATIVE_COMPILING)
        return n->status;
    if (wait && !process_ends_in_time(&n->compiler, MOST_COMPILING_SECONDS, &is_fine)) {
        remove_temporaries(n);
        return native_fail(n, NATIVE_FAILED, "the compiler does not end");
    }
    if (wait || process_has_ended(&n->compiler, false, &is_fine))
        native_finish(n, is_fine);
    return n->status;
}

const char *native_reason(const Native *n)
{
    const bool has_failed = n->status != NATIVE_READY && n->status != NATIVE_COMPILING;
    return has_failed ? message_text(n->reason) : "";
}

CodeFunction native_entry(const Native *n, uint32_t entry)
{
    return n->status == NATIVE_READY && entry < n->entry_count ? n->entries[entry] : NULL;
}

void native_destroy(Native *n)
{
    if (!n)
        return;
    if (n->compiler.id) {
        bool is_fine;
        kill(-n->compiler.id, SIGTERM); // it removes its files
        process_ends_in_time(&n->compiler, MOST_ENDING_SECONDS, &is_fine);
    }
    remove_temporaries(n);
    if (n->handle)
        dlclose(n->handle);
    cache_close(&n->cache);
    free(n->reason);
    const SaltusAllocator allocator = n->allocator;
    for (uint32_t i = 0; n->names && i < n->entry_count; i++)
        memory_free(&allocator, n->names[i]);
    memory_free(&allocator, n->names);
    memory_free(&allocator, n->entries);
    memory_free(&allocator, n);
}
