// SPDX-License-Identifier: MIT

#include "plot/request.h"

#include "base/message.h"
#include "plot/request_map.h"
#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CURVES = 500 }; // in one panel

// What belongs to one name of a panel: the columns of one table.
typedef struct Pick {
    const char *y, *x; // names; x NULL: over the first column
} Pick;

typedef struct Requester {
    Arena *arena;
    const PlotRequest *r;
    char **message;
    PlotBand *bands;
    PlotMark *marks;
    Pick *picks; // of the panel that is made
    size_t band_count, mark_count, pick_count;
} Requester;

// ---------------------------------------------------------------------------
// Names
// ---------------------------------------------------------------------------

const char *request_part_end(const char *s, char mark)
{
    int depth = 0;
    for (; *s; s++) {
        if (*s == '\'') {
            const char *close = strchr(s + 1, '\'');
            s = close ? close : s;
        } else if (*s == '[' || *s == '(') {
            depth++;
        } else if (*s == ']' || *s == ')') {
            depth--;
        } else if (*s == mark && depth <= 0) {
            break;
        }
    }
    return s;
}

static bool is_pattern(const char *name)
{
    return strpbrk(name, "*?") != NULL;
}

// "; it has x, y, ...": what there is instead.
static void append_names(char **message, const Table *table)
{
    enum { SHOWN = 8 };
    for (size_t i = 1; i < table->column_count && i <= SHOWN + 1; i++)
        message_add(message, "%s%s", i == 1 ? "; it has " : ", ",
                    i > SHOWN ? "..." : table->columns[i].heading.name);
}

static bool request_complain_unknown(Requester *q, const Table *table, const char *name)
{
    const char *nearest = table_nearest(table, name);
    size_t run = 0;
    while (q->r->tables[run] != table)
        run++;
    message_set(q->message, "%s has no variable '%s'%s%s%s", q->r->names[run], name,
                nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    if (!nearest)
        append_names(q->message, table);
    return false;
}

static bool request_check_name(Requester *q, const char *name)
{
    for (size_t i = 0; i < q->r->table_count; i++) {
        const TableColumn *column = table_column(q->r->tables[i], name);
        if (!column && !table_constant(q->r->tables[i], name))
            return request_complain_unknown(q, q->r->tables[i], name);
    }
    return true;
}

static bool add_pick(Requester *q, Pick pick)
{
    if (q->pick_count == MOST_CURVES) {
        message_set(q->message, "more than %d curves in one panel", MOST_CURVES);
        return false;
    }
    q->picks[q->pick_count++] = pick;
    return true;
}

static bool add_matching(Requester *q, const char *pattern)
{
    const Table *table = q->r->tables[0];
    const size_t before = q->pick_count;
    for (size_t i = 1; i < table->column_count; i++) {
        const TableHeading *h = &table->columns[i].heading;
        if (h->kind == TABLE_NUMBERS && text_matches(pattern, h->name) &&
            (!request_check_name(q, h->name) || !add_pick(q, (Pick){h->name, NULL})))
            return false;
    }
    if (q->pick_count > before)
        return true;
    message_set(q->message, "no variable of %s matches '%s'", q->r->names[0], pattern);
    return false;
}

static bool read_part(Requester *q, const char *s, const char *end)
{
    const char *name = arena_copy_text(q->arena, s, (size_t)(end - s));
    if (table_column(q->r->tables[0], name)) // a name may look like anything
        return request_check_name(q, name) && add_pick(q, (Pick){name, NULL});
    const char *colon = request_part_end(name, ':');
    if (*colon) {
        const Pick pick = {arena_copy_text(q->arena, name, (size_t)(colon - name)), colon + 1};
        return request_check_name(q, pick.y) && request_check_name(q, pick.x) && add_pick(q, pick);
    }
    if (is_pattern(name))
        return add_matching(q, name);
    return request_check_name(q, name) && add_pick(q, (Pick){name, NULL});
}

static bool read_panel(Requester *q, const char *text)
{
    q->picks = ARENA_ARRAY(q->arena, MOST_CURVES, Pick);
    q->pick_count = 0;
    for (const char *s = text;;) {
        const char *end = request_part_end(s, ',');
        if (end == s) {
            message_set(q->message, "a name is missing in '%s'", text);
            return false;
        }
        if (!read_part(q, s, end))
            return false;
        if (!*end)
            break;
        s = end + 1;
    }
    for (size_t i = 1; i < q->pick_count; i++)
        if (!q->picks[i].x != !q->picks[0].x) {
            message_set(q->message, "'%s' mixes curves over time and portraits", text);
            return false;
        }
    return true;
}

// ---------------------------------------------------------------------------
// Labels and ranges that were asked for
// ---------------------------------------------------------------------------

// What follows "NAME=" in one of the texts; NULL: none is about the name.
static const char *request_given(const char *const *texts, size_t count, const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < count; i++)
        if (strncmp(texts[i], name, length) == 0 && texts[i][length] == '=')
            return texts[i] + length + 1;
    return NULL;
}

// Where the unit begins in "TEXT (UNIT)"; NULL: there is none.
static const char *request_given_unit(const char *text)
{
    const size_t length = strlen(text);
    const char *open = strrchr(text, '(');
    return open && open > text && length && text[length - 1] == ')' ? open : NULL;
}

// How a variable or a run is called.
static const char *request_label(const Requester *q, const char *name)
{
    const char *text = request_given(q->r->labels, q->r->label_count, name);
    const char *unit = text ? request_given_unit(text) : NULL;
    if (!unit)
        return text ? text : name;
    while (unit > text && unit[-1] == ' ')
        unit--;
    return arena_copy_text(q->arena, text, (size_t)(unit - text));
}

// "FROM:TO" for the variable's axis. False, with a message, if it is something else.
static bool request_range(Requester *q, const char *name, PlotAxis *axis)
{
    const char *text = request_given(q->r->ranges, q->r->range_count, name);
    char *end;
    if (!text)
        return true;
    axis->from = strtod(text, &end);
    if (end != text && *end == ':') {
        const char *second = end + 1;
        axis->to = strtod(second, &end);
        axis->is_limited = end != second && *end == '\0' && isfinite(axis->from) &&
                           isfinite(axis->to) && axis->from < axis->to;
    }
    if (!axis->is_limited)
        message_set(q->message, "the range of %s is FROM:TO, not '%s'", name, text);
    return axis->is_limited;
}

// Every name must be that of a variable or a run.
static bool request_check_given(Requester *q, const char *const *texts, size_t count,
                                const char *what)
{
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(texts[i], '=');
        const char *name =
            arena_copy_text(q->arena, texts[i], equals ? (size_t)(equals - texts[i]) : 0);
        bool is_known = false;
        for (size_t k = 0; k < q->r->table_count && equals; k++)
            is_known |= table_column(q->r->tables[k], name) ||
                        table_constant(q->r->tables[k], name) || strcmp(q->r->names[k], name) == 0;
        if (is_known)
            continue;
        message_set(q->message, "--%s needs NAME=..., with a variable, not '%s'", what, texts[i]);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------------------
// Values
// ---------------------------------------------------------------------------

static const char *request_unit_of(const Requester *q, const Table *table, const char *name)
{
    const char *label = request_given(q->r->labels, q->r->label_count, name);
    const char *open = label ? request_given_unit(label) : NULL;
    if (open)
        return arena_copy_text(q->arena, open + 1, strlen(open) - 2);
    const TableColumn *column = table_column(table, name);
    if (column)
        return column->heading.unit;
    const TableConstant *constant = table_constant(table, name);
    return constant ? constant->heading.unit : NULL;
}

static const double *request_values_of(Requester *q, const Table *table, const char *name)
{
    const TableColumn *column = table_column(table, name);
    if (column)
        return column->values;
    double *values = ARENA_ARRAY(q->arena, table->row_count, double);
    for (size_t i = 0; i < table->row_count; i++)
        values[i] = table_constant(table, name)->value;
    return values;
}

// The rows of a window of time.
static void find_rows(const Table *table, Interval window, size_t *first, size_t *end)
{
    const double *t = table->columns[0].values;
    *first = 0;
    *end = table->row_count;
    if (window.low == window.high)
        return;
    while (*first < *end && t[*first] < window.low)
        ++*first;
    while (*end > *first && t[*end - 1] > window.high)
        --*end;
}

static const char *curve_label(Requester *q, size_t pick, size_t run, bool has_units)
{
    StringBuilder b = builder_create(q->arena);
    const Pick *p = &q->picks[pick];
    const char *unit = request_unit_of(q, q->r->tables[run], p->y);
    const bool has_run = q->r->table_count > 1;
    if (q->pick_count > 1 || !has_run)
        builder_append_format(&b, p->x ? "%s : %s" : "%s", request_label(q, p->y),
                              p->x ? request_label(q, p->x) : NULL);
    if (has_units && unit && q->pick_count > 1) {
        builder_append_text(&b, " (");
        ticks_unit(unit, &b);
        builder_append_character(&b, ')');
    }
    if (has_run)
        builder_append_format(&b, "%s%s", b.length ? ", " : "", request_label(q, q->r->names[run]));
    return b.text;
}

static void make_curve(Requester *q, size_t pick, size_t run, Interval window, PlotCurve *curve)
{
    const Table *table = q->r->tables[run];
    const Pick *p = &q->picks[pick];
    size_t first = 0, end = table->row_count;
    if (p->x) // over time the axis does it, and interpolates
        find_rows(table, window, &first, &end);
    curve->x = (p->x ? request_values_of(q, table, p->x) : table->columns[0].values) + first;
    curve->y = request_values_of(q, table, p->y) + first;
    curve->count = end - first;
    curve->style = q->r->has_points ? PLOT_LINE_POINTS : PLOT_LINE;
    if (q->r->table_count > 1 && q->pick_count > 1) {
        curve->colour = 1 + (int)(pick % PLOT_COLOURS);
        curve->dash = 1 + (int)(run % PLOT_DASHES);
    }
}

// The unit that all have, or NULL.
static const char *common_unit(const Requester *q, bool is_x, bool *is_common)
{
    const char *first = NULL;
    *is_common = true;
    for (size_t i = 0; i < q->pick_count; i++) {
        const Pick *p = &q->picks[i];
        const char *unit = request_unit_of(q, q->r->tables[0], is_x ? p->x : p->y);
        unit = unit ? unit : "";
        if (i == 0)
            first = unit;
        else if (strcmp(unit, first) != 0)
            *is_common = false;
    }
    return *is_common && first && *first ? first : NULL;
}

// Whether all are Booleans, and so the axis needs no numbers.
static bool has_booleans(const Requester *q)
{
    for (size_t i = 0; i < q->pick_count; i++) {
        const TableColumn *column = table_column(q->r->tables[0], q->picks[i].y);
        if (!column || !column->heading.is_boolean)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------
// Panels
// ---------------------------------------------------------------------------

static PlotAxis time_axis(const Requester *q, Interval window)
{
    const TableHeading *h = &q->r->tables[0]->columns[0].heading;
    const bool is_time = strcmp(h->name, "time") == 0;
    const char *unit = request_unit_of(q, q->r->tables[0], h->name);
    return (PlotAxis){.label = request_label(q, h->name),
                      .unit = unit      ? unit
                              : is_time ? "s"
                                        : NULL,
                      .scale = q->r->x_scale,
                      .is_limited = window.low < window.high,
                      .from = window.low,
                      .to = window.high};
}

// A portrait in pieces: one curve for each mode, with gaps while another one is active.
static void add_phases(Requester *q, Interval window, PlotPanel *panel)
{
    const Table *table = q->r->tables[0];
    const TableColumn *mode = table_column(table, "mode");
    PlotCurve whole = {0}, *curves = ARENA_ARRAY(q->arena, mode->word_count, PlotCurve);
    size_t first, end;
    find_rows(table, window, &first, &end);
    make_curve(q, 0, 0, window, &whole);
    for (size_t k = 0; k < mode->word_count; k++) {
        double *y = ARENA_ARRAY(q->arena, whole.count, double);
        for (size_t i = 0; i < whole.count; i++)
            y[i] = mode->values[first + i] == (double)k ? whole.y[i] : NAN;
        curves[k] = whole;
        curves[k].y = y;
        curves[k].label = mode->words[k];
    }
    panel->curves = curves;
    panel->curve_count = mode->word_count;
}

static void add_curves(Requester *q, Interval window, bool has_units, PlotPanel *panel)
{
    const size_t runs = q->r->table_count;
    PlotCurve *curves = ARENA_ARRAY(q->arena, q->pick_count * runs, PlotCurve);
    for (size_t i = 0; i < q->pick_count; i++)
        for (size_t run = 0; run < runs; run++) {
            PlotCurve *curve = &curves[panel->curve_count++];
            make_curve(q, i, run, window, curve);
            curve->label = curve_label(q, i, run, has_units);
        }
    panel->curves = curves;
}

// What the names have in common before their subscripts; NULL: nothing.
static const char *common_name(const Requester *q)
{
    const char *first = q->picks[0].y;
    const size_t length = strcspn(first, "[");
    for (size_t i = 1; i < q->pick_count; i++)
        if (strncmp(q->picks[i].y, first, length) != 0 || q->picks[i].y[length] != '[')
            return NULL;
    return arena_copy_text(q->arena, first, length);
}

// All curves as one cloud of dots: a bifurcation diagram, for example.
static void add_dots(Requester *q, Interval window, PlotPanel *panel)
{
    size_t room = 0;
    for (size_t run = 0; run < q->r->table_count; run++)
        room += q->pick_count * q->r->tables[run]->row_count;
    double *x = ARENA_ARRAY(q->arena, room + 1, double),
           *y = ARENA_ARRAY(q->arena, room + 1, double);
    PlotCurve *cloud = ARENA_NEW(q->arena, PlotCurve);
    *cloud = (PlotCurve){.x = x, .y = y, .style = PLOT_DOTS};
    for (size_t i = 0; i < q->pick_count; i++)
        for (size_t run = 0; run < q->r->table_count; run++) {
            PlotCurve part;
            make_curve(q, i, run, window, &part);
            memcpy(x + cloud->count, part.x, part.count * sizeof *x);
            memcpy(y + cloud->count, part.y, part.count * sizeof *y);
            cloud->count += part.count;
        }
    panel->curves = cloud;
    panel->curve_count = 1;
}

// How many values fall into each of equally wide intervals; their number by the rule of H. A.
// Sturges, but for many values by the cube root (D. W. Scott), which shows more.
static void add_histogram(Requester *q, PlotPanel *panel)
{
    enum { BARS_MOST = 200 };
    PlotCurve *curves = ARENA_ARRAY(q->arena, q->pick_count, PlotCurve);
    for (size_t i = 0; i < q->pick_count; i++) {
        const Table *table = q->r->tables[0];
        const double *values = request_values_of(q, table, q->picks[i].y);
        double low = INFINITY, high = -INFINITY, count = 0.0;
        for (size_t k = 0; k < table->row_count; k++)
            if (isfinite(values[k])) {
                low = fmin(low, values[k]);
                high = fmax(high, values[k]);
                count += 1.0;
            }
        const double wanted = fmax(1.0 + log2(count + 1.0), 2.0 * cbrt(count));
        const size_t bars = low < high ? (size_t)fmin(ceil(wanted), BARS_MOST) : 1;
        const double width = low < high ? (high - low) / (double)bars : 1.0;
        double *x = ARENA_ARRAY(q->arena, bars, double), *y = ARENA_ARRAY(q->arena, bars, double);
        for (size_t k = 0; k < bars; k++)
            x[k] = low < high ? low + ((double)k + 0.5) * width : low;
        for (size_t k = 0; k < table->row_count; k++)
            if (isfinite(values[k])) {
                const size_t bar = (size_t)((values[k] - low) / width);
                y[bar < bars ? bar : bars - 1] += 1.0;
            }
        curves[i] = (PlotCurve){.label = q->pick_count > 1 ? q->picks[i].y : NULL,
                                .x = x,
                                .y = y,
                                .count = count > 0.0 ? bars : 0,
                                .style = PLOT_BARS};
    }
    panel->curves = curves;
    panel->curve_count = q->pick_count;
    panel->x = (PlotAxis){.label = q->pick_count == 1 ? q->picks[0].y : NULL,
                          .unit = request_unit_of(q, q->r->tables[0], q->picks[0].y)};
    panel->y = (PlotAxis){.label = "count"};
}

static bool make_panel(Requester *q, Interval window, PlotPanel *panel)
{
    const PlotRequest *r = q->r;
    const bool is_portrait = q->picks[0].x != NULL;
    bool is_common, is_common_x;
    *panel = (PlotPanel){.y.scale = r->y_scale, .is_time = !is_portrait};
    panel->y.unit = common_unit(q, false, &is_common);
    if (r->is_histogram) {
        panel->is_time = false;
        add_histogram(q, panel);
        return true;
    }
    if (is_portrait && r->has_phases && r->table_count == 1 && q->pick_count == 1)
        add_phases(q, window, panel);
    else if (r->has_dots)
        add_dots(q, window, panel);
    else
        add_curves(q, window, !is_common, panel);
    panel->y.is_boolean = r->y_scale == PLOT_LINEAR && has_booleans(q);
    if (q->pick_count == 1)
        panel->y.label = request_label(q, q->picks[0].y);
    else if (r->has_dots)
        panel->y.label = common_name(q);
    if (!request_range(q, q->picks[0].y, &panel->y))
        return false;
    if (!is_portrait) {
        panel->x = time_axis(q, window);
        panel->bands = q->bands;
        panel->band_count = q->band_count;
        panel->marks = q->marks;
        panel->mark_count = q->mark_count;
        return true;
    }
    panel->x.unit = common_unit(q, true, &is_common_x);
    panel->x.label = q->pick_count == 1 ? request_label(q, q->picks[0].x) : NULL;
    panel->x.scale = r->x_scale;
    panel->is_equal = r->is_equal;
    return request_range(q, q->picks[0].x, &panel->x);
}

// ---------------------------------------------------------------------------
// Phases and events
// ---------------------------------------------------------------------------

static bool make_bands(Requester *q)
{
    const Table *table = q->r->tables[0];
    const TableColumn *mode = table_column(table, "mode");
    const double *t = table->columns[0].values;
    if (!mode || mode->heading.kind != TABLE_WORDS) {
        message_set(q->message, "%s has no column 'mode' for phases", q->r->names[0]);
        return false;
    }
    q->bands = ARENA_ARRAY(q->arena, table->row_count, PlotBand);
    for (size_t i = 0; i < table->row_count; i++) {
        const bool is_new = i == 0 || mode->values[i] != mode->values[i - 1];
        if (is_new && q->band_count)
            q->bands[q->band_count - 1].to = t[i];
        if (is_new)
            q->bands[q->band_count++] = (PlotBand){t[i], t[i], table_word(mode, i)};
    }
    if (q->band_count)
        q->bands[q->band_count - 1].to = t[table->row_count - 1];
    return true;
}

// A condition, cut where it is too long for a key.
static const char *shortened(Arena *arena, const char *text)
{
    enum { LONGEST = 44 };
    const size_t whole = strlen(text), length = utf8_prefix(text, whole, LONGEST);
    if (length >= whole)
        return text;
    StringBuilder b = builder_create(arena);
    builder_append(&b, text, length);
    builder_append_text(&b, "…");
    return b.text;
}

static bool make_marks(Requester *q)
{
    const Table *log = q->r->events;
    const TableColumn *time = table_column(log, "time"), *what = table_column(log, "condition");
    if (!time || time->heading.kind != TABLE_NUMBERS) {
        message_set(q->message, "the event log has no column 'time'");
        return false;
    }
    const bool has_words = what && what->heading.kind == TABLE_WORDS;
    q->marks = ARENA_ARRAY(q->arena, log->row_count, PlotMark);
    for (size_t i = 0; i < log->row_count; i++)
        q->marks[q->mark_count++] = (PlotMark){
            time->values[i], has_words ? shortened(q->arena, table_word(what, i)) : "event"};
    return true;
}

// ---------------------------------------------------------------------------
// The figure
// ---------------------------------------------------------------------------

static bool make_panels(Requester *q, PlotFigure *figure)
{
    const PlotRequest *r = q->r;
    const size_t columns = r->zoom.low < r->zoom.high ? 2 : 1;
    PlotPanel *panels = ARENA_ARRAY(q->arena, columns * r->panel_count, PlotPanel);
    for (size_t i = 0; i < r->panel_count; i++) {
        if (!read_panel(q, r->panels[i]))
            return false;
        if (!make_panel(q, r->window, &panels[columns * i]))
            return false;
        if (columns == 1)
            continue;
        if (!make_panel(q, r->zoom, &panels[2 * i + 1]))
            return false;
        if (!panels[2 * i].is_time)
            continue;
        Interval *window = ARENA_NEW(q->arena, Interval);
        *window = r->zoom;
        panels[2 * i].windows = window;
        panels[2 * i].window_count = 1;
    }
    figure->panels = panels;
    figure->panel_count = columns * r->panel_count;
    figure->columns = columns;
    return true;
}

bool plot_request(Arena *arena, const PlotRequest *request, PlotFigure *figure, char **message)
{
    Requester q = {.arena = arena, .r = request, .message = message};
    *figure =
        (PlotFigure){.title = request->title, .width = request->width, .height = request->height};
    if (request->map)
        return request_map(arena, request, figure, message);
    if (!request_check_given(&q, request->labels, request->label_count, "label") ||
        !request_check_given(&q, request->ranges, request->range_count, "range"))
        return false;
    if (request->has_phases && !make_bands(&q))
        return false;
    if (request->events && !make_marks(&q))
        return false;
    return make_panels(&q, figure);
}
