// SPDX-License-Identifier: MIT
//
// Every method is a function that proposes the next point; the bracket, the
// tolerance and the safeguard are common to all. The safeguard: a proposal outside the bracket, or
// three proposals that together neither halved it nor quartered |h|, give way to its middle.
//
// That it ends: past the first PATIENCE proposals every third one is the middle, whatever |h| does,
// so that there are at most PATIENCE + 3 (log2(width / resolution) + 1) + 1 evaluations; the last
// one is the look just beside a zero at b. (|h| may well shrink for ever without the bracket: in
// rounding noise, or where h rests at zero up to a time, from which no chord tells anything.)
// In rounding noise any point is as good as the next: there it ends at once.
// Brent: R. P. Brent, Algorithms for Minimization without Derivatives (1973), ch. 4,
// is "inverse quadratic, else secant, else middle"; here with this safeguard.
// Illinois: M. Dowell, P. Jarratt, BIT 11 (1971) 168-174.

#include "events/locate.h"

#include "base/real.h"
#include <float.h>
#include <math.h>

// Proposals that suffice wherever h is smooth and larger than its rounding.
enum { PATIENCE = 6 };

typedef struct Locator {
    Crossing *bracket;
    double previous, h_previous; // the last point that left the bracket, or one beside it
    bool has_previous;
    bool is_narrowed;          // by at least one point
    double weight_a, weight_b; // Illinois: factors of h_a and h_b
    int side;                  // which end moved last: -1 a, +1 b
    double dh;                 // derivative at the newest point
    bool is_newest_b;
} Locator;

double locate_resolution(double t)
{
    return real_larger(2.0 * DBL_EPSILON * fabs(t), 4.0 * DBL_MIN);
}

static double middle(const Crossing *k)
{
    return k->a + 0.5 * (k->b - k->a);
}

static double propose_bisection(const Locator *l)
{
    return middle(l->bracket);
}

// Zero of the chord, with the Illinois weights that keep both ends moving.
static double propose_secant(const Locator *l)
{
    const Crossing *k = l->bracket;
    double h_a = l->weight_a * k->h_a, h_b = l->weight_b * k->h_b;
    return k->b - h_b * (k->b - k->a) / (h_b - h_a);
}

// Zero of the tangent at the newest point.
static double propose_tangent(const Locator *l)
{
    const Crossing *k = l->bracket;
    return l->is_newest_b ? k->b - k->h_b / l->dh : k->a - k->h_a / l->dh;
}

// Zero of the parabola through the ends and the point before, that lies in the bracket.
static double propose_quadratic(const Locator *l)
{
    const Crossing *k = l->bracket;
    if (!l->has_previous)
        return propose_secant(l);
    // With s = (t - b) / (b - a) the parabola is bend s^2 + slope s + h_b.
    double width = k->b - k->a, rise = k->h_b - k->h_a;
    double from_a = l->previous - k->a, from_b = l->previous - k->b;
    const double bend =
        width * ((l->h_previous - k->h_a) * width - rise * from_a) / (from_a * from_b);
    const double slope = rise + bend;
    const double root = sqrt(real_larger(slope * slope - 4.0 * bend * k->h_b, 0.0));
    const double twice = slope + copysign(root, slope);
    const double nearer = k->b - width * (2.0 * k->h_b / twice);
    return nearer >= k->a && nearer <= k->b ? nearer : k->b - width * (0.5 * twice / bend);
}

// Inverse quadratic interpolation, the secant while there is no third point. The first time a
// parabola: over a whole cell of a step h may turn, so that its inverse is none.
static double propose_brent(const Locator *l)
{
    const Crossing *k = l->bracket;
    if (!l->is_narrowed)
        return propose_quadratic(l);
    if (l->h_previous == k->h_a || l->h_previous == k->h_b)
        return k->b - k->h_b * (k->b - k->a) / (k->h_b - k->h_a);
    double c = l->previous, h_a = k->h_a, h_b = k->h_b, h_c = l->h_previous;
    return k->b + (k->a - k->b) * h_b * h_c / ((h_a - h_b) * (h_a - h_c)) +
           (c - k->b) * h_a * h_b / ((h_c - h_a) * (h_c - h_b));
}

static const struct {
    double (*propose)(const Locator *l);
    bool needs_flow;
} methods[] = {
    [SALTUS_LOCATE_BRENT] = {propose_brent, false},
    [SALTUS_LOCATE_BISECTION] = {propose_bisection, false},
    [SALTUS_LOCATE_SECANT] = {propose_secant, false},
    [SALTUS_LOCATE_TANGENT] = {propose_tangent, true},
    [SALTUS_LOCATE_QUADRATIC] = {propose_quadratic, false},
    [SALTUS_LOCATE_HENON] = {propose_brent, false},    // its fallback
    [SALTUS_LOCATE_SUNDIALS] = {propose_brent, false}, // SUNDIALS locates by itself
};

// The point replaces the end with its sign; zero counts as the new sign, unless the function rests
// at zero at the left end, or counts as the old one.
static void locate_narrow(Locator *l, double t, double h)
{
    Crossing *k = l->bracket;
    const bool old_sign = h * k->direction < 0.0 || (h == 0.0 && (k->is_beyond || k->h_a == 0.0));
    l->has_previous = true;
    l->is_narrowed = true;
    l->is_newest_b = !old_sign;
    if (old_sign) {
        l->previous = k->a, l->h_previous = k->h_a;
        k->a = t, k->h_a = h;
        l->weight_a = 1.0;
        l->weight_b = l->side < 0 ? 0.5 * l->weight_b : 1.0;
        l->side = -1;
    } else {
        l->previous = k->b, l->h_previous = k->h_b;
        k->b = t, k->h_b = h;
        l->weight_b = 1.0;
        l->weight_a = l->side > 0 ? 0.5 * l->weight_a : 1.0;
        l->side = 1;
    }
}

// A proposal moved at least `least` away from the ends: towards the end that did not move
// last, so that the bracket closes from both sides. Not a number: the middle.
static double inside(const Locator *l, double t, double least)
{
    const Crossing *k = l->bracket;
    if (!(t >= k->a && t <= k->b))
        return middle(k);
    if (t - k->a < least)
        t = k->a + least;
    if (k->b - t < least)
        t = k->b - least;
    return t > k->a && t < k->b ? t : middle(k);
}

// Whether the zero is within half the resolution of (t, h): by the flatter one of the chords to
// the ends.
static bool locate_is_near(const Crossing *k, double t, double h, double resolution)
{
    const double twice = 2.0 * fabs(h);
    return fabs(k->h_a - h) * resolution >= twice * (t - k->a) &&
           fabs(k->h_b - h) * resolution >= twice * (k->b - t);
}

// Every third time: the next proposal is to be the middle, for progress was slow, or must be sure.
static bool locate_is_slow(const Crossing *k, int iteration, double h, double width_before,
                           double h_before)
{
    const bool is_wide = k->b - k->a > 0.5 * width_before;
    return iteration > PATIENCE || (is_wide && fabs(h) > 0.25 * h_before);
}

// A value that is no news, between two others or beyond them: where h is as small as that, it is
// rounding. (A function that jumps is not, and one that rests at zero is at zero.)
static bool locate_is_noise(const Crossing *k, double h, double change)
{
    static const double negligible = 1e-6; // part of the change over the whole bracket
    const bool repeats = h == k->h_a || h == k->h_b;
    return h != 0.0 && fabs(h) <= negligible * change &&
           (repeats || fabs(h) > real_larger(fabs(k->h_a), fabs(k->h_b)));
}

int locate_refine(SaltusLocate method, LocateFunction function, void *user, Crossing *bracket,
                  Localisation *result)
{
    const bool needs_flow = methods[method].needs_flow;
    Locator l = {.bracket = bracket,
                 .previous = bracket->c,
                 .h_previous = bracket->h_c,
                 .has_previous = bracket->c != bracket->a,
                 .weight_a = 1.0,
                 .weight_b = 1.0};
    const double resolution = real_larger(result->tolerance, locate_resolution(bracket->b));
    double width_before = bracket->b - bracket->a, h_before = INFINITY, h = INFINITY;
    result->t = bracket->b;
    result->has_converged = false;
    result->iterations = 0;
    int code = needs_flow ? function(user, bracket->a, &bracket->h_a, &l.dh) : 0;
    const double change = fabs(bracket->h_b - bracket->h_a);
    int zeros = 0;
    while (code == 0 && bracket->b - bracket->a > resolution &&
           (result->most <= 0 || result->iterations < result->most)) {
        const int i = result->iterations++;
        bool is_slow = false;
        if (i > 0 && i % 3 == 0) {
            is_slow = locate_is_slow(bracket, i, h, width_before, h_before);
            width_before = bracket->b - bracket->a;
            h_before = fabs(h);
        }
        is_slow = is_slow || (i >= 3 && bracket->h_a == 0.0); // it rests: no chord leads anywhere
        double proposal = is_slow ? middle(bracket) : methods[method].propose(&l);
        if (bracket->h_b == 0.0) // the zero, or the right part of an interval of zeros
            proposal = zeros++ == 0 ? bracket->b - 0.5 * resolution : middle(bracket);
        const double t = inside(&l, proposal, 0.5 * resolution);
        code = function(user, t, &h, needs_flow ? &l.dh : NULL);
        result->t = t;
        if (i >= PATIENCE && code == 0 && locate_is_noise(bracket, h, change)) {
            result->has_converged = true;
            return 0;
        }
        if (result->is_estimate && code == 0 && h != 0.0 &&
            locate_is_near(bracket, t, h, resolution)) {
            result->has_converged = true;
            double zero = t - h * (t - bracket->a) / (h - bracket->h_a);
            // (Where h has the new sign at both ends by rounding, the chord leads anywhere.)
            zero = real_larger(zero, bracket->a);
            result->t = real_smaller(zero + 0.5 * resolution, bracket->b);
            return 0;
        }
        locate_narrow(&l, t, h);
    }
    result->has_converged = bracket->b - bracket->a <= resolution;
    if (result->has_converged)
        result->t = bracket->b;
    return code;
}
