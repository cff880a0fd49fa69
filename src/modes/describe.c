// SPDX-License-Identifier: MIT

#include "modes/describe.h"

#include "modes/model_parts.h"
#include "structure/outline.h"

#include <math.h>
#include <string.h>

// What parts have in common may be conditions alone, which nobody asks about.
static bool is_shown(const Model *m, const ModelMode *mode)
{
    return model_part_count(m) == 1 || mode->part != 0 || !mode->structure ||
           mode->structure->signature->variable_count > 0;
}

uint32_t *describe_order(const Model *m, Arena *arena, uint32_t *count)
{
    const uint32_t all = model_mode_count(m), parts = model_part_count(m);
    uint32_t *order = ARENA_ARRAY(arena, all, uint32_t);
    *count = 0;
    for (PartNumber part = 0; part < parts; part++)
        for (uint32_t i = 0; i < all; i++) {
            const ModelMode mode = model_mode_info(m, i);
            if (mode.part == part && !mode.slides && is_shown(m, &mode))
                order[(*count)++] = i;
        }
    return order;
}

// Parts from 1 on, of those that are shown.
static uint32_t part_number(const Model *m, const uint32_t *order, const ModelMode *mode)
{
    return 1 + mode->part - model_mode_info(m, order[0]).part;
}

uint32_t describe_find(const Model *m, const char *name)
{
    for (uint32_t i = 0; i < model_mode_count(m); i++)
        if (strcmp(model_mode_info(m, i).name, name) == 0)
            return i;
    return UINT32_MAX;
}

const char *describe_relation(const Model *m, uint32_t relation)
{
    const Dag *dag = m->assembly->dag;
    for (uint32_t h = 0; h < m->sizes.held; h++)
        if (dag->holds[h].flat == relation)
            return m->hold_texts[h];
    return NULL;
}

// ---------------------------------------------------------------------------
// Classes
// ---------------------------------------------------------------------------

static bool has_same_states(const Mode *a, const Mode *b)
{
    if (a->states.count != b->states.count)
        return false;
    for (uint32_t i = 0; i < a->states.count; i++)
        if (strcmp(a->states.names[i], b->states.names[i]) != 0)
            return false;
    return true;
}

// Whether two modes differ in one choice of their machines and if-equations, and nowhere else, as
// far as both have them.
static bool differs_in(const Model *m, const Mode *a, const Mode *b, uint32_t choice)
{
    for (uint32_t i = 0; i < m->sizes.choices; i++) {
        const bool is_other = a->switches.choices[i] != b->switches.choices[i] &&
                              a->switches.choices[i] != GATHER_ANY &&
                              b->switches.choices[i] != GATHER_ANY;
        if (is_other != (i == choice))
            return false;
    }
    return true;
}

// from, to: the choices before and after; GATHER_ANY: any.
static unsigned choice_class(const Model *m, uint32_t choice, uint32_t from, uint32_t to)
{
    const uint32_t count = model_mode_count(m);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++) {
            const Mode *a = model_analysed(m, i), *b = model_analysed(m, k);
            if (i != k && a->switches.choices && b->switches.choices &&
                differs_in(m, a, b, choice) &&
                (from == GATHER_ANY ||
                 (a->switches.choices[choice] == from && b->switches.choices[choice] == to)) &&
                !has_same_states(a, b))
                return SALTUS_SE_S;
        }
    return SALTUS_SE_F;
}

unsigned describe_conditional(const Model *m, uint32_t conditional)
{
    return choice_class(m, m->flat->machine_count + conditional, GATHER_ANY, GATHER_ANY);
}

unsigned describe_transition(const Model *m, const FlatTransition *transition)
{
    return choice_class(m, transition->from->machine->index, transition->from->index,
                        transition->to->index);
}

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

static void append_state_names(StringBuilder *out, const Structure *s)
{
    enum { MOST_NAMES = 8 };
    for (uint32_t k = 0; k < s->state_count && k < MOST_NAMES; k++) {
        builder_append_text(out, k ? ", " : "");
        outline_derivative(out, s->signature->variables[s->states[k].variable].name,
                           s->states[k].order);
    }
    builder_append_text(out, s->state_count > MOST_NAMES ? ", ..." : "");
}

static void append_count(StringBuilder *out, const Structure *s)
{
    builder_append_format(out, "%u state%s", s->state_count, s->state_count == 1 ? "" : "s");
}

// The first message of a mode that cannot be entered.
static const char *reason(const ModelMode *mode)
{
    const Diagnostic *d = mode->messages ? mode->messages->first : NULL;
    while (d && d->severity != SEVERITY_ERROR)
        d = d->next;
    return d ? d->message : "it cannot be entered";
}

static void append_structure(StringBuilder *out, const Structure *s)
{
    builder_append_format(out, "index %u, ", s->offsets->index);
    append_count(out, s);
    builder_append_text(out, s->state_count ? " (" : "");
    append_state_names(out, s);
    builder_append_text(out, s->state_count ? ")" : "");
}

// Whether each surface takes one state from the mode with the same choices: then it can be kept by
// what slides on it.
static bool is_kept(const Model *m, const Mode *sliding)
{
    for (uint32_t i = 0; i < model_mode_count(m); i++) {
        const Mode *mode = model_analysed(m, i);
        if (mode->parts.number == sliding->parts.number && !mode->switches.slides &&
            !mode->is_broken &&
            memcmp(mode->switches.choices, sliding->switches.choices,
                   m->sizes.choices * sizeof *mode->switches.choices) == 0)
            return mode->states.count == sliding->states.count + sliding->switches.surface_count;
    }
    return false;
}

void describe_sliding(const Model *m, StringBuilder *out)
{
    for (uint32_t i = 0; i < model_mode_count(m); i++) {
        const ModelMode mode = model_mode_info(m, i);
        if (!mode.slides || mode.is_broken || !is_kept(m, model_analysed(m, i)))
            continue;
        builder_append_format(out, "%s: ", mode.name);
        append_structure(out, mode.structure);
        builder_append_character(out, '\n');
    }
}

void describe_text(const Model *m, StringBuilder *out)
{
    uint32_t count;
    const uint32_t *order = describe_order(m, out->arena, &count);
    for (uint32_t i = 0; i < count; i++) {
        const ModelMode mode = model_mode_info(m, order[i]);
        if (model_part_count(m) > 1 &&
            (i == 0 || mode.part != model_mode_info(m, order[i - 1]).part))
            builder_append_format(out, "part %u\n", part_number(m, order, &mode));
        builder_append_format(out, "  %u: %s: ", i + 1, mode.name);
        if (mode.structure)
            append_structure(out, mode.structure);
        if (mode.is_broken)
            builder_append_format(out, "%s%s", mode.structure ? "; " : "", reason(&mode));
        bool has_any = false;
        for (uint32_t k = 0; k < count; k++) {
            if (k == i || !model_mode_follows(m, order[i], order[k]))
                continue;
            builder_append_format(out, has_any ? ", %u" : "; then %u", k + 1);
            has_any = true;
        }
        builder_append_character(out, '\n');
    }
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

static void json_string(StringBuilder *out, const char *text)
{
    builder_append_json(out, text, strlen(text));
}

static void json_mode(const Model *m, const uint32_t *order, uint32_t count, uint32_t number,
                      StringBuilder *out)
{
    const ModelMode mode = model_mode_info(m, order[number]);
    const char *comma = "";
    builder_append_text(out, "{\"name\":");
    json_string(out, mode.name);
    builder_append_format(out, ",\"enterable\":%s,\"seconds\":%.9g,\"part\":%u,\"follows\":[",
                          mode.is_broken ? "false" : "true", mode.seconds,
                          part_number(m, order, &mode));
    for (uint32_t k = 0; k < count; k++) {
        if (k == number || !model_mode_follows(m, order[number], order[k]))
            continue;
        builder_append_text(out, comma);
        json_string(out, model_mode_info(m, order[k]).name);
        comma = ",";
    }
    builder_append_text(out, "],\"messages\":");
    if (mode.messages)
        diagnostics_render_json(mode.messages, out);
    else
        builder_append_text(out, "[]");
    builder_append_text(out, ",\"structure\":");
    if (mode.structure)
        outline_json(mode.structure, out);
    else
        builder_append_text(out, "null");
    builder_append_character(out, '}');
}

void describe_json(const Model *m, StringBuilder *out)
{
    uint32_t count;
    const uint32_t *order = describe_order(m, out->arena, &count);
    builder_append_text(out, "\"modes\":[");
    for (uint32_t i = 0; i < count; i++) {
        builder_append_text(out, i ? ",\n" : "\n");
        json_mode(m, order, count, i, out);
    }
    builder_append_text(out, "]");
}

// ---------------------------------------------------------------------------
// Graphviz
// ---------------------------------------------------------------------------

static void dot_text(StringBuilder *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            builder_append_character(out, '\\');
        builder_append_character(out, *text);
    }
}

// The first of its part.
static bool is_initial(const Model *m, uint32_t number)
{
    uint32_t i = 0;
    while (model_mode_info(m, i).part != model_mode_info(m, number).part)
        i++;
    return i == number;
}

void describe_dot(const Model *m, StringBuilder *out)
{
    uint32_t count;
    const uint32_t *order = describe_order(m, out->arena, &count);
    builder_append_text(out, "digraph modes {\n  node [shape=box, style=rounded, fontsize=10];\n");
    for (uint32_t i = 0; i < count; i++) {
        const ModelMode mode = model_mode_info(m, order[i]);
        builder_append_format(out, "  m%u [label=\"", i + 1);
        dot_text(out, mode.name);
        if (mode.structure) {
            StringBuilder names = builder_create(out->arena);
            append_state_names(&names, mode.structure);
            builder_append_format(out, "\\nindex %u, ", mode.structure->offsets->index);
            append_count(out, mode.structure);
            builder_append_text(out, "\\n");
            dot_text(out, builder_string(&names).text);
        }
        builder_append_text(out, mode.is_broken            ? "\", style=dashed];\n"
                                 : is_initial(m, order[i]) ? "\", penwidth=2];\n"
                                                           : "\"];\n");
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (k != i && model_mode_follows(m, order[i], order[k]))
                builder_append_format(out, "  m%u -> m%u;\n", i + 1, k + 1);
    builder_append_text(out, "}\n");
}

// ---------------------------------------------------------------------------
// SVG: the modes on an ellipse, clockwise from the left, with an arrow to each that can follow
// ---------------------------------------------------------------------------

enum { BOX_HEIGHT = 52, CHARACTER = 7, MOST_CHARACTERS = 40, MARGIN = 20 };

typedef struct DescribePicture {
    const Model *model;
    StringBuilder *out;
    const uint32_t *modes; // from the left on
    uint32_t count;
    double width, rx, ry, x0, y0; // of a box; radii and middle of the ellipse
} DescribePicture;

static void box_middle(const DescribePicture *p, uint32_t number, double *x, double *y)
{
    const double pi = 3.14159265358979323846;
    const double angle = pi - 2.0 * pi * (double)number / (double)p->count;
    *x = p->x0 + p->rx * cos(angle);
    *y = p->y0 - p->ry * sin(angle);
}

// At most MOST_CHARACTERS of the text, with what XML does not like replaced.
static void svg_text(DescribePicture *p, double x, double y, const char *style, const char *text)
{
    const size_t length = strlen(text);
    builder_append_format(p->out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, style);
    const size_t shown = utf8_prefix(text, length, MOST_CHARACTERS);
    text_escape_xml(p->out, text, shown);
    builder_append_text(p->out, shown < length ? "…</text>\n" : "</text>\n");
}

// Where the line from the middle of a box to (x, y) leaves the box.
static void leave_box(const DescribePicture *p, double *bx, double *by, double x, double y)
{
    const double dx = x - *bx, dy = y - *by;
    const double tx = dx != 0.0 ? 0.5 * p->width / fabs(dx) : INFINITY;
    const double ty = dy != 0.0 ? 0.5 * BOX_HEIGHT / fabs(dy) : INFINITY;
    const double t = fmin(fmin(tx, ty), 1.0);
    *bx += t * dx;
    *by += t * dy;
}

// Curved a little to its right, so that the way back is another line.
static void svg_arrow(DescribePicture *p, uint32_t from, uint32_t to)
{
    double ax, ay, bx, by;
    box_middle(p, from, &ax, &ay);
    box_middle(p, to, &bx, &by);
    const double length = hypot(bx - ax, by - ay);
    const double nx = -(by - ay) / length, ny = (bx - ax) / length, bend = 18.0;
    const double cx = 0.5 * (ax + bx) + bend * nx, cy = 0.5 * (ay + by) + bend * ny;
    leave_box(p, &ax, &ay, cx, cy);
    leave_box(p, &bx, &by, cx, cy);
    builder_append_format(p->out,
                          "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" marker-end=\"url(#a)\"/>\n",
                          ax, ay, cx, cy, bx, by);
}

static void svg_box(DescribePicture *p, uint32_t number)
{
    const ModelMode mode = model_mode_info(p->model, p->modes[number]);
    double x, y;
    box_middle(p, number, &x, &y);
    builder_append_format(p->out,
                          "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"8\" "
                          "fill=\"%s\" stroke=\"#333\" stroke-width=\"%s\"%s/>\n",
                          x - 0.5 * p->width, y - 0.5 * BOX_HEIGHT, p->width, BOX_HEIGHT,
                          mode.is_broken ? "#eee" : "#fff",
                          is_initial(p->model, p->modes[number]) ? "2.5" : "1",
                          mode.is_broken ? " stroke-dasharray=\"5 4\"" : "");
    svg_text(p, x, y - 10.0, " font-weight=\"bold\"", mode.name);
    StringBuilder line = builder_create(p->out->arena), names = builder_create(p->out->arena);
    if (mode.structure) {
        builder_append_format(&line, "index %u, ", mode.structure->offsets->index);
        append_count(&line, mode.structure);
        append_state_names(&names, mode.structure);
    }
    svg_text(p, x, y + 5.0, "", mode.is_broken ? "cannot be entered" : builder_string(&line).text);
    svg_text(p, x, y + 19.0, " fill=\"#555\"", builder_string(&names).text);
}

static size_t longest_line(const Model *m, Arena *arena)
{
    size_t most = 18;
    for (uint32_t i = 0; i < model_mode_count(m); i++) {
        const ModelMode mode = model_mode_info(m, i);
        StringBuilder names = builder_create(arena);
        if (mode.structure)
            append_state_names(&names, mode.structure);
        const size_t name = utf8_count(mode.name, strlen(mode.name)) * 11 / 10,
                     list = builder_string(&names).length;
        most = name > most ? name : most;
        most = list > most ? list : most;
    }
    return most < MOST_CHARACTERS ? most : MOST_CHARACTERS;
}

void describe_svg(const Model *m, StringBuilder *out)
{
    DescribePicture p = {.model = m, .out = out};
    p.modes = describe_order(m, out->arena, &p.count);
    p.width = (double)(longest_line(m, out->arena) * CHARACTER) + 20.0;
    // Neighbours on the ellipse have room for a box and an arrow between them.
    const double chord = sin(3.14159265358979323846 / (double)(p.count > 2 ? p.count : 2));
    p.rx = p.count > 1 ? fmax(0.75 * p.width, (p.width + 40.0) / (2.0 * chord)) : 0.0;
    p.ry = p.count > 2 ? fmax(100.0, (double)p.count * 22.0) : 0.0;
    p.x0 = p.rx + 0.5 * p.width + MARGIN;
    p.y0 = p.ry + 0.5 * BOX_HEIGHT + MARGIN;
    builder_append_format(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
        "width=\"%.0f\" height=\"%.0f\" font-family=\"Helvetica, Arial, sans-serif\" "
        "font-size=\"12\" text-anchor=\"middle\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
        "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
        "markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">"
        "<path d=\"M0 0L8 4L0 8z\" fill=\"#333\"/></marker></defs>\n"
        "<g fill=\"none\" stroke=\"#333\">\n",
        2.0 * p.x0, 2.0 * p.y0, 2.0 * p.x0, 2.0 * p.y0);
    for (uint32_t i = 0; i < p.count; i++)
        for (uint32_t k = 0; k < p.count; k++)
            if (i != k && model_mode_follows(m, p.modes[i], p.modes[k]))
                svg_arrow(&p, i, k);
    builder_append_text(out, "</g>\n");
    for (uint32_t i = 0; i < p.count; i++)
        svg_box(&p, i);
    builder_append_text(out, "</svg>\n");
}
