// SPDX-License-Identifier: MIT
//
// The functions of FMI 2.0, on an instance (instance.h) and for model exchange (exchange.h).

#include "fmi/fmi2.h"

#include "fmu/derivative.h"
#include "fmu/exchange.h"
#include "fmu/instance.h"
#include "fmu/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI2_DECLARE(result, name, arguments)                                                      \
    __attribute__((visibility("default"))) result fmi2##name arguments;
FMI2_FUNCTIONS(FMI2_DECLARE)
#undef FMI2_DECLARE

// An instance with what is of FMI 2.0 only.
typedef struct Fmi2Slave {
    Fmu *fmu;
    Fmi2Callbacks callbacks;
    FmuStep last;
} Fmi2Slave;

static Fmu *fmi2_fmu(Fmi2Component c)
{
    return ((Fmi2Slave *)c)->fmu;
}

static Fmi2Status fmi2_status(FmuStatus status)
{
    return (Fmi2Status)status;
}

static void fmi2_log(const Fmu *fmu, FmuStatus status, const char *category, const char *message)
{
    const Fmi2Slave *slave = fmu->user;
    if (slave->callbacks.logger)
        slave->callbacks.logger(fmu->environment, fmu->name, fmi2_status(status), category, "%s",
                                message);
}

const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

const char *fmi2GetVersion(void)
{
    return "2.0";
}

Fmi2Component fmi2Instantiate(Fmi2String name, Fmi2Type type, Fmi2String token,
                              Fmi2String resources, const Fmi2Callbacks *callbacks,
                              Fmi2Boolean is_visible, Fmi2Boolean is_logging)
{
    (void)is_visible;
    Fmi2Slave *slave = calloc(1, sizeof *slave);
    if (slave && name && callbacks) {
        slave->callbacks = *callbacks;
        slave->fmu = fmu_create(name, token, resources, fmi2_log, slave, callbacks->environment,
                                is_logging ? LOG_ALL : 0);
    }
    if (!slave || !slave->fmu) {
        free(slave);
        return NULL;
    }
    slave->fmu->is_exchange = type == FMI2_MODEL_EXCHANGE;
    return slave;
}

void fmi2FreeInstance(Fmi2Component c)
{
    Fmi2Slave *slave = c;
    if (slave)
        fmu_destroy(slave->fmu);
    free(slave);
}

Fmi2Status fmi2SetDebugLogging(Fmi2Component c, Fmi2Boolean is_on, size_t count,
                               const Fmi2String *categories)
{
    fmu_set_logging(fmi2_fmu(c), is_on, count, categories);
    return FMI2_OK;
}

Fmi2Status fmi2SetupExperiment(Fmi2Component c, Fmi2Boolean has_tolerance, double tolerance,
                               double start_time, Fmi2Boolean has_stop_time, double stop_time)
{
    return fmi2_status(fmu_set_experiment(fmi2_fmu(c), has_tolerance ? tolerance : NAN, start_time,
                                          has_stop_time ? stop_time : NAN));
}

Fmi2Status fmi2EnterInitializationMode(Fmi2Component c)
{
    return fmi2_status(fmu_enter_initialization(fmi2_fmu(c)));
}

Fmi2Status fmi2ExitInitializationMode(Fmi2Component c)
{
    return fmi2_status(fmu_initialize(fmi2_fmu(c)));
}

Fmi2Status fmi2Terminate(Fmi2Component c)
{
    return fmi2_status(fmu_terminate(fmi2_fmu(c)));
}

Fmi2Status fmi2Reset(Fmi2Component c)
{
    ((Fmi2Slave *)c)->last = (FmuStep){0};
    return fmi2_status(fmu_reset(fmi2_fmu(c)));
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

#define FMI2_GET(name, type, convert)                                                              \
    Fmi2Status fmi2Get##name(Fmi2Component c, const Fmi2Reference *vr, size_t count, type *values) \
    {                                                                                              \
        FmuStatus status = FMU_OK;                                                                 \
        for (size_t i = 0; i < count && status == FMU_OK; i++) {                                   \
            double value;                                                                          \
            status = fmu_get(fmi2_fmu(c), vr[i], &value);                                          \
            values[i] = (type)(convert);                                                           \
        }                                                                                          \
        return fmi2_status(status);                                                                \
    }
FMI2_GET(Real, double, value)
FMI2_GET(Integer, int, fmu_whole(value))
FMI2_GET(Boolean, Fmi2Boolean, value != 0.0)
#undef FMI2_GET

#define FMI2_SET(name, type)                                                                       \
    Fmi2Status fmi2Set##name(Fmi2Component c, const Fmi2Reference *vr, size_t count,               \
                             const type *values)                                                   \
    {                                                                                              \
        FmuStatus status = FMU_OK;                                                                 \
        for (size_t i = 0; i < count && status == FMU_OK; i++)                                     \
            status = fmu_set(fmi2_fmu(c), vr[i], (double)values[i]);                               \
        return fmi2_status(status);                                                                \
    }
FMI2_SET(Real, double)
FMI2_SET(Integer, int)
FMI2_SET(Boolean, Fmi2Boolean)
#undef FMI2_SET

Fmi2Status fmi2GetString(Fmi2Component c, const Fmi2Reference *vr, size_t count, Fmi2String *values)
{
    FmuStatus status = FMU_OK;
    for (size_t i = 0; i < count && status == FMU_OK; i++)
        status = fmu_get_text(fmi2_fmu(c), vr[i], &values[i]);
    return fmi2_status(status);
}

Fmi2Status fmi2SetString(Fmi2Component c, const Fmi2Reference *vr, size_t count,
                         const Fmi2String *values)
{
    (void)vr;
    (void)values;
    return count ? fmi2_status(fmu_refuse(fmi2_fmu(c), "SetString", "Strings are constant"))
                 : FMI2_OK;
}

Fmi2Status fmi2SetRealInputDerivatives(Fmi2Component c, const Fmi2Reference *vr, size_t count,
                                       const int *orders, const double *values)
{
    FmuStatus status = FMU_OK;
    for (size_t i = 0; i < count && status == FMU_OK; i++)
        status = fmu_set_rate(fmi2_fmu(c), vr[i], orders[i], values[i]);
    return fmi2_status(status);
}

Fmi2Status fmi2GetRealOutputDerivatives(Fmi2Component c, const Fmi2Reference *vr, size_t count,
                                        const int *orders, double *values)
{
    (void)vr;
    (void)orders;
    (void)values;
    return count ? fmi2_status(fmu_refuse(fmi2_fmu(c), "GetRealOutputDerivatives",
                                          "maxOutputDerivativeOrder is 0"))
                 : FMI2_OK;
}

Fmi2Status fmi2GetDirectionalDerivative(Fmi2Component c, const Fmi2Reference *unknowns,
                                        size_t unknown_count, const Fmi2Reference *knowns,
                                        size_t known_count, const double *seed, double *sensitivity)
{
    const DerivativeDef def = {unknowns, knowns, unknown_count, known_count};
    return fmi2_status(derivative_directional(fmi2_fmu(c), &def, seed, sensitivity));
}

// ---------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------

Fmi2Status fmi2GetFMUstate(Fmi2Component c, Fmi2State *state)
{
    return fmi2_status(fmu_keep(fmi2_fmu(c), (FmuState **)state));
}

Fmi2Status fmi2SetFMUstate(Fmi2Component c, Fmi2State state)
{
    return fmi2_status(fmu_restore(fmi2_fmu(c), state));
}

Fmi2Status fmi2FreeFMUstate(Fmi2Component c, Fmi2State *state)
{
    fmu_forget(fmi2_fmu(c), *state);
    *state = NULL;
    return FMI2_OK;
}

Fmi2Status fmi2SerializedFMUstateSize(Fmi2Component c, Fmi2State state, size_t *size)
{
    return fmi2_status(journal_measure(fmi2_fmu(c), state, size));
}

Fmi2Status fmi2SerializeFMUstate(Fmi2Component c, Fmi2State state, char *bytes, size_t size)
{
    return fmi2_status(journal_write(fmi2_fmu(c), state, (uint8_t *)bytes, size));
}

Fmi2Status fmi2DeSerializeFMUstate(Fmi2Component c, const char *bytes, size_t size,
                                   Fmi2State *state)
{
    return fmi2_status(journal_read(fmi2_fmu(c), (const uint8_t *)bytes, size, (FmuState **)state));
}

// ---------------------------------------------------------------------------
// Co-simulation
// ---------------------------------------------------------------------------

Fmi2Status fmi2DoStep(Fmi2Component c, double time, double step, Fmi2Boolean is_final)
{
    (void)is_final;
    Fmi2Slave *slave = c;
    const FmuStatus status = fmu_step(slave->fmu, time, step, &slave->last);
    return slave->last.has_ended ? FMI2_DISCARD : fmi2_status(status);
}

Fmi2Status fmi2CancelStep(Fmi2Component c)
{
    return fmi2_status(fmu_refuse(fmi2_fmu(c), "CancelStep", "steps are not asynchronous"));
}

Fmi2Status fmi2GetStatus(Fmi2Component c, Fmi2StatusKind kind, Fmi2Status *value)
{
    (void)kind, (void)value;
    return fmi2_status(fmu_refuse(fmi2_fmu(c), "GetStatus", "steps are not asynchronous")) ==
                   FMI2_ERROR
               ? FMI2_DISCARD
               : FMI2_OK;
}

Fmi2Status fmi2GetRealStatus(Fmi2Component c, Fmi2StatusKind kind, double *value)
{
    if (kind != FMI2_LAST_SUCCESSFUL_TIME)
        return FMI2_DISCARD;
    *value = ((Fmi2Slave *)c)->last.time;
    return FMI2_OK;
}

Fmi2Status fmi2GetIntegerStatus(Fmi2Component c, Fmi2StatusKind kind, int *value)
{
    (void)c, (void)kind, (void)value;
    return FMI2_DISCARD;
}

Fmi2Status fmi2GetBooleanStatus(Fmi2Component c, Fmi2StatusKind kind, Fmi2Boolean *value)
{
    if (kind != FMI2_TERMINATED)
        return FMI2_DISCARD;
    *value = ((Fmi2Slave *)c)->last.has_ended;
    return FMI2_OK;
}

Fmi2Status fmi2GetStringStatus(Fmi2Component c, Fmi2StatusKind kind, Fmi2String *value)
{
    (void)c, (void)kind, (void)value;
    return FMI2_DISCARD;
}

// ---------------------------------------------------------------------------
// Model exchange
// ---------------------------------------------------------------------------

Fmi2Status fmi2EnterEventMode(Fmi2Component c)
{
    return fmi2_status(exchange_enter_event_mode(fmi2_fmu(c)));
}

Fmi2Status fmi2NewDiscreteStates(Fmi2Component c, Fmi2EventInfo *info)
{
    ExchangeInfo found;
    const FmuStatus status = exchange_update(fmi2_fmu(c), &found);
    *info = (Fmi2EventInfo){.terminate_simulation = found.has_ended,
                            .nominals_changed = found.nominals_changed,
                            .states_changed = found.states_changed,
                            .next_event_time_defined = isfinite(found.next_time),
                            .next_event_time = found.next_time};
    return fmi2_status(status);
}

Fmi2Status fmi2EnterContinuousTimeMode(Fmi2Component c)
{
    return fmi2_status(exchange_enter_continuous(fmi2_fmu(c)));
}

Fmi2Status fmi2CompletedIntegratorStep(Fmi2Component c, Fmi2Boolean no_state_before,
                                       Fmi2Boolean *enter_event_mode, Fmi2Boolean *terminate)
{
    (void)no_state_before;
    bool wants_event;
    const FmuStatus status = exchange_completed(fmi2_fmu(c), &wants_event);
    *enter_event_mode = wants_event;
    *terminate = 0;
    return fmi2_status(status);
}

Fmi2Status fmi2SetTime(Fmi2Component c, double time)
{
    return fmi2_status(exchange_set_time(fmi2_fmu(c), time));
}

Fmi2Status fmi2SetContinuousStates(Fmi2Component c, const double *x, size_t count)
{
    return fmi2_status(exchange_set_states(fmi2_fmu(c), x, count));
}

Fmi2Status fmi2GetDerivatives(Fmi2Component c, double *dx, size_t count)
{
    return fmi2_status(exchange_derivatives(fmi2_fmu(c), dx, count));
}

Fmi2Status fmi2GetEventIndicators(Fmi2Component c, double *h, size_t count)
{
    return fmi2_status(exchange_indicators(fmi2_fmu(c), h, count));
}

Fmi2Status fmi2GetContinuousStates(Fmi2Component c, double *x, size_t count)
{
    return fmi2_status(exchange_states(fmi2_fmu(c), x, count));
}

Fmi2Status fmi2GetNominalsOfContinuousStates(Fmi2Component c, double *nominals, size_t count)
{
    return fmi2_status(exchange_nominals(fmi2_fmu(c), nominals, count));
}
