// SPDX-License-Identifier: MIT
//
// libFuzzer target: any bytes are a file of tables as Modelica.Blocks reads it, or are refused with
// a message, without crash, hang or leak; a table that was made can be asked anywhere, and says a
// number or why not. The first four bytes say what kind of file and of table it is.

#include "external/chart.h"
#include "target.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPTION_BYTES = 4, MOST_ROWS = 2000, MOST_COLUMNS = 50 };

static void ask(const Chart *t, double u)
{
    ExternalCall call = {0};
    double y[3] = {0};
    ChartPoint point;
    const bool is_fine = t->kind == CHART_TWO ? chart_surface(&call, t, u, 0.3 * u, &point)
                                              : chart_value(&call, t, 0, u, y);
    require(is_fine || call.message, "a refusal has a message");
    free(call.message);
    call.message = NULL;
    if (t->kind != CHART_TIME)
        return;
    const double next = chart_next_event(t, u);
    require(next > u || isnan(u), "the next event is later");
    require(chart_value_at(&call, t, 0, u, next, y) || call.message, "a refusal has a message");
    free(call.message);
}

static void ask_everywhere(const Chart *t)
{
    static const double places[] = {0.0, -0.0, 0.5, -1e300, 1e300, DBL_MIN, -1.0, 3.0};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        ask(t, places[i]);
    for (uint32_t row = 0; row < t->rows; row++) {
        const double u = t->values[(size_t)row * t->columns];
        ask(t, u);
        ask(t, nextafter(u, -DBL_MAX));
        ask(t, nextafter(u, DBL_MAX));
    }
}

// The table; false after a message. What it has is the caller's.
static bool make(ExternalCall *call, Chart *t, const uint8_t *options, const char *path)
{
    t->kind = (ChartKind)(options[1] % (CHART_TWO + 1));
    t->smoothness = (ChartSmoothness)(CHART_LINEAR + options[2] % CHART_MAKIMA);
    t->extrapolation = (ChartExtrapolation)(CHART_HOLD + options[2] / 16 % CHART_NONE);
    t->events = (ChartEvents)(CHART_EVENTS_ALWAYS + options[3] % CHART_EVENTS_NEVER);
    if (!chart_read(call, path, "t", options[0] & 4 ? ";" : ",", options[0] >> 6, &t->values,
                    &t->rows, &t->columns))
        return false;
    require(t->rows > 0 && t->columns > 0, "a matrix is not empty");
    if (t->rows > MOST_ROWS || t->columns > MOST_COLUMNS)
        return true; // which would take long
    t->selected = t->kind == CHART_TWO ? NULL : malloc(sizeof *t->selected);
    if (t->selected) {
        t->selected[0] = options[3] / 16;
        t->selected_count = 1;
    }
    if (!(t->kind == CHART_TWO ? chart_prepare_two(call, t) : chart_prepare(call, t)))
        return false;
    ask_everywhere(t);
    return true;
}

int fuzz_chart(const uint8_t *data, size_t size)
{
    static const char *const endings[] = {".txt", ".csv", ".mat", ".txt"};
    char path[TARGET_PATH];
    if (size < OPTION_BYTES)
        return 0;
    ExternalCall call = {0};
    Chart *t = calloc(1, sizeof *t);
    if (t && target_put(path, endings[data[0] % 4], data + OPTION_BYTES, size - OPTION_BYTES)) {
        t->name = strdup("the table");
        require(make(&call, t, data, path) || call.message, "a refusal has a message");
        free(call.message);
        unlink(path);
    }
    chart_free(t);
    return 0;
}
