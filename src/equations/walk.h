// SPDX-License-Identifier: MIT
//
// Ways through the graph: what is reachable, substitution, which variables occur and how.
//
// None of it recurses, so that a sum of a million terms is no danger to the stack, and each costs
// what the reachable part of the graph costs, not the whole of it.

#ifndef SALTUS_EQUATIONS_WALK_H
#define SALTUS_EQUATIONS_WALK_H

#include "equations/dag.h"

// A partial map from nodes (or variables) to numbers, which is emptied in constant time, with a
// list that keeps its room. Take one, use it, give it back.
//
// Keys below `room` have their place in two arrays. Larger ones stand in a table while they are
// few: what looks at a few equations of a large graph must not take memory for all of it.
struct DagMemo {
    Dag *dag;
    Arena *arena;     // in which it was made
    uint32_t *values; // with the stamps behind them
    uint16_t *stamps;
    uint32_t *few;      // the table: key, stamp and value of each slot; NULL: none was needed yet
    uint32_t few_count; // that it has now
    uint8_t few_bits;   // the table has 2^few_bits slots
    uint32_t room;
    uint16_t stamp;
    Node *list;
    uint32_t count, list_room;
    DagMemo *next;
};

DagMemo *memo_take(Dag *dag);
void memo_give(DagMemo *memo);
void memo_clear(DagMemo *memo);
// The same, and gives back what a large one takes.
void memo_empty(DagMemo *memo);
// Gives back what large ones take that nobody uses now.
void memo_give_back(Dag *dag);
void memo_set(DagMemo *memo, uint32_t key, uint32_t value);
void memo_push(DagMemo *memo, Node node);

// Of a key beyond `room`.
bool memo_has_among_few(const DagMemo *memo, uint32_t key);
uint32_t memo_get_among_few(const DagMemo *memo, uint32_t key);

static inline bool memo_has(const DagMemo *memo, uint32_t key)
{
    return key < memo->room ? memo->stamps[key] == memo->stamp
                            : memo->few_count && memo_has_among_few(memo, key);
}
// Of a key that it has.
static inline uint32_t memo_get(const DagMemo *memo, uint32_t key)
{
    return key < memo->room ? memo->values[key] : memo_get_among_few(memo, key);
}

// Appends to memo->list the nodes that the roots reach, operands first, without those the memo
// already has; afterwards the memo has them (with their place in the list as value).
void walk_order(DagMemo *memo, const Node *roots, uint32_t count);

// How far a walk goes.
typedef enum WalkReach {
    WALK_ALL,
    WALK_UNHELD, // not into holds: between events their values are known
    WALK_SMOOTH, // likewise, and not into what is Integer or Boolean
} WalkReach;

// The same with a reach, and without what `known` has (NULL: nothing).
void walk_order_beyond(DagMemo *memo, WalkReach reach, const DagMemo *known, const Node *roots,
                       uint32_t count);

// The variables that occur in the roots, ascending, as memo->list of an empty memo; the memo maps
// nothing afterwards.
void walk_variables(DagMemo *memo, WalkReach reach, const Node *roots, uint32_t count);
// Whether one of the variables for which `set` has a key occurs in the node.
bool walk_depends(Dag *dag, Node node, const DagMemo *set);
bool walk_depends_on(Dag *dag, Node node, uint32_t variable);
// Adds to `dependent` the nodes of `order`, which has operands before what they are operands of,
// that contain one of the variables of `set` outside holds; NULL: one that is DAG_CONTINUOUS, but
// not time.
void walk_mark_dependent(DagMemo *dependent, const DagMemo *order, const DagMemo *set);

// `node` with every variable that `map` has replaced by the node that is its value. Simplifies
// anew. All at once: what is put in is not searched again.
Node walk_substitute(Dag *dag, Node node, const DagMemo *map);
// The same for roots that come one after the other: `done` has what nodes became under this map.
Node walk_substitute_more(Dag *dag, Node node, const DagMemo *map, DagMemo *done);

// `node` with 0 * x replaced by 0, where only an overflow in x could make that something else
// (DAG_TAME), and 0 * (x + y) by 0 * y where that is so for x. The structure of equations does not
// count x: walk_occurrences. So what it is computed from must not contain it either.
Node walk_drop_zeros(Dag *dag, Node node);

// How a variable occurs in an expression e, best first.
typedef enum WalkIncidence {
    WALK_UNIT,      // e = +-v + rest
    WALK_CONSTANT,  // e = c v + rest with a number c that is not zero
    WALK_PARAMETER, // c has the variability of a parameter
    WALK_LINEAR,    // c depends on variables, but not on v; neither does the rest
    WALK_NONLINEAR,
} WalkIncidence;

typedef struct WalkOccurrence {
    uint32_t variable;
    WalkIncidence incidence;
} WalkOccurrence;

// The unknowns (variables for which `unknowns` has a key; NULL: all that are DAG_CONTINUOUS but
// time) that occur in e outside holds, by ascending number, in the arena. An unknown whose
// coefficient is the number zero, like x in (x + y) - x, does not occur.
uint32_t walk_occurrences(Dag *dag, Arena *arena, Node e, const DagMemo *unknowns,
                          WalkOccurrence **occurrences);

#endif
