// SPDX-License-Identifier: MIT

#include "slice/structure.h"

#include "numerics/dense.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITERATIONS = 20 };

// A column of a preferred kind is taken if its pivot is this part of the largest at least.
static const double worth = 1e-3;

// ---------------------------------------------------------------------------
// Offsets
// ---------------------------------------------------------------------------

typedef struct Matching {
    int sigma[VARIABLES][VARIABLES]; // highest derivative of variable j in equation i
    int equation_of[VARIABLES];      // -1: not matched
    unsigned seen_equations, seen_variables;
} Matching;

static bool augment(Structure *s, Matching *m, int i)
{
    m->seen_equations |= 1u << i;
    for (int j = 0; j < s->count; j++) {
        bool tight = m->sigma[i][j] != ABSENT && m->sigma[i][j] == s->d[j] - s->c[i];
        if (!tight || m->seen_variables >> j & 1u)
            continue;
        m->seen_variables |= 1u << j;
        if (m->equation_of[j] < 0 || augment(s, m, m->equation_of[j])) {
            m->equation_of[j] = i;
            return true;
        }
    }
    return false;
}

// Equation i finds no variable of its own among the highest derivatives: all equations that
// compete with it are differentiated.
static void differentiate(Structure *s, const Matching *m)
{
    for (int k = 0; k < s->count; k++) {
        s->c[k] += (int)(m->seen_equations >> k & 1u);
        s->d[k] += (int)(m->seen_variables >> k & 1u);
    }
}

static bool find_offsets(Structure *s, Matching *m, char why[REASON])
{
    for (int i = 0; i < s->count; i++) {
        for (;;) {
            m->seen_equations = m->seen_variables = 0;
            if (augment(s, m, i))
                break;
            differentiate(s, m);
            if (s->c[i] >= ORDERS) {
                snprintf(why, REASON, "structurally singular: no variable is left for %s",
                         s->equations[i]->text);
                return false;
            }
        }
    }
    return true;
}

bool structure_analyse(Structure *s, const Variable *variables, int count,
                       const Equation *equations, int equation_count, unsigned flags,
                       char why[REASON])
{
    Matching m;
    *s = (Structure){.count = 0, .variables = variables};
    for (int k = 0; k < equation_count; k++) {
        const Equation *e = &equations[k];
        if ((flags & e->on) == e->on && (flags & e->off) == 0 && s->count < VARIABLES)
            s->equations[s->count++] = e;
    }
    if (s->count != count) {
        snprintf(why, REASON, "%d equations for %d variables", s->count, count);
        return false;
    }
    for (int j = 0; j < count; j++) {
        m.equation_of[j] = -1;
        s->d[j] = ABSENT;
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++)
            m.sigma[i][j] = ABSENT;
        expression_signature(s->equations[i]->residual, m.sigma[i]);
        for (int j = 0; j < count; j++)
            s->d[j] = m.sigma[i][j] > s->d[j] ? m.sigma[i][j] : s->d[j];
    }
    if (!find_offsets(s, &m, why))
        return false;
    for (int j = 0; j < count; j++)
        s->depth = s->d[j] > s->depth ? s->d[j] : s->depth;
    if (s->depth + 2 > ORDERS)
        snprintf(why, REASON, "the index is too high");
    return s->depth + 2 <= ORDERS;
}

// ---------------------------------------------------------------------------
// Selection of states
// ---------------------------------------------------------------------------

static double jacobian_entry(const Structure *s, const Point *point, int i, int j)
{
    int at = s->d[j] - s->c[i];
    return at < 0 ? 0.0 : expression_partial(s->equations[i]->residual, point, j, at);
}

// The part of the Jacobian that belongs to a stage.
typedef struct Part {
    int rows, columns;
    int row[VARIABLES], column[VARIABLES];
    double a[VARIABLES][VARIABLES];
} Part;

static void part_of(const Structure *s, int stage, unsigned columns, Part *part)
{
    part->rows = part->columns = 0;
    for (int k = 0; k < s->count; k++) {
        if (s->c[k] + stage >= 0)
            part->row[part->rows++] = k;
        if (s->d[k] + stage >= 0 && (columns >> k & 1u))
            part->column[part->columns++] = k;
    }
}

static void part_evaluate(const Structure *s, const Point *point, Part *part)
{
    for (int r = 0; r < part->rows; r++) {
        for (int k = 0; k < part->columns; k++)
            part->a[r][k] = jacobian_entry(s, point, part->row[r], part->column[k]);
    }
}

// The largest entry in the rows from `first` on, in free columns of order `order` (-1: any).
static double largest(const Structure *s, const Part *part, int first, unsigned taken, int order,
                      int *row, int *column)
{
    double most = 0.0;
    for (int k = 0; k < part->columns; k++) {
        if ((taken >> k & 1u) || (order >= 0 && s->d[part->column[k]] != order))
            continue;
        for (int r = first; r < part->rows; r++) {
            if (fabs(part->a[r][k]) > most)
                most = fabs(part->a[r][k]), *row = r, *column = k;
        }
    }
    return most;
}

// Gaussian elimination that picks a column for every row: of those with the highest derivatives
// first, so that low ones stay states. Returns the product of the pivots, 0: singular.
static double eliminate(const Structure *s, Part *part, unsigned *picked)
{
    double product = 1.0;
    unsigned taken = 0;
    *picked = 0;
    for (int first = 0; first < part->rows; first++) {
        int r = first, k = 0;
        double pivot = 0.0, most = largest(s, part, first, taken, -1, &r, &k);
        if (most == 0.0)
            return 0.0;
        for (int order = s->depth; order >= 0 && pivot <= worth * most; order--)
            pivot = largest(s, part, first, taken, order, &r, &k);
        double swap[VARIABLES];
        memcpy(swap, part->a[first], sizeof swap);
        memcpy(part->a[first], part->a[r], sizeof swap);
        memcpy(part->a[r], swap, sizeof swap);
        for (int below = first + 1; below < part->rows; below++) {
            double factor = part->a[below][k] / part->a[first][k];
            for (int other = 0; other < part->columns; other++)
                part->a[below][other] -= factor * part->a[first][other];
        }
        taken |= 1u << k;
        *picked |= 1u << part->column[k];
        product *= pivot;
    }
    return product;
}

void structure_take(Structure *s, const unsigned solved[ORDERS])
{
    memmove(s->solved, solved, sizeof s->solved);
    s->state_count = s->algebraic_count = 0;
    for (int j = 0; j < s->count; j++) {
        for (int o = 0; o < s->d[j]; o++) {
            if (s->solved[s->d[j] - o] >> j & 1u)
                continue;
            s->states[s->state_count][0] = j;
            s->states[s->state_count++][1] = o;
        }
        if (s->solved[s->d[j]] >> j & 1u)
            s->algebraics[s->algebraic_count++] = j;
    }
    s->selected = true;
}

bool structure_select(Structure *s, const Point *point)
{
    unsigned solved[ORDERS] = {(1u << s->count) - 1u};
    for (int k = 1; k <= s->depth; k++) {
        Part part;
        part_of(s, -k, solved[k - 1], &part);
        part_evaluate(s, point, &part);
        if (eliminate(s, &part, &solved[k]) == 0.0)
            return false;
    }
    structure_take(s, solved);
    return true;
}

double structure_quality(const Structure *s, const Point *point)
{
    double worst = 1.0;
    Structure best = *s;
    if (!structure_select(&best, point))
        return 0.0;
    for (int k = 1; k <= s->depth; k++) {
        const unsigned *both[] = {&s->solved[k], &best.solved[k]};
        double product[2];
        for (int b = 0; b < 2; b++) {
            Part part;
            unsigned picked;
            part_of(s, -k, *both[b], &part);
            part_evaluate(s, point, &part);
            product[b] = eliminate(s, &part, &picked);
        }
        worst = fmin(worst, product[0] / product[1]);
    }
    return worst;
}

// ---------------------------------------------------------------------------
// Stages
// ---------------------------------------------------------------------------

// One Newton step: solves a x = -r (a by rows, n by n). False: singular.
static bool newton_step(int n, double a[VARIABLES][VARIABLES], const double r[VARIABLES],
                        double x[VARIABLES])
{
    double columns[VARIABLES * VARIABLES];
    int pivot[VARIABLES];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            columns[j * n + i] = a[i][j];
        x[j] = -r[j];
    }
    if (n == 0)
        return true;
    if (dense_factor(n, columns, pivot) != 0)
        return false;
    dense_solve(n, columns, pivot, x);
    return true;
}

// Newton's method is quadratic: after a step this small the next one is below rounding.
static bool small_step(double step, double value)
{
    return fabs(step) <= 1e-9 * (1.0 + fabs(value));
}

static int solve_stage(const Structure *s, Point *point, int stage)
{
    Part part;
    part_of(s, stage, stage < 0 ? s->solved[-stage] : (1u << s->count) - 1u, &part);
    bool done = part.rows == 0;
    for (int i = 0; i < MOST_ITERATIONS && !done; i++) {
        double r[VARIABLES], step[VARIABLES];
        part_evaluate(s, point, &part);
        for (int k = 0; k < part.rows; k++)
            r[k] = expression_value(s->equations[part.row[k]]->residual, point,
                                    s->c[part.row[k]] + stage);
        if (!newton_step(part.rows, part.a, r, step))
            return 1;
        done = true;
        for (int k = 0; k < part.columns; k++) {
            double *v = &point->v[part.column[k]][s->d[part.column[k]] + stage];
            *v += step[k];
            done = done && small_step(step[k], *v);
        }
    }
    return !done;
}

int structure_solve(const Structure *s, Point *point, int last)
{
    int code = 0;
    for (int stage = -s->depth; stage <= last && code == 0; stage++)
        code = solve_stage(s, point, stage);
    return code;
}

// ---------------------------------------------------------------------------
// Restart
// ---------------------------------------------------------------------------

// No finite impulse moves a position: what is left of the new constraint is projected away.
static bool project_positions(const Structure *s, double tolerance, Point *point, char why[REASON])
{
    for (int stage = -s->depth; stage < -1; stage++) {
        Point before = *point;
        if (solve_stage(s, point, stage) != 0) {
            snprintf(why, REASON, "the constraints on positions cannot be solved");
            return false;
        }
        for (int j = 0; j < s->count; j++) {
            int at = s->d[j] + stage;
            if (at < 0 || fabs(point->v[j][at] - before.v[j][at]) <= tolerance)
                continue;
            snprintf(why, REASON, "%s would have to jump from %.6g to %.6g", s->variables[j].name,
                     before.v[j][at], point->v[j][at]);
            return false;
        }
    }
    return true;
}

// The equations that are not differentiated, integrated over the instant: of each unknown
// v_j^(d_j) only its impulse counts; everything finite vanishes. With them hold the
// differentiated ones, once less differentiated. Matrix: the Jacobian.
static bool find_jump(const Structure *s, const Point *left, double frozen[VARIABLES][VARIABLES],
                      Restart *restart, char why[REASON])
{
    int n = s->count;
    bool done = false;
    for (int iteration = 0; iteration < MOST_ITERATIONS && !done; iteration++) {
        double a[VARIABLES][VARIABLES], r[VARIABLES], step[VARIABLES];
        Point *right = &restart->right;
        for (int i = 0; i < n; i++) {
            bool balance = s->c[i] == 0;
            r[i] = balance ? 0.0 : expression_value(s->equations[i]->residual, right, s->c[i] - 1);
            for (int j = 0; j < n; j++) {
                a[i][j] = balance ? frozen[i][j] : jacobian_entry(s, right, i, j);
                r[i] += balance ? frozen[i][j] * restart->impulse[j] : 0.0;
            }
        }
        if (!newton_step(n, a, r, step)) {
            snprintf(why, REASON, "the jump is not determined");
            return false;
        }
        done = true;
        for (int j = 0; j < n; j++) {
            int at = s->d[j] - 1;
            restart->impulse[j] += step[j];
            if (at >= 0)
                right->v[j][at] = left->v[j][at] + restart->impulse[j];
            done = done && small_step(step[j], restart->impulse[j]);
        }
    }
    if (!done)
        snprintf(why, REASON, "the equations of the jump cannot be solved");
    return done;
}

// An impulse times a coefficient that jumps itself has no meaning.
static bool coefficients_continuous(const Structure *s, double frozen[VARIABLES][VARIABLES],
                                    const Restart *restart, char why[REASON])
{
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < s->count && s->c[i] == 0; j++) {
            double jump = jacobian_entry(s, &restart->right, i, j) - frozen[i][j];
            if (fabs(jump * restart->impulse[j]) <= 1e-9)
                continue;
            snprintf(why, REASON, "the coefficient of an impulse jumps in %s",
                     s->equations[i]->text);
            return false;
        }
    }
    return true;
}

bool structure_restart(Structure *s, const Point *left, double tolerance, Restart *restart,
                       char why[REASON])
{
    double frozen[VARIABLES][VARIABLES];
    *restart = (Restart){.right = *left};
    if (!s->selected && !structure_select(s, left)) {
        snprintf(why, REASON, "singular");
        return false;
    }
    if (!project_positions(s, tolerance, &restart->right, why))
        return false;
    Point start = restart->right;
    for (int i = 0; i < s->count; i++) {
        for (int j = 0; j < s->count; j++)
            frozen[i][j] = jacobian_entry(s, &start, i, j);
    }
    if (!find_jump(s, &start, frozen, restart, why))
        return false;
    if (!coefficients_continuous(s, frozen, restart, why))
        return false;
    for (int j = 0; j < s->count; j++)
        restart->jumps = restart->jumps || (s->d[j] == 1 && fabs(restart->impulse[j]) > tolerance);
    if (solve_stage(s, &restart->right, 0) != 0) {
        snprintf(why, REASON, "the equations cannot be solved for the highest derivatives");
        return false;
    }
    return true;
}
