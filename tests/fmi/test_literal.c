// SPDX-License-Identifier: MIT
//
// Model exchange with FMUs that decide about events by nothing but the values that they have there,
// as those of others do.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/message.h"
#include "fmi/import.h"
#include "fmi/small_fmu.h"

#include <math.h>
#include <stdlib.h>

// A ball between two walls in a car: its place in the car, b - a, is the difference of two large
// states, and so is known up to rounding only.
static const char description[] =
    "<?xml version=\"1.0\"?>\n"
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"Walls\" instantiationToken=\"t\">\n"
    "<ModelExchange modelIdentifier=\"Walls\"/>\n"
    "<DefaultExperiment stopTime=\"2\" stepSize=\"0.5\"/>\n"
    "<ModelVariables>\n"
    "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
    "variability=\"continuous\"/>\n"
    "<Float64 name=\"a\" valueReference=\"1\" start=\"0\" initial=\"exact\"/>\n"
    "<Float64 name=\"b\" valueReference=\"2\" start=\"0\" initial=\"exact\"/>\n"
    "<Float64 name=\"v\" valueReference=\"3\" start=\"1\" initial=\"exact\"/>\n"
    "<Float64 name=\"da\" valueReference=\"4\" derivative=\"1\"/>\n"
    "<Float64 name=\"db\" valueReference=\"5\" derivative=\"2\"/>\n"
    "<Float64 name=\"dv\" valueReference=\"6\" derivative=\"3\"/>\n"
    "<Float64 name=\"n\" valueReference=\"8\" causality=\"output\" variability=\"discrete\"/>\n"
    "<Float64 name=\"h0\" valueReference=\"9\"/>\n"
    "<Float64 name=\"h1\" valueReference=\"10\"/>\n"
    "</ModelVariables>\n"
    "<ModelStructure>\n"
    "<Output valueReference=\"8\"/>\n"
    "<ContinuousStateDerivative valueReference=\"4\"/><ContinuousStateDerivative "
    "valueReference=\"5\"/><ContinuousStateDerivative valueReference=\"6\"/>\n"
    "<EventIndicator valueReference=\"9\"/><EventIndicator valueReference=\"10\"/>\n"
    "</ModelStructure>\n"
    "</fmiModelDescription>\n";

static const char source[] =
    "#include <stdbool.h>\n"
    "#include <stddef.h>\n"
    "#include <stdint.h>\n"
    "static double t, x[3], n;\n"
    "void *fmi3InstantiateModelExchange(const char *a, const char *b, const char *c, bool d,\n"
    "  bool e, void *u, void *l) { x[0] = x[1] = n = 0; x[2] = 1; return x; }\n"
    "void fmi3FreeInstance(void *i) {}\n"
    "int fmi3Terminate(void *i) { return 0; }\n"
    "int fmi3EnterInitializationMode(void *i, bool a, double b, double c, bool d, double e)\n"
    "{ t = c; return 0; }\n"
    "int fmi3ExitInitializationMode(void *i) { return 0; }\n"
    "int fmi3SetFloat64(void *i, const uint32_t *r, size_t c, const double *v, size_t m)\n"
    "{ return 3; }\n"
    "int fmi3GetFloat64(void *i, const uint32_t *r, size_t c, double *v, size_t m)\n"
    "{ for (size_t k = 0; k < c; k++)\n"
    "    v[k] = r[k] == 0 ? t : r[k] < 4 ? x[r[k] - 1] : r[k] == 8 ? n : 0;\n"
    "  return 0; }\n"
    "int fmi3EnterEventMode(void *i) { return 0; }\n"
    "int fmi3UpdateDiscreteStates(void *i, bool *again, bool *end, bool *nominals, bool *states,\n"
    "  bool *has, double *next)\n"
    "{ const double d = x[1] - x[0];\n"
    "  *again = *end = *nominals = *states = *has = false; *next = 0;\n"
    "  if ((d >= 0.05 && x[2] > 0) || (d <= -0.05 && x[2] < 0)) { x[2] = -x[2]; n++; *states = "
    "true; }\n"
    "  return 0; }\n"
    "int fmi3EnterContinuousTimeMode(void *i) { return 0; }\n"
    "int fmi3CompletedIntegratorStep(void *i, bool a, bool *e, bool *f)\n"
    "{ *e = *f = false; return 0; }\n"
    "int fmi3SetTime(void *i, double v) { t = v; return 0; }\n"
    "int fmi3SetContinuousStates(void *i, const double *v, size_t c)\n"
    "{ for (int k = 0; k < 3; k++) x[k] = v[k]; return 0; }\n"
    "int fmi3GetContinuousStateDerivatives(void *i, double *v, size_t c)\n"
    "{ v[0] = 1.37; v[1] = 1.37 + x[2]; v[2] = 0; return 0; }\n"
    "int fmi3GetEventIndicators(void *i, double *v, size_t c)\n"
    "{ v[0] = x[1] - x[0] - 0.05; v[1] = x[1] - x[0] + 0.05; return 0; }\n"
    "int fmi3GetContinuousStates(void *i, double *v, size_t c)\n"
    "{ for (int k = 0; k < 3; k++) v[k] = x[k]; return 0; }\n"
    "int fmi3GetNominalsOfContinuousStates(void *i, double *v, size_t c)\n"
    "{ for (int k = 0; k < 3; k++) v[k] = 1; return 0; }\n";

static int keep_last(void *user, double time, const double *values)
{
    double *last = user;
    (void)time;
    for (int i = 0; i < 9; i++)
        last[i] = values[i];
    return 0;
}

// From the middle to a wall in 0.05, then from wall to wall in 0.1: 200 bounces before t = 20, and
// the ball is in the middle again. Without one of them it is behind the wall.
static void walls(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                           SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE};
    char path[64], *message = NULL;
    if (!small_fmu_make(path, "Walls", description, source)) {
        skip();
        return;
    }
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        ImportDef def = {.is_exchange = true,
                         .stop_time = 20.0,
                         .interval = 5.0,
                         .options = saltus_default_options()};
        double last[9] = {0.0};
        def.options.method.solver = solvers[s];
        ImportedFmu *fmu = import_open(path, &message);
        if (!fmu || !import_begin(fmu, &def, &message) ||
            import_run(fmu, keep_last, last, &message) != SALTUS_OK)
            fail_msg("%s", message_text(message));
        import_close(fmu);
        assert_true(last[6] == 200.0);
        assert_true(fabs(last[1] - last[0]) < 1e-11);
    }
    small_fmu_remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
