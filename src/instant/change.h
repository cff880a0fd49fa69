// SPDX-License-Identifier: MIT
//
// Changes of the mode at an event: the search for a mode whose conditions agree with it, and the
// consistent restart in it. Left limits are those of the beginning of the iteration, for every
// candidate; the first reason why one is impossible is what a search that fails says.

#ifndef SALTUS_INSTANT_CHANGE_H
#define SALTUS_INSTANT_CHANGE_H

#include "instant/search.h"
#include "instant/settle.h"

typedef struct ChangeRequest {
    const Mode *from;
    ModelMemory memory;    // of the run, with what entries of states have set already
    const Choice *choices; // that are asked for
    const bool *is_fixed;  // by place in the memory: reinit gave it; NULL: none
    bool may_stay;         // the present mode is a candidate, too
} ChangeRequest;

// False: the run has failed. *is_ended: the iteration has ended in the mode that was left.
bool change_mode(SaltusEvent *event, const ChangeRequest *request, bool *is_ended);

// Relations that do not occur in the mode have the value of long ago: what the left limits say
// instead. False: the run has failed.
bool change_refresh(SaltusEvent *event, const Mode *mode, const ModelMemory *memory);
// The choices of a mode; where it has none, the branches that hold by the left limits. Machines
// that are not active are left as they are. False: the run has failed.
bool change_choices(SaltusEvent *event, const Mode *mode, const ModelMemory *memory,
                    Choice *choices);
// The branches that hold by the left limits and what discrete variables are now.
bool change_branches(SaltusEvent *event, const Model *model, const ModelMemory *memory,
                     Choice *choices);
#endif
