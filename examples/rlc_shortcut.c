// SPDX-License-Identifier: MIT
//
// The RLC circuit with a shortcut diode, as a hybrid decomposition: the modes locking and
// conducting have the same two states and different right-hand sides (SE-F). The run starts on the
// switching surface, with h = h' = 0: which mode holds is found from the sign that h takes just
// after. The other orientation of the diode is a parameter.
//
// The model is in models/rlc_shortcut.c.

#include "models/rlc_shortcut.h"
#include "check.h"

static const double microsecond = 1e-6;

// A relative error of the states is one of the switching times; the circuit, with a time constant
// L/R1 of 25 ns, soon forgets it.
static const double tolerance = 1e-10, digits = 1e-9;

static SaltusRun *simulate(const SaltusSystem *system, SaltusSolver solver, const double *p,
                           double stop_time)
{
    SaltusOptions options = options_for(solver, SALTUS_LOCATE_BRENT, tolerance);
    options.parameters = p;
    return run_until(system, &options, stop_time);
}

// The published values, as far as they are printed; a second solver agrees in all digits.
static void check_state(const SaltusSystem *system, SaltusSolver solver)
{
    SaltusRun *run = simulate(system, solver, rlc_parameters, 5.0 * microsecond);
    const double *x = saltus_run_states(run);
    double u_d = rlc_shortcut_voltage(saltus_run_mode(run), rlc_parameters, x);
    printf("state at 5 us, %s\n", saltus_solver_name(solver));
    check("i (published)", x[RLC_I], 9.70190761e-4, 1e-12);
    check("u_C (published)", x[RLC_UC], 0.0100996694, 1e-10);
    check("u_D (published)", u_d, -0.0295034846, 1e-10);
    saltus_run_destroy(run);
}

// The times at which the diode switches.
static int switching_times(const SaltusRun *run, double *times, int most)
{
    int count = 0;
    for (long i = 0; i < saltus_run_event_count(run) && count < most; i++) {
        SaltusLogEntry entry = saltus_run_event(run, i);
        if (!(entry.occasion & SALTUS_AT_START))
            times[count++] = entry.t;
    }
    return count;
}

// Once the diode has locked and conducted often enough, a period of the source is one of the
// circuit.
static void check_period(const double *times, int count)
{
    double period = 1.0 / rlc_parameters[RLC_F];
    check("conducting to conducting, one period", times[count - 1] - times[count - 3], period,
          digits * period);
}

static void follow(const SaltusSystem *system, const double *p, const double *published, int known)
{
    enum { MOST = 200 };
    double times[2][MOST] = {{0.0}};
    int count[2];
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS};
    for (int k = 0; k < 2; k++) {
        SaltusRun *run = simulate(system, solvers[k], p, 500.0 * microsecond);
        if (k == 0)
            print_events(system, run, 6);
        count[k] = switching_times(run, times[k], MOST);
        saltus_run_destroy(run);
    }
    for (int i = 0; i < known; i++)
        check("switching time in us (published)", times[0][i] / microsecond, published[i], 5e-5);
    check_that(count[0] == count[1], "two solvers find as many events");
    double most = 0.0;
    for (int i = 0; i < count[0] && i < count[1]; i++)
        most = fmax(most, fabs(times[0][i] / times[1][i] - 1.0));
    check("their times differ by, relative", most, 0.0, digits);
    check_period(times[0], count[0]);
}

int main(void)
{
    SaltusSystem *system = NULL;
    SaltusError error;
    stop_if(rlc_shortcut_create(&system, &error), &error);

    printf("orientation up: the run starts conducting\n");
    const double published[] = {3.3586, 7.6818, 9.7116, 14.6370};
    follow(system, rlc_parameters, published, 4);
    check_state(system, SALTUS_SOLVER_DOPRI5);
    check_state(system, SALTUS_SOLVER_RODAS);

    printf("orientation down: the run starts locking\n");
    follow(system, rlc_parameters_down, NULL, 0);

    saltus_system_destroy(system);
    return checks_done();
}
