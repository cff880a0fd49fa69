// SPDX-License-Identifier: MIT

#include "fmu/exchange.h"

#include <math.h>

static FmuStatus exchange_refuse(const Fmu *fmu)
{
    return fmu_refuse(fmu, "model exchange", "it is not provided");
}

FmuStatus exchange_counts(Fmu *fmu, size_t *states, size_t *indicators)
{
    if (states)
        *states = 0;
    if (indicators)
        *indicators = 0;
    return fmu->is_exchange ? exchange_refuse(fmu) : FMU_OK;
}

FmuStatus exchange_enter_event_mode(Fmu *fmu)
{
    return exchange_refuse(fmu);
}

FmuStatus exchange_update(Fmu *fmu, ExchangeInfo *info)
{
    *info = (ExchangeInfo){.next_time = INFINITY};
    const FmuStatus status = fmu_settle(fmu);
    if (status == FMU_OK)
        info->next_time = saltus_run_next_time_event(fmu->state.run);
    return status;
}

FmuStatus exchange_enter_continuous(Fmu *fmu)
{
    return exchange_refuse(fmu);
}

FmuStatus exchange_completed(Fmu *fmu)
{
    return exchange_refuse(fmu);
}

FmuStatus exchange_set_time(Fmu *fmu, double time)
{
    (void)time;
    return exchange_refuse(fmu);
}

FmuStatus exchange_set_states(Fmu *fmu, const double *x, size_t count)
{
    (void)x, (void)count;
    return exchange_refuse(fmu);
}

FmuStatus exchange_derivatives(Fmu *fmu, double *dx, size_t count)
{
    (void)dx, (void)count;
    return exchange_refuse(fmu);
}

FmuStatus exchange_indicators(Fmu *fmu, double *h, size_t count)
{
    (void)h, (void)count;
    return exchange_refuse(fmu);
}

FmuStatus exchange_states(Fmu *fmu, double *x, size_t count)
{
    (void)x, (void)count;
    return exchange_refuse(fmu);
}

FmuStatus exchange_nominals(Fmu *fmu, double *nominals, size_t count)
{
    (void)nominals, (void)count;
    return exchange_refuse(fmu);
}
