// SPDX-License-Identifier: MIT
//
// A kernel: a model with its solver and what is observed, as one function that runs many
// trajectories at once, on the processor or on a GPU.
//
//   KernelCode *k = kernel_create(&def, KERNEL_CPU);         // NULL: out of memory
//   if (kernel_reason(k)[0]) ...                         // why there is none: run as usual
//   kernel_run(k, axes, count, results, status);
//
// What always holds: a trajectory that may not be what the ordinary run would give has a status
// that is not 0, and no results: it is to be run as usual. Others agree with the ordinary run
// within the tolerance of the solver, and in the number of their events.

#ifndef SALTUS_KERNEL_KERNEL_H
#define SALTUS_KERNEL_KERNEL_H

#include "code/native.h"
#include "modes/model.h"

typedef enum KernelDevice { KERNEL_CPU, KERNEL_GPU } KernelDevice;

// What is remembered: of the n-th occurrence of a condition; of a probe over the whole run.
typedef enum KernelTermKind {
    KERNEL_TIME,
    KERNEL_LEFT,
    KERNEL_RIGHT,
    KERNEL_MAXIMUM,
    KERNEL_MINIMUM,
    KERNEL_TIME_OF_MAXIMUM,
    KERNEL_TIME_OF_MINIMUM,
    KERNEL_INTEGRAL,
    KERNEL_AT_TIME,
} KernelTermKind;

typedef struct KernelTerm {
    uint32_t condition;
    uint32_t occurrence; // from 1
    KernelTermKind kind;
    uint32_t slot;   // of a limit
    uint32_t probe;  // its node
    double time;     // KERNEL_AT_TIME
    double from, to; // of extrema and integrals: the part of the run
} KernelTerm;

// An expression of outputs; operands stand before it.
typedef enum KernelNodeKind {
    KERNEL_NODE_NUMBER,
    KERNEL_NODE_TIME,
    KERNEL_NODE_PARAMETER,
    KERNEL_NODE_OUTPUT,
    KERNEL_NODE_OPERATION,
} KernelNodeKind;

typedef struct KernelNode {
    KernelNodeKind kind;
    double number;
    uint32_t index; // of the parameter or output
    Operator op;
    uint32_t operands[3];
} KernelNode;

typedef struct KernelDef {
    const Model *model;
    const double *parameters; // all values, where no axis gives another
    const uint32_t *axes;     // numbers of parameters that trajectories differ in
    uint32_t axis_count;
    const ParameterValue *given; // whose values do not come from their bindings
    uint32_t given_count;
    SaltusMethod method;
    double start_time, stop_time;
    // What is observed: outputs of the model at the end; how often events happened that a condition
    // is about; and terms of these.
    const uint32_t *slots;
    uint32_t slot_count;
    uint32_t condition_count;
    bool (*matches)(const void *user, uint32_t condition, const SaltusEventDef *event);
    bool (*matches_time)(const void *user, uint32_t condition, int id); // the same of a time event
    // The same of a change from one mode to another, by their names.
    bool (*matches_change)(const void *user, uint32_t condition, const char *from, const char *to);
    const void *user;
    const KernelTerm *terms;
    uint32_t term_count;
    const KernelNode *nodes; // of the probes
    uint32_t node_count;
    bool has_mode;         // the number of the mode at the end is a result
    const uint32_t *modes; // of a model with several: those that were met; the first: a start
    uint32_t mode_count;
    const NativeOptions *native; // compiler and cache; may be NULL
    unsigned lanes;              // of the processor's vectors; 0: as many as suit it
    bool is_whole;               // for single runs, see whole.h
    bool has_exact;              // such a run solves linear modes exactly: they are left to it
} KernelDef;

// Results of one trajectory: slots, then terms (NaN: it did not happen), then counts, then the
// mode.
static inline size_t kernel_result_count(const KernelDef *def)
{
    return (size_t)def->slot_count + def->term_count + def->condition_count + def->has_mode;
}

typedef struct KernelCode KernelCode;

KernelCode *kernel_create(const KernelDef *def, KernelDevice device);
void kernel_destroy(KernelCode *kernel); // NULL is allowed
// Why it cannot run; "" if it can.
const char *kernel_reason(const KernelCode *kernel);
// The text that was compiled, and with how many lanes.
String kernel_source(const KernelCode *kernel);
unsigned kernel_lanes(const KernelCode *kernel);

// Runs `count` trajectories (none: only asks whether the device is there): `axes` has the values of
// each, then of the next. The processor's may be called by several threads. False: it failed as a
// whole, and the reason says why.
bool kernel_run(KernelCode *kernel, const double *axes, size_t count, double *results, int *status);
// The function of a kernel that is whole, and the number of its i-th mode.
CodeFunction kernel_entry(const KernelCode *kernel);
uint32_t kernel_mode(const KernelCode *kernel, unsigned i);
SaltusSolver kernel_solver(const KernelCode *kernel);
// So many modes a kernel has at most; others are left out.
enum { KERNEL_MOST_MODES = 16 };
// How many modes it has.
unsigned kernel_mode_count(const KernelCode *kernel);
// The status of a trajectory that met a mode which is none of the kernel's.
enum { KERNEL_NEW_MODE = 13 };
// Why a trajectory was set aside, in words.
const char *kernel_status_text(int status);

#endif
