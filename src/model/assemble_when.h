// SPDX-License-Identifier: MIT
//
// When clauses as definitions and actions. Only assemble.c uses it.

#ifndef SALTUS_MODEL_ASSEMBLE_WHEN_H
#define SALTUS_MODEL_ASSEMBLE_WHEN_H

#include "model/assemble.h"

void assemble_when(Assembly *a, const FlatWhen *when);
// The text of a message; what is not constant in it stands as it is written.
const char *assemble_message(Assembly *a, const FlatExpression *message);

// Offered by assemble.c.
void assemble_define(Assembly *a, uint32_t variable, Node value);
void assemble_action(Assembly *a, const AssembledAction *action);

#endif
