// SPDX-License-Identifier: MIT
//
// What a number counts: the index spaces of models, modes and their programs. Those of the graph
// (Node, GraphVariable, HoldNumber) are in equations/dag.h. The compiler does not keep them apart;
// they say which vector or table a number belongs to.
//
//     GraphVariable -- program_place --> UnknownPlace      in w, what a program solves for
//                   -- program_state --> StateNumber       in x, what the solver integrates
//                   -- CodePlace     --> MemoryPlace       in m, what stays between events
//     HoldNumber    -- ModelHold     --> EventNumber       the event function of a mode
//     Choice[]      -- model_mode    --> ModeNumber        one choice per machine, per if-equation
//
// Where there is none, it is CODE_NONE; of the graph's it is DAG_NONE.

#ifndef SALTUS_MODES_INDICES_H
#define SALTUS_MODES_INDICES_H

#include <stdint.h>

typedef uint32_t UnknownPlace; // in the vector w of a program
typedef uint32_t StateNumber;  // in the vector of states of a mode
typedef uint32_t MemoryPlace;  // in the vector PROGRAM_MEMORY of a run
typedef uint32_t EventNumber;  // of an event function of a mode; of other holds: among their kind
typedef uint32_t EntryNumber;  // of an entry of a program, or of its code
typedef uint32_t PartNumber;   // of an independent part (parts.h), PARTS_ALL or PARTS_NONE
typedef uint32_t ModeNumber;   // of a mode, in the order in which they are first met
typedef uint32_t Choice;       // the active state of a machine or branch of an if-equation

#endif
