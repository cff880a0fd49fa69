// SPDX-License-Identifier: MIT
//
// Default definitions, and the names that stand in the public lists.

#include "base/memory.h"
#include <saltus/saltus.h>
#include <stdio.h>
#include <string.h>

SaltusMethod saltus_default_method(void)
{
    return (SaltusMethod){
        .solver = SALTUS_SOLVER_AUTO,
        .locate = SALTUS_LOCATE_BRENT,
        .relative_tolerance = 1e-6,
        .absolute_tolerance = 1e-9,
    };
}

SaltusModeDef saltus_default_mode(void)
{
    return (SaltusModeDef){.name = "mode"};
}

SaltusSystemDef saltus_default_system(void)
{
    return (SaltusSystemDef){.name = "system", .allocator = memory_default()};
}

SaltusOptions saltus_default_options(void)
{
    return (SaltusOptions){
        .method = saltus_default_method(),
        .record = SALTUS_RECORD_STEPS,
        .backstep = SALTUS_BACKSTEP,
        .zeno = SALTUS_ZENO_STOP,
        .max_event_iterations = 1000,
    };
}

const char *saltus_status_text(SaltusStatus status)
{
    switch (status) {
#define STATUS_CASE(name, value, text)                                                             \
    case SALTUS_##name:                                                                            \
        return text;
        SALTUS_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

static const char *const solver_names[] = {
#define SOLVER_NAME(name, text, what) text,
    SALTUS_SOLVER_LIST(SOLVER_NAME)
#undef SOLVER_NAME
};
enum { SOLVER_COUNT = sizeof solver_names / sizeof solver_names[0] };

static const char *const locate_names[] = {
#define LOCATE_NAME(name, text, what) text,
    SALTUS_LOCATE_LIST(LOCATE_NAME)
#undef LOCATE_NAME
};
enum { LOCATE_COUNT = sizeof locate_names / sizeof locate_names[0] };

static const char *defaults_name_of(const char *const *names, int count, int index)
{
    return index >= 0 && index < count ? names[index] : "unknown";
}

static int index_of(const char *const *names, int count, const char *name)
{
    for (int i = 0; name && i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return i;
    }
    return -1;
}

const char *saltus_solver_name(SaltusSolver solver)
{
    return defaults_name_of(solver_names, SOLVER_COUNT, (int)solver);
}

const char *saltus_locate_name(SaltusLocate locate)
{
    return defaults_name_of(locate_names, LOCATE_COUNT, (int)locate);
}

bool saltus_solver_from_name(const char *name, SaltusSolver *solver)
{
    const int index = index_of(solver_names, SOLVER_COUNT, name);
    if (index >= 0)
        *solver = (SaltusSolver)index;
    return index >= 0;
}

bool saltus_locate_from_name(const char *name, SaltusLocate *locate)
{
    const int index = index_of(locate_names, LOCATE_COUNT, name);
    if (index >= 0)
        *locate = (SaltusLocate)index;
    return index >= 0;
}

const char *saltus_classes_text(unsigned classes, char text[SALTUS_CLASSES_TEXT_SIZE])
{
    static const char letters[] = {'P', 'I', 'X', 'F', 'S', 'O', 'A'};
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof letters; i++) {
        if (classes & (1u << i))
            length += (size_t)snprintf(text + length, SALTUS_CLASSES_TEXT_SIZE - length, "%sSE-%c",
                                       length ? "+" : "", letters[i]);
    }
    return text;
}
