// SPDX-License-Identifier: MIT
//
// Diagrams: boxes and labels of any graph have places of their own, no arrow crosses a box, and the
// picture says what the graph does.

#include "plot/diagram.h"
#include "plot/layers.h"
#include "plot/xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static Arena *arena;
static jmp_buf exhaustion;

static int set_up(void **state)
{
    (void)state;
    arena = arena_create(NULL);
    if (!arena || setjmp(exhaustion))
        return -1;
    arena_on_exhaustion(arena, &exhaustion);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

typedef struct Box {
    double left, top, right, bottom;
} Box;

static Box node_box(const LayersNode *n)
{
    return (Box){n->x - 0.5 * n->width, n->y - 0.5 * n->height, n->x + 0.5 * n->width,
                 n->y + 0.5 * n->height};
}

static Box label_box(const LayersEdge *e)
{
    return (Box){e->label_x, e->label_y, e->label_x + e->label_width, e->label_y + e->label_height};
}

static void assert_apart(Box a, Box b)
{
    const double rounding = 1e-9;
    assert_true(a.right <= b.left + rounding || b.right <= a.left + rounding ||
                a.bottom <= b.top + rounding || b.bottom <= a.top + rounding);
}

// The curve between two points has its control points at half the height: monotone, so it stays in
// the rectangle of its ends, and that one lies between two rows or is vertical.
static void assert_free(const LayersEdge *e, Box box)
{
    for (size_t i = 1; i < e->point_count; i++) {
        const LayersPoint *a = &e->points[i - 1], *b = &e->points[i];
        const Box piece = {fmin(a->x, b->x), fmin(a->y, b->y), fmax(a->x, b->x), fmax(a->y, b->y)};
        if (b->is_straight)
            assert_true(fabs(a->x - b->x) < 1e-9);
        assert_apart(piece, box);
    }
}

static void assert_placed(const Layers *l)
{
    for (size_t i = 0; i < l->node_count; i++) {
        const Box box = node_box(&l->nodes[i]);
        assert_true(box.left >= -1e-9 && box.right <= l->width + 1e-9);
        assert_true(box.top >= -1e-9 && box.bottom <= l->height + 1e-9);
        for (size_t k = 0; k < i; k++)
            assert_apart(box, node_box(&l->nodes[k]));
    }
    for (size_t e = 0; e < l->edge_count; e++) {
        const LayersEdge *edge = &l->edges[e];
        const LayersPoint *first = &edge->points[0], *last = &edge->points[edge->point_count - 1];
        // From the border of one node to that of the other.
        const Box from = node_box(&l->nodes[edge->from]), to = node_box(&l->nodes[edge->to]);
        assert_true(first->x > from.left && first->x < from.right);
        assert_true(last->x > to.left && last->x < to.right);
        assert_true(fmin(fabs(first->y - from.top), fabs(first->y - from.bottom)) < 1e-9);
        assert_true(fmin(fabs(last->y - to.top), fabs(last->y - to.bottom)) < 1e-9);
        for (size_t i = 0; i < l->node_count; i++) {
            assert_free(edge, node_box(&l->nodes[i]));
            if (edge->label_width > 0.0)
                assert_apart(label_box(edge), node_box(&l->nodes[i]));
        }
        for (size_t k = 0; k < l->edge_count; k++) {
            if (l->edges[k].label_width > 0.0)
                assert_free(edge, label_box(&l->edges[k]));
            if (k < e && edge->label_width > 0.0 && l->edges[k].label_width > 0.0)
                assert_apart(label_box(edge), label_box(&l->edges[k]));
        }
    }
}

static void random_test(void **state)
{
    (void)state;
    enum { MOST_NODES = 12, MOST_EDGES = 24 };
    srand(3);
    for (int round = 0; round < 300; round++) {
        LayersNode nodes[MOST_NODES] = {0};
        LayersEdge edges[MOST_EDGES] = {0};
        Layers l = {.nodes = nodes, .edges = edges, .gap = 10.0};
        l.node_count = 1 + (size_t)(rand() % MOST_NODES);
        for (size_t i = 0; i < l.node_count; i++)
            nodes[i] = (LayersNode){.width = 20 + rand() % 100, .height = 10 + rand() % 60};
        const size_t wanted = l.node_count > 1 ? (size_t)(rand() % MOST_EDGES) : 0;
        while (l.edge_count < wanted) {
            LayersEdge e = {.from = (size_t)rand() % l.node_count,
                            .to = (size_t)rand() % l.node_count};
            if (e.from == e.to)
                continue;
            if (rand() % 3) {
                e.label_width = 10 + rand() % 90;
                e.label_height = 8 + rand() % 20;
            }
            edges[l.edge_count++] = e;
        }
        const ArenaMark mark = arena_mark(arena);
        layers_place(arena, &l);
        assert_placed(&l);
        arena_release(arena, mark);
    }
}

// The name of a state stands in the middle of its box, which is inside of the picture.
static void assert_boxes(const char *svg, size_t count)
{
    double width, x, left, own;
    assert_int_equal(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %lf", &width), 1);
    for (const char *s = svg; count > 0 && (s = strstr(s, "rx=\"5\"")) != NULL; s++, count--) {
        const char *box = s, *name = strstr(s, "<text x=\"");
        while (strncmp(box, "<rect x=\"", 9) != 0)
            box--;
        assert_int_equal(sscanf(box, "<rect x=\"%lf", &left), 1);
        assert_int_equal(sscanf(strstr(box, " width=\""), " width=\"%lf", &own), 1);
        assert_int_equal(sscanf(name, "<text x=\"%lf", &x), 1);
        assert_true(left >= 0.0 && left + own <= width);
        assert_true(fabs(left + 0.5 * own - x) < 0.02); // two decimals are written
    }
    assert_int_equal(count, 0);
}

static void picture_test(void **state)
{
    (void)state;
    const DiagramNode inside[] = {{.label = "slow", .is_initial = true, .count = 1},
                                  {.label = "fast"}};
    const DiagramEdge between[] = {{0, 1, "v > 1", 0}};
    const Diagram inner[] = {{inside, 2, between, 1, true}};
    const DiagramNode nodes[] = {
        {.label = "A & B", .is_initial = true, .count = 3, .inner = inner, .inner_count = 1},
        {.label = "<end>", .note = "1 state\nindex 2", .count = 2}};
    const DiagramEdge edges[] = {
        {0, 1, "x < 0\n(delayed)", 2}, {1, 0, "1: y > 0", 2}, {1, 1, "2: again", 0}};
    const Diagram graph = {nodes, 2, edges, 3, true};
    const DiagramNode picture = {.label = "T", .inner = &graph, .inner_count = 1};
    const String svg = diagram_svg(arena, &picture);
    assert_non_null(svg.text);
    assert_xml(svg.text, svg.length);
    const char *const texts[] = {">A &amp; B  (3)<", ">&lt;end&gt;  (2)<", ">index 2<",
                                 ">x &lt; 0<",       ">(delayed)  (2)<",   ">1: y &gt; 0  (2)<",
                                 ">2: again<",       ">slow  (1)<",        ">v &gt; 1<"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strstr(svg.text, texts[i]))
            fail_msg("no '%s'", texts[i]);
    assert_int_equal(count_of(svg.text, "<circle"), 2);     // initial states
    assert_int_equal(count_of(svg.text, "z\" fill=\""), 6); // heads: of these, and of four edges
    assert_int_equal(count_of(svg.text, "rx=\"5\""), 4);
    assert_boxes(svg.text, 4);
    assert_xml(diagram_svg(arena, &(DiagramNode){0}).text,
               strlen(diagram_svg(arena, &(DiagramNode){0}).text));
}

// The box before a text of a picture: left, top, width, height.
static void box_of(const char *svg, const char *text, double box[4])
{
    const char *s = strstr(svg, text);
    assert_non_null(s);
    while (strncmp(s, "<rect x=\"", 9) != 0)
        s--;
    assert_int_equal(sscanf(s, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf", &box[0],
                            &box[1], &box[2], &box[3]),
                     4);
}

// A state with two machines in it, a tall one and a flat one: both are within its box, whichever
// comes first, beside each other.
static void inner_test(void **state)
{
    (void)state;
    const DiagramNode column[] = {{.label = "one"}, {.label = "two"}, {.label = "three"}};
    const DiagramNode single[] = {{.label = "alone"}};
    const DiagramEdge down[] = {{0, 1, "a", 0}, {1, 2, "b", 0}};
    const Diagram tall = {column, 3, down, 2, true}, flat = {single, 1, NULL, 0, true};
    for (int order = 0; order < 2; order++) {
        const Diagram inner[] = {order ? flat : tall, order ? tall : flat};
        const DiagramNode outer = {.label = "outer", .inner = inner, .inner_count = 2};
        const Diagram graph = {&outer, 1, NULL, 0, true};
        const DiagramNode picture = {.inner = &graph, .inner_count = 1};
        const String svg = diagram_svg(arena, &picture);
        static const char *const names[] = {">one<", ">two<", ">three<", ">alone<"};
        double around[4], box[4][4];
        box_of(svg.text, ">outer<", around);
        for (size_t i = 0; i < 4; i++) {
            box_of(svg.text, names[i], box[i]);
            for (int k = 0; k < 2; k++) {
                assert_true(box[i][k] > around[k]);
                assert_true(box[i][k] + box[i][k + 2] < around[k] + around[k + 2]);
            }
        }
        for (size_t i = 0; i < 3; i++)
            assert_true(order ? box[3][0] + box[3][2] < box[i][0]
                              : box[i][0] + box[i][2] < box[3][0]);
    }
}

// A ring of five with wide and narrow labels, and a shortcut: the long edges go straight down
// beside the nodes, with one bend at each end.
static void ring_test(void **state)
{
    (void)state;
    enum { NODES = 5, EDGES = 6 };
    LayersNode nodes[NODES];
    LayersEdge edges[EDGES] = {{0}};
    for (size_t i = 0; i < NODES; i++) {
        nodes[i] = (LayersNode){.width = 60.0 + 8.0 * (double)i, .height = 20.0};
        edges[i] = (LayersEdge){.from = i,
                                .to = (i + 1) % NODES,
                                .label_width = i == 2 ? 150.0 : 40.0,
                                .label_height = 10.0};
    }
    edges[NODES] = (LayersEdge){.from = 1, .to = 4, .label_width = 50.0, .label_height = 10.0};
    Layers l = {
        .nodes = nodes, .node_count = NODES, .edges = edges, .edge_count = EDGES, .gap = 20.0};
    layers_place(arena, &l);
    for (size_t e = NODES - 1; e < EDGES; e++) {
        const LayersPoint *points = edges[e].points;
        const size_t last = edges[e].point_count - 1;
        for (size_t i = 3; i + 1 < last; i++)
            assert_true(fabs(points[i].x - points[2].x) < 1e-9);
    }
    // Nodes that short edges join are about below each other.
    for (size_t i = 1; i < NODES; i++)
        assert_true(fabs(nodes[i].x - nodes[0].x) < nodes[0].width);
}

// What can be drawn without crossings is, whatever the order it is given in: an edge from the left
// node above leads to the left node below.
static void crossings_test(void **state)
{
    (void)state;
    enum { PAIRS = 4 };
    static const size_t below[][PAIRS] = {{1, 0, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}};
    for (size_t k = 0; k < sizeof below / sizeof *below; k++) {
        LayersNode nodes[2 * PAIRS];
        LayersEdge edges[PAIRS] = {{0}};
        for (size_t i = 0; i < 2 * PAIRS; i++)
            nodes[i] = (LayersNode){.width = 30.0, .height = 20.0};
        for (size_t i = 0; i < PAIRS; i++)
            edges[i] = (LayersEdge){.from = i, .to = PAIRS + below[k][i]};
        Layers l = {.nodes = nodes,
                    .node_count = 2 * PAIRS,
                    .edges = edges,
                    .edge_count = PAIRS,
                    .gap = 20.0};
        layers_place(arena, &l);
        for (size_t i = 0; i < PAIRS; i++)
            for (size_t j = 0; j < i; j++)
                assert_true((nodes[i].x < nodes[j].x) ==
                            (nodes[edges[i].to].x < nodes[edges[j].to].x));
    }
}

static void wrap_test(void **state)
{
    (void)state;
    assert_string_equal(diagram_wrap(arena, "short", 10), "short");
    assert_string_equal(diagram_wrap(arena, "", 10), "");
    assert_string_equal(diagram_wrap(arena, "one two three", 8), "one two\nthree");
    assert_string_equal(diagram_wrap(arena, "abcdefghij", 4), "abcd\nefgh\nij");
    assert_string_equal(diagram_wrap(arena, "a > 1 and b < 2 * c", 14), "a > 1\nand b < 2 * c");
    assert_string_equal(diagram_wrap(arena, "µµµµ", 2), "µµ\nµµ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_test),    cmocka_unit_test(picture_test),
        cmocka_unit_test(inner_test),     cmocka_unit_test(ring_test),
        cmocka_unit_test(crossings_test), cmocka_unit_test(wrap_test),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
