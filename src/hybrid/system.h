// SPDX-License-Identifier: MIT
//
// A system: deep copies of its definition and of its modes. The modes given at
// creation never change; a mode from the provider is added under a lock and does not
// change, but for those that no run uses may be let go of, to be provided again.
// So runs in many threads share a system.

#ifndef SALTUS_HYBRID_SYSTEM_H
#define SALTUS_HYBRID_SYSTEM_H

#include "base/error.h"
#include "base/memory.h"
#include <saltus/saltus.h>

// Whether a method can be used at all, if not with every mode.
SaltusStatus method_check(const SaltusMethod *method, SaltusError *error);

// The definition copied at creation.
const SaltusSystemDef *system_definition(const SaltusSystem *system);
const SaltusAllocator *system_allocator(const SaltusSystem *system);
// The name of a time event: "time" if the client has none.
const char *system_time_name(const SaltusSystem *system, int id);

// The mode, asked from the provider if need be; NULL with `error` filled. It stays until
// saltus_system_leave_mode was called as often.
const SaltusModeDef *system_find_mode(const SaltusSystem *system, int mode, SaltusError *error);

#endif
