// SPDX-License-Identifier: MIT
//
// The functions of FMI 3.0, on an instance (instance.h) and for model exchange (exchange.h).

#include "fmi/fmi3.h"

#include "fmu/derivative.h"
#include "fmu/exchange.h"
#include "fmu/instance.h"
#include "fmu/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FMI3_DECLARE(result, name, arguments)                                                      \
    __attribute__((visibility("default"))) result fmi3##name arguments;
FMI3_FUNCTIONS(FMI3_DECLARE)
#undef FMI3_DECLARE

// An instance with what is of FMI 3.0 only.
typedef struct Fmi3Slave {
    Fmu *fmu;
    Fmi3LogMessage log;
    Fmi3IntermediateUpdate update;
    bool uses_event_mode, may_return_early;
} Fmi3Slave;

static Fmu *fmi3_fmu(Fmi3Instance i)
{
    return ((Fmi3Slave *)i)->fmu;
}

static Fmi3Status fmi3_status(FmuStatus status)
{
    return (Fmi3Status)status;
}

static Fmi3Status fmi3_refuse(Fmi3Instance i, const char *function)
{
    return fmi3_status(fmu_refuse(fmi3_fmu(i), function, "it is not provided"));
}

static void fmi3_log(const Fmu *fmu, FmuStatus status, const char *category, const char *message)
{
    const Fmi3Slave *slave = fmu->user;
    if (slave->log)
        slave->log(fmu->environment, fmi3_status(status), category, message);
}

// After an accepted step. The importer may look at variables; it ends the step here if it wants to
// return at this time or before.
static bool fmi3_intermediate(Fmu *fmu, double time)
{
    const Fmi3Slave *slave = fmu->user;
    bool is_requested = false;
    double return_time = time;
    slave->update(fmu->environment, time, false, true, true, slave->may_return_early, &is_requested,
                  &return_time);
    return slave->may_return_early && is_requested && return_time <= time;
}

const char *fmi3GetVersion(void)
{
    return "3.0";
}

// ---------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------

static Fmi3Slave *fmi3_create(Fmi3String name, Fmi3String token, Fmi3String resources,
                              bool is_logging, void *environment, Fmi3LogMessage log)
{
    Fmi3Slave *slave = calloc(1, sizeof *slave);
    if (slave && name) {
        slave->log = log;
        slave->fmu = fmu_create(name, token, resources, fmi3_log, slave, environment,
                                is_logging ? LOG_ALL : 0);
    }
    if (slave && slave->fmu)
        return slave;
    free(slave);
    return NULL;
}

Fmi3Instance fmi3InstantiateModelExchange(Fmi3String name, Fmi3String token, Fmi3String resources,
                                          bool is_visible, bool is_logging, void *environment,
                                          Fmi3LogMessage log)
{
    (void)is_visible;
    Fmi3Slave *slave = fmi3_create(name, token, resources, is_logging, environment, log);
    if (slave)
        slave->fmu->is_exchange = true;
    return slave;
}

Fmi3Instance fmi3InstantiateCoSimulation(Fmi3String name, Fmi3String token, Fmi3String resources,
                                         bool is_visible, bool is_logging, bool uses_event_mode,
                                         bool may_return_early, const Fmi3Reference *intermediate,
                                         size_t count, void *environment, Fmi3LogMessage log,
                                         Fmi3IntermediateUpdate update)
{
    (void)is_visible, (void)intermediate, (void)count;
    Fmi3Slave *slave = fmi3_create(name, token, resources, is_logging, environment, log);
    if (!slave)
        return NULL;
    slave->update = update;
    slave->uses_event_mode = uses_event_mode;
    slave->may_return_early = may_return_early;
    slave->fmu->stops_at_events = uses_event_mode && may_return_early;
    slave->fmu->intermediate = update ? fmi3_intermediate : NULL;
    return slave;
}

Fmi3Instance fmi3InstantiateScheduledExecution(Fmi3String name, Fmi3String token,
                                               Fmi3String resources, bool is_visible,
                                               bool is_logging, void *environment,
                                               Fmi3LogMessage log, Fmi3ClockUpdate update,
                                               Fmi3LockPreemption lock, Fmi3LockPreemption unlock)
{
    (void)name, (void)token, (void)resources, (void)is_visible, (void)update, (void)lock;
    (void)unlock;
    if (is_logging && log)
        log(environment, FMI3_ERROR, "logStatusError", "scheduled execution is not provided");
    return NULL;
}

void fmi3FreeInstance(Fmi3Instance i)
{
    Fmi3Slave *slave = i;
    if (slave)
        fmu_destroy(slave->fmu);
    free(slave);
}

Fmi3Status fmi3SetDebugLogging(Fmi3Instance i, bool is_on, size_t count,
                               const Fmi3String *categories)
{
    fmu_set_logging(fmi3_fmu(i), is_on, count, categories);
    return FMI3_OK;
}

Fmi3Status fmi3EnterInitializationMode(Fmi3Instance i, bool has_tolerance, double tolerance,
                                       double start_time, bool has_stop_time, double stop_time)
{
    Fmu *fmu = fmi3_fmu(i);
    const FmuStatus status = fmu_set_experiment(fmu, has_tolerance ? tolerance : NAN, start_time,
                                                has_stop_time ? stop_time : NAN);
    return fmi3_status(status == FMU_OK ? fmu_enter_initialization(fmu) : status);
}

Fmi3Status fmi3ExitInitializationMode(Fmi3Instance i)
{
    return fmi3_status(fmu_initialize(fmi3_fmu(i)));
}

Fmi3Status fmi3Terminate(Fmi3Instance i)
{
    return fmi3_status(fmu_terminate(fmi3_fmu(i)));
}

Fmi3Status fmi3Reset(Fmi3Instance i)
{
    return fmi3_status(fmu_reset(fmi3_fmu(i)));
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

#define FMI3_GET(name, type, convert)                                                              \
    Fmi3Status fmi3Get##name FMI3_GIVE(type)                                                       \
    {                                                                                              \
        FmuStatus status = FMU_OK;                                                                 \
        for (size_t k = 0; k < count && k < value_count && status == FMU_OK; k++) {                \
            double value;                                                                          \
            status = fmu_get(fmi3_fmu(i), vr[k], &value);                                          \
            values[k] = (type)(convert);                                                           \
        }                                                                                          \
        return fmi3_status(status);                                                                \
    }
FMI3_GET(Float32, float, value)
FMI3_GET(Float64, double, value)
FMI3_GET(Int8, int8_t, fmu_whole(value))
FMI3_GET(UInt8, uint8_t, fmu_whole(value))
FMI3_GET(Int16, int16_t, fmu_whole(value))
FMI3_GET(UInt16, uint16_t, fmu_whole(value))
FMI3_GET(Int32, int32_t, fmu_whole(value))
FMI3_GET(UInt32, uint32_t, fmu_whole(value))
FMI3_GET(Int64, int64_t, fmu_whole(value))
FMI3_GET(UInt64, uint64_t, fmu_whole(value))
FMI3_GET(Boolean, bool, value != 0.0)
#undef FMI3_GET

#define FMI3_SET(name, type)                                                                       \
    Fmi3Status fmi3Set##name FMI3_TAKE(type)                                                       \
    {                                                                                              \
        FmuStatus status = FMU_OK;                                                                 \
        for (size_t k = 0; k < count && k < value_count && status == FMU_OK; k++)                  \
            status = fmu_set(fmi3_fmu(i), vr[k], (double)values[k]);                               \
        return fmi3_status(status);                                                                \
    }
FMI3_NUMBER_TYPES(FMI3_SET)
#undef FMI3_SET

Fmi3Status fmi3GetString FMI3_GIVE(Fmi3String)
{
    FmuStatus status = FMU_OK;
    for (size_t k = 0; k < count && k < value_count && status == FMU_OK; k++)
        status = fmu_get_text(fmi3_fmu(i), vr[k], &values[k]);
    return fmi3_status(status);
}

Fmi3Status fmi3SetString FMI3_TAKE(Fmi3String)
{
    (void)vr, (void)values, (void)value_count;
    return count ? fmi3_status(fmu_refuse(fmi3_fmu(i), "SetString", "Strings are constant"))
                 : FMI3_OK;
}

Fmi3Status fmi3GetNumberOfVariableDependencies(Fmi3Instance i, Fmi3Reference vr, size_t *count)
{
    (void)vr;
    *count = 0;
    return fmi3_refuse(i, "GetNumberOfVariableDependencies");
}

Fmi3Status fmi3GetVariableDependencies(Fmi3Instance i, Fmi3Reference dependent,
                                       size_t *dependent_elements, Fmi3Reference *independents,
                                       size_t *independent_elements, Fmi3Dependency *kinds,
                                       size_t count)
{
    (void)dependent, (void)dependent_elements, (void)independents, (void)independent_elements;
    (void)kinds, (void)count;
    return fmi3_refuse(i, "GetVariableDependencies");
}

Fmi3Status fmi3GetDirectionalDerivative FMI3_SENSITIVITY
{
    if (seed_count != known_count || sensitivity_count != unknown_count)
        return fmi3_refuse(i, "GetDirectionalDerivative");
    const DerivativeDef def = {unknowns, knowns, unknown_count, known_count};
    return fmi3_status(derivative_directional(fmi3_fmu(i), &def, seed, sensitivity));
}

Fmi3Status fmi3GetAdjointDerivative FMI3_SENSITIVITY
{
    if (seed_count != unknown_count || sensitivity_count != known_count)
        return fmi3_refuse(i, "GetAdjointDerivative");
    const DerivativeDef def = {unknowns, knowns, unknown_count, known_count};
    return fmi3_status(derivative_adjoint(fmi3_fmu(i), &def, seed, sensitivity));
}

// ---------------------------------------------------------------------------
// States
// ---------------------------------------------------------------------------

Fmi3Status fmi3GetFMUState(Fmi3Instance i, Fmi3State *state)
{
    return fmi3_status(fmu_keep(fmi3_fmu(i), (FmuState **)state));
}

Fmi3Status fmi3SetFMUState(Fmi3Instance i, Fmi3State state)
{
    return fmi3_status(fmu_restore(fmi3_fmu(i), state));
}

Fmi3Status fmi3FreeFMUState(Fmi3Instance i, Fmi3State *state)
{
    fmu_forget(fmi3_fmu(i), *state);
    *state = NULL;
    return FMI3_OK;
}

Fmi3Status fmi3SerializedFMUStateSize(Fmi3Instance i, Fmi3State state, size_t *size)
{
    return fmi3_status(journal_measure(fmi3_fmu(i), state, size));
}

Fmi3Status fmi3SerializeFMUState(Fmi3Instance i, Fmi3State state, uint8_t *bytes, size_t size)
{
    return fmi3_status(journal_write(fmi3_fmu(i), state, bytes, size));
}

Fmi3Status fmi3DeserializeFMUState(Fmi3Instance i, const uint8_t *bytes, size_t size,
                                   Fmi3State *state)
{
    return fmi3_status(journal_read(fmi3_fmu(i), bytes, size, (FmuState **)state));
}

// ---------------------------------------------------------------------------
// Co-simulation
// ---------------------------------------------------------------------------

Fmi3Status fmi3DoStep(Fmi3Instance i, double time, double step, bool is_final, bool *needs_event,
                      bool *terminate, bool *returned_early, double *last_time)
{
    (void)is_final;
    const Fmi3Slave *slave = i;
    FmuStep done;
    const FmuStatus status = fmu_step(slave->fmu, time, step, &done);
    *needs_event = slave->fmu->stops_at_events && done.had_event;
    *terminate = done.has_ended;
    *returned_early = done.is_early && !done.has_ended;
    *last_time = done.time;
    return fmi3_status(status);
}

Fmi3Status fmi3EnterStepMode(Fmi3Instance i)
{
    return fmi3_status(fmu_settle(fmi3_fmu(i)));
}

Fmi3Status fmi3EnterConfigurationMode(Fmi3Instance i)
{
    return fmi3_refuse(i, "EnterConfigurationMode");
}

Fmi3Status fmi3ExitConfigurationMode(Fmi3Instance i)
{
    return fmi3_refuse(i, "ExitConfigurationMode");
}

// ---------------------------------------------------------------------------
// Event mode, model exchange
// ---------------------------------------------------------------------------

Fmi3Status fmi3EnterEventMode(Fmi3Instance i)
{
    Fmu *fmu = fmi3_fmu(i);
    return fmu->is_exchange ? fmi3_status(exchange_enter_event_mode(fmu)) : FMI3_OK;
}

Fmi3Status fmi3EvaluateDiscreteStates(Fmi3Instance i)
{
    return fmi3_status(fmu_settle(fmi3_fmu(i)));
}

// What the instance's own events change has been done when a step returns; what was set since then
// follows here.
Fmi3Status fmi3UpdateDiscreteStates(Fmi3Instance i, bool *update_needed, bool *terminate,
                                    bool *nominals_changed, bool *states_changed,
                                    bool *has_next_time, double *next_time)
{
    ExchangeInfo info;
    const FmuStatus status = exchange_update(fmi3_fmu(i), &info);
    *update_needed = false;
    *nominals_changed = info.nominals_changed;
    *terminate = info.has_ended;
    *states_changed = info.states_changed;
    *has_next_time = isfinite(info.next_time);
    *next_time = info.next_time;
    return fmi3_status(status);
}

Fmi3Status fmi3EnterContinuousTimeMode(Fmi3Instance i)
{
    return fmi3_status(exchange_enter_continuous(fmi3_fmu(i)));
}

Fmi3Status fmi3CompletedIntegratorStep(Fmi3Instance i, bool no_state_before, bool *enter_event_mode,
                                       bool *terminate)
{
    (void)no_state_before;
    *terminate = false;
    return fmi3_status(exchange_completed(fmi3_fmu(i), enter_event_mode));
}

Fmi3Status fmi3SetTime(Fmi3Instance i, double time)
{
    return fmi3_status(exchange_set_time(fmi3_fmu(i), time));
}

Fmi3Status fmi3SetContinuousStates(Fmi3Instance i, const double *x, size_t count)
{
    return fmi3_status(exchange_set_states(fmi3_fmu(i), x, count));
}

Fmi3Status fmi3GetContinuousStateDerivatives(Fmi3Instance i, double *dx, size_t count)
{
    return fmi3_status(exchange_derivatives(fmi3_fmu(i), dx, count));
}

Fmi3Status fmi3GetEventIndicators(Fmi3Instance i, double *h, size_t count)
{
    return fmi3_status(exchange_indicators(fmi3_fmu(i), h, count));
}

Fmi3Status fmi3GetContinuousStates(Fmi3Instance i, double *x, size_t count)
{
    return fmi3_status(exchange_states(fmi3_fmu(i), x, count));
}

Fmi3Status fmi3GetNominalsOfContinuousStates(Fmi3Instance i, double *nominals, size_t count)
{
    return fmi3_status(exchange_nominals(fmi3_fmu(i), nominals, count));
}

Fmi3Status fmi3GetNumberOfEventIndicators(Fmi3Instance i, size_t *count)
{
    return fmi3_status(exchange_counts(fmi3_fmu(i), NULL, count));
}

Fmi3Status fmi3GetNumberOfContinuousStates(Fmi3Instance i, size_t *count)
{
    return fmi3_status(exchange_counts(fmi3_fmu(i), count, NULL));
}

// ---------------------------------------------------------------------------
// Clocks: there are none
// ---------------------------------------------------------------------------

Fmi3Status fmi3GetClock(Fmi3Instance i, const Fmi3Reference *vr, size_t count, bool *values)
{
    FmuStatus status = FMU_OK;
    for (size_t k = 0; k < count && status == FMU_OK; k++)
        status = fmu_get_clock(fmi3_fmu(i), vr[k], &values[k]);
    return fmi3_status(status);
}

Fmi3Status fmi3SetClock(Fmi3Instance i, const Fmi3Reference *vr, size_t count, const bool *values)
{
    (void)vr, (void)values;
    return count ? fmi3_status(fmu_refuse(fmi3_fmu(i), "SetClock", "its clocks are outputs"))
                 : FMI3_OK;
}

// What there is none of: clocks that are known by time, binary variables.
// NOLINTBEGIN(misc-unused-parameters): the signatures are those of FMI
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FMI3_REFUSE(name, arguments)                                                               \
    Fmi3Status fmi3##name arguments                                                                \
    {                                                                                              \
        return count ? fmi3_refuse(i, #name) : FMI3_OK;                                            \
    }
FMI3_REFUSE(GetIntervalDecimal, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,
                                 double *intervals, Fmi3IntervalQualifier *qualifiers))
FMI3_REFUSE(GetIntervalFraction,
            (Fmi3Instance i, const Fmi3Reference *vr, size_t count, uint64_t *counters,
             uint64_t *resolutions, Fmi3IntervalQualifier *qualifiers))
FMI3_REFUSE(GetShiftDecimal,
            (Fmi3Instance i, const Fmi3Reference *vr, size_t count, double *shifts))
FMI3_REFUSE(GetShiftFraction, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,
                               uint64_t *counters, uint64_t *resolutions))
FMI3_REFUSE(SetIntervalDecimal,
            (Fmi3Instance i, const Fmi3Reference *vr, size_t count, const double *intervals))
FMI3_REFUSE(SetIntervalFraction, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,
                                  const uint64_t *counters, const uint64_t *resolutions))
FMI3_REFUSE(SetShiftDecimal,
            (Fmi3Instance i, const Fmi3Reference *vr, size_t count, const double *shifts))
FMI3_REFUSE(SetShiftFraction, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,
                               const uint64_t *counters, const uint64_t *resolutions))
FMI3_REFUSE(GetBinary, (Fmi3Instance i, const Fmi3Reference *vr, size_t count, size_t *sizes,
                        Fmi3Binary *values, size_t value_count))
FMI3_REFUSE(SetBinary, (Fmi3Instance i, const Fmi3Reference *vr, size_t count, const size_t *sizes,
                        const Fmi3Binary *values, size_t value_count))
FMI3_REFUSE(GetOutputDerivatives, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,
                                   const int32_t *orders, double *values, size_t value_count))
#undef FMI3_REFUSE
#pragma GCC diagnostic pop
// NOLINTEND(misc-unused-parameters)

Fmi3Status fmi3ActivateModelPartition(Fmi3Instance i, Fmi3Reference clock, double time)
{
    (void)clock, (void)time;
    return fmi3_refuse(i, "ActivateModelPartition");
}
