// SPDX-License-Identifier: MIT
//
// How a run computes while a mode is active: the method it was started with, changed by the
// annotations __Saltus of the model and of active states, outer ones first (SE-A).

#ifndef SALTUS_MODES_METHODS_H
#define SALTUS_MODES_METHODS_H

#include "modes/model_parts.h"

// Doubles in a run's memory that keep the method of its start; 0: there are no annotations.
uint32_t methods_memory(const FlatModel *flat);
// Errors for solvers and locators that do not exist.
bool methods_check(const FlatModel *flat, Diagnostics *diagnostics);
// Remembers the method of the start.
void methods_start(const SaltusEvent *event, const Model *model);
// Sets the method of a mode that was entered.
void methods_enter(SaltusEvent *event, const Mode *mode);

#endif
