// SPDX-License-Identifier: MIT
//
// The instructions of an entry as straight C, for one trajectory or for a vector of them, with
// their derivatives: forward differentiation (A. Griewank, A. Walther: Evaluating Derivatives,
// 2nd ed., chapter 3), done while the text is written. What is zero by the structure is not there.
//
// Guarded blocks become choices: both branches are computed, and each lane takes the value of its
// own. So a value of the branch that is not taken may be anything; it is not looked at.

#ifndef SALTUS_KERNEL_FORWARD_H
#define SALTUS_KERNEL_FORWARD_H

#include "code/code.h"
#include "kernel/kernel.h"

// In which directions the inputs move. Seeds are texts of C; NULL: it does not move.
typedef struct ForwardSeed {
    uint32_t vector, index;
    uint32_t direction;
    const char *text;
} ForwardSeed;

typedef struct ForwardDef {
    const char *name;      // of the function
    const char *type;      // of a value: "V", "double"
    const char *call;      // what the names of operators begin with: "v_", "s_"
    const char *arguments; // of the function, as text; outputs are y[], derivatives dy[]
    const char *preface;   // what it begins with; may be NULL
    const ForwardSeed *seeds;
    uint32_t seed_count, direction_count;
    const double *parameters; // values of those that are not moved: they are constants
    const bool *is_moved;
    // Expressions of the outputs, which are computed instead of them.
    const KernelNode *nodes;
    uint32_t node_count;
    const uint32_t *output_places; // by number of an output of the model: its place, or CODE_NONE
    const uint32_t *results;       // nodes
    uint32_t result_count;
} ForwardDef;

// Why an entry cannot be written so, or NULL.
const char *forward_obstacle(const CodeBody *body);
// Appends the function. is_there[direction * output_count + output], may be NULL: the derivative is
// not zero by the structure; only those are stored, at the same place of dy.
void forward_emit(const CodeModule *module, const CodeBody *body, const ForwardDef *def,
                  bool *is_there, StringBuilder *out);

#endif
