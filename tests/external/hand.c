// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "external/hand.h"

#include <stdlib.h>
#include <string.h>

Hand hand;

void hand_begin(Arena *arena)
{
    ExternalStore *store = hand.call.store;
    free(hand.call.message);
    memset(&hand, 0, sizeof hand);
    hand.call.arguments = hand.arguments;
    hand.call.arena = arena;
    hand.call.store = store;
}

void hand_number(double value)
{
    const uint32_t i = hand.call.count++;
    hand.numbers[i][0] = value;
    hand.arguments[i] = (ExternalArgument){.count = 1, .numbers = hand.numbers[i]};
}

void hand_text(const char *value)
{
    const uint32_t i = hand.call.count++;
    hand.texts[i][0] = value;
    hand.arguments[i] = (ExternalArgument){.count = 1, .texts = hand.texts[i]};
}

void hand_texts(uint32_t count)
{
    const uint32_t i = hand.call.count++;
    hand.dims[i][0] = count;
    hand.arguments[i] =
        (ExternalArgument){.rank = 1, .dims = hand.dims[i], .count = count, .texts = hand.texts[i]};
}

void hand_array(uint32_t rows, uint32_t columns, const double *values)
{
    const uint32_t i = hand.call.count++, size = rows * (columns ? columns : 1);
    hand.dims[i][0] = rows;
    hand.dims[i][1] = columns;
    hand.arguments[i] = (ExternalArgument){
        .rank = columns ? 2 : 1, .dims = hand.dims[i], .count = size, .numbers = hand.numbers[i]};
    if (values)
        memcpy(hand.numbers[i], values, size * sizeof *values);
}

bool hand_run(const char *name)
{
    const ExternalInfo *info = external_find(name);
    assert_non_null(info);
    assert_int_equal(hand.call.count, external_argument_count(info->signature));
    return info->function(&hand.call);
}
