// SPDX-License-Identifier: MIT
//
// What a residual is the sum of, as a formula: |a| + |b| for a - b. Whether a residual is small is
// a question of this. What cannot be taken apart counts with its value.

#ifndef SALTUS_MODES_TERMS_H
#define SALTUS_MODES_TERMS_H

#include "equations/walk.h"

// terms[i]: of nodes[i].
void terms_find(Dag *dag, const Node *nodes, uint32_t count, Node *terms);
// Of one node; found: of its operands.
Node terms_size(Dag *dag, const DagMemo *found, Node node);

#endif
