// SPDX-License-Identifier: MIT
//
// How long flattening takes: an RC ladder by `connect` in a `for`, with 1,000, 10,000 and 100,000
// component instances. The cost must grow linearly, so time and memory per instance stand beside
// the totals. An argument gives another number of instances.

#include "flatten/flatten.h"
#include "support/measure.h"

#include <stdio.h>
#include <stdlib.h>

static const char ladder[] = "connector Pin\n"
                             "  Real v(unit = \"V\");\n"
                             "  flow Real i(unit = \"A\");\n"
                             "end Pin;\n"
                             "partial model OnePort\n"
                             "  Real v(unit = \"V\");\n"
                             "  Real i(unit = \"A\");\n"
                             "  Pin p, n;\n"
                             "equation\n"
                             "  v = p.v - n.v;\n"
                             "  0 = p.i + n.i;\n"
                             "  i = p.i;\n"
                             "end OnePort;\n"
                             "model Resistor\n"
                             "  extends OnePort;\n"
                             "  parameter Real R(unit = \"Ohm\") = 1;\n"
                             "equation\n"
                             "  v = R*i;\n"
                             "end Resistor;\n"
                             "model Capacitor\n"
                             "  extends OnePort(v(start = 0, fixed = true));\n"
                             "  parameter Real C(unit = \"F\") = 1;\n"
                             "equation\n"
                             "  i = C*der(v);\n"
                             "end Capacitor;\n"
                             "model Source\n"
                             "  extends OnePort;\n"
                             "equation\n"
                             "  v = 10;\n"
                             "end Source;\n"
                             "model Ground\n"
                             "  Pin p;\n"
                             "equation\n"
                             "  p.v = 0;\n"
                             "end Ground;\n"
                             "model Ladder\n"
                             "  parameter Integer n = %ld;\n"
                             "  Resistor r[n](each R = 10);\n"
                             "  Capacitor c[n](each C = 1e-6);\n"
                             "  Source s;\n"
                             "  Ground g;\n"
                             "equation\n"
                             "  connect(s.p, r[1].p);\n"
                             "  for i in 1:n loop\n"
                             "    connect(r[i].n, c[i].p);\n"
                             "    connect(c[i].n, g.p);\n"
                             "  end for;\n"
                             "  for i in 1:n - 1 loop\n"
                             "    connect(r[i].n, r[i + 1].p);\n"
                             "  end for;\n"
                             "  connect(s.n, g.p);\n"
                             "end Ladder;\n";

// False: it failed.
static bool measure(long instances)
{
    Compilation *c = compilation_create(NULL);
    if (!c)
        return false;
    StringBuilder text = builder_create(c->arena);
    builder_append_format(&text, ladder, instances / 2);
    const double start = measure_cpu();
    FlattenOptions options = flatten_default_options();
    options.library_path = NULL;
    options.standard_libraries = false;
    options.text = builder_string(&text).text;
    const FlatModel *model = flatten_files(c, 0, NULL, NULL, &options);
    const double taken = measure_cpu() - start;
    const double megabytes = (double)c->arena->taken / 1e6;
    if (model)
        printf("%10ld %10u %10u %9.3f %12.2f %9.0f %12.2f\n", instances,
               (unsigned)model->variable_count, (unsigned)model->equation_count, taken,
               1e6 * taken / (double)instances, megabytes, 1e3 * megabytes / (double)instances);
    compilation_destroy(c);
    return model != NULL;
}

int main(int argc, char **argv)
{
    static const long sizes[] = {1000, 10000, 100000};
    printf(" instances  variables  equations   seconds  us/instance        MB  kB/instance\n");
    if (argc > 1)
        return measure(strtol(argv[1], NULL, 10)) ? EXIT_SUCCESS : EXIT_FAILURE;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!measure(sizes[i]))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
