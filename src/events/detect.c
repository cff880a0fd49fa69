// SPDX-License-Identifier: MIT

#include "events/detect.h"

#include "base/inline.h"
#include "base/real.h"
#include "events/bounds.h"
#include <float.h>
#include <math.h>

// Second differences of the samples are w^2 h''. Between two of them it is larger by at most an
// eighth of its own second difference, and at the ends of the step, where it is extrapolated
// linearly, by the whole of it, if h is a polynomial of degree 4. Twice that for other functions.
static const double safety_of_change = 2.0;

// The second difference of three points alone says less.
static const double safety_of_three = 4.0;

// What the slopes at both ends of a cell say is strict for cubics only.
static const double safety_of_slopes = 2.0;

// What a function is off its cubics gets less by 16 where a cell is halved, by 64 if it is a term
// of sixth order. Where it seems to get less by more, it is an accident: the function meets the
// cubic in the middle.
static const double least_of_whole = 1.0 / 64.0;

// Rates fit to the samples if they ask for no more bend than this times what the samples show, and
// than this part of the slopes themselves.
static const double fits_bend = 2.0, fits_slope = 0.1;

// A value so far from a parabola's chord, in its middle, is an eighth of w^2 h''.
static const double bend_of_value = 8.0;

// A wave that was missed between samples may be much deeper than at the one place looked at.
static const double safety_between = 64.0;

// What is a smaller part than this of the function itself is rounding, and far from zero.
static const double negligible_bend = 1e-6;

// What many evaluations have made no clearer is rounding if it bends by no more than this times the
// noise: slopes of rounding at both ends, times twelve, twice.
static const double bend_of_rounding = 32.0;

// Samples are near enough to each other if fourth differences are this part of the second ones:
// those of a wave are (w k)^2 of them, so that there are 28 samples in a period.
static const double smoothness = 0.05;

// Steps after which samples that rates have fitted to are looked at again.
enum { MOST_CREDIT = 16 };

// Of a function far from zero that samples showed well (there were 28 in a period), samples so many
// times farther from each other show that they do no longer.
static const double growth = 12.0;
// Of one that did not fit, bends grow with the square of the distance.
static const double growth_of_misfit = 1.5;

// Cells between two zeros are looked into at this place of them, which is on no grid, and as long
// as they are not the remains of many halvings.
static const double golden = 0.38196601125010515;
enum { SHALLOW = 8 };

// What is smaller than an error of the solution is looked into no closer than after so many
// halvings, where crossings come without order: a motion that has come to rest.
enum { CLOSE = 4 };

// Halvings of a cell: down to 1e-12 of it, which is where a double root at the left
// end disappears in the rounding noise.
enum { DEEPEST = 40 };

// Evaluations after which a function must have been followed through a part of the step, so that
// the whole of it takes no more than MOST_OF_STEP: roots close to each other come near, waves that
// swing through the step go on. Without slopes one gives up much earlier, to begin again with them.
enum { MOST_EVALUATIONS = 400, ENOUGH_EVALUATIONS = 48, MOST_OF_STEP = 100000 };

// Steps are divided into so many cells from here on.
static void divide_step(Detector *detector, int cells)
{
    const double part = 1.0 / cells;
    detector->cells = cells;
    for (int j = 0; j < cells; j++)
        detector->parts[j] = j * part;
}

bool detector_create(Detector *detector, MemoryPool *pool, const SaltusModeDef *mode, int cells)
{
    int count = mode->event_count;
    detector->events = mode->events;
    detector->count = count;
    detector->most_cells = cells;
    detector->parts = MEMORY_POOL_NEW(pool, cells + 1, double);
    detector->times = MEMORY_POOL_NEW(pool, cells + 1, double);
    detector->samples = MEMORY_POOL_NEW(pool, (size_t)count * (size_t)(cells + 1), double);
    detector->seconds = MEMORY_POOL_NEW(pool, cells + 1, double);
    detector->rises = MEMORY_POOL_NEW(pool, 2 * (size_t)count, double);
    detector->runs = detector->rises + count;
    detector->extra = MEMORY_POOL_NEW(pool, count, double);
    detector->crossings = MEMORY_POOL_NEW(pool, count, Crossing);
    detector->rates = MEMORY_POOL_NEW(pool, (size_t)count * (size_t)(cells + 2), double);
    detector->trusted = MEMORY_POOL_NEW(pool, count, double);
    detector->fitted = MEMORY_POOL_NEW(pool, count, double);
    detector->credit = MEMORY_POOL_NEW(pool, count, int);
    detector->is_far = MEMORY_POOL_NEW(pool, count, bool);
    detector->looked = MEMORY_POOL_NEW(pool, count, double);
    if (!detector->rates || !detector->trusted || !detector->fitted || !detector->credit ||
        !detector->is_far || !detector->looked)
        return false;
    if (!detector->parts || !detector->times || !detector->samples || !detector->seconds ||
        !detector->rises || !detector->extra || !detector->crossings)
        return false;
    divide_step(detector, cells);
    return true;
}

// What is left of a motion that has died out, in numbers that are no longer normal, is zero, too:
// there states have no digits, and dense output and re-stepped states differ by all of them.
static double detect_noise_of(const Armed *armed)
{
    return real_larger(armed->noise, DBL_MIN);
}

int detect_sign(const Armed *armed, double h)
{
    return fabs(h) <= detect_noise_of(armed) ? armed->sign : h > 0.0 ? 1 : -1;
}

// ---------------------------------------------------------------------------
// One function over one step
// ---------------------------------------------------------------------------

typedef struct DetectScan {
    Detector *detector;
    DetectSample sample;
    const DetectStep *step;
    void *user;
    int event;
    bool is_far; // one sign at all samples, and far enough from zero, as far as they show
    bool is_due; // then: it is not known whether they show it
    double noise;
    double handled;  // the same as in Armed
    bool is_smooth;  // second differences change little from sample to sample
    bool is_flat;    // or are so small that it does not matter
    double change;   // second difference of the second differences of the samples
    double hidden;   // w^2 |h''| that the samples do not show
    bool has_slopes; // cells have slopes: the rates are known
    bool moves;      // it is not zero all over the step
    bool has_left;   // it was beyond its noise before, so that it is not the root just handled
    double error;    // of the solution, as small as does not matter; below 0: nobody asked for it
    double stale;    // the noise was measured in a cell so wide, or where the function was armed
    int sign;        // known sign at the left end of what is still to be looked at
    int evaluations, most;
    double reached;    // where it was followed to, when `most` was set
    bool is_exhausted; // by more than `most` of them
    bool is_lost;      // and what it does there is more than rounding, and more than errors
    bool is_erring;    // rates were found not to be those of the values
    int code;          // of a failed evaluation
} DetectScan;

typedef struct DetectCell {
    double a, h_a, b, h_b;
    double c, h_c;         // a point beside it
    double bend;           // w^2 |h''| is less
    double rate_a, rate_b; // of h, if the scan has slopes
    double off;            // then: w^2 |h'' - p''|, of the cubic, is less
} DetectCell;

// Values on the wrong side of the known sign, or none yet, count as zero.
static double height(const DetectScan *scan, double h)
{
    return h * scan->sign > 0.0 ? fabs(h) : 0.0;
}

// No zero between two ends of the known sign.
static bool is_clear(const DetectScan *scan, double h_a, double h_b, double bend)
{
    double a = height(scan, h_a), b = height(scan, h_b), c = 0.5 * bend;
    return a + b > c || a + b + 2.0 * sqrt(a * b) > c;
}

// No zero, for the function only moves away from where it is at the left end: the cubic through
// values and slopes is monotone if the squares of the slopes, over that of the chord, are not more
// than 9 together (F. N. Fritsch, R. E. Carlson: Monotone piecewise cubic interpolation, SIAM J.
// Numer. Anal. 17, 1980). So it is with a double root (4), and a triple one (9), at the left end.
// And it must be a cubic, nearly.
static bool moves_away(const DetectScan *scan, const DetectCell *cell)
{
    static const double most = 6.0;
    double width = cell->b - cell->a, rise = scan->sign * (cell->h_b - cell->h_a);
    double s_a = scan->sign * width * cell->rate_a, s_b = scan->sign * width * cell->rate_b;
    return scan->has_slopes && scan->sign * cell->h_a >= 0.0 && rise > 0.0 && s_a >= 0.0 &&
           s_b >= 0.0 && s_a * s_a + s_b * s_b <= most * rise * rise && cell->off <= 0.25 * rise;
}

// Exactly one zero between ends of different signs.
static bool cell_is_monotone(const DetectCell *cell)
{
    return fabs(cell->h_b - cell->h_a) > 0.5 * cell->bend;
}

// From the known sign on, zero is not beyond zero: to reach it and to rest there is no crossing.
static bool zero_is_old(const DetectScan *scan)
{
    return scan->sign != 0 && scan->detector->events[scan->event].at_zero == scan->sign;
}

static bool detect_has_crossed(const DetectScan *scan, double h)
{
    return zero_is_old(scan) ? h * scan->sign < 0.0 : h * scan->sign <= 0.0;
}

// Counts a crossing, or only takes over the sign if its direction does not count.
static bool cross(DetectScan *scan, const DetectCell *cell)
{
    int direction = -scan->sign;
    bool is_beyond = zero_is_old(scan);
    SaltusDirection wanted = scan->detector->events[scan->event].direction;
    scan->sign = direction;
    if (wanted != SALTUS_BOTH && (int)wanted != direction)
        return false;
    Detector *d = scan->detector;
    d->crossings[d->crossing_count] = (Crossing){.event = scan->event,
                                                 .direction = direction,
                                                 .a = cell->a,
                                                 .h_a = cell->h_a,
                                                 .b = cell->b,
                                                 .h_b = cell->h_b,
                                                 .c = cell->c,
                                                 .h_c = cell->h_c,
                                                 .noise = scan->noise,
                                                 .is_beyond = is_beyond};
    return true;
}

static bool cell_scan(DetectScan *scan, const DetectCell *cell, int depth);

// The function inside a cell.
static double value_inside(DetectScan *scan, double t)
{
    scan->evaluations++;
    scan->code = scan->sample(scan->user, 1, &t, scan->detector->extra);
    return scan->code == 0 ? scan->detector->extra[scan->event] : NAN;
}

// Its rate there; where there is none, the cells get on without slopes.
static double rate_inside(DetectScan *scan, double t)
{
    const Detector *d = scan->detector;
    double *row = d->rates + (size_t)(d->cells + 1) * (size_t)d->count;
    scan->has_slopes = scan->has_slopes && scan->step->rates(scan->user, 1, &t, row) == 0;
    return scan->has_slopes ? row[scan->event] : NAN;
}

// w^2 |h''| of the cubic through both values and slopes, where they are known.
static double bend_by_slopes(const DetectScan *scan, const DetectCell *cell)
{
    if (!scan->has_slopes)
        return 0.0;
    double width = cell->b - cell->a, rise = cell->h_b - cell->h_a;
    double at_a = 6.0 * rise - width * (4.0 * cell->rate_a + 2.0 * cell->rate_b);
    double at_b = 6.0 * rise - width * (2.0 * cell->rate_a + 4.0 * cell->rate_b);
    return real_larger(fabs(at_a), fabs(at_b));
}

// A value h at a part of a cell, less that of the cubic through values and slopes.
static double off_cubic_value(const DetectCell *cell, double part, double h)
{
    double width = cell->b - cell->a, rest = 1.0 - part, inner = part * rest;
    double s_a = width * cell->rate_a, s_b = width * cell->rate_b;
    double values =
        rest * rest * (1.0 + 2.0 * part) * cell->h_a + part * part * (1.0 + 2.0 * rest) * cell->h_b;
    return h - values - inner * (rest * s_a - part * s_b);
}

// |w^2 h'' - w^2 p''| in the larger part of a cell that is divided, where p is the cubic through
// values and slopes of that part. Between the cubic of the whole and the function there is, for a
// quintic, r^2 (1 - r)^2 (A + B (r - part)): the value and the slope at the point tell A and B. In
// a part of width v there are quartic and quintic terms left, v^4 (A + 5/4 B) and v^5 B, at most.
static double off_cubic(const DetectCell *cell, double part, double h, double rate)
{
    double width = cell->b - cell->a, rest = 1.0 - part, inner = part * rest;
    double rise = cell->h_b - cell->h_a, s_a = width * cell->rate_a, s_b = width * cell->rate_b;
    double slope =
        6.0 * inner * rise + rest * (rest - 2.0 * part) * s_a + part * (part - 2.0 * rest) * s_b;
    double off = off_cubic_value(cell, part, h), off_slope = width * rate - slope;
    double quartic = off / (inner * inner);
    double quintic = off_slope / (inner * inner) - 2.0 * quartic * (rest - part) / inner;
    double larger = real_larger(part, rest);
    return 2.0 * larger * larger * larger * larger * (fabs(quartic) + 1.5 * fabs(quintic));
}

// Divides a cell at t, this part of it, where the function is h: left part first. Without slopes
// the parts have what the three points show, and at least what the whole had. With slopes they have
// their own cubics' bend, and what is off them: the point in the middle shows how much that is.
static bool cell_split(DetectScan *scan, const DetectCell *cell, double part, double t, double h,
                       int depth)
{
    double larger = 1.0 - part, inner = part * larger; // part <= 1/2
    DetectCell left = *cell, right = *cell;
    left.b = right.a = t;
    left.h_b = right.h_a = h;
    left.c = cell->b, left.h_c = cell->h_b;
    right.c = cell->a, right.h_c = cell->h_a;
    if (scan->has_slopes)
        left.rate_b = right.rate_a = rate_inside(scan, t);
    if (scan->has_slopes) {
        double off = safety_of_slopes * off_cubic(cell, part, h, left.rate_b);
        left.off = right.off = real_larger(off, least_of_whole * cell->off);
        left.bend = safety_of_slopes * bend_by_slopes(scan, &left) + left.off;
        right.bend = safety_of_slopes * bend_by_slopes(scan, &right) + right.off;
    } else {
        double off_chord = fabs((1.0 - part) * cell->h_a - h + part * cell->h_b);
        double second = 2.0 * off_chord * larger * larger / inner;
        left.bend = right.bend =
            real_larger(safety_of_three * second, larger * larger * cell->bend);
    }
    if (cell_scan(scan, &left, depth + 1))
        return true;
    return scan->code == 0 && cell_scan(scan, &right, depth + 1);
}

// Whether rates are those of the values, at a place inside of a cell and a little later: those of a
// stiff system at interpolated states are those of their errors.
static bool detect_rates_fit(DetectScan *scan, const DetectCell *cell)
{
    static const double near = 1e-5, much = 0.01; // parts of the width, of what the cell may bend
    const double width = cell->b - cell->a, t = cell->a + golden * width, next = t + near * width;
    const double h = value_inside(scan, t);
    const double h_next = scan->code == 0 ? value_inside(scan, next) : NAN;
    const double rate = scan->code == 0 ? rate_inside(scan, t) : NAN;
    const double off = fabs(h_next - h - (next - t) * rate);
    return !(off > much * ((next - t) / width) * cell->bend + 2.0 * scan->noise);
}

// More evaluations, if those so far have led on: a wave takes as many in each part of the step.
// Where it is the rates that have led nowhere, values go on alone, once.
static bool detect_leads_on(DetectScan *scan, const DetectCell *cell)
{
    static const double part = (double)MOST_EVALUATIONS / MOST_OF_STEP;
    const double width = scan->step->t1 - scan->step->t0;
    const bool was_erring = scan->is_erring;
    scan->is_erring = was_erring || (scan->has_slopes && !detect_rates_fit(scan, cell));
    scan->has_slopes = scan->has_slopes && !scan->is_erring;
    const bool is_wave = scan->most >= MOST_EVALUATIONS && cell->a - scan->reached >= part * width;
    if (scan->code != 0 || was_erring || !(is_wave || scan->is_erring))
        return false;
    scan->reached = cell->a;
    const int more = scan->is_erring ? ENOUGH_EVALUATIONS : MOST_EVALUATIONS;
    scan->most = scan->evaluations + more;
    return true;
}

// Halves a cell; or, where a value that is on no grid has told of what samples do not show, divides
// it at such a place.
static bool cell_halve(DetectScan *scan, const DetectCell *cell, int depth)
{
    double part = depth == 0 && scan->hidden > 0.0 ? golden : 0.5;
    double middle = cell->a + part * (cell->b - cell->a);
    if (scan->evaluations >= scan->most && !scan->is_exhausted) {
        const bool is_rounding = cell->bend <= bend_of_rounding * scan->noise;
        scan->is_exhausted = is_rounding || !detect_leads_on(scan, cell);
        scan->is_lost = scan->is_exhausted && !is_rounding && !scan->is_erring;
    }
    if (scan->code != 0)
        return false;
    if (!(middle > cell->a && middle < cell->b) || scan->is_exhausted)
        return detect_has_crossed(scan, cell->h_b) && cross(scan, cell);
    double h = value_inside(scan, middle);
    return scan->code == 0 && cell_split(scan, cell, part, middle, h, depth);
}

// The noise was measured where the function was last armed. A function that has moved since may be
// much flatter here, as a polynomial is between roots that are close to each other: then so is its
// noise.
static void detect_measure_noise(DetectScan *scan, const DetectCell *cell)
{
    double middle = cell->a + 0.5 * (cell->b - cell->a);
    double *row = scan->detector->extra;
    if (!scan->step->noise || !scan->has_left || cell->b - cell->a > 0.25 * scan->stale)
        return;
    scan->stale = cell->b - cell->a;
    if (scan->step->noise(scan->user, middle, row) == 0)
        scan->noise = real_smaller(scan->noise, real_larger(row[scan->event], DBL_MIN));
}

static bool detect_is_noise(const DetectScan *scan, const DetectCell *cell)
{
    return fabs(cell->h_a) <= scan->noise && fabs(cell->h_b) <= scan->noise;
}

// Whether a cell that halving has not made clear shows nothing but an error of the solution.
static bool detect_is_error(DetectScan *scan, const DetectCell *cell, int depth)
{
    if (!scan->step->error || depth < CLOSE)
        return false;
    if (scan->error < 0.0)
        scan->error = scan->step->error(scan->user, scan->event, cell->b);
    return fabs(cell->h_a) <= scan->error && fabs(cell->h_b) <= scan->error;
}

// Looks into a cell between two zeros, which may be two roots: is there more than `zero` inside?
static bool is_more_inside(DetectScan *scan, const DetectCell *cell, int depth, double zero,
                           double *t, double *h)
{
    *t = cell->a + golden * (cell->b - cell->a);
    if (!scan->moves || depth >= SHALLOW || scan->evaluations >= scan->most ||
        !(*t > cell->a && *t < cell->b))
        return false;
    *h = value_inside(scan, *t);
    return scan->code == 0 && fabs(*h) > zero;
}

// True: a crossing that counts was found (it is behind those that are counted), or an evaluation
// failed.
static bool cell_scan(DetectScan *scan, const DetectCell *cell, int depth)
{
    if (scan->sign == 0) { // takes the sign that it shows
        if (fabs(cell->h_b) > scan->noise)
            scan->sign = cell->h_b > 0.0 ? 1 : -1;
        return false;
    }
    double t, h;
    if (scan->handled > 0.0 && fabs(cell->h_b) <= scan->handled) {
        double zero = real_larger(scan->handled, scan->noise);
        return is_more_inside(scan, cell, depth, zero, &t, &h) &&
               cell_split(scan, cell, golden, t, h, depth);
    }
    if (fabs(cell->h_a) <= scan->noise || fabs(cell->h_b) <= scan->noise)
        detect_measure_noise(scan, cell);
    bool has_crossed = detect_has_crossed(scan, cell->h_b),
         is_at_zero = cell->h_b * scan->sign <= 0.0;
    bool is_known = has_crossed || is_at_zero ? cell_is_monotone(cell)
                                              : is_clear(scan, cell->h_a, cell->h_b, cell->bend) ||
                                                    moves_away(scan, cell);
    bool is_noise = detect_is_noise(scan, cell);
    if (!is_known && !is_noise && depth < DEEPEST && !detect_is_error(scan, cell, depth))
        return cell_halve(scan, cell, depth);
    if (is_noise && is_more_inside(scan, cell, depth, scan->noise, &t, &h))
        return cell_split(scan, cell, golden, t, h, depth);
    if (scan->code != 0)
        return false;
    scan->handled = 0.0;
    scan->has_left = scan->has_left || fabs(cell->h_b) > scan->noise;
    return has_crossed && !is_noise && cross(scan, cell);
}

// Nothing to look at closer: one sign at all samples, and far enough from zero. Notes the second
// differences at the samples, at the ends of the step those of the cubics through the four samples
// next to them, and how much they turn.
ALWAYS_INLINE bool step_is_clear_of(DetectScan *scan, const double *samples, int sign, int cells)
{
    const int stride = scan->detector->count;
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
    scan->is_smooth =
        turn <= smoothness * largest + negligible_bend * (fabs(samples[0]) + fabs(at));
    // (sqrt(a) + sqrt(b))^2 >= 4 min(a, b)
    const double bend = 0.5 * (largest + safety_of_change * turn);
    scan->is_flat = 4.0 * smallest > (double)(MOST_CREDIT * MOST_CREDIT) * bend;
    return 4.0 * smallest > bend;
}

// The same. Most steps have four cells, whose loop the compiler takes apart.
ALWAYS_INLINE bool step_is_clear(DetectScan *scan, const double *samples, int sign)
{
    const int cells = scan->detector->cells;
    return cells == 4 ? step_is_clear_of(scan, samples, sign, 4)
                      : step_is_clear_of(scan, samples, sign, cells);
}

// h_b - h_a = w h'_a + w^2 h'' / 2. Where the slope asks for more bend than the samples of the
// first two cells show, and much more, they do not show all.
static double hidden_bend(const DetectScan *scan, const double *samples)
{
    const Detector *d = scan->detector;
    if (!d->has_rises)
        return 0.0;
    double run = d->runs[scan->event], width = d->times[1] - d->times[0];
    if (!(width > 2.0 * run) || run == 0.0)
        return 0.0;                                     // as near to each other as before
    double slope = fabs(d->rises[scan->event]) * width; // times run
    double rise = fabs(samples[d->count] - samples[0]);
    double shown = d->seconds[0] + d->seconds[1] + scan->change;
    return slope > 2.0 * (rise + shown) * run ? 2.0 * (slope / run - rise) : 0.0;
}

// A function that has just come to zero at the end of the cell: not one that rests there.
static bool is_coming(DetectScan *scan, const DetectCell *last)
{
    static const double just_before =
        1e-6; // part of the cell: it leads through no noise in this time
    double t = last->b - just_before * (last->b - last->a);
    if (!(t < last->b))
        return true;
    scan->code = scan->sample(scan->user, 1, &t, scan->detector->extra);
    return scan->code == 0 && fabs(scan->detector->extra[scan->event]) > scan->noise;
}

// And goes on, as far as can be told: a dead zone begins at zero, and ends there.
static bool detect_goes_on(DetectScan *scan, const DetectCell *last)
{
    static const double just_after = 1e-3; // part of the cell, in which a function is straight
    double *row = scan->detector->extra;
    if (!scan->step->beyond ||
        scan->step->beyond(scan->user, just_after * (last->b - last->a), row) != 0)
        return true;
    return scan->sign * row[scan->event] < 0.0;
}

// A function that would reach zero within the resolution after the end of the step. Over a cell of
// no time, in a step at the resolution of time, a change is rounding and says nothing.
static bool reaches_zero(DetectScan *scan, const DetectCell *last, double resolution)
{
    double change = last->h_a - last->h_b; // towards zero if it has the known sign
    bool is_beyond = zero_is_old(scan);
    if (resolution == 0.0 || !(last->b > last->a) || !(scan->sign * change > 0.0) ||
        (!is_beyond && scan->sign * last->h_b <= 0.0))
        return false;
    return fabs(last->h_b) * (last->b - last->a) <= fabs(change) * resolution &&
           (!is_beyond || (is_coming(scan, last) && detect_goes_on(scan, last)));
}

// The cell between samples j and j + 1.
static DetectCell cell_at(const DetectScan *scan, const double *samples, int j, double bend)
{
    const Detector *d = scan->detector;
    const double *rates = d->rates + j * d->count + scan->event;
    int beside = j > 0 ? j - 1 : 2;
    return (DetectCell){.rate_a = scan->has_slopes ? rates[0] : NAN,
                        .rate_b = scan->has_slopes ? rates[d->count] : NAN,
                        .a = d->times[j],
                        .h_a = samples[j * d->count],
                        .b = d->times[j + 1],
                        .h_b = samples[(j + 1) * d->count],
                        .c = d->times[beside],
                        .h_c = samples[beside * d->count],
                        .bend = bend};
}

// The rates at all samples of the step, once they are asked for.
static bool detect_find_rates(DetectScan *scan, DetectRates rates)
{
    Detector *d = scan->detector;
    if (!d->has_rates && !d->lacks_rates) {
        d->has_rates = rates && rates(scan->user, d->cells + 1, d->times, d->rates) == 0;
        d->lacks_rates = !d->has_rates;
    }
    return d->has_rates;
}

// All functions between the first two samples, at a place that is on no grid, once it is asked for.
static bool detect_look_between(DetectScan *scan, DetectSample sample)
{
    Detector *d = scan->detector;
    if (!d->has_looked) {
        const double t = d->times[0] + golden * (d->times[1] - d->times[0]);
        scan->code = sample(scan->user, 1, &t, d->looked);
        d->has_looked = scan->code == 0;
    }
    return d->has_looked;
}

// What the first four samples ask for there.
static double cubic_of_samples(const Detector *d, const double *samples)
{
    static const double x = golden;
    const int next = d->count;
    return ((x - 1.0) * (x - 2.0) * (3.0 - x) * samples[0] +
            3.0 * x * (x - 2.0) * (x - 3.0) * samples[next] +
            3.0 * x * (x - 1.0) * (3.0 - x) * samples[2 * next] +
            x * (x - 1.0) * (x - 2.0) * samples[3 * next]) /
           6.0;
}

// Whether the value between two samples fits to them, and to their rates if these are known. If
// not, there is a wave whose period is their distance, and all cells may hide it.
static bool value_fits(DetectScan *scan, const double *samples)
{
    const Detector *d = scan->detector;
    if (!detect_look_between(scan, scan->step->look ? scan->step->look : scan->sample))
        return false;
    const DetectCell cell = cell_at(scan, samples, 0, 0.0);
    const double h = d->looked[scan->event];
    const double off =
        scan->has_slopes ? off_cubic_value(&cell, golden, h) : h - cubic_of_samples(d, samples);
    const double bend = bend_of_value * fabs(off);
    const double shown = fits_bend * (d->seconds[0] + d->seconds[1] + scan->change);
    if (bend <= shown + negligible_bend * (fabs(cell.h_a) + fabs(cell.h_b)))
        return true;
    scan->hidden = real_larger(scan->hidden, safety_between * bend);
    return false;
}

// Whether the value between samples, and the rates if they are known, fit to the samples.
static bool samples_fit(DetectScan *scan, const double *samples)
{
    const Detector *d = scan->detector;
    bool fits = value_fits(scan, samples);
    for (int j = 0; j < d->cells && fits && scan->has_slopes; j++) {
        DetectCell cell = cell_at(scan, samples, j, 0.0);
        double shown = real_larger(d->seconds[j], d->seconds[j + 1]) + scan->change;
        double slopes = (cell.b - cell.a) * (fabs(cell.rate_a) + fabs(cell.rate_b));
        fits = bend_by_slopes(scan, &cell) <= fits_bend * shown + fits_slope * slopes;
    }
    return fits;
}

// If it is not known whether the samples of a function near zero show what it does, the rates are
// to tell.
static void judge_samples(DetectScan *scan, const double *samples)
{
    Detector *d = scan->detector;
    double *trusted = &d->trusted[scan->event], width = d->times[1] - d->times[0];
    bool is_known = scan->is_smooth && width <= 2.0 * *trusted;
    scan->has_slopes = false;
    if (is_known || scan->is_far)
        return;
    scan->has_slopes = detect_find_rates(scan, scan->step->rates);
    const bool fits = scan->has_slopes && samples_fit(scan, samples);
    *trusted = fits && scan->is_smooth ? width : 0.0;
}

// Whether the function leaves zero in the step: at a sample, or at a place that is on no grid.
static bool function_moves(DetectScan *scan, const Armed *armed, const double *samples)
{
    Detector *d = scan->detector;
    double noise = detect_noise_of(armed);
    for (int j = 0; j <= d->cells; j++)
        if (fabs(samples[j * d->count]) > noise)
            return true;
    return detect_look_between(scan, scan->sample) && fabs(d->looked[scan->event]) > noise;
}

// All cells in order, from the signs and noise of the left end on.
static bool cells_scan(DetectScan *scan, const Armed *armed, const double *samples)
{
    const Detector *d = scan->detector;
    scan->sign = armed->sign;
    scan->noise = detect_noise_of(armed);
    scan->handled = armed->handled;
    scan->evaluations = 0;
    scan->is_exhausted = scan->is_lost = scan->is_erring = false;
    scan->reached = scan->step->t0;
    scan->most = scan->has_slopes || d->lacks_rates ? MOST_EVALUATIONS : ENOUGH_EVALUATIONS;
    scan->has_left = fabs(samples[0]) > scan->noise;
    scan->stale = INFINITY;
    scan->error = -1.0;
    for (int j = 0; j < d->cells; j++) {
        double h_a = samples[j * d->count], h_b = samples[(j + 1) * d->count];
        double second = real_larger(d->seconds[j], d->seconds[j + 1]);
        double bend = real_larger(second + safety_of_change * scan->change, scan->hidden);
        if (!scan->has_slopes && h_b * scan->sign > 0.0 && scan->handled == 0.0 &&
            is_clear(scan, h_a, h_b, bend)) {
            scan->has_left = scan->has_left || fabs(h_b) > scan->noise;
            continue;
        }
        DetectCell cell = cell_at(scan, samples, j, bend);
        cell.bend = real_larger(bend, safety_of_slopes * bend_by_slopes(scan, &cell));
        cell.off = 2.0 * cell.bend; // nothing between the samples tells
        if (cell_scan(scan, &cell, 0))
            return true;
        if (scan->code != 0)
            return false;
    }
    return false;
}

// Whether the function came to zero where the step begins, up to its noise, and rests there, on the
// side that zero counts as. Nothing in the step before could tell, if the kink is at its end.
static bool function_rests(const DetectScan *scan, const Armed *armed, const double *samples)
{
    const Detector *d = scan->detector;
    if (scan->moves || !armed->has_left || armed->handled != 0.0 || scan->sign == 0 ||
        zero_is_old(scan) || !d->has_looked || d->looked[scan->event] != 0.0)
        return false;
    for (int j = 1; j <= d->cells; j++)
        if (samples[j * d->count] != 0.0)
            return false;
    return true;
}

// Of such a function.
static bool cross_at_begin(DetectScan *scan, const double *samples)
{
    DetectCell cell = cell_at(scan, samples, 0, 0.0);
    cell.b = cell.a;
    if (!cross(scan, &cell))
        return false;
    scan->detector->crossings[scan->detector->crossing_count].rests = true;
    return true;
}

// A function that would reach zero within the resolution after a stop or time event, or has just
// done so: it may rest there.
static bool reaches_zero_at_end(DetectScan *scan, const double *samples)
{
    const Detector *d = scan->detector;
    DetectCell cell = cell_at(scan, samples, d->cells - 1, 0.0);
    const bool is_there = scan->step->resolution != 0.0 && scan->sign != 0 && scan->has_left &&
                          cell.h_b == 0.0 && !zero_is_old(scan);
    if (!is_there && !reaches_zero(scan, &cell, scan->step->reach))
        return false;
    cell.h_b = 0.0;
    return cross(scan, &cell);
}

// What is not clear from the samples alone.
static bool function_look(DetectScan *scan, const Armed *armed, const double *samples)
{
    judge_samples(scan, samples);
    scan->moves = function_moves(scan, armed, samples);
    if (scan->code != 0)
        return false;
    scan->sign = armed->sign;
    if (function_rests(scan, armed, samples))
        return cross_at_begin(scan, samples);
    bool is_found = cells_scan(scan, armed, samples);
    if (scan->code == 0 && scan->is_exhausted && !scan->has_slopes &&
        scan->most < MOST_EVALUATIONS) {
        scan->has_slopes = detect_find_rates(scan, scan->step->rates);
        is_found = cells_scan(scan, armed, samples);
    }
    if (scan->is_lost && !is_found)
        scan->detector->unfollowed = scan->event;
    if (is_found || scan->code != 0)
        return is_found;
    return reaches_zero_at_end(scan, samples);
}

// Whether it is known that the samples of a function far from zero show what it does: they fitted
// at such distances, and lately did so again. One that did not fit has credit for its distance.
static bool far_is_known(DetectScan *scan, const double *samples)
{
    const Detector *d = scan->detector;
    const double fitted = d->fitted[scan->event], width = d->times[1] - d->times[0];
    int *credit = &d->credit[scan->event];
    scan->has_slopes = false;
    --*credit;
    if (fitted <= 0.0)
        return *credit > 0 && width <= -growth_of_misfit * fitted;
    if (!(scan->is_smooth || scan->is_flat) || !(width <= growth * fitted))
        return false;
    if (*credit <= 0 && value_fits(scan, samples))
        *credit = MOST_CREDIT;
    return *credit > 0;
}

static bool function_scan(DetectScan *scan, const Armed *armed)
{
    const double *samples = scan->detector->samples + scan->event;
    const bool is_away = step_is_clear(scan, samples, armed->sign);
    scan->hidden = hidden_bend(scan, samples);
    scan->is_far = is_away && scan->hidden == 0.0;
    scan->is_due =
        scan->is_far && fabs(samples[0]) > detect_noise_of(armed) && !far_is_known(scan, samples);
    if (!scan->is_smooth)
        scan->detector->trusted[scan->event] = 0.0;
    return (!scan->is_far || scan->step->resolution != 0.0) && function_look(scan, armed, samples);
}

// For how many steps a function is left alone whose samples do not fit, by how far it is from zero:
// the square root of what it could bend more. (Rates of a stiff system at interpolated states are
// those of their errors.)
static int credit_of_distance(const DetectScan *scan, const double *samples)
{
    const Detector *d = scan->detector;
    double smallest = INFINITY, bend = scan->hidden;
    for (int j = 0; j <= d->cells; j++)
        smallest = real_smaller(smallest, fabs(samples[j * d->count]));
    for (int j = 0; j < d->cells; j++) {
        const DetectCell cell = cell_at(scan, samples, j, 0.0);
        bend = real_larger(bend, safety_of_slopes * bend_by_slopes(scan, &cell));
        bend = real_larger(bend, d->seconds[j] + safety_of_change * scan->change);
    }
    const double more = 4.0 * smallest / (0.5 * bend + DBL_MIN);
    return (int)real_smaller(MOST_CREDIT, sqrt(more));
}

// A function that seems to be far from zero, by samples that may not show what it does: a wave
// whose period is the distance between them. The rates tell, and a value between samples.
static bool function_scan_again(DetectScan *scan, const Armed *armed)
{
    const Detector *d = scan->detector;
    const double *samples = d->samples + scan->event;
    step_is_clear(scan, samples, armed->sign); // for the second differences
    scan->hidden = 0.0;
    scan->has_slopes = d->has_rates;
    const bool fits = samples_fit(scan, samples) && scan->is_smooth;
    const int credit = fits ? MOST_CREDIT : credit_of_distance(scan, samples);
    double *fitted = &d->fitted[scan->event], width = d->times[1] - d->times[0];
    *fitted = credit == MOST_CREDIT ? real_larger(*fitted, width) : -width;
    d->credit[scan->event] = credit;
    if (credit > 1)
        return false;
    scan->is_far = false;
    d->trusted[scan->event] = 0.0;
    return function_look(scan, armed, samples);
}

// Of a function of time alone: the crossing that its bounds tell of, between points that they are
// sure of.
static bool cross_by_bounds(DetectScan *scan, const BoundsScan *bounds)
{
    double t[] = {bounds->a, bounds->b, bounds->a + 0.5 * (bounds->b - bounds->a)}, h[3] = {0};
    for (int i = 0; i < 3 && scan->code == 0; i++) {
        const bool is_begin = t[i] == scan->step->t0, is_end = t[i] == scan->step->t1;
        h[i] = is_begin ? scan->step->h0[scan->event]
               : is_end ? scan->step->h1[scan->event]
                        : value_inside(scan, t[i]);
    }
    const DetectCell cell = {
        .a = t[0], .h_a = h[0], .b = t[1], .h_b = h[1], .c = t[2], .h_c = h[2]};
    return scan->code == 0 && cross(scan, &cell);
}

// One that would cross zero just after a stop or time event: the same as reaches_zero. Or it has
// crossed just before, so near that the bounds cannot tell: a ramp that ends at zero, where the
// event begins what comes after it.
static bool reaches_zero_by_bounds(DetectScan *scan)
{
    static const double just_before = 1024.0; // times the resolution: it is straight there
    const DetectStep *step = scan->step;
    DetectCell last = {.a = step->t1 - just_before * step->resolution,
                       .b = step->t1,
                       .h_b = step->h1[scan->event],
                       .c = step->t0,
                       .h_c = step->h0[scan->event]};
    if (step->resolution == 0.0 || !(last.a > step->t0))
        return false;
    last.h_a = value_inside(scan, last.a);
    if (scan->code != 0)
        return false;
    if (detect_has_crossed(scan, last.h_b))
        return last.h_a * scan->sign > 0.0 && cross(scan, &last);
    if (!reaches_zero(scan, &last, step->resolution))
        return false;
    last.h_b = 0.0;
    return cross(scan, &last);
}

// Whether the bounds decide about a function of time alone. Those that have no sign yet take it
// from the samples.
static bool bounds_decide(DetectScan *scan, const Armed *armed, bool *found)
{
    const DetectStep *step = scan->step;
    const SaltusEventDef *event = &scan->detector->events[scan->event];
    if (!event->of_time || !step->bounds || armed->sign == 0)
        return false;
    BoundsScan bounds = {.bounds = step->bounds,
                         .user = scan->user,
                         .event = scan->event,
                         .sign = armed->sign,
                         .direction = event->direction,
                         .at_zero = event->at_zero,
                         .noise = 2.0 * detect_noise_of(armed),
                         .handled = armed->handled,
                         .a = step->t0,
                         .end = step->t1};
    const BoundsVerdict verdict = bounds_scan(&bounds);
    scan->noise = detect_noise_of(armed);
    scan->sign = bounds.sign;
    scan->evaluations = 0;
    *found = verdict == BOUNDS_CROSSED ? cross_by_bounds(scan, &bounds)
                                       : verdict == BOUNDS_CLEAR && reaches_zero_by_bounds(scan);
    return verdict != BOUNDS_UNKNOWN;
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
// they did. Nobody reads them where the samples are to be as near to each other as before.
static void detect_find_slopes(Detector *detector, const DetectStep *step, int next_cells)
{
    static const double surely = 1.9;
    const double t0 = step->t0;
    int count = detector->count, cells = detector->cells;
    double begin = detector->times[0], end = detector->times[cells];
    double run = end == t0 ? end - detector->times[cells - 1] : 0.0;
    detector->has_rises = run > 0.0 ? step->t1 - t0 > surely * run * next_cells
                                    : detector->crossing_count > 0 && t0 > begin && t0 < end;
    if (!detector->has_rises)
        return;
    const double *last = detector->samples + (size_t)(cells - 1) * (size_t)count;
    for (int i = 0; i < count; i++) {
        detector->rises[i] = last[count + i] - last[i];
        detector->runs[i] = run;
    }
    for (int k = 0; k < detector->crossing_count && run == 0.0; k++) {
        const Crossing *c = &detector->crossings[k];
        detector->rises[c->event] = c->h_b - c->h_a;
        detector->runs[c->event] = c->b - c->a;
    }
}

int detector_scan(Detector *detector, const Armed *armed, const DetectStep *step,
                  DetectSample sample, void *user)
{
    const bool is_told = step->cells > 0 && step->cells <= detector->most_cells;
    const int count = detector->count, cells = is_told ? step->cells : detector->most_cells;
    detect_find_slopes(detector, step, cells);
    if (cells != detector->cells)
        divide_step(detector, cells);
    detector->crossing_count = 0;
    detector->unfollowed = -1;
    for (int i = 0; i < count; i++) {
        detector->samples[i] = step->h0[i];
        detector->samples[cells * count + i] = step->h1[i];
    }
    detector->has_rates = detector->lacks_rates = detector->has_looked = false;
    double *times = detector->times, width = step->t1 - step->t0;
    for (int j = 0; j < cells; j++)
        times[j] = step->t0 + width * detector->parts[j];
    times[cells] = step->t1;
    int code = sample(user, cells - 1, times + 1, detector->samples + count);
    if (code != 0)
        return code;
    DetectScan scan; // the rest is set for each function
    scan.detector = detector;
    scan.sample = sample;
    scan.step = step;
    scan.user = user;
    scan.code = 0;
    bool is_any_far = false, is_due = false;
    for (int i = 0; i < count; i++) {
        if (detector->events[i].is_muted)
            continue;
        scan.event = i;
        bool is_found = false;
        scan.is_far = scan.is_due = false;
        if (!bounds_decide(&scan, &armed[i], &is_found))
            is_found = function_scan(&scan, &armed[i]);
        if (scan.code != 0)
            return scan.code;
        if (is_found)
            keep_found(detector);
        detector->is_far[i] = scan.is_far && !is_found;
        is_any_far |= detector->is_far[i];
        is_due |= detector->is_far[i] && scan.is_due;
    }
    if (is_due)
        detect_find_rates(&scan, step->look_rates ? step->look_rates : step->rates);
    if (!is_any_far || !(is_due || detector->has_rates))
        return 0;
    for (int i = 0; i < count; i++) {
        if (detector->events[i].is_muted || !detector->is_far[i])
            continue;
        scan.event = i;
        const bool is_found = function_scan_again(&scan, &armed[i]);
        if (scan.code != 0)
            return scan.code;
        if (is_found)
            keep_found(detector);
    }
    return 0;
}
