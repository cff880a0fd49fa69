// SPDX-License-Identifier: MIT

#include "cli/progress.h"

#include "cli/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double first_after = 0.5, then_every = 0.1; // seconds

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Progress progress_begin(const char *what, bool is_wanted)
{
    const char *term = getenv("TERM");
    const double now = progress_clock();
    return (Progress){.what = what,
                      .is_shown =
                          is_wanted && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0,
                      .begin = now,
                      .last = now + first_after - then_every};
}

// "Ball [####......]  40 %, 3 s left"
static int write_bar(const Progress *p, double fraction, const char *note, double now, char *line,
                     size_t size)
{
    enum { BAR = 30 };
    char bar[BAR + 1], left[40] = "";
    fraction = fraction > 0.0 ? fraction < 1.0 ? fraction : 1.0 : 0.0;
    for (int i = 0; i < BAR; i++)
        bar[i] = i < (int)(fraction * BAR) ? '#' : '.';
    bar[BAR] = '\0';
    if (fraction > 0.01)
        snprintf(left, sizeof left, ", %.0f s left", (now - p->begin) * (1.0 / fraction - 1.0));
    return snprintf(line, size, "%.40s [%s] %3.0f %%%s%.60s%s", p->what, bar, 100.0 * fraction,
                    note ? ", " : "", note ? note : "", left);
}

void progress_show(Progress *p, double fraction, const char *note)
{
    char line[200];
    if (!p->is_shown)
        return;
    const double now = progress_clock();
    if (now < p->last + then_every)
        return;
    p->last = now;
    const int length = isnan(fraction)
                           ? snprintf(line, sizeof line, "%.40s: %.60s", p->what, note ? note : "")
                           : write_bar(p, fraction, note, now, line, sizeof line);
    // Spaces instead of an escape sequence wipe what was longer before.
    fprintf(stderr, "\r%s%*s", line, p->width > length ? p->width - length : 0, "");
    fflush(stderr);
    p->width = length;
}

void progress_end(Progress *p)
{
    if (p->width > 0)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}

void progress_catch_interrupt(void)
{
    watch_begin(NULL, NULL);
}

bool progress_is_interrupted(void)
{
    return watch_is_over();
}
