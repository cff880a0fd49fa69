// SPDX-License-Identifier: MIT
//
// The usual event, the short way: one iteration of it where there is nothing but relations,
// discrete variables and when clauses, where conditions agree after a few rounds, and where the
// mode stays. What is computed is what update.c computes, in the same order and with the same bits;
// what nothing depends on is left out (see ModePlain), and nothing is allocated. Whatever turns out
// not to be usual is left to update.c: nothing has happened then.

#ifndef SALTUS_INSTANT_PLAIN_H
#define SALTUS_INSTANT_PLAIN_H

#include "instant/system.h"

// False: it is for update_event.
bool plain_event(SaltusEvent *event, unsigned *answer);

#endif
