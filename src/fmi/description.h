// SPDX-License-Identifier: MIT
//
// What modelDescription.xml says of an FMU, of FMI 2.0 or 3.0: made of a model and written
// (describe.h, description_write.h), or read from a file that anybody may have written
// (description_read.h).

#ifndef SALTUS_FMI_DESCRIPTION_H
#define SALTUS_FMI_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The one list of types, by their names in FMI 3.0: X(NAME, "name"). Real and Integer of FMI 2.0
// are Float64 and Int32.
#define FMU_TYPES(X)                                                                               \
    X(FLOAT64, "Float64")                                                                          \
    X(FLOAT32, "Float32")                                                                          \
    X(INT8, "Int8")                                                                                \
    X(UINT8, "UInt8")                                                                              \
    X(INT16, "Int16")                                                                              \
    X(UINT16, "UInt16")                                                                            \
    X(INT32, "Int32")                                                                              \
    X(UINT32, "UInt32")                                                                            \
    X(INT64, "Int64")                                                                              \
    X(UINT64, "UInt64")                                                                            \
    X(BOOLEAN, "Boolean")                                                                          \
    X(ENUMERATION, "Enumeration")                                                                  \
    X(STRING, "String")                                                                            \
    X(BINARY, "Binary")                                                                            \
    X(CLOCK, "Clock")

typedef enum FmuType {
#define FMU_TYPE_ENUM(name, text) FMU_##name,
    FMU_TYPES(FMU_TYPE_ENUM)
#undef FMU_TYPE_ENUM
} FmuType;

// By their names in the XML: X(NAME, "name").
#define FMU_CAUSALITIES(X)                                                                         \
    X(LOCAL, "local")                                                                              \
    X(PARAMETER, "parameter")                                                                      \
    X(CALCULATED_PARAMETER, "calculatedParameter")                                                 \
    X(STRUCTURAL_PARAMETER, "structuralParameter")                                                 \
    X(INPUT, "input")                                                                              \
    X(OUTPUT, "output")                                                                            \
    X(INDEPENDENT, "independent")

#define FMU_VARIABILITIES(X)                                                                       \
    X(CONSTANT, "constant")                                                                        \
    X(FIXED, "fixed")                                                                              \
    X(TUNABLE, "tunable")                                                                          \
    X(DISCRETE, "discrete")                                                                        \
    X(CONTINUOUS, "continuous")

#define FMU_INITIALS(X)                                                                            \
    X(EXACT, "exact")                                                                              \
    X(APPROX, "approx")                                                                            \
    X(CALCULATED, "calculated")

// When a clock ticks.
#define FMU_INTERVALS(X)                                                                           \
    X(INTERVAL_CONSTANT, "constant")                                                               \
    X(INTERVAL_FIXED, "fixed")                                                                     \
    X(INTERVAL_CALCULATED, "calculated")                                                           \
    X(INTERVAL_TUNABLE, "tunable")                                                                 \
    X(INTERVAL_CHANGING, "changing")                                                               \
    X(INTERVAL_COUNTDOWN, "countdown")                                                             \
    X(INTERVAL_TRIGGERED, "triggered")

#define FMU_WORD_ENUM(name, text) FMU_##name,
typedef enum FmuCausality { FMU_CAUSALITIES(FMU_WORD_ENUM) } FmuCausality;
typedef enum FmuVariability { FMU_VARIABILITIES(FMU_WORD_ENUM) } FmuVariability;
typedef enum FmuInterval { FMU_INTERVALS(FMU_WORD_ENUM) } FmuInterval;
typedef enum FmuInitial { FMU_NO_INITIAL, FMU_INITIALS(FMU_WORD_ENUM) } FmuInitial;
#undef FMU_WORD_ENUM

#define FMU_NOTHING UINT32_MAX

typedef struct FmuVariable {
    const char *name;
    const char *text;        // its description; NULL: none, as of all texts here
    const char *unit;        // of FLOAT64
    const char *quantity;    // likewise
    const char *enumeration; // the name of its type, if it is one
    uint32_t reference;
    FmuType type;
    FmuCausality causality;
    FmuVariability variability;
    FmuInitial initial;
    double minimum, maximum, nominal; // NAN: not given
    double start;                     // NAN: not given, or no number
    const char *start_text;           // of a String; of what was read: as it stands there
    uint32_t state;                   // the variable that this is the derivative of, by its index
    uint32_t alias;                   // the one before it with the same reference and type
    uint32_t size;                    // elements; 0: depends on structural parameters
    bool is_reinit;                   // a state that events may set
    FmuInterval interval_kind;        // of a clock
    double interval, shift;           // likewise, if they are known; NAN: not
    uint32_t priority;                // likewise: the lowest number goes first
} FmuVariable;

// A scalar of which nothing is given.
#define FMU_VARIABLE_PLAIN                                                                         \
    .minimum = NAN, .maximum = NAN, .nominal = NAN, .start = NAN, .state = FMU_NOTHING,            \
    .alias = FMU_NOTHING, .size = 1

typedef struct FmuDescription {
    int version; // 2 or 3
    const char *name;
    const char *text;
    const char *token; // guid, instantiationToken
    const char *tool;
    const char *exchange; // model identifiers; NULL: it has no such interface
    const char *cosimulation;
    const char *scheduled; // scheduled execution of FMI 3.0
    bool can_keep_state;   // get and set the FMU's state
    bool can_serialize_state;
    bool has_event_mode; // of co-simulation in FMI 3.0
    bool can_return_early;
    bool has_derivatives;                          // directional ones
    double start_time, stop_time, tolerance, step; // NAN: not given
    uint32_t variable_count, enumeration_count, output_count, derivative_count, indicator_count;
    FmuVariable *variables;
    const struct FlatType *const *enumerations;
    const uint32_t *outputs, *derivatives; // in ModelStructure, by their indices
    const uint32_t *indicators;            // likewise, of FMI 3.0; NULL in 2.0
    const char *const *sources;            // files that it is built from; NULL: it has none
    uint32_t source_count;
} FmuDescription;

#endif
