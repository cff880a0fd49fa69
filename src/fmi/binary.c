// SPDX-License-Identifier: MIT

#include "fmi/binary.h"
#include "base/message.h"
#include "base/named.h"

#include <dlfcn.h>
#include <string.h>

// By name: the offset of the pointer in its table.
static const NamedNumber names_2[] = {
#define NAME_2(result, name, arguments) {"fmi2" #name, (int)offsetof(Fmi2Table, name)},
    FMI2_FUNCTIONS(NAME_2)
#undef NAME_2
};

static const NamedNumber names_3[] = {
#define NAME_3(result, name, arguments) {"fmi3" #name, (int)offsetof(Fmi3Table, name)},
    FMI3_FUNCTIONS(NAME_3)
#undef NAME_3
};

// What no run can do without, by the interface.
static const char *const needed_2[] = {
    "fmi2Instantiate",
    "fmi2FreeInstance",
    "fmi2SetupExperiment",
    "fmi2Terminate",
    "fmi2EnterInitializationMode",
    "fmi2ExitInitializationMode",
    "fmi2GetReal",
    "fmi2GetInteger",
    "fmi2GetBoolean",
    "fmi2SetReal",
    "fmi2SetInteger",
    "fmi2SetBoolean",
};
static const char *const needed_2_exchange[] = {
    "fmi2EnterEventMode",
    "fmi2NewDiscreteStates",
    "fmi2EnterContinuousTimeMode",
    "fmi2CompletedIntegratorStep",
    "fmi2SetTime",
    "fmi2SetContinuousStates",
    "fmi2GetDerivatives",
    "fmi2GetEventIndicators",
    "fmi2GetContinuousStates",
    "fmi2GetNominalsOfContinuousStates",
};
static const char *const needed_2_steps[] = {"fmi2DoStep"};
static const char *const needed_3[] = {
    "fmi3FreeInstance", "fmi3Terminate",  "fmi3EnterInitializationMode",
    "fmi3GetFloat64",   "fmi3SetFloat64", "fmi3ExitInitializationMode",
};
static const char *const needed_3_exchange[] = {
    "fmi3InstantiateModelExchange",
    "fmi3EnterEventMode",
    "fmi3UpdateDiscreteStates",
    "fmi3EnterContinuousTimeMode",
    "fmi3CompletedIntegratorStep",
    "fmi3SetTime",
    "fmi3SetContinuousStates",
    "fmi3GetContinuousStateDerivatives",
    "fmi3GetEventIndicators",
    "fmi3GetContinuousStates",
    "fmi3GetNominalsOfContinuousStates",
};
static const char *const needed_3_schedule[] = {"fmi3InstantiateScheduledExecution",
                                                "fmi3ActivateModelPartition"};
static const char *const needed_3_steps[] = {"fmi3InstantiateCoSimulation", "fmi3DoStep"};

static bool binary_has(const FmuBinary *b, const char *const *names, size_t count, char **message)
{
    for (size_t i = 0; i < count; i++) {
        if (dlsym(b->handle, names[i]))
            continue;
        return message_set(message, "its library has no function %s", names[i]);
    }
    return true;
}

#define HAS(b, list, message) binary_has(b, list, sizeof(list) / sizeof *(list), message)

static bool binary_is_whole(const FmuBinary *b, int version, FmuInterface interface, char **message)
{
    const bool is_exchange = interface == FMU_EXCHANGE;
    if (version == 2)
        return HAS(b, needed_2, message) &&
               (is_exchange ? HAS(b, needed_2_exchange, message) : HAS(b, needed_2_steps, message));
    return HAS(b, needed_3, message) &&
           (is_exchange                  ? HAS(b, needed_3_exchange, message)
            : interface == FMU_SCHEDULED ? HAS(b, needed_3_schedule, message)
                                         : HAS(b, needed_3_steps, message));
}

bool binary_open(FmuBinary *b, const char *path, int version, FmuInterface interface,
                 char **message)
{
    *b = (FmuBinary){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!b->handle) {
        const char *why = dlerror();
        return message_set(message, "its library cannot be loaded: %s", why ? why : "");
    }
    const bool is_new = version == 3;
    const NamedNumber *names = is_new ? names_3 : names_2;
    const size_t count =
        is_new ? sizeof names_3 / sizeof *names_3 : sizeof names_2 / sizeof *names_2;
    char *table = is_new ? (char *)&b->fmi3 : (char *)&b->fmi2;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(b->handle, names[i].name);
        memcpy(table + names[i].number, &function, sizeof function);
    }
    const bool is_fine = binary_is_whole(b, version, interface, message);
    if (!is_fine)
        binary_close(b);
    return is_fine;
}

void binary_close(FmuBinary *b)
{
    if (b->handle)
        dlclose(b->handle);
    *b = (FmuBinary){0};
}
