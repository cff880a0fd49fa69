// SPDX-License-Identifier: MIT

#include "plot/diagram.h"

#include "plot/layers.h"
#include "plot/svg.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>

// In font sizes.
static const double padding = 0.8, line_height = 1.3, gap = 2.0, label_gap = 0.5, dot = 0.9,
                    loop = 2.6, note_size = 0.88, margin = 1.2;

// A graph with its layout. The layout's nodes are those of the graph, then the dots of the initial
// ones; its edges are those of the graph between different nodes, then those from the dots.
typedef struct Placed {
    const Diagram *graph;
    Layers layers;
    size_t *edge_of;       // layout's edges: number in the graph, or NO_EDGE
    struct Placed **inner; // per node: its graphs
    double *inner_top;     // per node: where they begin in its box
} Placed;

#define NO_EDGE ((size_t)-1)

static const double font = 8.0; // in pt

// ---------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------

static size_t count_lines(const char *text)
{
    size_t count = text && *text;
    for (; text && *text; text++)
        count += *text == '\n';
    return count;
}

// Line `index` of a text, copied.
static const char *diagram_line_of(Arena *arena, const char *text, size_t index)
{
    for (; index > 0; index--)
        text = strchr(text, '\n') + 1;
    return arena_copy_text(arena, text, strcspn(text, "\n"));
}

static double text_width(Arena *arena, const char *text, double size)
{
    double widest = 0.0;
    for (size_t i = 0; i < count_lines(text); i++)
        widest = fmax(widest, svg_text_width(diagram_line_of(arena, text, i), size));
    return widest;
}

static void draw_lines(StringBuilder *out, const char *text, double x, double y, double size,
                       SvgAnchor anchor, const char *attributes)
{
    for (size_t i = 0; i < count_lines(text); i++)
        svg_text(out, x, y + ((double)i + 0.95) * line_height * size, size, anchor,
                 diagram_line_of(out->arena, text, i), attributes);
}

// An edge's label with how often it was taken.
static const char *edge_text(Arena *arena, const Diagram *g, const DiagramEdge *e)
{
    if (!g->has_run || e->count == 0)
        return e->label;
    StringBuilder b = builder_create(arena);
    builder_append_format(&b, "%s%s(%ld)", e->label ? e->label : "", e->label ? "  " : "",
                          e->count);
    return b.text;
}

static const char *node_text(Arena *arena, const Diagram *g, const DiagramNode *n)
{
    if (!g->has_run || n->count == 0)
        return n->label;
    StringBuilder b = builder_create(arena);
    builder_append_format(&b, "%s  (%ld)", n->label, n->count);
    return b.text;
}

// Before "and" and "or" is the best place to break a condition.
static bool is_joint(const char *blank)
{
    return strncmp(blank, " and ", 5) == 0 || strncmp(blank, " or ", 4) == 0;
}

const char *diagram_wrap(Arena *arena, const char *text, size_t width)
{
    StringBuilder out = builder_create(arena);
    const size_t length = strlen(text);
    size_t begin = 0;
    while (begin < length) {
        size_t end = begin, characters = 0, blank = 0;
        while (end < length && characters < width) {
            if (text[end] == ' ' &&
                (blank <= begin || !is_joint(text + blank) || is_joint(text + end)))
                blank = end;
            const size_t step = utf8_length(text + end, length - end);
            end += step ? step : 1;
            characters++;
        }
        if (end < length && text[end] != ' ' && blank > begin)
            end = blank;
        if (out.length)
            builder_append_character(&out, '\n');
        builder_append(&out, text + begin, end - begin);
        begin = end;
        while (begin < length && text[begin] == ' ')
            begin++;
    }
    return builder_string(&out).text;
}

// ---------------------------------------------------------------------------
// Layout
// ---------------------------------------------------------------------------

static Placed *place_graph(Arena *arena, const Diagram *g);

static void measure_node(Arena *arena, Placed *p, size_t i)
{
    const DiagramNode *n = &p->graph->nodes[i];
    LayersNode *box = &p->layers.nodes[i];
    const double f = font;
    double width = svg_text_width(node_text(arena, p->graph, n), f);
    double height = line_height * f;
    if (n->note) {
        width = fmax(width, text_width(arena, n->note, note_size * f));
        height += (double)count_lines(n->note) * line_height * note_size * f;
    }
    if (n->inner_count) {
        double inner_width = 0.0, inner_height = 0.0;
        p->inner[i] = ARENA_ARRAY(arena, n->inner_count, Placed);
        for (size_t k = 0; k < n->inner_count; k++) {
            p->inner[i][k] = *place_graph(arena, &n->inner[k]);
            inner_width += p->inner[i][k].layers.width + (k ? gap * f : 0.0);
            inner_height = fmax(inner_height, p->inner[i][k].layers.height);
        }
        p->inner_top[i] = height + 0.5 * f;
        width = fmax(width, inner_width);
        height += 0.5 * f + inner_height;
    }
    box->width = width + 2.0 * padding * f;
    box->height = height + 1.2 * padding * f;
}

// Arrows of a node to itself stand one below the other at its right.
static double loop_height(Arena *arena, const Diagram *g, const DiagramEdge *e)
{
    return fmax((double)count_lines(edge_text(arena, g, e)) * line_height * font, 1.4 * font) +
           0.6 * font;
}

static void measure_edges(Arena *arena, Placed *p)
{
    const Diagram *g = p->graph;
    double *loops = ARENA_ARRAY(arena, g->node_count, double);
    for (size_t i = 0; i < g->edge_count; i++) {
        const DiagramEdge *e = &g->edges[i];
        const char *text = edge_text(arena, g, e);
        const double width = text_width(arena, text, font);
        if (e->from == e->to) {
            LayersNode *box = &p->layers.nodes[e->from];
            box->extra = fmax(box->extra, width + (loop + label_gap) * font);
            loops[e->from] += loop_height(arena, g, e);
            box->height = fmax(box->height, loops[e->from]);
            continue;
        }
        p->edge_of[p->layers.edge_count] = i;
        p->layers.edges[p->layers.edge_count++] =
            (LayersEdge){.from = e->from,
                         .to = e->to,
                         .label_width = text ? width + label_gap * font : 0.0,
                         .label_height = (double)count_lines(text) * line_height * font};
    }
}

static Placed *place_graph(Arena *arena, const Diagram *g)
{
    Placed *p = ARENA_NEW(arena, Placed);
    p->graph = g;
    p->inner = ARENA_ARRAY(arena, g->node_count, Placed *);
    p->inner_top = ARENA_ARRAY(arena, g->node_count, double);
    p->edge_of = ARENA_ARRAY(arena, g->edge_count + g->node_count, size_t);
    p->layers.nodes = ARENA_ARRAY(arena, 2 * g->node_count, LayersNode);
    p->layers.edges = ARENA_ARRAY(arena, g->edge_count + g->node_count, LayersEdge);
    p->layers.node_count = g->node_count;
    p->layers.gap = gap * font;
    for (size_t i = 0; i < g->node_count; i++)
        measure_node(arena, p, i);
    measure_edges(arena, p);
    for (size_t i = 0; i < g->node_count; i++)
        if (g->nodes[i].is_initial) {
            const size_t dot_node = p->layers.node_count++;
            p->layers.nodes[dot_node] = (LayersNode){.width = dot * font, .height = dot * font};
            p->edge_of[p->layers.edge_count] = NO_EDGE;
            p->layers.edges[p->layers.edge_count++] = (LayersEdge){.from = dot_node, .to = i};
        }
    layers_place(arena, &p->layers);
    return p;
}

// ---------------------------------------------------------------------------
// Drawing
// ---------------------------------------------------------------------------

typedef struct Look {
    const char *colour, *fill;
    const char *width;
} Look;

static Look look_of(const Diagram *g, long count)
{
    if (!g->has_run)
        return (Look){"#000", "#f4f7fa", ".8"};
    return count ? (Look){"#0072b2", "#dcebf5", "1.3"} : (Look){"#999", "#fafafa", ".7"};
}

static void draw_arrow_head(StringBuilder *out, double x, double y, double dx, double dy,
                            const char *colour)
{
    const double size = 0.62 * font, half = 0.24 * font;
    const double points[3][2] = {{x, y},
                                 {x - size * dx - half * dy, y - size * dy + half * dx},
                                 {x - size * dx + half * dy, y - size * dy - half * dx}};
    builder_append_text(out, "<path d=\"");
    for (int i = 0; i < 3; i++) {
        builder_append_character(out, i ? 'L' : 'M');
        svg_number(out, points[i][0]);
        builder_append_character(out, ' ');
        svg_number(out, points[i][1]);
    }
    builder_append_format(out, "z\" fill=\"%s\"/>\n", colour);
}

static void append_place(StringBuilder *out, double x, double y)
{
    builder_append_character(out, ' ');
    svg_number(out, x);
    builder_append_character(out, ' ');
    svg_number(out, y);
}

static void draw_edge(StringBuilder *out, const LayersEdge *e, double x, double y, Look look)
{
    const LayersPoint *last = &e->points[e->point_count - 1];
    const double down = last->y >= e->points[0].y ? 1.0 : -1.0;
    builder_append_format(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"M",
                          look.colour, look.width);
    append_place(out, x + e->points[0].x, y + e->points[0].y);
    for (size_t i = 1; i < e->point_count; i++) {
        const LayersPoint *a = &e->points[i - 1], *b = &e->points[i];
        // The line ends inside the head of the arrow.
        const double end = y + b->y - (b == last ? 0.4 * font * down : 0.0);
        const double middle = y + 0.5 * (a->y + b->y);
        if (b->is_straight) {
            builder_append_character(out, 'L');
        } else {
            builder_append_character(out, 'C');
            append_place(out, x + a->x, middle);
            append_place(out, x + b->x, middle);
        }
        append_place(out, x + b->x, end);
    }
    builder_append_text(out, "\"/>\n");
    draw_arrow_head(out, x + last->x, y + last->y, 0.0, down, look.colour);
}

// An arrow from the right side of a box back to it.
static void draw_loop(StringBuilder *out, double right, double y, double height, Look look)
{
    const double reach = loop * font, a = y + 0.15 * height, b = y + 0.75 * height;
    builder_append_format(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"M",
                          look.colour, look.width);
    append_place(out, right, a);
    builder_append_character(out, 'C');
    append_place(out, right + 1.2 * reach, a);
    append_place(out, right + 1.2 * reach, b);
    append_place(out, right + 0.4 * font, b);
    builder_append_text(out, "\"/>\n");
    draw_arrow_head(out, right, b, -1.0, 0.0, look.colour);
}

static void draw_loops(StringBuilder *out, const Placed *p, size_t node, double right, double top)
{
    const Diagram *g = p->graph;
    double y = top;
    for (size_t i = 0; i < g->edge_count; i++) {
        const DiagramEdge *e = &g->edges[i];
        if (e->from != node || e->to != node)
            continue;
        const double height = loop_height(out->arena, g, e);
        draw_loop(out, right, y, height, look_of(g, e->count));
        draw_lines(out, edge_text(out->arena, g, e), right + loop * font + label_gap * font,
                   y - 0.1 * font, font, SVG_START, "");
        y += height;
    }
}

static void draw_graph(StringBuilder *out, const Placed *p, double x, double y);

static void draw_node(StringBuilder *out, const Placed *p, size_t i, double x, double y)
{
    const DiagramNode *n = &p->graph->nodes[i];
    const LayersNode *box = &p->layers.nodes[i];
    const double left = x + box->x - 0.5 * box->width, top = y + box->y - 0.5 * box->height;
    const Look look = look_of(p->graph, n->count);
    const double f = font, start = top + 0.5 * padding * f;
    StringBuilder attributes = builder_create(out->arena);
    builder_append_format(&attributes, " rx=\"5\" fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\"",
                          n->inner_count ? "#fff" : look.fill, look.colour, look.width);
    if (n->key) {
        builder_append_text(&attributes, " data-state=\"");
        svg_escape(&attributes, n->key, strlen(n->key));
        builder_append_character(&attributes, '"');
    }
    svg_rectangle(out, (SvgRectangle){left, top, box->width, box->height},
                  builder_string(&attributes).text);
    draw_lines(out, node_text(out->arena, p->graph, n), x + box->x, start, f, SVG_MIDDLE,
               " font-weight=\"bold\"");
    draw_lines(out, n->note, x + box->x, start + line_height * f, note_size * f, SVG_MIDDLE,
               " fill=\"#444\"");
    double inner_x = left + padding * f;
    for (size_t k = 0; k < n->inner_count; k++) {
        const Placed *inner = &p->inner[i][k];
        if (k)
            svg_line(out, inner_x - 0.5 * gap * f, top + p->inner_top[i], inner_x - 0.5 * gap * f,
                     top + box->height - 0.3 * f,
                     " stroke=\"#999\" stroke-width=\".6\" stroke-dasharray=\"3 2\"");
        draw_graph(out, inner, inner_x, start + p->inner_top[i]);
        inner_x += inner->layers.width + gap * f;
    }
    draw_loops(out, p, i, left + box->width, top + 0.2 * f);
}

static void draw_graph(StringBuilder *out, const Placed *p, double x, double y)
{
    const Layers *l = &p->layers;
    const Diagram *g = p->graph;
    for (size_t i = 0; i < g->node_count; i++)
        draw_node(out, p, i, x, y);
    for (size_t i = g->node_count; i < l->node_count; i++) {
        builder_append_text(out, "<circle cx=\"");
        svg_number(out, x + l->nodes[i].x);
        builder_append_text(out, "\" cy=\"");
        svg_number(out, y + l->nodes[i].y);
        builder_append_text(out, "\" r=\"");
        svg_number(out, 0.5 * dot * font);
        builder_append_text(out, "\" fill=\"#000\"/>\n");
    }
    for (size_t i = 0; i < l->edge_count; i++) {
        const LayersEdge *e = &l->edges[i];
        if (p->edge_of[i] == NO_EDGE) {
            draw_edge(out, e, x, y, (Look){"#000", "", ".8"});
            continue;
        }
        const DiagramEdge *edge = &g->edges[p->edge_of[i]];
        draw_edge(out, e, x, y, look_of(g, edge->count));
        draw_lines(out, edge_text(out->arena, g, edge), x + e->label_x + label_gap * font,
                   y + e->label_y, font, SVG_START,
                   g->has_run && !edge->count ? " fill=\"#777\"" : "");
    }
}

// ---------------------------------------------------------------------------
// The picture
// ---------------------------------------------------------------------------

static String draw_picture(Arena *arena, Arena *scratch, const void *what)
{
    const DiagramNode *whole = what;
    StringBuilder out = builder_create(scratch);
    Placed **placed = ARENA_ARRAY(scratch, whole->inner_count + 1, Placed *);
    const double head = whole->label ? 2.0 * font : 0.0;
    double width = 2.0 * margin * font, height = 0.0;
    for (size_t i = 0; i < whole->inner_count; i++) {
        placed[i] = place_graph(scratch, &whole->inner[i]);
        width += placed[i]->layers.width + (i ? 2.0 * gap * font : 0.0);
        height = fmax(height, placed[i]->layers.height);
    }
    if (whole->label)
        width = fmax(width, svg_text_width(whole->label, 1.15 * font) * 1.1 + 2.0 * font);
    svg_begin(&out, width, height + head + 2.0 * margin * font, whole->label);
    if (whole->label)
        svg_text(&out, 0.5 * width, (margin + 0.9) * font, 1.15 * font, SVG_MIDDLE, whole->label,
                 " font-weight=\"bold\"");
    double x = margin * font;
    for (size_t i = 0; i < whole->inner_count; i++) {
        if (i)
            svg_line(&out, x - gap * font, head + margin * font, x - gap * font,
                     head + margin * font + height,
                     " stroke=\"#999\" stroke-width=\".6\" stroke-dasharray=\"3 2\"");
        draw_graph(&out, placed[i], x, head + margin * font);
        x += placed[i]->layers.width + 2.0 * gap * font;
    }
    svg_end(&out);
    return (String){arena_copy_text(arena, out.text, out.length), out.length};
}

String diagram_svg(Arena *arena, const DiagramNode *whole)
{
    return svg_make(arena, draw_picture, whole);
}
