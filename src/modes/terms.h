// SPDX-License-Identifier: MIT
//
// What a residual is the sum of, as a formula: |a| + |b| for a - b. Whether a residual is small is
// a question of this. What cannot be taken apart counts with its value.

#ifndef SALTUS_MODES_TERMS_H
#define SALTUS_MODES_TERMS_H

#include "equations/walk.h"
#include "structure/solution.h"

// terms[i]: of nodes[i].
void terms_find(Dag *dag, const Node *nodes, uint32_t count, Node *terms);
// The same, where some variables stand for what defines them, in this order: what has cancelled in
// them counts, too.
void terms_find_through(Dag *dag, const SolutionDefinition *definitions, uint32_t definition_count,
                        const Node *nodes, uint32_t count, Node *terms);
// Of one node; found: of its operands.
Node terms_size(Dag *dag, const DagMemo *found, Node node);

#endif
