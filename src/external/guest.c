// SPDX-License-Identifier: MIT
//
// Functions of the guest: see ExternalGuest.

#include "external/functions.h"

static bool guest_call(ExternalCall *call, GuestFunction function)
{
    const ExternalGuest *guest = call->store ? store_guest(call->store) : NULL;
    if (!guest)
        return external_fail(call, "an FMU is foreign code, which is not allowed here");
    return guest->call(guest->user, function, call);
}

bool guest_step(ExternalCall *call)
{
    return guest_call(call, GUEST_STEP);
}

bool guest_begin(ExternalCall *call)
{
    return guest_call(call, GUEST_BEGIN);
}

bool guest_flow(ExternalCall *call)
{
    return guest_call(call, GUEST_FLOW);
}

bool guest_flow_forward(ExternalCall *call)
{
    return guest_call(call, GUEST_FLOW_FORWARD);
}

bool guest_event(ExternalCall *call)
{
    return guest_call(call, GUEST_EVENT);
}
