// SPDX-License-Identifier: MIT

#include "base/history.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// A step is halved at most so often.
enum { DEEPEST_HALVING = 12 };

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

// The derivative of a polynomial of degree four in u = 4 (t - from) / (to - from).
double history_piece(const HistoryPiece *p, double t, int order)
{
    static const double factors[HISTORY_NODES][HISTORY_NODES] = {
        {1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}, {0, 0, 2, 6, 12}, {0, 0, 0, 6, 24}, {0, 0, 0, 0, 24}};
    const double rate = 4.0 / (p->to - p->from), u = rate * (t - p->from);
    double value = 0.0;
    if (order >= HISTORY_NODES)
        return 0.0;
    for (int k = HISTORY_NODES; k-- > order;)
        value = value * u + factors[order][k] * p->c[k];
    for (int k = 0; k < order; k++)
        value *= rate;
    return value;
}

// The piece that has the time, or is the nearest one that can be seen.
static double history_derivative(const History *h, double t, double order)
{
    size_t low = h->low, high = h->limit;
    if (low == high)
        return 0.0;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (t < h->pieces[middle].from)
            high = middle;
        else
            low = middle;
    }
    return history_piece(&h->pieces[low], t, (int)order);
}

static double history_anywhere(const History *h, double t, double order)
{
    static const double slack = 1e-9;
    if (t <= h->start)
        return 0.0;
    if (h->count == 0 || t > h->pieces[h->count - 1].to || t < h->step - (1.0 + slack) * h->window)
        return NAN;
    return history_derivative(h, t, order);
}

double history_handle(const History *h)
{
    const uint64_t bits = (uint64_t)HISTORY_TAG << 48 | (uint64_t)(uintptr_t)h;
    double handle = 0.0;
    memcpy(&handle, &bits, sizeof bits);
    return handle;
}

double past(double handle, double t, double order)
{
    uint64_t bits = 0;
    memcpy(&bits, &handle, sizeof bits);
    if (bits >> 48 != HISTORY_TAG)
        return 0.0;
    const History *h = (const History *)(uintptr_t)(bits & UINT64_C(0xFFFFFFFFFFFF));
    return h->at(h, t, order);
}

// ---------------------------------------------------------------------------
// Recording
// ---------------------------------------------------------------------------

void history_begin(History *h, double t, double value, double window, double relative,
                   double absolute)
{
    *h = (History){.at = history_derivative,
                   .allocator = h->allocator,
                   .pieces = h->pieces,
                   .room = h->room,
                   .start = t,
                   .step = t,
                   .origin = value,
                   .end = value,
                   .window = window,
                   .relative = relative,
                   .absolute = absolute,
                   .size = fabs(value)};
}

void history_open(History *h)
{
    h->at = history_anywhere;
}

static bool reserve_piece(History *h)
{
    if (h->count < h->room)
        return true;
    const size_t room = h->room ? 2 * h->room : 64;
    HistoryPiece *grown = memory_resize(&h->allocator, h->pieces, room, sizeof *grown);
    if (!grown)
        return false;
    h->pieces = grown;
    h->room = room;
    return true;
}

static bool history_append_piece(History *h, const HistoryPiece *piece)
{
    if (!reserve_piece(h))
        return false;
    const bool is_jump = piece->is_jump && h->at != history_anywhere;
    const bool is_open = !h->is_pending && !is_jump;
    h->pieces[h->count] = *piece;
    if (is_jump && !h->is_pending)
        h->limit = h->count;
    h->is_pending |= is_jump;
    h->count++;
    if (is_open)
        h->limit = h->count;
    return true;
}

// Newton's polynomial through equidistant values, by powers.
static HistoryPiece piece_through(double from, double to, const double f[HISTORY_NODES])
{
    double d[HISTORY_NODES];
    memcpy(d, f, sizeof d);
    for (int k = 1; k < HISTORY_NODES; k++)
        for (int i = HISTORY_NODES - 1; i >= k; i--)
            d[i] -= d[i - 1];
    return (HistoryPiece){.from = from,
                          .to = to,
                          .c = {d[0], d[1] - d[2] / 2.0 + d[3] / 3.0 - d[4] / 4.0,
                                d[2] / 2.0 - d[3] / 2.0 + d[4] * 11.0 / 24.0,
                                d[3] / 6.0 - d[4] / 4.0, d[4] / 24.0}};
}

// Whether the quantity or one of its first derivatives jumps to this piece, by more than rounding
// and what the polynomials leave out, which derivatives have more of.
static bool jumps_to(const History *h, const HistoryPiece *piece)
{
    static const double most[] = {1.0, 100.0, 100.0, 100.0};
    if (h->count == 0)
        return true;
    const double tolerance = h->relative * h->size + h->absolute;
    double weight = 1.0;
    for (int k = 0; k < 4; k++) {
        const double jump = history_piece(piece, piece->from, k) -
                            history_piece(&h->pieces[h->count - 1], piece->from, k);
        if (fabs(jump) * weight > most[k] * tolerance)
            return true;
        weight *= (piece->to - piece->from) / (k + 1);
    }
    return false;
}

typedef struct HistoryStep {
    History *history;
    HistorySample sample;
    void *data;
    bool is_first; // piece after an event
} HistoryStep;

static bool sample_at(const HistoryStep *s, double t, int eighth, double *value)
{
    if (!s->sample(s->data, t, eighth, value) || !isfinite(*value))
        return false;
    if (fabs(*value) > s->history->size)
        s->history->size = fabs(*value);
    *value -= s->history->origin;
    return true;
}

// At the first depth the eighths are those of the step, which others may have asked for, too.
static bool sample_eighth(const HistoryStep *s, double from, double to, int depth, int eighth,
                          double *value)
{
    return sample_at(s, from + 0.125 * eighth * (to - from), depth ? -1 : eighth, value);
}

static bool record_part(HistoryStep *s, double from, double to, const double f[HISTORY_NODES],
                        int depth)
{
    History *h = s->history;
    double g[4];
    if (!sample_eighth(s, from, to, depth, 1, &g[0]) ||
        !sample_eighth(s, from, to, depth, 5, &g[2]))
        return false;
    HistoryPiece piece = piece_through(from, to, f);
    // The polynomial is to add little to the errors that the solver allows itself.
    const double most = 0.1 * (h->relative * h->size + h->absolute);
    const double error = fmax(fabs(history_piece(&piece, from + 0.125 * (to - from), 0) - g[0]),
                              fabs(history_piece(&piece, from + 0.625 * (to - from), 0) - g[2]));
    const double middle = from + 0.5 * (to - from);
    if (error <= most || depth == DEEPEST_HALVING || !(middle > from && middle < to)) {
        piece.is_jump = s->is_first && jumps_to(h, &piece);
        s->is_first = false;
        return history_append_piece(h, &piece);
    }
    return sample_eighth(s, from, to, depth, 3, &g[1]) &&
           sample_eighth(s, from, to, depth, 7, &g[3]) &&
           record_part(s, from, middle, (double[]){f[0], g[0], f[1], g[1], f[2]}, depth + 1) &&
           record_part(s, middle, to, (double[]){f[2], g[2], f[3], g[3], f[4]}, depth + 1);
}

// What has left the window goes when it is half of all, so that each piece is moved once or so.
static void drop_old(History *h, double now)
{
    static const double slack = 1.0 + 1e-6;
    now = h->at == history_anywhere ? h->step : now;
    while (h->low + 1 < h->limit && h->pieces[h->low].to < now - slack * h->window)
        h->low++;
    const size_t first = h->low;
    if (first < 32 || 2 * first < h->count)
        return;
    memmove(h->pieces, h->pieces + first, (h->count - first) * sizeof *h->pieces);
    h->count -= first;
    h->low -= first;
    h->limit -= first;
}

bool history_record(History *h, double from, double to, HistorySample sample, void *data)
{
    HistoryStep s = {.history = h, .sample = sample, .data = data};
    double f[HISTORY_NODES] = {h->end - h->origin};
    for (int k = 1; k < HISTORY_NODES; k++)
        if (!sample_at(&s, from + 0.25 * k * (to - from), 2 * k, &f[k]))
            return false;
    s.is_first = h->count == 0 || h->is_interrupted;
    if (h->is_interrupted && !sample_at(&s, from, 0, &f[0]))
        return false;
    h->is_interrupted = false;
    h->step = from;
    h->end = f[HISTORY_NODES - 1] + h->origin;
    if (!record_part(&s, from, to, f, 0))
        return false;
    drop_old(h, to);
    return true;
}

double history_next_jump(const History *h)
{
    if (h->at == history_anywhere)
        return INFINITY;
    return h->count == 0 ? h->start : h->is_pending ? h->pieces[h->limit].from : INFINITY;
}

void history_pass_jump(History *h)
{
    if (!h->is_pending)
        return;
    h->low = h->limit++;
    while (h->limit < h->count && !h->pieces[h->limit].is_jump)
        h->limit++;
    h->is_pending = h->limit < h->count;
}

double history_first(const History *h)
{
    return h->low < h->limit ? h->origin + h->pieces[h->low].c[0] : h->origin;
}

bool history_copy(History *to, const History *from)
{
    HistoryPiece *pieces =
        memory_resize(&to->allocator, to->pieces, from->room ? from->room : 1, sizeof *pieces);
    if (!pieces)
        return false;
    const SaltusAllocator allocator = to->allocator;
    *to = *from;
    to->allocator = allocator;
    to->pieces = pieces;
    if (from->count)
        memcpy(pieces, from->pieces, from->count * sizeof *pieces);
    return true;
}

void history_free(History *h)
{
    memory_free(&h->allocator, h->pieces);
    h->pieces = NULL;
    h->room = h->count = 0;
}
