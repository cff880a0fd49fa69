// SPDX-License-Identifier: MIT
//
// ARGESIM comparison C7, "Constrained Pendulum".

#include "report/benchmark.h"

const BenchmarkDef benchmark_c7 = {.name = "c7", .title = "", .subtitle = "", .abstract = ""};
