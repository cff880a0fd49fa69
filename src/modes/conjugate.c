// SPDX-License-Identifier: MIT
//
// The balance in which an impulse from outside acts that gives a velocity the value of reinit: the
// one that contains its derivative. If several do, they are rows of a mass matrix M, and the one
// that belongs to the velocity is the row in which its own coefficient is the diagonal of M. In
// whatever order the rows stand, and whatever their signs: M is symmetric and positive definite,
// and no other order of its rows is. (If M and P M are, for a permutation P, then P is a product of
// two such matrices, has positive eigenvalues only, and is the identity.)

#include "modes/impulse_parts.h"

#include <math.h>

enum { MOST_COORDINATES = 12, MOST_TRIALS = 10000 };

// Coefficients that differ by this part of the diagonal are not the same.
static const double asymmetry = 1e-9;

typedef struct Masses {
    const ImpulseCall *c;
    const ImpulsePart *part;
    uint32_t columns[MOST_COORDINATES], rows[MOST_COORDINATES]; // of the part
    double matrix[MOST_COORDINATES][MOST_COORDINATES];          // by rows and columns as listed
    int column_count, row_count;
    int row_of[MOST_COORDINATES]; // by column, the row it is tried with
    bool is_used[MOST_COORDINATES];
    int trials;
} Masses;

static double coefficient(const Masses *m, uint32_t row, uint32_t column)
{
    const JumpPart *jump = m->part->jump;
    const uint32_t first = m->part->slope_count;
    for (uint32_t e = first; e < jump->entry_count; e++)
        if (jump->entries[e].row == row && jump->entries[e].column == column)
            return m->c->s->frozen[m->part->first_coefficient + e - first];
    return 0.0;
}

static int conjugate_find(const uint32_t *list, int count, uint32_t item)
{
    int k = 0;
    while (k < count && list[k] != item)
        k++;
    return k;
}

// Adds what is not there yet. False: there are too many.
static bool conjugate_add(uint32_t *list, int *count, uint32_t item)
{
    if (conjugate_find(list, *count, item) < *count)
        return true;
    if (*count == MOST_COORDINATES)
        return false;
    list[(*count)++] = item;
    return true;
}

// Velocities and balances that hang together by their coefficients.
static bool list_masses(Masses *m)
{
    const JumpPart *jump = m->part->jump;
    const uint32_t first = m->part->slope_count;
    for (int known = 0; known != m->row_count + m->column_count;) {
        known = m->row_count + m->column_count;
        for (uint32_t e = first; e < jump->entry_count; e++) {
            const JumpEntry *entry = &jump->entries[e];
            const JumpRow *row = &jump->rows[entry->row];
            if (m->part->places[entry->column] == CODE_NONE || row->kind != JUMP_BALANCE ||
                !row->is_needed || m->c->s->frozen[m->part->first_coefficient + e - first] == 0.0)
                continue;
            const bool is_near =
                conjugate_find(m->columns, m->column_count, entry->column) < m->column_count ||
                conjugate_find(m->rows, m->row_count, entry->row) < m->row_count;
            if (is_near && (!conjugate_add(m->columns, &m->column_count, entry->column) ||
                            !conjugate_add(m->rows, &m->row_count, entry->row)))
                return false;
        }
    }
    for (int i = 0; i < m->row_count; i++)
        for (int k = 0; k < m->column_count; k++)
            m->matrix[i][k] = coefficient(m, m->rows[i], m->columns[k]);
    return m->row_count == m->column_count;
}

// M with the rows in the order that is tried, and signs that make its diagonal positive.
static double mass(const Masses *m, int i, int k)
{
    const double *row = m->matrix[m->row_of[i]];
    return row[i] < 0.0 ? -row[k] : row[k];
}

// Whether column k fits to those before it.
static bool conjugate_fits(const Masses *m, int k)
{
    if (m->matrix[m->row_of[k]][k] == 0.0)
        return false;
    for (int i = 0; i < k; i++) {
        const double size = sqrt(mass(m, i, i) * mass(m, k, k));
        if (fabs(mass(m, i, k) - mass(m, k, i)) > asymmetry * size || fabs(mass(m, i, k)) >= size)
            return false;
    }
    return true;
}

// By the decomposition of Cholesky.
static bool is_definite(const Masses *m)
{
    double l[MOST_COORDINATES][MOST_COORDINATES];
    for (int i = 0; i < m->column_count; i++)
        for (int k = 0; k <= i; k++) {
            double sum = mass(m, i, k);
            for (int j = 0; j < k; j++)
                sum -= l[i][j] * l[k][j];
            if (i == k && !(sum > asymmetry * mass(m, i, i)))
                return false;
            l[i][k] = i == k ? sqrt(sum) : sum / l[k][k];
        }
    return true;
}

static bool conjugate_order_rows(Masses *m, int column)
{
    if (column == m->column_count)
        return is_definite(m);
    for (int r = 0; r < m->row_count && m->trials < MOST_TRIALS; r++) {
        if (m->is_used[r])
            continue;
        m->trials++;
        m->row_of[column] = r;
        m->is_used[r] = true;
        if (conjugate_fits(m, column) && conjugate_order_rows(m, column + 1))
            return true;
        m->is_used[r] = false;
    }
    return false;
}

uint32_t impulse_conjugate(const ImpulseCall *c, const ImpulsePart *part, uint32_t column)
{
    Masses m = {.c = c, .part = part, .columns = {column}, .column_count = 1};
    return list_masses(&m) && conjugate_order_rows(&m, 0) ? m.rows[m.row_of[0]] : CODE_NONE;
}
