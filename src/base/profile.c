// SPDX-License-Identifier: MIT

#include "base/profile.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

// A step is halved at most so often.
enum { DEEPEST_PART = 12 };
// A motion below this part of the pipe leaves no piece of its own.
static const double least_motion = 1e-12;

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

// The piece that has the mark; of two that have it at their ends, the lower or the upper one.
static const ProfilePiece *profile_piece(const Profile *p, double mark, bool is_lower)
{
    size_t low = p->first, high = p->first + p->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (mark < p->pieces[middle].low || (is_lower && mark == p->pieces[middle].low))
            high = middle;
        else
            low = middle;
    }
    return &p->pieces[low];
}

// Whether a front is at the mark or beyond, but for the rounding of the mark: what happens there
// may have been something else (see out_of_reach).
static bool profile_is_reached(double front, double mark, bool is_right)
{
    static const double rounding = 1e-9;
    return is_right ? mark <= front + rounding : mark >= front - rounding;
}

// Beyond the end that is read there is nothing to be read: that is a trial's rounding.
static double profile_at(const History *handle, double mark, double order)
{
    static const double slack = 1e-9;
    const ProfileEnd *end = (const ProfileEnd *)(const void *)handle;
    const Profile *p = end->profile;
    if (p->count == 0)
        return 0.0;
    const double low = p->pieces[p->first].low, high = p->pieces[p->first + p->count - 1].high;
    if (end->is_right ? mark < low - slack : mark > high + slack)
        return NAN;
    // Marks fall at the right end: before the front is above it, beyond it below.
    const double front = p->fronts[end->is_right], passed = p->passed[end->is_right];
    const bool is_beyond = end->is_beyond && profile_is_reached(front, mark, end->is_right);
    const double first = is_beyond ? front : passed;
    const double last = !is_beyond ? front : end->is_right ? -INFINITY : INFINITY;
    const double seen =
        end->is_right ? fmin(fmax(mark, last), first) : fmax(fmin(mark, last), first);
    const double inside = fmin(fmax(seen, low), high);
    const ProfilePiece *piece =
        profile_piece(p, inside, end->is_right ? inside == first : inside == last);
    return history_piece(&piece->polynomial, inside, (int)order) -
           (order == 0.0 ? end->origin : 0.0);
}

double profile_handle(const Profile *p, bool is_right, bool is_beyond)
{
    return history_handle((const History *)(const void *)&p->ends[is_right + 2 * is_beyond]);
}

// ---------------------------------------------------------------------------
// Fronts
// ---------------------------------------------------------------------------

double profile_find_front(Profile *p, bool is_right, bool has_arrived)
{
    // A front may come in now, which is known after the step: it does not leave before something
    // has happened.
    static const double out_of_reach = 0.9;
    ProfilePiece *pieces = p->pieces + p->first;
    const double none = is_right ? -INFINITY : INFINITY, mark = (is_right ? 1.0 : 0.0) - p->x;
    double front = p->fronts[is_right], bound = mark;
    has_arrived = has_arrived && profile_is_reached(front, mark, is_right);
    const bool is_inside = p->count && front >= pieces[0].low && front <= pieces[p->count - 1].high;
    for (size_t i = 0; has_arrived && i < p->count; i++) // it has left
        if (pieces[i].low == front)
            pieces[i].is_front = false;
    if (has_arrived) {
        bound = is_right ? fmin(mark, front) : fmax(mark, front);
        p->passed[is_right] = front;
    }
    if (has_arrived || !is_inside)
        front = none;
    for (size_t i = 1; i < p->count; i++) {
        const double low = pieces[i].low;
        if (pieces[i].is_front &&
            (is_right ? low < bound && low > front : low > bound && low < front))
            front = low;
    }
    p->fronts[is_right] = front;
    return isfinite(front) ? front : is_right ? mark - out_of_reach : mark + out_of_reach;
}

// Whether z or one of its first derivatives jumps from one piece to the other, by more than
// rounding and what the polynomials leave out, which derivatives have more of (as history.c has
// it).
static bool profile_jumps(const Profile *p, const HistoryPiece *a, const HistoryPiece *b, double at)
{
    static const double most[] = {1.0, 100.0, 100.0, 100.0};
    const double tolerance = p->relative * p->size + p->absolute;
    const double length = fmin(a->to - a->from, b->to - b->from);
    double weight = 1.0;
    for (int k = 0; k < (p->is_interrupted ? 4 : 1); k++) {
        const double jump = history_piece(a, at, k) - history_piece(b, at, k);
        if (fabs(jump) * weight > most[k] * tolerance)
            return true;
        weight *= length / (k + 1);
    }
    return false;
}

// ---------------------------------------------------------------------------
// Growing and cutting
// ---------------------------------------------------------------------------

// Room for one more on both sides.
static bool profile_reserve(Profile *p)
{
    if (p->first > 0 && p->first + p->count < p->room)
        return true;
    const size_t room = 3 * (p->count + 16), first = p->count + 16;
    ProfilePiece *grown = MEMORY_NEW(&p->allocator, room, ProfilePiece);
    if (!grown)
        return false;
    if (p->count)
        memcpy(grown + first, p->pieces + p->first, p->count * sizeof *grown);
    memory_free(&p->allocator, p->pieces);
    p->pieces = grown;
    p->room = room;
    p->first = first;
    return true;
}

static void profile_cut(Profile *p, double low, double high)
{
    while (p->count > 1 && p->pieces[p->first].high <= low) {
        p->first++;
        p->count--;
    }
    while (p->count > 1 && p->pieces[p->first + p->count - 1].low >= high)
        p->count--;
    ProfilePiece *leftmost = &p->pieces[p->first], *rightmost = leftmost + p->count - 1;
    leftmost->low = fmax(leftmost->low, fmin(low, leftmost->high));
    rightmost->high = fmin(rightmost->high, fmax(high, rightmost->low));
}

// A piece on the left or on the right of all others. Between it and them is a rest of motions that
// left no piece.
static bool profile_append(Profile *p, const HistoryPiece *polynomial, bool is_left)
{
    if (!profile_reserve(p))
        return false;
    ProfilePiece piece = {.polynomial = *polynomial, polynomial->from, polynomial->to};
    if (p->count && is_left)
        piece.high = p->pieces[p->first].low;
    else if (p->count)
        piece.low = p->pieces[p->first + p->count - 1].high;
    if (!(piece.low < piece.high))
        return true;
    ProfilePiece *next = &p->pieces[is_left ? p->first : p->first + p->count - 1];
    const bool is_front = p->count && profile_jumps(p, polynomial, &next->polynomial,
                                                    is_left ? piece.high : piece.low);
    p->is_interrupted = false;
    p->passed[!is_left] = is_left ? -INFINITY : INFINITY;
    if (is_left && p->count)
        next->is_front = is_front;
    else
        piece.is_front = is_front;
    p->count++;
    if (is_left)
        p->first--;
    p->pieces[is_left ? p->first : p->first + p->count - 1] = piece;
    return true;
}

// ---------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------

// Newton's polynomial through values at marks that are not equidistant, in u = 4 (s - from) /
// (to - from), by powers.
static HistoryPiece profile_through(const double marks[HISTORY_NODES],
                                    const double values[HISTORY_NODES])
{
    const bool is_falling = marks[HISTORY_NODES - 1] < marks[0];
    HistoryPiece piece = {.from = marks[is_falling ? HISTORY_NODES - 1 : 0],
                          .to = marks[is_falling ? 0 : HISTORY_NODES - 1]};
    double u[HISTORY_NODES], d[HISTORY_NODES];
    for (int i = 0; i < HISTORY_NODES; i++) {
        u[i] = 4.0 * ((marks[i] - piece.from) / (piece.to - piece.from));
        d[i] = values[i];
    }
    for (int k = 1; k < HISTORY_NODES; k++)
        for (int i = HISTORY_NODES - 1; i >= k; i--)
            d[i] = (d[i] - d[i - 1]) / (u[i] - u[i - k]);
    for (int i = HISTORY_NODES; i-- > 0;) { // c = c (u - u_i) + d_i
        for (int k = HISTORY_NODES - 1; k > 0; k--)
            piece.c[k] = piece.c[k - 1] - u[i] * piece.c[k];
        piece.c[0] = d[i] - u[i] * piece.c[0];
    }
    return piece;
}

typedef struct ProfileStep {
    Profile *profile;
    ProfileSample sample;
    void *data;
    double from, to;
} ProfileStep;

// Those at an eighth of a part of the step; of the whole step others may have asked for it, too.
static bool sample_signals(const ProfileStep *s, double from, double to, int eighth,
                           double signals[PROFILE_SIGNALS])
{
    const int known = from == s->from && to == s->to ? eighth : -1;
    if (!s->sample(s->data, from + 0.125 * eighth * (to - from), known, signals))
        return false;
    for (int k = 0; k < PROFILE_SIGNALS; k++)
        if (!isfinite(signals[k]))
            return false;
    s->profile->size =
        fmax(s->profile->size, fmax(fabs(signals[PROFILE_LEFT]), fabs(signals[PROFILE_RIGHT])));
    return true;
}

static bool is_monotonic(const double *x, int count)
{
    for (int k = 1; k < count; k++)
        if (!((x[k] - x[k - 1]) * (x[count - 1] - x[0]) > 0.0))
            return false;
    return true;
}

// What comes in during a part of the step: what it is at its eighths, by the marks.
static bool profile_record_part(ProfileStep *s, double from, double to, int depth)
{
    enum { EIGHTHS = 9 };
    Profile *p = s->profile;
    double x[EIGHTHS], signals[EIGHTHS][PROFILE_SIGNALS];
    for (int k = 0; k < EIGHTHS; k++) {
        if (!sample_signals(s, from, to, k, signals[k]))
            return false;
        x[k] = signals[k][PROFILE_X];
    }
    const double motion = x[EIGHTHS - 1] - x[0];
    const bool is_left = motion > 0.0;
    double marks[HISTORY_NODES], values[HISTORY_NODES];
    for (int k = 0; k < HISTORY_NODES; k++) {
        marks[k] = (is_left ? 0.0 : 1.0) - x[2 * k];
        values[k] = signals[2 * k][is_left ? PROFILE_LEFT : PROFILE_RIGHT];
    }
    const bool is_one_way = is_monotonic(x, EIGHTHS);
    const double middle = from + 0.5 * (to - from);
    bool is_good = depth == DEEPEST_PART || !(middle > from && middle < to);
    if (is_one_way && fabs(motion) > least_motion) {
        const HistoryPiece piece = profile_through(marks, values);
        const double most = 0.1 * (p->relative * p->size + p->absolute);
        for (int k = 1; k < EIGHTHS && !is_good; k += 2) {
            const double found = history_piece(&piece, (is_left ? 0.0 : 1.0) - x[k], 0);
            if (!(fabs(found - signals[k][is_left ? PROFILE_LEFT : PROFILE_RIGHT]) <= most))
                break;
            is_good = k == EIGHTHS - 2;
        }
        if (is_good) { // what had come in on that side before it went out again is not there
            profile_cut(p, is_left ? -x[0] : -INFINITY, is_left ? INFINITY : 1.0 - x[0]);
            return profile_append(p, &piece, is_left);
        }
    }
    if (is_good || fabs(motion) <= least_motion)
        return true;
    return profile_record_part(s, from, middle, depth + 1) &&
           profile_record_part(s, middle, to, depth + 1);
}

bool profile_record(Profile *p, double from, double to, ProfileSample sample, void *data)
{
    ProfileStep s = {.profile = p, .sample = sample, .data = data, .from = from, .to = to};
    double begin[PROFILE_SIGNALS];
    if (!sample_signals(&s, from, to, 0, begin) || !profile_record_part(&s, from, to, 0))
        return false;
    // The rows of the step are asked for when it was recorded.
    double end[PROFILE_SIGNALS];
    if (!sample_signals(&s, from, to, 8, end))
        return false;
    profile_cut(p, -fmax(begin[PROFILE_X], end[PROFILE_X]),
                1.0 - fmin(begin[PROFILE_X], end[PROFILE_X]));
    p->x = end[PROFILE_X];
    return true;
}

bool profile_begin(Profile *p, double x, size_t count, const double *points_and_values,
                   double relative, double absolute)
{
    p->count = 0;
    p->relative = relative;
    p->absolute = absolute;
    p->size = 0.0;
    p->x = x;
    p->fronts[0] = p->passed[1] = INFINITY;
    p->fronts[1] = p->passed[0] = -INFINITY;
    for (size_t i = 0; i < count; i++)
        p->size = fmax(p->size, fabs(points_and_values[2 * i + 1]));
    for (size_t i = 1; i < count; i++) {
        const double *a = points_and_values + 2 * (i - 1), *b = a + 2;
        const HistoryPiece line = {
            .from = a[0] - x, .to = b[0] - x, .c = {a[1], 0.25 * (b[1] - a[1])}};
        p->is_interrupted = true;
        if (b[0] > a[0] && !profile_append(p, &line, false))
            return false;
    }
    p->is_interrupted = true;
    for (int k = 0; k < PROFILE_ENDS; k++)
        p->ends[k] = (ProfileEnd){.at = profile_at,
                                  .profile = p,
                                  .origin = points_and_values[k % 2 ? 2 * count - 1 : 1],
                                  .is_right = k % 2 == 1,
                                  .is_beyond = k >= 2};
    return true;
}

bool profile_copy(Profile *to, const Profile *from)
{
    ProfilePiece *pieces =
        memory_resize(&to->allocator, to->pieces, from->room ? from->room : 1, sizeof *pieces);
    if (!pieces)
        return false;
    const SaltusAllocator allocator = to->allocator;
    *to = *from;
    to->allocator = allocator;
    to->pieces = pieces;
    for (int k = 0; k < PROFILE_ENDS; k++)
        to->ends[k].profile = to;
    if (from->count)
        memcpy(pieces + from->first, from->pieces + from->first, from->count * sizeof *pieces);
    return true;
}

void profile_free(Profile *p)
{
    memory_free(&p->allocator, p->pieces);
    p->pieces = NULL;
    p->room = p->first = p->count = 0;
}
