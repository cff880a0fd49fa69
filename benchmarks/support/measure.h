// SPDX-License-Identifier: MIT
//
// Clocks of the benchmarks, in seconds.

#ifndef SALTUS_BENCHMARKS_SUPPORT_MEASURE_H
#define SALTUS_BENCHMARKS_SUPPORT_MEASURE_H

#include <time.h>

static inline double measure_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// What this process has used of a processor: other processes disturb it least.
static inline double measure_cpu(void)
{
    return measure_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double measure_wall(void)
{
    return measure_clock(CLOCK_MONOTONIC);
}

#endif
