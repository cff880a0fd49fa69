// SPDX-License-Identifier: MIT
//
// ARGESIM comparison C5, "Two State Model".

#include "report/benchmark.h"

const BenchmarkDef benchmark_c5 = {.name = "c5", .title = "", .subtitle = "", .abstract = ""};
