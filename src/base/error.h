// SPDX-License-Identifier: MIT
//
// Errors, as the public interface hands them out: the only place that fills one. `error` may be
// NULL: nobody asks.

#ifndef SALTUS_BASE_ERROR_H
#define SALTUS_BASE_ERROR_H

#include "base/message.h"

// With a message, in place of what is there, which is not freed: it may be no error yet. SALTUS_OK
// has none, and no memory. Returns the status.
SaltusStatus error_set(SaltusError *error, SaltusStatus status, const char *format, ...)
    TEXT_FORMAT(3, 4);
// Another message for an error that is filled, whose own one may be among the arguments.
void error_word(SaltusError *error, const char *format, ...) TEXT_FORMAT(2, 3);
// Hands one on, which is empty then.
void error_pass(SaltusError *to, SaltusError *from);
// A copy with a message of its own.
void error_copy(SaltusError *to, const SaltusError *from);

#endif
