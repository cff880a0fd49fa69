// SPDX-License-Identifier: MIT

#include "structure/outline.h"

#include <stdio.h>

// "assignment", "constant", "linear", "nonlinear"
static const char *outline_kind(StructureKind kind)
{
    static const char *const names[] = {"assignment", "constant", "linear", "nonlinear"};
    return names[kind];
}

void outline_derivative(StringBuilder *out, const char *name, uint32_t order)
{
    for (uint32_t o = 0; o < order; o++)
        builder_append_text(out, "der(");
    builder_append_text(out, name);
    builder_append_repeated(out, ')', order);
}

static void append_unknown(StringBuilder *out, const Structure *s, const StructureStep *step)
{
    outline_derivative(out, s->signature->variables[step->variable].name, step->variable_order);
}

static void append_equation(StringBuilder *out, const Structure *s, uint32_t equation)
{
    const char *text = s->signature->equations[equation].text;
    if (text)
        builder_append_text(out, text);
    else
        builder_append_format(out, "equation %u", equation + 1);
}

static void append_times(StringBuilder *out, uint32_t times)
{
    if (times > 2)
        builder_append_format(out, "%u times", times);
    else
        builder_append_text(out, times == 1 ? "once" : "twice");
}

// ---------------------------------------------------------------------------
// Text
// ---------------------------------------------------------------------------

static void text_states(const Structure *s, StringBuilder *out)
{
    builder_append_format(out, "%u state%s", s->state_count, s->state_count == 1 ? "" : "s");
    for (uint32_t k = 0; k < s->state_count; k++) {
        builder_append_text(out, k == 0 ? ": " : ", ");
        outline_derivative(out, s->signature->variables[s->states[k].variable].name,
                           s->states[k].order);
    }
    builder_append_character(out, '\n');
}

static void text_dummies(const Structure *s, StringBuilder *out)
{
    bool has_any = false;
    for (uint32_t j = 0; j < s->signature->variable_count; j++) {
        for (uint32_t o = s->state_orders[j] + 1; o <= s->offsets->d[j]; o++) {
            builder_append_text(out, has_any ? ", " : "dummy derivatives: ");
            outline_derivative(out, s->signature->variables[j].name, o);
            has_any = true;
        }
    }
    builder_append_text(out, has_any ? "\n" : "");
}

static void text_differentiated(const Structure *s, StringBuilder *out)
{
    for (uint32_t i = 0; i < s->signature->equation_count; i++) {
        if (s->offsets->c[i] == 0)
            continue;
        builder_append_text(out, "differentiated ");
        append_times(out, s->offsets->c[i]);
        builder_append_text(out, ": ");
        append_equation(out, s, i);
        builder_append_character(out, '\n');
    }
    for (uint32_t k = 0; k < s->signature->input_count; k++) {
        if (s->input_orders[k] == 0 || s->signature->inputs[k].is_free)
            continue;
        builder_append_format(out, "input needed differentiated ");
        append_times(out, s->input_orders[k]);
        builder_append_format(out, ": %s\n", s->signature->inputs[k].name);
    }
}

static void text_step(const Structure *s, const StructureStep *step, const char *verb,
                      StringBuilder *out)
{
    builder_append_format(out, "      %s ", verb);
    append_unknown(out, s, step);
    builder_append_text(out, " from ");
    append_equation(out, s, step->equation);
    if (step->equation_order > 0) {
        builder_append_text(out, ", differentiated ");
        append_times(out, step->equation_order);
    }
    builder_append_character(out, '\n');
}

static void text_block(const Structure *s, uint32_t number, StringBuilder *out)
{
    const StructureBlock *b = &s->blocks[number];
    builder_append_format(out, "  %u: %s", number + 1, outline_kind(b->kind));
    if (b->kind != STRUCTURE_ASSIGNMENT)
        builder_append_format(out, ", size %u, torn %u", b->size, structure_torn(b));
    builder_append_text(out, b->is_needed ? "\n" : ", not needed for derivatives\n");
    for (uint32_t k = 0; k < b->size; k++)
        text_step(s, &s->steps[b->first + k], k < b->solved ? "solve" : "guess", out);
}

static void text_summary(const Structure *s, StringBuilder *out)
{
    for (int kind = 0; kind <= STRUCTURE_NONLINEAR; kind++) {
        uint32_t count = 0, largest = 0, torn = 0;
        for (uint32_t k = 0; k < s->block_count; k++) {
            const StructureBlock *b = &s->blocks[k];
            if ((int)b->kind != kind)
                continue;
            count++;
            largest = b->size > largest ? b->size : largest;
            torn = structure_torn(b) > torn ? structure_torn(b) : torn;
        }
        if (count == 0)
            continue;
        builder_append_format(out, "%u %s block%s", count, outline_kind((StructureKind)kind),
                              count == 1 ? "" : "s");
        if (kind != STRUCTURE_ASSIGNMENT)
            builder_append_format(out, ", size up to %u, torn up to %u", largest, torn);
        builder_append_character(out, '\n');
    }
}

void outline_text(const Structure *s, bool all, StringBuilder *out)
{
    builder_append_format(out, "%u equation%s, index %u\n", s->signature->equation_count,
                          s->signature->equation_count == 1 ? "" : "s", s->offsets->index);
    text_states(s, out);
    text_dummies(s, out);
    text_differentiated(s, out);
    text_summary(s, out);
    for (uint32_t k = 0; k < s->block_count; k++) {
        if (all || s->blocks[k].kind != STRUCTURE_ASSIGNMENT)
            text_block(s, k, out);
    }
}

// ---------------------------------------------------------------------------
// JSON
// ---------------------------------------------------------------------------

// The name that `name` builds, quoted.
static void outline_json_text(StringBuilder *out, const StringBuilder *text)
{
    String t = builder_string(text);
    builder_append_json(out, t.text, t.length);
}

static void json_derivative(const Structure *s, uint32_t variable, uint32_t order,
                            StringBuilder *out)
{
    StringBuilder text = builder_create(out->arena);
    outline_derivative(&text, s->signature->variables[variable].name, order);
    outline_json_text(out, &text);
}

static void json_equation(const Structure *s, uint32_t equation, StringBuilder *out)
{
    StringBuilder text = builder_create(out->arena);
    append_equation(&text, s, equation);
    outline_json_text(out, &text);
}

static void json_lists(const Structure *s, StringBuilder *out)
{
    const char *comma = "";
    builder_append_text(out, ",\"states\":[");
    for (uint32_t k = 0; k < s->state_count; k++) {
        builder_append_text(out, k == 0 ? "" : ",");
        json_derivative(s, s->states[k].variable, s->states[k].order, out);
    }
    builder_append_text(out, "],\"dummyDerivatives\":[");
    for (uint32_t j = 0; j < s->signature->variable_count; j++) {
        for (uint32_t o = s->state_orders[j] + 1; o <= s->offsets->d[j]; o++) {
            builder_append_text(out, comma);
            json_derivative(s, j, o, out);
            comma = ",";
        }
    }
    comma = "";
    builder_append_text(out, "],\"differentiated\":[");
    for (uint32_t i = 0; i < s->signature->equation_count; i++) {
        if (s->offsets->c[i] == 0)
            continue;
        builder_append_format(out, "%s{\"equation\":", comma);
        json_equation(s, i, out);
        builder_append_format(out, ",\"times\":%u}", s->offsets->c[i]);
        comma = ",";
    }
    builder_append_text(out, "]");
}

static void json_block(const Structure *s, const StructureBlock *b, StringBuilder *out)
{
    builder_append_format(out,
                          "{\"kind\":\"%s\",\"stage\":%d,\"size\":%u,\"torn\":%u,\"needed\":%s,"
                          "\"steps\":[",
                          outline_kind(b->kind), -(int)b->stage, b->size, structure_torn(b),
                          b->is_needed ? "true" : "false");
    for (uint32_t k = 0; k < b->size; k++) {
        const StructureStep *step = &s->steps[b->first + k];
        builder_append_text(out, k == 0 ? "{\"unknown\":" : ",{\"unknown\":");
        json_derivative(s, step->variable, step->variable_order, out);
        builder_append_text(out, ",\"equation\":");
        json_equation(s, step->equation, out);
        builder_append_format(out, ",\"differentiated\":%u,\"torn\":%s}", step->equation_order,
                              k < b->solved ? "false" : "true");
    }
    builder_append_text(out, "]}");
}

void outline_json(const Structure *s, StringBuilder *out)
{
    builder_append_format(out, "{\"equations\":%u,\"index\":%u,\"degreesOfFreedom\":%u",
                          s->signature->equation_count, s->offsets->index, s->offsets->freedom);
    json_lists(s, out);
    builder_append_text(out, ",\"blocks\":[");
    for (uint32_t k = 0; k < s->block_count; k++) {
        builder_append_text(out, k == 0 ? "" : ",");
        json_block(s, &s->blocks[k], out);
    }
    builder_append_text(out, "]}");
}

// ---------------------------------------------------------------------------
// Pictures
// ---------------------------------------------------------------------------

// The block that solves for each derivative; GRAPH_NONE: none, a state.
typedef struct OutlinePicture {
    const Structure *s;
    uint32_t *base; // of each variable: its first derivative's place
    uint32_t *step; // by place: that solves for the derivative
    uint32_t *block_of_step;
    StringBuilder *out;
    uint32_t *seen; // by block: 1 + the last block that has an edge from it
    uint32_t top;   // room for the labels of the columns
} OutlinePicture;

// Calls `draw` for each step whose unknown the step's equation contains.
static void for_each_use(OutlinePicture *p, uint32_t number,
                         void (*draw)(OutlinePicture *p, uint32_t step, uint32_t used))
{
    const Structure *s = p->s;
    const Signature *g = s->signature;
    const StructureStep *step = &s->steps[number];
    for (uint32_t e = g->start[step->equation]; e < g->start[step->equation + 1]; e++) {
        uint32_t top = g->entries[e].order + step->equation_order;
        for (uint32_t o = 0; o <= top; o++) {
            uint32_t used = p->step[p->base[g->entries[e].variable] + o];
            if (used != GRAPH_NONE && signature_has_order(&g->entries[e], step->equation_order, o))
                draw(p, number, used);
        }
    }
}

static OutlinePicture begin_picture(const Structure *s, StringBuilder *out)
{
    const uint32_t n = s->signature->variable_count;
    OutlinePicture p = {.s = s,
                        .base = ARENA_ARRAY(out->arena, n + 1u, uint32_t),
                        .block_of_step = ARENA_ARRAY(out->arena, s->step_count, uint32_t),
                        .out = out,
                        .seen = ARENA_ARRAY(out->arena, s->block_count, uint32_t)};
    for (uint32_t j = 0; j < n; j++)
        p.base[j + 1] = p.base[j] + s->offsets->d[j] + 1;
    p.step = ARENA_ARRAY(out->arena, p.base[n], uint32_t);
    for (uint32_t k = 0; k < p.base[n]; k++)
        p.step[k] = GRAPH_NONE;
    for (uint32_t b = 0; b < s->block_count; b++) {
        for (uint32_t k = s->blocks[b].first; k < s->blocks[b].first + s->blocks[b].size; k++) {
            p.step[p.base[s->steps[k].variable] + s->steps[k].variable_order] = k;
            p.block_of_step[k] = b;
        }
    }
    return p;
}

static void dot_edge(OutlinePicture *p, uint32_t step, uint32_t used)
{
    uint32_t from = p->block_of_step[used], to = p->block_of_step[step];
    if (from == to || p->seen[from] == to + 1)
        return;
    p->seen[from] = to + 1;
    builder_append_format(p->out, "  b%u -> b%u;\n", from + 1, to + 1);
}

static void dot_node(const Structure *s, uint32_t number, StringBuilder *out)
{
    enum { SHOWN = 4 };
    static const char *const shapes[] = {"box", "box3d", "hexagon", "octagon"};
    const StructureBlock *b = &s->blocks[number];
    StringBuilder label = builder_create(out->arena);
    for (uint32_t k = 0; k < b->size && k < SHOWN; k++) {
        builder_append_text(&label, k == 0 ? "" : ", ");
        append_unknown(&label, s, &s->steps[b->first + k]);
    }
    if (b->size > SHOWN)
        builder_append_format(&label, " and %u more", b->size - SHOWN);
    if (b->kind != STRUCTURE_ASSIGNMENT)
        builder_append_format(&label, " (%s %u, torn %u)", outline_kind(b->kind), b->size,
                              structure_torn(b));
    builder_append_format(out, "  b%u [shape=%s,%s label=", number + 1, shapes[b->kind],
                          b->is_needed ? "" : "style=dashed,");
    outline_json_text(out, &label); // quoted as DOT wants it, too
    builder_append_text(out, "];\n");
}

void outline_dot(const Structure *s, StringBuilder *out)
{
    OutlinePicture p = begin_picture(s, out);
    builder_append_text(out, "digraph structure {\n  rankdir=LR;\n  node [fontsize=10];\n");
    for (uint32_t b = 0; b < s->block_count; b++)
        dot_node(s, b, out);
    for (uint32_t k = 0; k < s->step_count; k++)
        for_each_use(&p, k, dot_edge);
    builder_append_text(out, "}\n");
}

static void svg_dot(OutlinePicture *p, uint32_t step, uint32_t used)
{
    builder_append_format(p->out, "M%u.2 %u.2h.6v.6h-.6z", used,
                          step); // the block is seen around it
}

static const char *const block_colours[] = {"#9ecae1", "#a1d99b", "#fdae6b", "#fb9a99"};

// One unit is one cell.
static void svg_matrix(OutlinePicture *p)
{
    const Structure *s = p->s;
    for (uint32_t b = 0; b < s->block_count; b++)
        builder_append_format(p->out,
                              "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/>\n",
                              s->blocks[b].first, s->blocks[b].first, s->blocks[b].size,
                              s->blocks[b].size, block_colours[s->blocks[b].kind]);
    builder_append_text(p->out, "<path fill=\"#333\" d=\"");
    for (uint32_t k = 0; k < s->step_count; k++)
        for_each_use(p, k, svg_dot);
    builder_append_text(p->out, "\"/>\n");
}

enum { CELL = 20, MOST_LABELS = 60, LABEL_LENGTH = 36, LABEL_ROOM = 250, KEY_ROOM = 30 };

// A label, cut where it is long.
static void svg_label(StringBuilder *out, const char *place, const StringBuilder *label)
{
    const String text = builder_string(label);
    builder_append_format(out, "<text %s>", place);
    const size_t shown = utf8_prefix(text.text, text.length, LABEL_LENGTH);
    text_escape_xml(out, text.text, shown);
    builder_append_text(out, shown < text.length ? " ...</text>\n" : "</text>\n");
}

// Equations beside the rows, unknowns above the columns, those that are guessed in italics; what
// the colours mean below.
static void svg_labels(OutlinePicture *p)
{
    const Structure *s = p->s;
    for (uint32_t b = 0; b < s->block_count; b++)
        for (uint32_t k = 0; k < s->blocks[b].size; k++) {
            const uint32_t number = s->blocks[b].first + k;
            const StructureStep *step = &s->steps[number];
            StringBuilder row = builder_create(p->out->arena), column = row;
            char place[160];
            append_equation(&row, s, step->equation);
            append_unknown(&column, s, step);
            builder_append_text(&row, step->equation_order > 0 ? " (differentiated)" : "");
            snprintf(place, sizeof place, "x=\"%d\" y=\"%u\" text-anchor=\"end\"", LABEL_ROOM - 6,
                     p->top + number * CELL + 14);
            svg_label(p->out, place, &row);
            snprintf(place, sizeof place, "transform=\"translate(%u %u) rotate(-90)\"%s",
                     LABEL_ROOM + number * CELL + 14, p->top - 6,
                     k < s->blocks[b].solved ? "" : " font-style=\"italic\"");
            svg_label(p->out, place, &column);
        }
    for (int kind = 0; kind <= STRUCTURE_NONLINEAR; kind++) {
        const uint32_t x = 10 + (uint32_t)kind * 110, y = p->top + s->step_count * CELL + 12;
        builder_append_format(p->out,
                              "<rect x=\"%u\" y=\"%u\" width=\"12\" height=\"12\" fill=\"%s\"/>"
                              "<text x=\"%u\" y=\"%u\">%s</text>\n",
                              x, y, block_colours[kind], x + 18, y + 10,
                              outline_kind((StructureKind)kind));
    }
}

static uint32_t label_room(const Structure *s, Arena *arena)
{
    size_t longest = 1;
    for (uint32_t k = 0; k < s->step_count; k++) {
        StringBuilder label = builder_create(arena);
        append_unknown(&label, s, &s->steps[k]);
        longest = label.length > longest ? label.length : longest;
    }
    return (uint32_t)(longest < LABEL_LENGTH ? longest : LABEL_LENGTH) * 7 + 20;
}

void outline_svg(const Structure *s, StringBuilder *out)
{
    OutlinePicture p = begin_picture(s, out);
    const uint32_t n = s->step_count, side = LABEL_ROOM + n * CELL;
    const uint32_t width = side > 460 ? side : 460;
    const bool has_labels = n <= MOST_LABELS;
    p.top = has_labels ? label_room(s, out->arena) : 0;
    const uint32_t height = p.top + n * CELL + KEY_ROOM;
    builder_append_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" ");
    if (has_labels)
        builder_append_format(out,
                              "width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
                              "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n",
                              width, height, width, height);
    else
        builder_append_format(out, "width=\"800\" height=\"800\" viewBox=\"0 0 %u %u\">\n", n, n);
    builder_append_format(out,
                          "<title>%u equations, %u blocks</title>\n"
                          "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                          n, s->block_count);
    if (has_labels) {
        svg_labels(&p);
        builder_append_format(out, "<g transform=\"translate(%d %u) scale(%d)\">\n", LABEL_ROOM,
                              p.top, CELL);
    }
    svg_matrix(&p);
    builder_append_text(out, has_labels ? "</g>\n</svg>\n" : "</svg>\n");
}
