// SPDX-License-Identifier: MIT
//
// Index reduction: how often each equation is differentiated.
//
// J. D. Pryce: A simple structural analysis method for DAEs, BIT 41 (2001). The offsets c, d are
// the least non-negative integers with
//     d_j - c_i >= sigma_ij   for all entries,   equal on a transversal;
// equation i is needed up to its derivative c_i, variable j up to its derivative d_j. They are
// those of C. C. Pantelides (SIAM J. Sci. Stat. Comput. 9, 1988), who finds them by search.
//
// The system Jacobian is J_ij = df_i / dv_j^(sigma_ij) on the *tight* entries, where
// sigma_ij = d_j - c_i, and 0 elsewhere. Where it is not singular the structural index and the
// number of degrees of freedom are those of the system.

#ifndef SALTUS_STRUCTURE_OFFSETS_H
#define SALTUS_STRUCTURE_OFFSETS_H

#include "structure/matching.h"
#include "structure/signature.h"

typedef struct Offsets {
    const uint32_t *c, *d; // of equations and variables
    Matching transversal;  // perfect, of tight entries
    uint32_t index;        // structural: the largest c, and one more if a d is 0
    uint32_t depth;        // the largest d: stages -depth, ..., 0
    uint32_t freedom;      // degrees of freedom: sum of d - sum of c
} Offsets;

// least[j] (NULL: zeros) is a lower bound of d_j: a variable that is to be a state must be
// differentiated. False: the system is structurally singular, there are no offsets.
// O(edges * sqrt(n)) for each unit of the largest c, in practice as good as linear.
bool offsets_find(Arena *arena, const Signature *s, const uint32_t *least, Offsets *out);

static inline bool offsets_tight(const Offsets *o, uint32_t equation, const SignatureEntry *entry)
{
    return o->c[equation] + entry->order == o->d[entry->variable];
}

// The edges of the tight entries; entry_of[edge], if not NULL, becomes the number of the entry.
Graph offsets_graph(Arena *arena, const Signature *s, const Offsets *o, const uint32_t **entry_of);

#endif
