// SPDX-License-Identifier: MIT

#include "events/detect.h"

#include "base/real.h"
#include <float.h>
#include <math.h>

// Second differences of the samples are w^2 h''. Between two of them it is larger by at most an
// eighth of its own second difference, and at the ends of the step, where it is extrapolated
// linearly, by the whole of it, if h is a polynomial of degree 4. Twice that for other functions.
static const double safety_of_change = 2.0;

// The second difference of three points alone says less.
static const double safety = 4.0;

// Halvings of a cell: down to 1e-12 of it, which is where a double root at the left
// end disappears in the rounding noise.
enum { DEEPEST = 40 };

// Evaluations for one function and step; only grazing contacts come near.
enum { MOST_EVALUATIONS = 400 };

bool detector_create(Detector *detector, MemoryPool *pool, const SaltusModeDef *mode, int cells)
{
    int count = mode->event_count;
    detector->events = mode->events;
    detector->count = count;
    detector->cells = cells;
    detector->part = 1.0 / cells;
    detector->times = MEMORY_POOL_NEW(pool, cells + 1, double);
    detector->samples = MEMORY_POOL_NEW(pool, (size_t)count * (size_t)(cells + 1), double);
    detector->seconds = MEMORY_POOL_NEW(pool, cells + 1, double);
    detector->rises = MEMORY_POOL_NEW(pool, 2 * (size_t)count, double);
    detector->runs = detector->rises + count;
    detector->extra = MEMORY_POOL_NEW(pool, count, double);
    detector->crossings = MEMORY_POOL_NEW(pool, count, Crossing);
    return detector->times && detector->samples && detector->seconds && detector->rises &&
           detector->extra && detector->crossings;
}

int detect_sign(const Armed *armed, double h)
{
    return fabs(h) <= armed->noise ? armed->sign : h > 0.0 ? 1 : -1;
}

// ---------------------------------------------------------------------------
// One function over one step
// ---------------------------------------------------------------------------

typedef struct Scan {
    Detector *detector;
    DetectSample sample;
    void *user;
    int event;
    double noise;
    double handled; // the same as in Armed
    double change;  // second difference of the second differences of the samples
    double hidden;  // w^2 |h''| that the samples do not show
    int sign;       // known sign at the left end of what is still to be looked at
    int evaluations;
    int code; // of a failed evaluation
    Crossing *found;
} Scan;

typedef struct Cell {
    double a, h_a, b, h_b;
    double c, h_c; // a point beside it
    double bend;   // w^2 |h''| is less
} Cell;

// Values on the wrong side of the known sign, or none yet, count as zero.
static double height(const Scan *scan, double h)
{
    return h * scan->sign > 0.0 ? fabs(h) : 0.0;
}

// No zero between two ends of the known sign.
static bool is_clear(const Scan *scan, double h_a, double h_b, double bend)
{
    double a = height(scan, h_a), b = height(scan, h_b), c = 0.5 * bend;
    return a + b > c || a + b + 2.0 * sqrt(a * b) > c;
}

// Exactly one zero between ends of different signs.
static bool cell_is_monotone(const Cell *cell)
{
    return fabs(cell->h_b - cell->h_a) > 0.5 * cell->bend;
}

// From the known sign on, zero is not beyond zero: to reach it and to rest there is no crossing.
static bool zero_is_old(const Scan *scan)
{
    return scan->sign != 0 && scan->detector->events[scan->event].at_zero == scan->sign;
}

static bool has_crossed(const Scan *scan, double h)
{
    return zero_is_old(scan) ? h * scan->sign < -scan->noise : h * scan->sign <= 0.0;
}

// Counts a crossing, or only takes over the sign if its direction does not count.
static bool cross(Scan *scan, const Cell *cell)
{
    int direction = -scan->sign;
    bool beyond = zero_is_old(scan);
    SaltusDirection wanted = scan->detector->events[scan->event].direction;
    scan->sign = direction;
    if (wanted != SALTUS_BOTH && (int)wanted != direction)
        return false;
    *scan->found = (Crossing){.event = scan->event,
                              .direction = direction,
                              .a = cell->a,
                              .h_a = cell->h_a,
                              .b = cell->b,
                              .h_b = cell->h_b,
                              .c = cell->c,
                              .h_c = cell->h_c,
                              .beyond = beyond};
    return true;
}

static bool cell_scan(Scan *scan, const Cell *cell, int depth);

// Halves a cell: left part first.
static bool cell_halve(Scan *scan, const Cell *cell, int depth)
{
    double middle = cell->a + 0.5 * (cell->b - cell->a);
    if (!(middle > cell->a && middle < cell->b) || scan->evaluations >= MOST_EVALUATIONS)
        return has_crossed(scan, cell->h_b) && cross(scan, cell);
    scan->evaluations++;
    scan->code = scan->sample(scan->user, 1, &middle, scan->detector->extra);
    if (scan->code != 0)
        return false;
    double h = scan->detector->extra[scan->event];
    double second = fabs(cell->h_a - 2.0 * h + cell->h_b);
    double bend = real_larger(safety * second, 0.25 * cell->bend);
    Cell left = *cell, right = *cell;
    left.b = right.a = middle;
    left.h_b = right.h_a = h;
    left.c = cell->b, left.h_c = cell->h_b;
    right.c = cell->a, right.h_c = cell->h_a;
    left.bend = right.bend = bend;
    if (cell_scan(scan, &left, depth + 1))
        return true;
    return scan->code == 0 && cell_scan(scan, &right, depth + 1);
}

// True: a crossing that counts was found (its cell is in `found`), or an evaluation failed.
static bool cell_scan(Scan *scan, const Cell *cell, int depth)
{
    if (scan->sign == 0) { // takes the sign that it shows
        if (fabs(cell->h_b) > scan->noise)
            scan->sign = cell->h_b > 0.0 ? 1 : -1;
        return false;
    }
    if (scan->handled > 0.0 && fabs(cell->h_b) <= scan->handled)
        return false;
    bool crossed = has_crossed(scan, cell->h_b), at_zero = cell->h_b * scan->sign <= 0.0;
    bool known = crossed || at_zero ? cell_is_monotone(cell)
                                    : is_clear(scan, cell->h_a, cell->h_b, cell->bend);
    bool noise = fabs(cell->h_a) <= scan->noise && fabs(cell->h_b) <= scan->noise;
    if (!known && !noise && depth < DEEPEST)
        return cell_halve(scan, cell, depth);
    scan->handled = 0.0;
    return crossed && !noise && cross(scan, cell);
}

// Nothing to look at closer: one sign at all samples, and far enough from zero. Notes the second
// differences at the samples, at the ends of the step those of the cubics through the four samples
// next to them, and how much they turn.
static bool step_is_clear(Scan *scan, const double *samples, int sign)
{
    int stride = scan->detector->count, cells = scan->detector->cells;
    double *seconds = scan->detector->seconds;
    double left = samples[0], at = samples[stride];
    double smallest = real_smaller(sign * left, sign * at);
    double rise_before = 0.0, before = 0.0, largest = 0.0, turn = 0.0;
    for (int k = 1; k < cells; k++) {
        double right = samples[(k + 1) * stride], second = left - 2.0 * at + right;
        double rise = second - before;
        smallest = real_smaller(smallest, sign * right);
        seconds[k] = fabs(second);
        largest = real_larger(largest, seconds[k]);
        if (k > 2)
            turn = real_larger(turn, fabs(rise - rise_before));
        else if (k == 2)
            seconds[0] = fabs(before - rise);
        left = at, at = right, before = second, rise_before = rise;
    }
    seconds[cells] = fabs(before + rise_before);
    largest = real_larger(largest, real_larger(seconds[0], seconds[cells]));
    scan->change = turn;
    // (sqrt(a) + sqrt(b))^2 >= 4 min(a, b)
    return 4.0 * smallest > 0.5 * (largest + safety_of_change * turn);
}

// h_b - h_a = w h'_a + w^2 h'' / 2. Where the slope asks for more bend than the samples of the
// first two cells show, and much more, they do not show all.
static double hidden_bend(const Scan *scan, const double *samples)
{
    const Detector *d = scan->detector;
    double run = d->runs[scan->event], width = d->times[1] - d->times[0];
    if (!(width > 2.0 * run) || run == 0.0)
        return 0.0;                                     // as near to each other as before
    double slope = fabs(d->rises[scan->event]) * width; // times run
    double rise = fabs(samples[d->count] - samples[0]);
    double shown = d->seconds[0] + d->seconds[1] + scan->change;
    return slope > 2.0 * (rise + shown) * run ? 2.0 * (slope / run - rise) : 0.0;
}

// A function that has just come to zero at the end of the cell: not one that rests there.
static bool is_coming(Scan *scan, const Cell *last)
{
    static const double just_before =
        1e-6; // part of the cell: it leads through no noise in this time
    double t = last->b - just_before * (last->b - last->a);
    if (!(t < last->b))
        return true;
    scan->code = scan->sample(scan->user, 1, &t, scan->detector->extra);
    return scan->code == 0 && fabs(scan->detector->extra[scan->event]) > scan->noise;
}

// A function that would reach zero within the resolution after the end of the step.
static bool reaches_zero(Scan *scan, const Cell *last, double resolution)
{
    double change = last->h_a - last->h_b; // towards zero if it has the known sign
    bool beyond = zero_is_old(scan);
    if (resolution == 0.0 || !(scan->sign * change > 0.0) ||
        (!beyond && scan->sign * last->h_b <= 0.0))
        return false;
    return fabs(last->h_b) * (last->b - last->a) <= fabs(change) * resolution &&
           (!beyond || is_coming(scan, last));
}

static Cell cell_at(const Scan *scan, const double *samples, int j, double bend)
{
    const Detector *d = scan->detector;
    int beside = j > 0 ? j - 1 : 2;
    return (Cell){.a = d->times[j],
                  .h_a = samples[j * d->count],
                  .b = d->times[j + 1],
                  .h_b = samples[(j + 1) * d->count],
                  .c = d->times[beside],
                  .h_c = samples[beside * d->count],
                  .bend = bend};
}

static bool function_scan(Scan *scan, const Armed *armed, const DetectStep *step)
{
    const Detector *d = scan->detector;
    const double *samples = d->samples + scan->event;
    const bool is_far = step_is_clear(scan, samples, armed->sign);
    scan->hidden = hidden_bend(scan, samples);
    if (is_far && scan->hidden == 0.0 && step->resolution == 0.0)
        return false;
    scan->sign = armed->sign;
    scan->noise = armed->noise;
    scan->handled = armed->handled;
    scan->evaluations = 0;
    for (int j = 0; j < d->cells; j++) {
        double h_a = samples[j * d->count], h_b = samples[(j + 1) * d->count];
        double second = real_larger(d->seconds[j], d->seconds[j + 1]);
        double bend = real_larger(second + safety_of_change * scan->change, scan->hidden);
        if (h_b * scan->sign > 0.0 && scan->handled == 0.0 && is_clear(scan, h_a, h_b, bend))
            continue;
        Cell cell = cell_at(scan, samples, j, bend);
        if (cell_scan(scan, &cell, 0))
            return true;
        if (scan->code != 0)
            return false;
    }
    Cell cell = cell_at(scan, samples, d->cells - 1, 0.0);
    if (!reaches_zero(scan, &cell, step->resolution))
        return false;
    cell.h_b = 0.0;
    return cross(scan, &cell);
}

// Counts the crossing that was found behind the last one, in order of their left ends.
static void keep_found(Detector *detector)
{
    Crossing *crossings = detector->crossings;
    for (int at = detector->crossing_count++; at > 0 && crossings[at - 1].a > crossings[at].a;
         at--) {
        Crossing later = crossings[at - 1];
        crossings[at - 1] = crossings[at];
        crossings[at] = later;
    }
}

// If the step goes on where the one before ended; or, of functions that crossed zero in it, where
// they did.
static void find_slopes(Detector *detector, double t0)
{
    int count = detector->count, cells = detector->cells;
    double begin = detector->times[0], end = detector->times[cells];
    double run = end == t0 ? end - detector->times[cells - 1] : 0.0;
    const double *last = detector->samples + (size_t)(cells - 1) * (size_t)count;
    for (int i = 0; i < count; i++) {
        detector->rises[i] = last[count + i] - last[i];
        detector->runs[i] = run;
    }
    for (int k = 0; k < detector->crossing_count && t0 > begin && t0 < end; k++) {
        const Crossing *c = &detector->crossings[k];
        detector->rises[c->event] = c->h_b - c->h_a;
        detector->runs[c->event] = c->b - c->a;
    }
}

int detector_scan(Detector *detector, const Armed *armed, const DetectStep *step,
                  DetectSample sample, void *user)
{
    int count = detector->count, cells = detector->cells;
    find_slopes(detector, step->t0);
    detector->crossing_count = 0;
    for (int i = 0; i < count; i++) {
        detector->samples[i] = step->h0[i];
        detector->samples[cells * count + i] = step->h1[i];
    }
    double *times = detector->times, width = step->t1 - step->t0;
    for (int j = 0; j < cells; j++)
        times[j] = step->t0 + width * (j * detector->part);
    times[cells] = step->t1;
    int code = sample(user, cells - 1, times + 1, detector->samples + count);
    if (code != 0)
        return code;
    Scan scan = {.detector = detector, .sample = sample, .user = user};
    for (int i = 0; i < count; i++) {
        if (detector->events[i].muted)
            continue;
        scan.event = i;
        scan.found = &detector->crossings[detector->crossing_count];
        bool found = function_scan(&scan, &armed[i], step);
        if (scan.code != 0)
            return scan.code;
        if (found)
            keep_found(detector);
    }
    return 0;
}
