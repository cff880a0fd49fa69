// SPDX-License-Identifier: MIT
//
// Disjoint sets of numbers (union-find): parent[v] leads to the number that stands for the set of
// v, which is its own parent.

#ifndef SALTUS_BASE_SETS_H
#define SALTUS_BASE_SETS_H

#include <stdint.h>

// The number that stands for the set of v. Ways become half as long.
static inline uint32_t sets_root(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

// Makes one set of two; the smaller of their numbers stands for it.
static inline void sets_join(uint32_t *parent, uint32_t x, uint32_t y)
{
    const uint32_t a = sets_root(parent, x), b = sets_root(parent, y);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#endif
