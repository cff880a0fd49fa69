// SPDX-License-Identifier: MIT
//
// Values on their way into bytes, or back: the same calls in the same order write and read them, so
// there is one description of what is kept. Bytes are for the same program on the same kind of
// machine.

#ifndef SALTUS_BASE_CARRIER_H
#define SALTUS_BASE_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct Carrier {
    uint8_t *bytes; // NULL: they are only counted
    size_t size, place;
    bool is_reading;
    bool has_failed; // there were too few of them
} Carrier;

static inline void carry(Carrier *c, void *data, size_t size)
{
    if (c->has_failed || (c->bytes && size > c->size - c->place)) {
        c->has_failed = true;
        return;
    }
    if (c->bytes && size > 0 && c->is_reading)
        memcpy(data, c->bytes + c->place, size);
    else if (c->bytes && size > 0)
        memcpy(c->bytes + c->place, data, size);
    c->place += size;
}

static inline void carry_reals(Carrier *c, double *values, int count)
{
    carry(c, values, (size_t)count * sizeof *values);
}

#define CARRY(c, value) carry((c), &(value), sizeof(value))

#endif
