// SPDX-License-Identifier: MIT

#include "numerics/newton.h"

#include "base/real.h"
#include <float.h>
#include <math.h>

// Relative to |u| or its floor.
static const double newton_rounding = 4.0 * DBL_EPSILON;
// After a correction of this size with a new Jacobian rounding is left: quadratic convergence,
// even with the errors of a Jacobian by differences.
static const double newton_small = 1e-10;
// Corrections below this may be rounding; that they become smaller tells nothing.
static const double noise_least = 1000.0 * DBL_EPSILON;
// A contraction by this shows that there is a solution where it leads to.
static const double convincing = 0.25;
// Of one unknown bisection takes over; several ones may have to pass a kink between slopes as
// different as those of an amplifier within its limits and beyond.
static const double smallest_damping = 1.0 / 1024.0, smallest_of_several = 1.0 / 16777216.0;
enum { MOST_ITERATIONS = 60 };

// Where no damping helps, J is that of one side of a kink: the other side may have a better one.
// But only near by: what is far is another solution, and whoever follows one must know that it
// ends.
static const double longest_leap = 1e-7;
enum { MOST_LEAPS = 5 };

size_t newton_work(int n)
{
    return 6 * (size_t)n;
}

static void newton_divide(Newton *newton)
{
    double *w = newton->work;
    const size_t n = (size_t)newton->n;
    newton->correction = w;
    newton->simplified = w + n;
    newton->before = w + 2 * n;
    newton->r = w + 3 * n;
    newton->stray = w + 4 * n;
    newton->least = w + 5 * n;
}

// The largest component of a correction of u, relative; NAN: it is not finite.
static double newton_norm(const Newton *newton, const double *u, const double *correction)
{
    double most = 0.0, check = 0.0;
    for (int i = 0; i < newton->n; i++) {
        most = real_larger(most, fabs(correction[i]) / real_larger(fabs(u[i]), newton->floor[i]));
        check += correction[i] - correction[i];
    }
    return most + check;
}

// The residuals at u. Above zero also where they are not finite.
static int newton_evaluate(Newton *newton, double *r)
{
    const int code = newton->residuals(newton->user, r);
    double check = 0.0;
    for (int i = 0; code == 0 && i < newton->n; i++)
        check += r[i] - r[i];
    return code == 0 && check != 0.0 ? 1 : code;
}

// correction = -J^-1 r
static void correct(const Newton *newton, const double *r, double *correction)
{
    for (int i = 0; i < newton->n; i++)
        correction[i] = -r[i];
    newton->solve(newton->user, correction);
}

static void newton_add(const Newton *newton, const double *correction)
{
    for (int i = 0; i < newton->n; i++)
        newton->u[i] += correction[i];
}

// Whether a correction is small not only beside |u|, which may have run away, but also beside the
// floor; and not only beside that, for the solution may be near zero, with a pole there.
static bool is_tiny(const Newton *newton, const double *correction)
{
    static const double least = 1e-6;
    bool is_fine = !newton->is_deficient;
    for (int i = 0; i < newton->n; i++) {
        const double floor = newton->floor[i], size = fabs(newton->u[i]);
        const double scale = size > floor ? floor : size < least * floor ? least * floor : size;
        is_fine = is_fine && fabs(correction[i]) <= newton_small * scale;
    }
    return is_fine;
}

// Where nobody knows the terms, a correction that is rounding is taken for a solution.
static bool newton_is_small(const Newton *newton, const double *r, const double *correction)
{
    if (is_tiny(newton, correction))
        return true;
    bool is_zero = true;
    for (int i = 0; i < newton->n; i++)
        is_zero = is_zero && r[i] == 0.0;
    return is_zero || !newton->is_small || newton->is_small(newton->user, r);
}

typedef struct Move {
    double damping;
    double length;      // |d|
    double next_length; // |e|, measured like d
    bool is_bisected;   // instead: r is smaller, the simplified correction is not known
    bool is_blocked; // not even the smallest step that was tried passed the test: u is where it was
} Move;

// One unknown, and r has opposite signs at u and `far`: between them until |r| is well below both.
// Where r only jumps over zero, or has a pole, it does not fall: false, and u is where it was.
static bool bisect(Newton *newton, double r_near, double far, double r_far)
{
    static const double enough = 1e-3;
    const double begin = newton->u[0];
    const double goal = enough * real_smaller(fabs(r_near), fabs(r_far));
    for (double near = begin;;) {
        const double middle = near + 0.5 * (far - near);
        newton->u[0] = middle;
        if (middle == near || middle == far || newton_evaluate(newton, newton->r) != 0)
            break;
        if (fabs(newton->r[0]) <= goal)
            return true;
        if (signbit(newton->r[0]) == signbit(r_near))
            near = middle;
        else
            far = middle;
    }
    newton->u[0] = begin;
    return false;
}

// Goes from u along the correction, as far as the monotonicity test allows but at least by `least`.
// Then r and the simplified correction are those of the new u.
static int go(Newton *newton, double least, Move *move)
{
    const double longest = move->length > NEWTON_LONGEST ? NEWTON_LONGEST / move->length : 1.0;
    const double r_before = newton->r[0];
    double far = 0.0, r_far = 0.0;
    real_copy(newton->before, newton->u, newton->n);
    for (double l = longest; l >= least * longest; l *= 0.5) {
        for (int i = 0; i < newton->n; i++)
            newton->u[i] = newton->before[i] + l * newton->correction[i];
        const int code = newton_evaluate(newton, newton->r);
        if (code < 0)
            return code;
        if (code > 0)
            continue;
        correct(newton, newton->r, newton->simplified);
        move->damping = l;
        move->next_length = newton_norm(newton, newton->before, newton->simplified);
        if (move->next_length <= (1.0 - 0.25 * l) * move->length)
            return 0;
        if (r_before * newton->r[0] < 0.0) {
            far = newton->u[0];
            r_far = newton->r[0];
        }
    }
    real_copy(newton->u, newton->before, newton->n);
    // Behind a kink, the slope here says little: that of a limited amplifier is 0 or its gain.
    move->is_bisected =
        newton->n == 1 && least < 1.0 && r_far != 0.0 && bisect(newton, r_before, far, r_far);
    move->is_blocked = !move->is_bisected;
    return 0;
}

// Is it better to go on with the old Jacobian? With contraction c, |e| falls to rounding in n
// iterations of one evaluation each if |e| c^n <= rounding; a new Jacobian converges in two, but
// costs some evaluations.
static bool keep_jacobian(const Newton *newton, const Move *move)
{
    const double contraction = move->next_length / move->length;
    if (move->damping < 1.0 || contraction > 0.1 || newton->is_deficient)
        return false;
    double left = move->next_length;
    for (int i = 0; i < 2 + newton->columns && left > newton_rounding; i++)
        left *= contraction;
    return left <= newton_rounding;
}

// Whether the residuals at u are rounding: a difference of pressures that are equal but for their
// last digits, behind a steep function, is as large as a residual can be. As J d = -r, r(u + k d)
// is (1 - k) r; residuals that are not much larger than what they stray from that, before and
// behind u, say nothing more. At a kink one side is as J says, unless d is rounding itself. A
// single residual that jumps over zero there has no value that is nearer to it. Then r is that of u
// again.
static bool newton_is_rounding(Newton *newton, double length)
{
    static const double ways[] = {-2.0, -1.0, 1.0, 2.0}, part = 0.25;
    bool jumps = false, is_fine = newton_evaluate(newton, newton->r) == 0;
    for (int i = 0; i < newton->n; i++) // u has not run away
        is_fine = is_fine && fabs(newton->correction[i]) <= newton->noise * newton->floor[i];
    real_copy(newton->before, newton->u, newton->n);
    real_copy(newton->simplified, newton->r, newton->n);
    for (int k = 0; k < 4 && is_fine; k++) {
        for (int i = 0; i < newton->n; i++)
            newton->u[i] = newton->before[i] + ways[k] * newton->correction[i];
        is_fine = newton_evaluate(newton, newton->r) == 0;
        jumps = jumps || (newton->n == 1 && k >= 2 && newton->r[0] * newton->simplified[0] < 0.0);
        for (int i = 0; i < newton->n; i++) {
            const double stray = fabs(newton->r[i] - (1.0 - ways[k]) * newton->simplified[i]);
            newton->stray[i] = k % 2 == 0 ? stray : real_larger(newton->stray[i], stray);
            if (k % 2 == 1)
                newton->least[i] = k == 1 ? newton->stray[i]
                                   : length < noise_least
                                       ? real_larger(newton->least[i], newton->stray[i])
                                       : real_smaller(newton->least[i], newton->stray[i]);
        }
    }
    for (int i = 0; i < newton->n; i++)
        is_fine = is_fine && (jumps || part * fabs(newton->simplified[i]) <= newton->least[i]);
    real_copy(newton->u, newton->before, newton->n);
    real_copy(newton->r, newton->simplified, newton->n);
    return is_fine;
}

// Goes all the way though it is no better there. False: nothing can be evaluated there.
static bool newton_leap(Newton *newton)
{
    newton_add(newton, newton->correction);
    if (newton_evaluate(newton, newton->r) == 0)
        return true;
    real_copy(newton->u, newton->before, newton->n);
    return false;
}

static NewtonStatus stop(Newton *newton, int code)
{
    newton->code = code;
    return NEWTON_STOPPED;
}

// From u, where the residuals are r.
static NewtonStatus newton_iterate(Newton *newton)
{
    bool is_kept = false; // the Jacobian is an old one; the correction is known
    bool contracts = false;
    int leaps = 0;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        int code = is_kept ? 0 : newton->linearize(newton->user, newton->r);
        if (code != 0)
            return stop(newton, code);
        if (!is_kept)
            correct(newton, newton->r, newton->correction);
        newton->iterations++;
        Move move = {.length = newton_norm(newton, newton->u, newton->correction)};
        if (!isfinite(move.length))
            return NEWTON_DIVERGED;
        const bool is_last = move.length <= (is_kept ? newton_rounding : newton_small);
        // What was taken for a solution is one also when it is the guess.
        const bool is_noise = move.length <= (k == 0 ? 4.0 : 1.0) * newton->noise || is_last;
        const bool is_solution =
            (is_last && contracts) ||
            (is_noise && newton_is_small(newton, newton->r, newton->correction));
        if (is_last && is_solution) {
            newton_add(newton, newton->correction);
            return NEWTON_SOLVED;
        }
        if (move.length == 0.0)
            return NEWTON_DIVERGED; // of a deficient J: no correction makes it better
        const double smallest = newton->n == 1 ? smallest_damping : smallest_of_several;
        code = go(newton, is_kept || is_solution ? 1.0 : smallest, &move);
        if (code != 0)
            return stop(newton, code);
        if (move.is_blocked && is_solution)
            return NEWTON_SOLVED;
        if (move.is_blocked && !is_kept && !newton->is_deficient && move.length <= newton->noise &&
            newton_is_rounding(newton, move.length))
            return NEWTON_SOLVED;
        if (move.is_blocked && !is_kept) {
            if (leaps++ == MOST_LEAPS || move.length > longest_leap || !newton_leap(newton))
                return NEWTON_DIVERGED;
            contracts = false;
            continue;
        }
        if (move.is_blocked) {
            // The old Jacobian was trusted too long; the residuals at u were overwritten.
            is_kept = false;
            code = newton_evaluate(newton, newton->r);
            if (code != 0)
                return stop(newton, code);
            continue;
        }
        if (move.is_bisected) {
            contracts = is_kept = false;
            continue;
        }
        contracts = move.damping == 1.0 && move.length > noise_least && !newton->is_deficient &&
                    move.next_length <= convincing * move.length;
        // For a quadratic r the simplified correction is half the product of d and the
        // relative change of J, by which the next one falls.
        const double left = 2.0 * move.next_length * (move.next_length / move.length);
        if (contracts && left <= newton_rounding) {
            newton_add(newton, newton->simplified);
            return NEWTON_SOLVED;
        }
        is_kept = keep_jacobian(newton, &move);
        if (is_kept)
            real_copy(newton->correction, newton->simplified, newton->n);
    }
    return NEWTON_DIVERGED;
}

NewtonStatus newton_solve(Newton *newton)
{
    newton_divide(newton);
    newton->iterations = 0;
    newton->is_deficient = false;
    const int code = newton_evaluate(newton, newton->r);
    return code != 0 ? stop(newton, code) : newton_iterate(newton);
}
