// SPDX-License-Identifier: MIT
//
// The C interface of FMI 3.0, written from the specification (Functional Mock-up Interface
// Specification 3.0, sections 2.2, 3.2, 4.2): types, and one list of all functions, from which the
// prototypes of an FMU and the table of an importer are made.

#ifndef SALTUS_FMI_FMI3_H
#define SALTUS_FMI_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *Fmi3Instance;
typedef void *Fmi3State;
typedef uint32_t Fmi3Reference;
typedef const char *Fmi3String;
typedef const uint8_t *Fmi3Binary;

typedef enum Fmi3Status { FMI3_OK, FMI3_WARNING, FMI3_DISCARD, FMI3_ERROR, FMI3_FATAL } Fmi3Status;

typedef enum Fmi3Dependency {
    FMI3_INDEPENDENT,
    FMI3_CONSTANT,
    FMI3_FIXED,
    FMI3_TUNABLE,
    FMI3_DISCRETE,
    FMI3_DEPENDENT,
} Fmi3Dependency;

typedef enum Fmi3IntervalQualifier {
    FMI3_INTERVAL_NOT_YET_KNOWN,
    FMI3_INTERVAL_UNCHANGED,
    FMI3_INTERVAL_CHANGED,
} Fmi3IntervalQualifier;

typedef void (*Fmi3LogMessage)(void *environment, Fmi3Status status, Fmi3String category,
                               Fmi3String message);
typedef void (*Fmi3ClockUpdate)(void *environment);
typedef void (*Fmi3IntermediateUpdate)(void *environment, double time, bool are_inputs_requested,
                                       bool can_be_read, bool is_step_finished,
                                       bool can_return_early, bool *is_return_requested,
                                       double *return_time);
typedef void (*Fmi3LockPreemption)(void);

#define FMI3_GIVE(type)                                                                            \
    (Fmi3Instance i, const Fmi3Reference *vr, size_t count, type *values, size_t value_count)
#define FMI3_TAKE(type)                                                                            \
    (Fmi3Instance i, const Fmi3Reference *vr, size_t count, const type *values, size_t value_count)
#define FMI3_SENSITIVITY                                                                           \
    (Fmi3Instance i, const Fmi3Reference *unknowns, size_t unknown_count,                          \
     const Fmi3Reference *knowns, size_t known_count, const double *seed, size_t seed_count,       \
     double *sensitivity, size_t sensitivity_count)

// Types that are numbers: X(Name, C type).
#define FMI3_NUMBER_TYPES(X)                                                                       \
    X(Float32, float)                                                                              \
    X(Float64, double)                                                                             \
    X(Int8, int8_t)                                                                                \
    X(UInt8, uint8_t)                                                                              \
    X(Int16, int16_t)                                                                              \
    X(UInt16, uint16_t)                                                                            \
    X(Int32, int32_t)                                                                              \
    X(UInt32, uint32_t)                                                                            \
    X(Int64, int64_t)                                                                              \
    X(UInt64, uint64_t)                                                                            \
    X(Boolean, bool)

// The one list of functions: X(result, Name, arguments).
// clang-format off
#define FMI3_FUNCTIONS(X)                                                                          \
    X(const char *, GetVersion, (void))                                                            \
    X(Fmi3Status, SetDebugLogging, (Fmi3Instance i, bool is_on, size_t count,                      \
                                    const Fmi3String *categories))                                 \
    X(Fmi3Instance, InstantiateModelExchange, (Fmi3String name, Fmi3String token,                  \
                                               Fmi3String resources, bool is_visible,              \
                                               bool is_logging, void *environment,                 \
                                               Fmi3LogMessage log))                                \
    X(Fmi3Instance, InstantiateCoSimulation, (Fmi3String name, Fmi3String token,                   \
                                              Fmi3String resources, bool is_visible,               \
                                              bool is_logging, bool uses_event_mode,               \
                                              bool may_return_early,                               \
                                              const Fmi3Reference *intermediate, size_t count,     \
                                              void *environment, Fmi3LogMessage log,               \
                                              Fmi3IntermediateUpdate update))                      \
    X(Fmi3Instance, InstantiateScheduledExecution, (Fmi3String name, Fmi3String token,             \
                                                    Fmi3String resources, bool is_visible,         \
                                                    bool is_logging, void *environment,            \
                                                    Fmi3LogMessage log, Fmi3ClockUpdate update,    \
                                                    Fmi3LockPreemption lock,                       \
                                                    Fmi3LockPreemption unlock))                    \
    X(void, FreeInstance, (Fmi3Instance i))                                                        \
    X(Fmi3Status, EnterInitializationMode, (Fmi3Instance i, bool has_tolerance, double tolerance,  \
                                            double start_time, bool has_stop_time,                 \
                                            double stop_time))                                     \
    X(Fmi3Status, ExitInitializationMode, (Fmi3Instance i))                                        \
    X(Fmi3Status, EnterEventMode, (Fmi3Instance i))                                                \
    X(Fmi3Status, Terminate, (Fmi3Instance i))                                                     \
    X(Fmi3Status, Reset, (Fmi3Instance i))                                                         \
    X(Fmi3Status, GetFloat32, FMI3_GIVE(float))                                                    \
    X(Fmi3Status, GetFloat64, FMI3_GIVE(double))                                                   \
    X(Fmi3Status, GetInt8, FMI3_GIVE(int8_t))                                                      \
    X(Fmi3Status, GetUInt8, FMI3_GIVE(uint8_t))                                                    \
    X(Fmi3Status, GetInt16, FMI3_GIVE(int16_t))                                                    \
    X(Fmi3Status, GetUInt16, FMI3_GIVE(uint16_t))                                                  \
    X(Fmi3Status, GetInt32, FMI3_GIVE(int32_t))                                                    \
    X(Fmi3Status, GetUInt32, FMI3_GIVE(uint32_t))                                                  \
    X(Fmi3Status, GetInt64, FMI3_GIVE(int64_t))                                                    \
    X(Fmi3Status, GetUInt64, FMI3_GIVE(uint64_t))                                                  \
    X(Fmi3Status, GetBoolean, FMI3_GIVE(bool))                                                     \
    X(Fmi3Status, GetString, FMI3_GIVE(Fmi3String))                                                \
    X(Fmi3Status, GetBinary, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,               \
                              size_t *sizes, Fmi3Binary *values, size_t value_count))              \
    X(Fmi3Status, GetClock, (Fmi3Instance i, const Fmi3Reference *vr, size_t count, bool *values)) \
    X(Fmi3Status, SetFloat32, FMI3_TAKE(float))                                                    \
    X(Fmi3Status, SetFloat64, FMI3_TAKE(double))                                                   \
    X(Fmi3Status, SetInt8, FMI3_TAKE(int8_t))                                                      \
    X(Fmi3Status, SetUInt8, FMI3_TAKE(uint8_t))                                                    \
    X(Fmi3Status, SetInt16, FMI3_TAKE(int16_t))                                                    \
    X(Fmi3Status, SetUInt16, FMI3_TAKE(uint16_t))                                                  \
    X(Fmi3Status, SetInt32, FMI3_TAKE(int32_t))                                                    \
    X(Fmi3Status, SetUInt32, FMI3_TAKE(uint32_t))                                                  \
    X(Fmi3Status, SetInt64, FMI3_TAKE(int64_t))                                                    \
    X(Fmi3Status, SetUInt64, FMI3_TAKE(uint64_t))                                                  \
    X(Fmi3Status, SetBoolean, FMI3_TAKE(bool))                                                     \
    X(Fmi3Status, SetString, FMI3_TAKE(Fmi3String))                                                \
    X(Fmi3Status, SetBinary, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,               \
                              const size_t *sizes, const Fmi3Binary *values, size_t value_count))  \
    X(Fmi3Status, SetClock, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,                \
                             const bool *values))                                                  \
    X(Fmi3Status, GetNumberOfVariableDependencies, (Fmi3Instance i, Fmi3Reference vr,              \
                                                    size_t *count))                                \
    X(Fmi3Status, GetVariableDependencies, (Fmi3Instance i, Fmi3Reference dependent,               \
                                            size_t *dependent_elements,                            \
                                            Fmi3Reference *independents,                           \
                                            size_t *independent_elements,                          \
                                            Fmi3Dependency *kinds, size_t count))                  \
    X(Fmi3Status, GetFMUState, (Fmi3Instance i, Fmi3State *state))                                 \
    X(Fmi3Status, SetFMUState, (Fmi3Instance i, Fmi3State state))                                  \
    X(Fmi3Status, FreeFMUState, (Fmi3Instance i, Fmi3State *state))                                \
    X(Fmi3Status, SerializedFMUStateSize, (Fmi3Instance i, Fmi3State state, size_t *size))         \
    X(Fmi3Status, SerializeFMUState, (Fmi3Instance i, Fmi3State state, uint8_t *bytes,             \
                                      size_t size))                                                \
    X(Fmi3Status, DeserializeFMUState, (Fmi3Instance i, const uint8_t *bytes, size_t size,         \
                                        Fmi3State *state))                                         \
    X(Fmi3Status, GetDirectionalDerivative, FMI3_SENSITIVITY)                                      \
    X(Fmi3Status, GetAdjointDerivative, FMI3_SENSITIVITY)                                          \
    X(Fmi3Status, EnterConfigurationMode, (Fmi3Instance i))                                        \
    X(Fmi3Status, ExitConfigurationMode, (Fmi3Instance i))                                         \
    X(Fmi3Status, GetIntervalDecimal, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,      \
                                       double *intervals, Fmi3IntervalQualifier *qualifiers))      \
    X(Fmi3Status, GetIntervalFraction, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,     \
                                        uint64_t *counters, uint64_t *resolutions,                 \
                                        Fmi3IntervalQualifier *qualifiers))                        \
    X(Fmi3Status, GetShiftDecimal, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,         \
                                    double *shifts))                                               \
    X(Fmi3Status, GetShiftFraction, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,        \
                                     uint64_t *counters, uint64_t *resolutions))                   \
    X(Fmi3Status, SetIntervalDecimal, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,      \
                                       const double *intervals))                                   \
    X(Fmi3Status, SetIntervalFraction, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,     \
                                        const uint64_t *counters, const uint64_t *resolutions))    \
    X(Fmi3Status, SetShiftDecimal, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,         \
                                    const double *shifts))                                         \
    X(Fmi3Status, SetShiftFraction, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,        \
                                     const uint64_t *counters, const uint64_t *resolutions))       \
    X(Fmi3Status, EvaluateDiscreteStates, (Fmi3Instance i))                                        \
    X(Fmi3Status, UpdateDiscreteStates, (Fmi3Instance i, bool *update_needed, bool *terminate,     \
                                         bool *nominals_changed, bool *states_changed,             \
                                         bool *has_next_time, double *next_time))                  \
    X(Fmi3Status, EnterContinuousTimeMode, (Fmi3Instance i))                                       \
    X(Fmi3Status, CompletedIntegratorStep, (Fmi3Instance i, bool no_state_before,                  \
                                            bool *enter_event_mode, bool *terminate))              \
    X(Fmi3Status, SetTime, (Fmi3Instance i, double time))                                          \
    X(Fmi3Status, SetContinuousStates, (Fmi3Instance i, const double *x, size_t count))            \
    X(Fmi3Status, GetContinuousStateDerivatives, (Fmi3Instance i, double *dx, size_t count))       \
    X(Fmi3Status, GetEventIndicators, (Fmi3Instance i, double *h, size_t count))                   \
    X(Fmi3Status, GetContinuousStates, (Fmi3Instance i, double *x, size_t count))                  \
    X(Fmi3Status, GetNominalsOfContinuousStates, (Fmi3Instance i, double *nominals,                \
                                                  size_t count))                                   \
    X(Fmi3Status, GetNumberOfEventIndicators, (Fmi3Instance i, size_t *count))                     \
    X(Fmi3Status, GetNumberOfContinuousStates, (Fmi3Instance i, size_t *count))                    \
    X(Fmi3Status, EnterStepMode, (Fmi3Instance i))                                                 \
    X(Fmi3Status, GetOutputDerivatives, (Fmi3Instance i, const Fmi3Reference *vr, size_t count,    \
                                         const int32_t *orders, double *values,                    \
                                         size_t value_count))                                      \
    X(Fmi3Status, DoStep, (Fmi3Instance i, double time, double step, bool is_final,                \
                           bool *needs_event, bool *terminate, bool *returned_early,               \
                           double *last_time))                                                     \
    X(Fmi3Status, ActivateModelPartition, (Fmi3Instance i, Fmi3Reference clock, double time))
// clang-format on

#endif
