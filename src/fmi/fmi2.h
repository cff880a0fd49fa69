// SPDX-License-Identifier: MIT
//
// The C interface of FMI 2.0, written from the specification (FMI for Model Exchange and
// Co-Simulation, version 2.0.4, sections 2.1, 3.2 and 4.2): types, and one list of all functions,
// from which the prototypes of an FMU and the table of an importer are made.

#ifndef SALTUS_FMI_FMI2_H
#define SALTUS_FMI_FMI2_H

#include <stddef.h>

typedef void *Fmi2Component;
typedef void *Fmi2State;
typedef unsigned int Fmi2Reference;
typedef int Fmi2Boolean; // 0 or 1
typedef const char *Fmi2String;

typedef enum Fmi2Status {
    FMI2_OK,
    FMI2_WARNING,
    FMI2_DISCARD,
    FMI2_ERROR,
    FMI2_FATAL,
    FMI2_PENDING,
} Fmi2Status;

typedef enum Fmi2Type { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION } Fmi2Type;

typedef enum Fmi2StatusKind {
    FMI2_DO_STEP_STATUS,
    FMI2_PENDING_STATUS,
    FMI2_LAST_SUCCESSFUL_TIME,
    FMI2_TERMINATED,
} Fmi2StatusKind;

typedef struct Fmi2Callbacks {
    void (*logger)(void *environment, Fmi2String instance, Fmi2Status status, Fmi2String category,
                   Fmi2String message, ...);
    void *(*allocate)(size_t count, size_t size);
    void (*release)(void *block);
    void (*step_finished)(void *environment, Fmi2Status status);
    void *environment;
} Fmi2Callbacks;

typedef struct Fmi2EventInfo {
    Fmi2Boolean new_discrete_states_needed;
    Fmi2Boolean terminate_simulation;
    Fmi2Boolean nominals_changed;
    Fmi2Boolean states_changed;
    Fmi2Boolean next_event_time_defined;
    double next_event_time;
} Fmi2EventInfo;

// The one list of functions: X(result, Name, arguments).
// clang-format off
#define FMI2_FUNCTIONS(X)                                                                          \
    X(const char *, GetTypesPlatform, (void))                                                      \
    X(const char *, GetVersion, (void))                                                            \
    X(Fmi2Status, SetDebugLogging, (Fmi2Component c, Fmi2Boolean is_on, size_t count,              \
                                    const Fmi2String *categories))                                 \
    X(Fmi2Component, Instantiate, (Fmi2String name, Fmi2Type type, Fmi2String token,               \
                                   Fmi2String resources, const Fmi2Callbacks *callbacks,           \
                                   Fmi2Boolean is_visible, Fmi2Boolean is_logging))                \
    X(void, FreeInstance, (Fmi2Component c))                                                       \
    X(Fmi2Status, SetupExperiment, (Fmi2Component c, Fmi2Boolean has_tolerance, double tolerance,  \
                                    double start_time, Fmi2Boolean has_stop_time,                  \
                                    double stop_time))                                             \
    X(Fmi2Status, EnterInitializationMode, (Fmi2Component c))                                      \
    X(Fmi2Status, ExitInitializationMode, (Fmi2Component c))                                       \
    X(Fmi2Status, Terminate, (Fmi2Component c))                                                    \
    X(Fmi2Status, Reset, (Fmi2Component c))                                                        \
    X(Fmi2Status, GetReal, (Fmi2Component c, const Fmi2Reference *vr, size_t count,                \
                            double *values))                                                       \
    X(Fmi2Status, GetInteger, (Fmi2Component c, const Fmi2Reference *vr, size_t count,             \
                               int *values))                                                       \
    X(Fmi2Status, GetBoolean, (Fmi2Component c, const Fmi2Reference *vr, size_t count,             \
                               Fmi2Boolean *values))                                               \
    X(Fmi2Status, GetString, (Fmi2Component c, const Fmi2Reference *vr, size_t count,              \
                              Fmi2String *values))                                                 \
    X(Fmi2Status, SetReal, (Fmi2Component c, const Fmi2Reference *vr, size_t count,                \
                            const double *values))                                                 \
    X(Fmi2Status, SetInteger, (Fmi2Component c, const Fmi2Reference *vr, size_t count,             \
                               const int *values))                                                 \
    X(Fmi2Status, SetBoolean, (Fmi2Component c, const Fmi2Reference *vr, size_t count,             \
                               const Fmi2Boolean *values))                                         \
    X(Fmi2Status, SetString, (Fmi2Component c, const Fmi2Reference *vr, size_t count,              \
                              const Fmi2String *values))                                           \
    X(Fmi2Status, GetFMUstate, (Fmi2Component c, Fmi2State *state))                                \
    X(Fmi2Status, SetFMUstate, (Fmi2Component c, Fmi2State state))                                 \
    X(Fmi2Status, FreeFMUstate, (Fmi2Component c, Fmi2State *state))                               \
    X(Fmi2Status, SerializedFMUstateSize, (Fmi2Component c, Fmi2State state, size_t *size))        \
    X(Fmi2Status, SerializeFMUstate, (Fmi2Component c, Fmi2State state, char *bytes, size_t size)) \
    X(Fmi2Status, DeSerializeFMUstate, (Fmi2Component c, const char *bytes, size_t size,           \
                                        Fmi2State *state))                                         \
    X(Fmi2Status, GetDirectionalDerivative, (Fmi2Component c, const Fmi2Reference *unknowns,       \
                                             size_t unknown_count, const Fmi2Reference *knowns,    \
                                             size_t known_count, const double *seed,               \
                                             double *sensitivity))                                 \
    X(Fmi2Status, EnterEventMode, (Fmi2Component c))                                               \
    X(Fmi2Status, NewDiscreteStates, (Fmi2Component c, Fmi2EventInfo *info))                       \
    X(Fmi2Status, EnterContinuousTimeMode, (Fmi2Component c))                                      \
    X(Fmi2Status, CompletedIntegratorStep, (Fmi2Component c, Fmi2Boolean no_state_before,          \
                                            Fmi2Boolean *enter_event_mode,                         \
                                            Fmi2Boolean *terminate))                               \
    X(Fmi2Status, SetTime, (Fmi2Component c, double time))                                         \
    X(Fmi2Status, SetContinuousStates, (Fmi2Component c, const double *x, size_t count))           \
    X(Fmi2Status, GetDerivatives, (Fmi2Component c, double *dx, size_t count))                     \
    X(Fmi2Status, GetEventIndicators, (Fmi2Component c, double *h, size_t count))                  \
    X(Fmi2Status, GetContinuousStates, (Fmi2Component c, double *x, size_t count))                 \
    X(Fmi2Status, GetNominalsOfContinuousStates, (Fmi2Component c, double *nominals,               \
                                                  size_t count))                                   \
    X(Fmi2Status, SetRealInputDerivatives, (Fmi2Component c, const Fmi2Reference *vr,              \
                                            size_t count, const int *orders,                       \
                                            const double *values))                                 \
    X(Fmi2Status, GetRealOutputDerivatives, (Fmi2Component c, const Fmi2Reference *vr,             \
                                             size_t count, const int *orders, double *values))     \
    X(Fmi2Status, DoStep, (Fmi2Component c, double time, double step, Fmi2Boolean is_final))       \
    X(Fmi2Status, CancelStep, (Fmi2Component c))                                                   \
    X(Fmi2Status, GetStatus, (Fmi2Component c, Fmi2StatusKind kind, Fmi2Status *value))            \
    X(Fmi2Status, GetRealStatus, (Fmi2Component c, Fmi2StatusKind kind, double *value))            \
    X(Fmi2Status, GetIntegerStatus, (Fmi2Component c, Fmi2StatusKind kind, int *value))            \
    X(Fmi2Status, GetBooleanStatus, (Fmi2Component c, Fmi2StatusKind kind, Fmi2Boolean *value))    \
    X(Fmi2Status, GetStringStatus, (Fmi2Component c, Fmi2StatusKind kind, Fmi2String *value))
// clang-format on

#endif
