// SPDX-License-Identifier: MIT
//
// ModelicaRandom_: see random.h.

#include "external/random.h"

#include "external/functions.h"

#include <time.h>
#include <unistd.h>

uint64_t random_64star(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    return *state = x * UINT64_C(2685821657736338717);
}

uint64_t random_128plus(uint64_t state[2])
{
    uint64_t x = state[0];
    const uint64_t y = state[1];
    state[0] = y;
    x ^= x << 23;
    return state[1] = (x ^ y ^ (x >> 17) ^ (y >> 26)) + y;
}

uint64_t random_1024star(RandomState *state)
{
    const uint64_t x = state->words[state->place];
    state->place = (state->place + 1) % RANDOM_WORDS;
    uint64_t y = state->words[state->place];
    y ^= y << 31;
    state->words[state->place] = y ^ x ^ (y >> 11) ^ (x >> 30);
    return state->words[state->place] * UINT64_C(1181783497276652981);
}

double random_unit(uint64_t number)
{
    const double value = number > INT64_MAX ? -(double)(UINT64_MAX - number + 1) : (double)number;
    return value * 0x1p-64 + 0.5;
}

// ---------------------------------------------------------------------------
// States as Integers
// ---------------------------------------------------------------------------

static uint64_t random_word(const double *halves)
{
    return (uint64_t)(uint32_t)(int64_t)halves[0] | (uint64_t)(uint32_t)(int64_t)halves[1] << 32;
}

static double random_half(uint64_t half)
{
    return half > INT32_MAX ? (double)half - 4294967296.0 : (double)half;
}

static void random_put(uint64_t word, double *halves)
{
    halves[0] = random_half(word & UINT32_MAX);
    halves[1] = random_half(word >> 32);
}

static bool random_has_size(ExternalCall *call, uint32_t size)
{
    for (uint32_t i = 0; i < 2; i++)
        if (call->arguments[i].count != size)
            return external_fail(call, "the state of this generator has %u Integers", size);
    return true;
}

bool random_call_64star(ExternalCall *call)
{
    if (!random_has_size(call, 2))
        return false;
    uint64_t state = random_word(call->arguments[0].numbers);
    external_set(call, 2, random_unit(random_64star(&state)));
    random_put(state, call->arguments[1].numbers);
    return true;
}

bool random_call_128plus(ExternalCall *call)
{
    if (!random_has_size(call, 4))
        return false;
    const double *in = call->arguments[0].numbers;
    uint64_t state[] = {random_word(in), random_word(in + 2)};
    external_set(call, 2, random_unit(random_128plus(state)));
    random_put(state[0], call->arguments[1].numbers);
    random_put(state[1], call->arguments[1].numbers + 2);
    return true;
}

static void random_read(RandomState *state, const double *in)
{
    for (uint32_t i = 0; i < RANDOM_WORDS; i++)
        state->words[i] = random_word(in + 2 * i);
    state->place = (uint32_t)(int64_t)in[2 * RANDOM_WORDS] % RANDOM_WORDS;
}

bool random_call_1024star(ExternalCall *call)
{
    if (!random_has_size(call, 2 * RANDOM_WORDS + 1))
        return false;
    RandomState state = {0};
    random_read(&state, call->arguments[0].numbers);
    external_set(call, 2, random_unit(random_1024star(&state)));
    for (uint32_t i = 0; i < RANDOM_WORDS; i++)
        random_put(state.words[i], call->arguments[1].numbers + 2 * i);
    call->arguments[1].numbers[2 * RANDOM_WORDS] = state.place;
    return true;
}

// ---------------------------------------------------------------------------
// The hidden state
// ---------------------------------------------------------------------------

static void random_keep(RandomState *state, void *data)
{
    const ExternalCall *call = data;
    random_read(state, call->arguments[0].numbers);
    state->id = (int32_t)external_number(call, 2);
}

bool random_set_hidden(ExternalCall *call)
{
    if (call->arguments[0].count != 2 * RANDOM_WORDS + 1)
        return external_fail(call, "the state of this generator has 33 Integers");
    store_random(call->store, random_keep, call);
    return true;
}

static void random_take(RandomState *state, void *data)
{
    ExternalCall *call = data;
    external_set(call, 1,
                 state->id == (int32_t)external_number(call, 0) && state->id != 0
                     ? random_unit(random_1024star(state))
                     : -1.0);
}

bool random_hidden(ExternalCall *call)
{
    store_random(call->store, random_take, call);
    return external_number(call, 1) >= 0.0 ||
           external_fail(call, "initializeImpureRandom was not called before");
}

// The milliseconds of the present hour, and the process.
bool random_seed(ExternalCall *call)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    const int64_t milliseconds = now.tv_sec % 3600 * 1000 + now.tv_nsec / 1000000;
    external_set(call, 1, (double)((milliseconds + 6007 * (int64_t)getpid()) % INT32_MAX));
    return true;
}
