// SPDX-License-Identifier: MIT
//
// One part of a restart: Newton's method with steps of least norm, since constraints may be
// redundant and multipliers need not be unique.
//
// Rows are the constraints, then the balances: equations with highest derivatives, integrated over
// the instant. Columns are what may jump, and impulses. The norm is that of rows and columns whose
// largest entries were scaled to 1. s->freedom says of each unknown whether it is unique; one that
// matters and is not is named, never guessed.

#include "base/message.h"
#include "modes/impulse_parts.h"
#include "numerics/rank.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ITERATIONS = 60, MOST_HALVINGS = 12, SCALINGS = 3 };

// Constraints hold if their residuals are this part of their terms: what rounding leaves.
static const double impulse_rounding = 1e-11;
// The last correction of Newton's method; the next one would be its square.
static const double small_correction = 1e-9;
// Residuals that are larger than this part of their terms do not vanish.
static const double contradiction = 1e-8;
static const double rank_tolerance = 1e-10;

// ---------------------------------------------------------------------------
// Constraints
// ---------------------------------------------------------------------------

double impulse_size(const ImpulseCall *c, uint32_t place)
{
    return fabs(c->x[place]) + c->impulse->nominals[place];
}

bool impulse_constraints(ImpulseCall *c, const ImpulsePart *part)
{
    const Program *p = c->impulse->program;
    return program_evaluate(p, c->s->program, &c->inputs, part->residuals, c->s->residuals) ==
               PROGRAM_FINE &&
           program_evaluate(p, c->s->program, &c->inputs, part->slopes, c->s->slopes) ==
               PROGRAM_FINE;
}

// The sum of the sizes of its terms.
static double constraint_size(const ImpulseCall *c, const ImpulsePart *part, uint32_t row)
{
    double terms = 0.0;
    for (uint32_t e = 0; e < part->slope_count; e++) {
        const JumpEntry *entry = &part->jump->entries[e];
        if (entry->row == row)
            terms += fabs(c->s->slopes[e]) * impulse_size(c, part->places[entry->column]);
    }
    return terms;
}

// Constraint i against the size of its terms. NAN counts as violated.
static bool constraint_holds(const ImpulseCall *c, const ImpulsePart *part, uint32_t row,
                             double bound)
{
    return fabs(c->s->residuals[row]) <= bound * constraint_size(c, part, row);
}

bool impulse_holds(const ImpulseCall *c, const ImpulsePart *part)
{
    for (uint32_t i = 0; i < part->constraint_count; i++)
        if (!constraint_holds(c, part, i, impulse_rounding))
            return false;
    return true;
}

// ---------------------------------------------------------------------------
// The linear system
// ---------------------------------------------------------------------------

// Rows and columns as they are solved. Rows without unknowns are zero, and balances in which an
// impulse acts that reinit stands for.
typedef struct Linear {
    ImpulseCall *c;
    const ImpulsePart *part;
    int rows, columns;
    bool is_scaled_freely; // columns, too
    bool has_balances;     // else only the constraints count
} Linear;

static double *jumps_of(const Linear *l)
{
    return l->c->s->jumps + l->part->first_column;
}

static const double *frozen_of(const Linear *l)
{
    return l->c->s->frozen + l->part->first_coefficient;
}

static bool is_dropped(const Linear *l, uint32_t row)
{
    const JumpPart *jump = l->part->jump;
    if (!l->has_balances)
        return true;
    for (uint32_t e = l->part->slope_count; e < jump->entry_count; e++) {
        const uint32_t column = jump->entries[e].column;
        const int acting = l->c->s->acting[column];
        if (jump->entries[e].row == row && impulse_is_fixed(l->c, l->part->places[column]) &&
            (acting < 0 || acting == (int)row))
            return true;
    }
    return false;
}

// The sum of coefficients times D_j.
static double balance(const Linear *l, uint32_t row)
{
    const JumpPart *jump = l->part->jump;
    double sum = 0.0;
    for (uint32_t e = l->part->slope_count; e < jump->entry_count; e++)
        if (jump->entries[e].row == row)
            sum += frozen_of(l)[e - l->part->slope_count] * jumps_of(l)[jump->entries[e].column];
    return sum;
}

static void make_matrix(Linear *l)
{
    ImpulseScratch *s = l->c->s;
    const JumpPart *jump = l->part->jump;
    for (int i = 0; i < l->rows * l->columns; i++)
        s->matrix[i] = 0.0;
    for (uint32_t e = 0; e < jump->entry_count; e++) {
        const JumpEntry *entry = &jump->entries[e];
        const bool is_slope = e < l->part->slope_count;
        if (!is_slope && is_dropped(l, entry->row))
            continue;
        int column = !is_slope && s->extra[entry->column] >= 0 ? s->extra[entry->column]
                                                               : s->unknown[entry->column];
        if (column >= 0)
            s->matrix[column * l->rows + (int)entry->row] +=
                is_slope ? s->slopes[e] : frozen_of(l)[e - l->part->slope_count];
    }
}

static void make_right_side(Linear *l)
{
    ImpulseScratch *s = l->c->s;
    for (uint32_t i = 0; i < l->part->jump->row_count; i++)
        s->right[i] = i < l->part->constraint_count ? -s->residuals[i]
                      : is_dropped(l, i)            ? 0.0
                                                    : -balance(l, i);
}

// Largest entries of rows become 1, and of columns where that is allowed.
static void impulse_solve_scale(Linear *l)
{
    ImpulseScratch *s = l->c->s;
    for (int pass = 0; pass < SCALINGS; pass++) {
        for (int i = 0; i < l->rows; i++) {
            double largest = 0.0;
            for (int j = 0; j < l->columns; j++)
                largest = fmax(largest, fabs(s->matrix[j * l->rows + i]) * s->column_scale[j]);
            s->row_scale[i] = largest > 0.0 ? 1.0 / largest : 1.0;
        }
        for (int j = 0; j < l->columns && l->is_scaled_freely; j++) {
            double largest = 0.0;
            for (int i = 0; i < l->rows; i++)
                largest = fmax(largest, fabs(s->matrix[j * l->rows + i]) * s->row_scale[i]);
            s->column_scale[j] = largest > 0.0 ? 1.0 / largest : 1.0;
        }
    }
    for (int j = 0; j < l->columns; j++)
        for (int i = 0; i < l->rows; i++)
            s->matrix[j * l->rows + i] *= s->column_scale[j] * s->row_scale[i];
    for (int i = 0; i < l->rows; i++)
        s->right[i] *= s->row_scale[i];
}

// How large the right side is, scaled as in the last step.
static double right_norm(const Linear *l)
{
    double sum = 0.0;
    for (int i = 0; i < l->rows; i++) {
        double r = l->c->s->right[i] * l->c->s->row_scale[i];
        sum += r * r;
    }
    return sqrt(sum);
}

// ---------------------------------------------------------------------------
// Newton's method
// ---------------------------------------------------------------------------

// Numbers the unknowns. `only_missing` leaves all others where they are.
static Linear number_unknowns(ImpulseCall *c, const ImpulsePart *part, bool only_missing)
{
    ImpulseScratch *s = c->s;
    Linear l = {.c = c,
                .part = part,
                .rows = (int)part->jump->row_count,
                .is_scaled_freely = part->jump->stage == 1,
                .has_balances = !only_missing};
    for (uint32_t n = 0; n < part->jump->column_count; n++) {
        const uint32_t place = part->places[n];
        const bool is_missing = place != CODE_NONE && s->missing[place] > 0.0;
        s->unknown[n] = s->extra[n] = s->acting[n] = -1;
        if (impulse_is_fixed(c, place) && c->fixed_left && l.has_balances &&
            part->jump->stage == 1) {
            s->acting[n] = (int)impulse_conjugate(c, part, n);
            s->jumps[part->first_column + n] = c->x[place] - s->left[place];
        }
        if (impulse_is_fixed(c, place) || (only_missing && !is_missing))
            continue;
        s->column_scale[l.columns] = place == CODE_NONE ? 1.0 : impulse_size(c, place);
        s->unknown[n] = l.columns++;
        if (is_missing && l.has_balances && part->jump->stage == 1) {
            s->column_scale[l.columns] = 1.0;
            s->extra[n] = l.columns++;
        }
    }
    return l;
}

// What is unknown at `before` plus `factor` times the step.
static void impulse_solve_move(Linear *l, double factor)
{
    ImpulseScratch *s = l->c->s;
    const JumpPart *jump = l->part->jump;
    double *jumps = jumps_of(l);
    for (uint32_t n = 0; n < jump->column_count; n++) {
        if (s->unknown[n] < 0)
            continue;
        const uint32_t place = l->part->places[n];
        const double value = s->before[s->unknown[n]] + factor * s->step[s->unknown[n]];
        if (place == CODE_NONE) {
            jumps[n] = value;
            continue;
        }
        l->c->x[place] = value;
        jumps[n] = s->extra[n] >= 0 ? s->before[s->extra[n]] + factor * s->step[s->extra[n]]
                                    : value - s->left[place];
    }
}

static void keep_before(Linear *l)
{
    ImpulseScratch *s = l->c->s;
    for (uint32_t n = 0; n < l->part->jump->column_count; n++) {
        const uint32_t place = l->part->places[n];
        if (s->unknown[n] >= 0)
            s->before[s->unknown[n]] = place == CODE_NONE ? jumps_of(l)[n] : l->c->x[place];
        if (s->extra[n] >= 0)
            s->before[s->extra[n]] = jumps_of(l)[n];
    }
}

static double step_size(const Linear *l)
{
    double largest = 0.0;
    for (uint32_t n = 0; n < l->part->jump->column_count; n++) {
        const int unknown = l->c->s->unknown[n];
        if (unknown < 0 || l->part->places[n] == CODE_NONE)
            continue;
        const double size = fabs(l->c->s->step[unknown]) / impulse_size(l->c, l->part->places[n]);
        if (!isfinite(size))
            return NAN;
        largest = fmax(largest, size);
    }
    return largest;
}

// Evaluates; the scaled norm of what must vanish, or NAN.
static double impulse_solve_evaluate(Linear *l)
{
    if (!impulse_constraints(l->c, l->part))
        return NAN;
    make_right_side(l);
    return right_norm(l);
}

// Halves the step until what must vanish becomes less.
static bool impulse_solve_take_step(Linear *l, double norm)
{
    double factor = 1.0;
    for (int k = 0; k < MOST_HALVINGS; k++, factor *= 0.5) {
        impulse_solve_move(l, factor);
        if (impulse_solve_evaluate(l) <= (1.0 - 0.1 * factor) * norm)
            return true;
    }
    return false;
}

// Afterwards s->freedom says of each unknown whether it is unique.
static bool newton(Linear *l)
{
    ImpulseScratch *s = l->c->s;
    for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
        if (!impulse_constraints(l->c, l->part))
            return false;
        make_right_side(l);
        make_matrix(l);
        impulse_solve_scale(l);
        double norm = 0.0;
        for (int i = 0; i < l->rows; i++)
            norm += s->right[i] * s->right[i];
        norm = sqrt(norm);
        rank_solve(l->rows, l->columns, s->matrix, s->right, rank_tolerance, s->step, s->freedom,
                   s->work, s->order);
        for (int j = 0; j < l->columns; j++)
            s->step[j] *= s->column_scale[j];
        keep_before(l);
        const double size = step_size(l);
        if (isnan(size))
            return false;
        if (size <= small_correction || !impulse_solve_take_step(l, norm)) {
            // No step makes it better: it is solved, or contradicts itself.
            impulse_solve_move(l, size <= small_correction ? 1.0 : 0.0);
            return impulse_constraints(l->c, l->part);
        }
    }
    return false;
}

// ---------------------------------------------------------------------------
// What is wrong
// ---------------------------------------------------------------------------

// One more in a list of names, of which the first six are said; `count`: so many are before it.
static void impulse_solve_add_name(char **list, int count, const char *name)
{
    enum { MOST = 6 };
    if (count == 0)
        message_set(list, "%s", name);
    else if (count <= MOST)
        message_add(list, ", %s", count < MOST ? name : "...");
}

static const char *impulse_solve_text_of(const ImpulseCall *c, const JumpRow *row)
{
    const char *text = c->impulse->system->equations[row->equation].about.text;
    return text ? text : "(no text)";
}

static const char *impulse_solve_name_of(const ImpulseCall *c, GraphVariable variable)
{
    return c->impulse->system->variables[variable].name;
}

static ImpulseStatus report_contradiction(ImpulseCall *c, const ImpulsePart *part, uint32_t row)
{
    const JumpPart *jump = part->jump;
    const char *row_text = impulse_solve_text_of(c, &jump->rows[row]);
    char *names = NULL;
    int fixed_count = 0, other_count = 0;
    for (uint32_t n = 0; n < jump->column_count; n++)
        if (impulse_is_fixed(c, part->places[n]))
            impulse_solve_add_name(&names, fixed_count++, c->impulse->names[part->places[n]]);
    for (uint32_t i = 0; i < part->constraint_count && !fixed_count; i++)
        if (i != row)
            impulse_solve_add_name(&names, other_count++, impulse_solve_text_of(c, &jump->rows[i]));
    if (fixed_count)
        impulse_report(c, IMPULSE_CONTRADICTION,
                       "the value that reinit gives to %s contradicts the constraint %s",
                       message_text(names), row_text);
    else
        impulse_report(c, IMPULSE_CONTRADICTION, "the constraint %s cannot be satisfied%s%s",
                       row_text, other_count ? " together with " : "",
                       other_count ? message_text(names) : "");
    free(names);
    return IMPULSE_CONTRADICTION;
}

// Unknowns that are not unique, of those that matter.
static ImpulseStatus check_open(const Linear *l)
{
    const JumpPart *jump = l->part->jump;
    ImpulseScratch *s = l->c->s;
    char *open = NULL;
    int count = 0;
    for (uint32_t n = 0; n < jump->column_count; n++) {
        const bool is_open = s->unknown[n] >= 0 && s->freedom[s->unknown[n]] > RANK_OPEN;
        if (is_open && l->part->places[n] != CODE_NONE)
            impulse_solve_add_name(&open, count++, l->c->impulse->names[l->part->places[n]]);
    }
    if (!count)
        return IMPULSE_FINE;
    impulse_report(l->c, IMPULSE_OPEN, "the equations do not determine what %s %s after the event",
                   message_text(open), count > 1 ? "are" : "is");
    free(open);
    return IMPULSE_OPEN;
}

// ---------------------------------------------------------------------------
// Positions
// ---------------------------------------------------------------------------

// "from 1 to 5", or "from 0.103448 by 2e-09" where the digits would not show it.
static const char *print_change(double from, double to, char *text, size_t size)
{
    char first[32], second[32];
    if (fabs(to) <= impulse_rounding * fabs(from))
        to = 0.0; // a rounding error of nothing
    snprintf(first, sizeof first, "%.6g", from);
    snprintf(second, sizeof second, "%.6g", to);
    if (strcmp(first, second) != 0)
        snprintf(text, size, "from %s to %s", first, second);
    else
        snprintf(text, size, "from %s by %.3g", first, to - from);
    return text;
}

// The constraint that is violated most, in comparison to the size of its terms.
static uint32_t worst_constraint(const ImpulseCall *c, const ImpulsePart *part)
{
    uint32_t worst = 0;
    double most = 0.0;
    for (uint32_t i = 0; i < part->constraint_count; i++) {
        const double size = constraint_size(c, part, i), residual = fabs(c->s->residuals[i]);
        if (!(residual <= most * size)) {
            most = size > 0.0 ? residual / size : INFINITY;
            worst = i;
        }
    }
    return worst;
}

static bool impulse_solve_has_jumped(const ImpulseCall *c, uint32_t place)
{
    return c->s->missing[place] == 0.0 &&
           !(fabs(c->x[place] - c->s->left[place]) <= c->tolerance * impulse_size(c, place));
}

// violated: the constraint that asks for it, whose own variables are the first to be named.
static ImpulseStatus check_positions(ImpulseCall *c, const ImpulsePart *part, uint32_t violated)
{
    uint32_t place = CODE_NONE;
    for (uint32_t e = 0; e < part->slope_count && place == CODE_NONE; e++)
        if (part->jump->entries[e].row == violated &&
            impulse_solve_has_jumped(c, part->places[part->jump->entries[e].column]))
            place = part->places[part->jump->entries[e].column];
    for (uint32_t n = 0; n < part->jump->column_count && place == CODE_NONE; n++)
        if (impulse_solve_has_jumped(c, part->places[n]))
            place = part->places[n];
    if (place == CODE_NONE)
        return IMPULSE_FINE;
    char change[80];
    return impulse_report(c, IMPULSE_POSITION,
                          "%s would have to jump %s to satisfy %s, but no finite impulse moves it",
                          c->impulse->names[place],
                          print_change(c->s->left[place], c->x[place], change, sizeof change),
                          impulse_solve_text_of(c, &part->jump->rows[violated]));
}

ImpulseStatus impulse_project(ImpulseCall *c, const ImpulsePart *part)
{
    bool has_missing = false;
    for (uint32_t n = 0; n < part->jump->column_count; n++)
        has_missing = has_missing || c->s->missing[part->places[n]] > 0.0;
    if (!impulse_constraints(c, part))
        return impulse_report(c, IMPULSE_FAILED, "the constraints could not be evaluated");
    if (has_missing) {
        Linear l = number_unknowns(c, part, true);
        const bool is_fine = newton(&l);
        const ImpulseStatus status = is_fine ? check_open(&l) : IMPULSE_FINE;
        if (status != IMPULSE_FINE)
            return status;
        c->has_moved = true;
    }
    if (impulse_holds(c, part))
        return IMPULSE_FINE;
    const uint32_t violated = worst_constraint(c, part);
    Linear l = number_unknowns(c, part, false);
    if (!newton(&l))
        return impulse_report(c, IMPULSE_FAILED, "the constraint %s could not be solved",
                              impulse_solve_text_of(c, &part->jump->rows[0]));
    for (uint32_t i = 0; i < part->constraint_count; i++)
        if (!constraint_holds(c, part, i, contradiction))
            return report_contradiction(c, part, i);
    c->has_moved = true;
    return check_positions(c, part, violated);
}

// ---------------------------------------------------------------------------
// The jump
// ---------------------------------------------------------------------------

static double largest_jump(const Linear *l)
{
    double largest = 0.0;
    for (uint32_t n = 0; n < l->part->jump->column_count; n++)
        largest = fmax(largest, fabs(jumps_of(l)[n]));
    return largest;
}

// Whether the sum over a row vanishes in comparison to its terms; those below rounding do. What has
// no size of its own, a force that does not jump, has the rounding of all that does.
static bool balance_holds(const Linear *l, uint32_t row)
{
    const JumpPart *jump = l->part->jump;
    const double largest = largest_jump(l);
    double terms = 0.0, noise = 0.0, open = 0.0;
    if (is_dropped(l, row))
        return true;
    for (uint32_t e = l->part->slope_count; e < jump->entry_count; e++) {
        if (jump->entries[e].row != row)
            continue;
        const uint32_t column = jump->entries[e].column, place = l->part->places[column];
        const double factor = fabs(frozen_of(l)[e - l->part->slope_count]);
        terms += factor * fabs(jumps_of(l)[column]);
        noise += place == CODE_NONE ? 0.0 : factor * impulse_size(l->c, place);
        open += place == CODE_NONE ? factor * largest : 0.0;
    }
    if (jump->rows[row].kind == JUMP_FINITE)
        return terms <= contradiction * (noise > 0.0 ? noise : 1.0);
    return fabs(balance(l, row)) <= contradiction * terms + impulse_rounding * (noise + open);
}

static ImpulseStatus check_rows(const Linear *l)
{
    const JumpPart *jump = l->part->jump;
    bool is_fine = true;
    uint32_t bad = 0;
    for (uint32_t i = jump->row_count; i-- > 0;) {
        const bool holds = i < l->part->constraint_count
                               ? constraint_holds(l->c, l->part, i, contradiction)
                               : balance_holds(l, i);
        is_fine = is_fine && holds;
        bad = holds ? bad : i;
    }
    if (is_fine)
        return IMPULSE_FINE;
    for (uint32_t e = l->part->slope_count; e < jump->entry_count; e++) {
        const JumpRow *row = &jump->rows[jump->entries[e].row];
        if (row->kind == JUMP_FINITE && jumps_of(l)[jump->entries[e].column] != 0.0)
            return impulse_report(
                l->c, IMPULSE_DISCONTINUOUS,
                "%s would have to be impulsive, but the equation %s is not "
                "linear in it, or multiplies it with what is not continuous",
                impulse_solve_name_of(l->c, jump->columns[jump->entries[e].column].variable),
                impulse_solve_text_of(l->c, row));
    }
    return report_contradiction(l->c, l->part, bad < l->part->constraint_count ? bad : 0);
}

// Whether nothing has to jump once the constraints have found what had no value.
static bool impulse_solve_is_continuous(ImpulseCall *c, const ImpulsePart *part)
{
    Linear l = number_unknowns(c, part, true);
    bool is_unique = l.columns > 0 && newton(&l) && impulse_holds(c, part);
    for (int j = 0; j < l.columns && is_unique; j++)
        is_unique = c->s->freedom[j] <= RANK_OPEN;
    for (uint32_t n = 0; n < part->jump->column_count; n++) {
        if (l.c->s->unknown[n] >= 0 && !is_unique)
            c->x[part->places[n]] = c->s->left[part->places[n]];
        jumps_of(&l)[n] = 0.0;
    }
    return is_unique;
}

ImpulseStatus impulse_jump(ImpulseCall *c, const ImpulsePart *part)
{
    c->has_moved = true;
    if (impulse_solve_is_continuous(c, part))
        return IMPULSE_FINE;
    Linear l = number_unknowns(c, part, false);
    if (!newton(&l))
        return impulse_report(c, IMPULSE_FAILED, "the jump to satisfy %s could not be found",
                              impulse_solve_text_of(c, &part->jump->rows[0]));
    const ImpulseStatus status = check_rows(&l);
    return status != IMPULSE_FINE ? status : check_open(&l);
}
