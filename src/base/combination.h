// SPDX-License-Identifier: MIT
//
// Combinations of `size` out of `count` things, in ascending order, one after the other:
//
//   for (uint32_t n = 0; n < size; n++) chosen[n] = n;
//   do { ... } while (combination_next(chosen, size, count));

#ifndef SALTUS_BASE_COMBINATION_H
#define SALTUS_BASE_COMBINATION_H

#include <stdbool.h>
#include <stdint.h>

// False: that was the last one.
static inline bool combination_next(uint32_t *chosen, uint32_t size, uint32_t count)
{
    uint32_t n = size;
    while (n > 0 && chosen[n - 1] == count - size + n - 1)
        n--;
    if (n == 0)
        return false;
    chosen[n - 1]++;
    for (; n < size; n++)
        chosen[n] = chosen[n - 1] + 1;
    return true;
}

#endif
