// SPDX-License-Identifier: MIT
//
// The RLC circuit with a Shockley diode: while it conducts, a differential-algebraic system of
// index 1, while it locks an ordinary one (SE-S). The algebraic unknown may be the voltage or the
// current of the diode. Solved by rodas and ida, which take the algebraic equation as it is, and by
// dopri5, which solves it in every stage.
//
// With the standard R1 = 1e3 the diode carries some nanoamperes of a milliampere; with R1 = 10 it
// matters. The model is in models/rlc_shockley.c.

#include "models/rlc_shockley.h"
#include "check.h"

static const double microsecond = 1e-6;

typedef struct Way {
    SaltusSolver solver;
    ShockleyUnknown unknown;
} Way;

static const Way ways[] = {
    {SALTUS_SOLVER_RODAS, SHOCKLEY_VOLTAGE},  {SALTUS_SOLVER_RODAS, SHOCKLEY_CURRENT},
    {SALTUS_SOLVER_DOPRI5, SHOCKLEY_VOLTAGE}, {SALTUS_SOLVER_DOPRI5, SHOCKLEY_CURRENT},
    {SALTUS_SOLVER_IDA, SHOCKLEY_VOLTAGE},    {SALTUS_SOLVER_IDA, SHOCKLEY_CURRENT},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

// What is known of a run: the state after 5 us and the first four switching times.
typedef struct Known {
    const char *source;
    const double *parameters;
    double i, u_c, u_d;
    double times[4]; // us
    double time_digits;
} Known;

static const Known weak = {
    .source = "R1 = 1e3",
    .parameters = shockley_weak,
    .i = 9.899429928e-4,
    .u_c = -0.01004270638,
    .u_d = -0.00975615348,
    .times = {4.3486, 6.7260, 10.9827, 13.4246},
    .time_digits = 5e-5,
};

// dop853 with a tolerance of 1e-12; nothing is published.
static const Known strong = {
    .source = "R1 = 10",
    .parameters = shockley_strong,
    .i = 0.0256841242919,
    .u_c = -0.150133027358,
    .u_d = -0.363549458480,
    .times = {4.4378523003, 7.6136802881, 11.0712483402, 14.2779385287},
    .time_digits = 1e-7,
};

static void check_way(const Way *way, const Known *known)
{
    SaltusSystem *system = NULL;
    SaltusRun *run = NULL;
    SaltusError error;
    stop_if(rlc_shockley_create(way->unknown, &system, &error), &error);
    SaltusOptions options = options_for(way->solver, SALTUS_LOCATE_BRENT, 1e-10);
    options.parameters = known->parameters;
    stop_if(saltus_run_create(system, &options, &run, &error), &error);
    stop_if(saltus_run_advance(run, 5.0 * microsecond), saltus_run_error(run));

    printf("%s, algebraic unknown %s, %s\n", known->source,
           way->unknown == SHOCKLEY_VOLTAGE ? "u_D" : "i_D", saltus_solver_name(way->solver));
    const double *x = saltus_run_states(run), *z = saltus_run_algebraics(run);
    double u_d = rlc_shockley_voltage(way->unknown, saltus_run_mode(run), known->parameters, x, z);
    // The references have ten digits, the runs about eight.
    check("i at 5 us", x[SHOCKLEY_I], known->i, 1e-8 * fabs(known->i));
    check("u_C at 5 us", x[SHOCKLEY_UC], known->u_c, 1e-7 * fabs(known->u_c));
    check("u_D at 5 us", u_d, known->u_d, 1e-7 * fabs(known->u_d));

    stop_if(saltus_run_advance(run, 15.0 * microsecond), saltus_run_error(run));
    check_that(saltus_run_event_count(run) == 4, "four events");
    for (long i = 0; i < saltus_run_event_count(run) && i < 4; i++)
        check("switching time in us", saltus_run_event(run, i).t / microsecond, known->times[i],
              known->time_digits);
    check_that(saltus_run_event(run, 0).classes == SALTUS_SE_S, "another structure: SE-S");
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

// The largest voltage of the diode: it is never more than 33 mV with R1 = 1e3.
static void check_largest_voltage(void)
{
    SaltusSystem *system = NULL;
    SaltusError error;
    stop_if(rlc_shockley_create(SHOCKLEY_VOLTAGE, &system, &error), &error);
    SaltusOptions options = options_for(SALTUS_SOLVER_RODAS, SALTUS_LOCATE_BRENT, 1e-8);
    options.record = SALTUS_RECORD_INTERVALS;
    options.output_interval = 0.01 * microsecond;
    SaltusRun *run = run_until(system, &options, 100.0 * microsecond);
    double most = 0.0;
    for (long i = 0; i < saltus_run_row_count(run); i++) {
        SaltusRow row = saltus_run_row(run, i);
        if (row.mode == SHOCKLEY_CONDUCTING)
            most = fmax(most, row.z[0]);
    }
    check("largest u_D in V (published)", most, 0.03218, 5e-6);
    saltus_run_destroy(run);
    saltus_system_destroy(system);
}

int main(void)
{
    for (int i = 0; i < WAYS; i++)
        check_way(&ways[i], &weak);
    for (int i = 0; i < WAYS; i++)
        check_way(&ways[i], &strong);
    check_largest_voltage();
    return checks_done();
}
