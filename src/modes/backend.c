// SPDX-License-Identifier: MIT

#include "modes/backend.h"

#include <stdlib.h>
#include <time.h>

// Whether this thread is the one that may touch the compilation now.
static bool backend_begin(BackendCode *code, bool wait)
{
    int none = 0;
    while (!atomic_compare_exchange_strong(&code->is_busy, &none, 1)) {
        if (!wait)
            return false;
        none = 0;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

static void publish(BackendCode *code, uint32_t count)
{
    code->table = calloc(count + 1u, sizeof *code->table);
    if (!code->table)
        return;
    for (uint32_t i = 0; i < count; i++)
        code->table[i] = native_entry(code->native, i);
    atomic_store_explicit(&code->functions, code->table, memory_order_release);
}

void backend_compile(BackendCode *code, const CodeModule *module, const Backend *backend, bool wait)
{
    if (!backend_begin(code, wait))
        return;
    if (!code->native && !code->is_over) {
        if (backend->graph)
            pthread_mutex_lock(backend->graph);
        code->native = native_start(module, backend->title, &backend->options);
        if (backend->graph)
            pthread_mutex_unlock(backend->graph);
        code->is_over = code->native == NULL;
    }
    if (!code->is_over) {
        const NativeStatus status = native_poll(code->native, wait);
        code->is_over = status != NATIVE_COMPILING;
        if (status == NATIVE_READY)
            publish(code, module->entry_count);
    }
    atomic_store(&code->is_busy, 0);
}

const char *backend_reason(const BackendCode *code)
{
    return code->native ? native_reason(code->native) : code->is_over ? "out of memory" : "";
}

void backend_release(BackendCode *code)
{
    atomic_store(&code->functions, NULL);
    native_destroy(code->native);
    free(code->table);
    code->native = NULL;
    code->table = NULL;
    code->is_over = true;
}
