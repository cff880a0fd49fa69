// SPDX-License-Identifier: MIT

#include "plot/layers.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What stands in a layer: a node, or a piece of an edge (which may have its label beside it).
typedef struct LayersItem {
    double left, right, height; // extents from its place, which is where edges pass
    double x, wanted, weight;   // place; where it would like to be, and how much
    bool is_long;               // a piece of an edge that passes other nodes
    size_t layer, order;
    size_t *up, *down; // neighbours in the layers above and below
    size_t up_count, down_count;
} LayersItem;

typedef struct LayersWork {
    Arena *arena;
    Layers *l;
    size_t *rank;      // of the nodes
    bool *is_turned;   // of the edges
    LayersItem *items; // nodes first
    size_t item_count; //
    size_t **chains;   // of the edges: their items, downwards
    size_t layer_count;
    size_t **rows; // items of the layers, in order
    size_t *row_count;
    double *row_y, *row_height;
} LayersWork;

// Nodes stand below those that short edges lead from so much more than long edges are near them.
#define STRAIGHT 8.0

enum { SWEEPS = 12, NOWHERE = 0, ON_PATH = 1, DONE = 2 };

// ---------------------------------------------------------------------------
// Cycles and ranks
// ---------------------------------------------------------------------------

// Depth first, with a stack of its own: an edge to a node on the path is turned around.
static void turn_edges_from(LayersWork *w, size_t start, unsigned char *state, size_t *stack,
                            size_t *next)
{
    size_t depth = 0;
    stack[depth++] = start;
    state[start] = ON_PATH;
    next[start] = 0;
    while (depth) {
        const size_t node = stack[depth - 1];
        if (next[node] == w->l->edge_count) {
            state[node] = DONE;
            depth--;
            continue;
        }
        const size_t e = next[node]++;
        const LayersEdge *edge = &w->l->edges[e];
        if (edge->from != node)
            continue;
        if (state[edge->to] == ON_PATH) {
            w->is_turned[e] = true;
        } else if (state[edge->to] == NOWHERE) {
            state[edge->to] = ON_PATH;
            next[edge->to] = 0;
            stack[depth++] = edge->to;
        }
    }
}

static void turn_edges(LayersWork *w)
{
    const size_t n = w->l->node_count;
    unsigned char *state = ARENA_ARRAY(w->arena, n, unsigned char);
    size_t *stack = ARENA_ARRAY(w->arena, n, size_t), *next = ARENA_ARRAY(w->arena, n, size_t);
    for (size_t i = 0; i < n; i++)
        if (state[i] == NOWHERE)
            turn_edges_from(w, i, state, stack, next);
}

static size_t top_of(const LayersWork *w, size_t e)
{
    return w->is_turned[e] ? w->l->edges[e].to : w->l->edges[e].from;
}

static size_t bottom_of(const LayersWork *w, size_t e)
{
    return w->is_turned[e] ? w->l->edges[e].from : w->l->edges[e].to;
}

static void rank_nodes(LayersWork *w)
{
    // Without cycles the longest path is found after at most as many rounds as there are nodes.
    for (size_t round = 0; round <= w->l->node_count; round++) {
        bool is_changed = false;
        for (size_t e = 0; e < w->l->edge_count; e++)
            if (w->rank[bottom_of(w, e)] < w->rank[top_of(w, e)] + 1) {
                w->rank[bottom_of(w, e)] = w->rank[top_of(w, e)] + 1;
                is_changed = true;
            }
        if (!is_changed)
            return;
    }
}

// ---------------------------------------------------------------------------
// Items
// ---------------------------------------------------------------------------

// Nodes are in even layers, labels in odd ones.
static void make_chain(LayersWork *w, size_t e)
{
    const LayersEdge *edge = &w->l->edges[e];
    const size_t first = 2 * w->rank[top_of(w, e)] + 1, end = 2 * w->rank[bottom_of(w, e)];
    const size_t middle = (first + (end - first) / 2) | 1;
    w->chains[e] = ARENA_ARRAY(w->arena, end - first, size_t);
    const bool is_long = end - first > 1;
    for (size_t layer = first; layer < end; layer++) {
        const bool has_label = layer == middle && edge->label_width > 0.0;
        w->chains[e][layer - first] = w->item_count;
        w->items[w->item_count++] = (LayersItem){.left = 1.0,
                                                 .right = has_label ? edge->label_width : 1.0,
                                                 .height = has_label ? edge->label_height : 0.0,
                                                 .weight = is_long ? 1.0 : STRAIGHT,
                                                 .is_long = is_long,
                                                 .layer = layer};
    }
}

static size_t chain_length(const LayersWork *w, size_t e)
{
    return 2 * (w->rank[bottom_of(w, e)] - w->rank[top_of(w, e)]) - 1;
}

static void make_items(LayersWork *w)
{
    size_t count = w->l->node_count;
    for (size_t e = 0; e < w->l->edge_count; e++)
        count += chain_length(w, e);
    w->items = ARENA_ARRAY(w->arena, count, LayersItem);
    for (size_t i = 0; i < w->l->node_count; i++) {
        const LayersNode *node = &w->l->nodes[i];
        w->items[i] = (LayersItem){.left = 0.5 * node->width,
                                   .right = 0.5 * node->width + node->extra,
                                   .height = node->height,
                                   .weight = STRAIGHT,
                                   .layer = 2 * w->rank[i]};
    }
    w->item_count = w->l->node_count;
    w->chains = ARENA_ARRAY(w->arena, w->l->edge_count, size_t *);
    for (size_t e = 0; e < w->l->edge_count; e++)
        make_chain(w, e);
}

static void link(LayersWork *w, size_t upper, size_t lower, bool is_counting)
{
    LayersItem *a = &w->items[upper], *b = &w->items[lower];
    if (!is_counting) {
        a->down[a->down_count] = lower;
        b->up[b->up_count] = upper;
    }
    a->down_count++;
    b->up_count++;
}

static void link_all(LayersWork *w, bool is_counting)
{
    for (size_t e = 0; e < w->l->edge_count; e++) {
        const size_t length = chain_length(w, e);
        size_t above = top_of(w, e);
        for (size_t i = 0; i < length; i++) {
            link(w, above, w->chains[e][i], is_counting);
            above = w->chains[e][i];
        }
        link(w, above, bottom_of(w, e), is_counting);
    }
}

static void link_items(LayersWork *w)
{
    link_all(w, true);
    for (size_t i = 0; i < w->item_count; i++) {
        LayersItem *item = &w->items[i];
        item->up = ARENA_ARRAY(w->arena, item->up_count, size_t);
        item->down = ARENA_ARRAY(w->arena, item->down_count, size_t);
        item->up_count = item->down_count = 0;
    }
    link_all(w, false);
}

static void fill_rows(LayersWork *w)
{
    for (size_t i = 0; i < w->item_count; i++)
        if (w->items[i].layer + 1 > w->layer_count)
            w->layer_count = w->items[i].layer + 1;
    w->rows = ARENA_ARRAY(w->arena, w->layer_count, size_t *);
    w->row_count = ARENA_ARRAY(w->arena, w->layer_count, size_t);
    for (size_t i = 0; i < w->item_count; i++)
        w->row_count[w->items[i].layer]++;
    for (size_t r = 0; r < w->layer_count; r++) {
        w->rows[r] = ARENA_ARRAY(w->arena, w->row_count[r], size_t);
        w->row_count[r] = 0;
    }
    for (size_t i = 0; i < w->item_count; i++) {
        LayersItem *item = &w->items[i];
        item->order = w->row_count[item->layer];
        w->rows[item->layer][w->row_count[item->layer]++] = i;
    }
}

// ---------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------

// Sorts a row by the means of its neighbours' places in the row before (insertion: stable, and rows
// are short).
static void sort_row(LayersWork *w, size_t r, bool is_down)
{
    size_t *row = w->rows[r];
    for (size_t i = 0; i < w->row_count[r]; i++) {
        LayersItem *item = &w->items[row[i]];
        const size_t *near = is_down ? item->up : item->down;
        const size_t count = is_down ? item->up_count : item->down_count;
        double sum = 0.0;
        for (size_t k = 0; k < count; k++)
            sum += (double)w->items[near[k]].order;
        item->wanted = count ? sum / (double)count : (double)item->order;
    }
    for (size_t i = 1; i < w->row_count[r]; i++)
        for (size_t k = i; k > 0 && w->items[row[k]].wanted < w->items[row[k - 1]].wanted; k--) {
            const size_t swap = row[k];
            row[k] = row[k - 1];
            row[k - 1] = swap;
        }
    for (size_t i = 0; i < w->row_count[r]; i++)
        w->items[row[i]].order = i;
}

static size_t count_crossings_below(const LayersWork *w, size_t r)
{
    size_t count = 0;
    for (size_t i = 0; i < w->row_count[r]; i++)
        for (size_t k = i + 1; k < w->row_count[r]; k++) {
            const LayersItem *a = &w->items[w->rows[r][i]], *b = &w->items[w->rows[r][k]];
            for (size_t p = 0; p < a->down_count; p++)
                for (size_t q = 0; q < b->down_count; q++)
                    count += w->items[a->down[p]].order > w->items[b->down[q]].order;
        }
    return count;
}

static size_t count_crossings(const LayersWork *w)
{
    size_t count = 0;
    for (size_t r = 0; r + 1 < w->layer_count; r++)
        count += count_crossings_below(w, r);
    return count;
}

static void keep_order(const LayersWork *w, size_t *kept)
{
    for (size_t i = 0; i < w->item_count; i++)
        kept[i] = w->items[i].order;
}

static void layers_order_rows(LayersWork *w)
{
    size_t *best = ARENA_ARRAY(w->arena, w->item_count, size_t), least = count_crossings(w);
    keep_order(w, best);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const bool is_down = sweep % 2 == 0;
        for (size_t k = 1; k < w->layer_count; k++)
            sort_row(w, is_down ? k : w->layer_count - 1 - k, is_down);
        const size_t crossings = count_crossings(w);
        if (crossings < least) {
            least = crossings;
            keep_order(w, best);
        }
    }
    for (size_t i = 0; i < w->item_count; i++) {
        w->items[i].order = best[i];
        w->rows[w->items[i].layer][best[i]] = i;
    }
}

// ---------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------

static double separation(const LayersWork *w, const LayersItem *a, const LayersItem *b)
{
    return a->right + b->left + w->l->gap;
}

// Places a row as near as possible (least squares) to where its items want to be, with their order
// and distances kept: neighbours that are too close become a block with a common shift (pool
// adjacent violators).
static void layers_place_row(LayersWork *w, size_t r)
{
    const size_t n = w->row_count[r], *row = w->rows[r];
    const ArenaMark mark = arena_mark(w->arena);
    double *offset = ARENA_ARRAY(w->arena, n, double), *mean = ARENA_ARRAY(w->arena, n, double),
           *weight = ARENA_ARRAY(w->arena, n, double);
    size_t *size = ARENA_ARRAY(w->arena, n, size_t), blocks = 0;
    for (size_t i = 0; i < n; i++) {
        const LayersItem *item = &w->items[row[i]];
        offset[i] = i ? offset[i - 1] + separation(w, &w->items[row[i - 1]], item) : 0.0;
        mean[blocks] = item->wanted - offset[i];
        weight[blocks] = item->weight;
        size[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
            const double a = weight[blocks - 2], b = weight[blocks - 1];
            mean[blocks - 2] = (a * mean[blocks - 2] + b * mean[blocks - 1]) / (a + b);
            weight[blocks - 2] = a + b;
            size[blocks - 2] += size[blocks - 1];
            blocks--;
        }
    }
    for (size_t block = 0, i = 0; block < blocks; block++)
        for (size_t k = 0; k < size[block]; k++, i++)
            w->items[row[i]].x = mean[block] + offset[i];
    arena_release(w->arena, mark);
}

// The mean of the neighbours; above and below count alike, but long edges hardly pull at nodes.
static double mean_place(const LayersWork *w, const LayersItem *item, bool has_up, bool has_down)
{
    double sum = 0.0, weights = 0.0;
    for (int side = 0; side < 2; side++) {
        const size_t *near = side ? item->down : item->up;
        const size_t count = side ? item->down_count : item->up_count;
        for (size_t k = 0; (side ? has_down : has_up) && k < count; k++) {
            const LayersItem *other = &w->items[near[k]];
            const double weight = other->is_long && !item->is_long ? 1.0 : STRAIGHT;
            sum += weight * other->x;
            weights += weight;
        }
    }
    return weights > 0.0 ? sum / weights : item->x;
}

// Between which places a long edge can be straight: beside nodes and labels, which stay (`is_long`:
// beside other long edges).
static void straight_bounds(const LayersWork *w, size_t e, bool is_long, double *low, double *high)
{
    *low = -INFINITY, *high = INFINITY;
    for (size_t i = 0; i < chain_length(w, e); i++) {
        const LayersItem *item = &w->items[w->chains[e][i]];
        const size_t *row = w->rows[item->layer], count = w->row_count[item->layer];
        const LayersItem *left = item->order ? &w->items[row[item->order - 1]] : NULL;
        const LayersItem *right = item->order + 1 < count ? &w->items[row[item->order + 1]] : NULL;
        if (left && left->is_long == is_long)
            *low = fmax(*low, left->x + separation(w, left, item));
        if (right && right->is_long == is_long)
            *high = fmin(*high, right->x - separation(w, item, right));
    }
}

// Makes long edges straight where there is room. Those that pass nodes at one side only go as far
// out as they must, and move others that are in their way; again and again, until all have.
static void straighten_edges(LayersWork *w)
{
    enum { PASSES = 32 };
    for (size_t pass = 0; pass < w->l->edge_count && pass < PASSES; pass++)
        for (size_t e = 0; e < w->l->edge_count; e++) {
            const size_t length = chain_length(w, e), *chain = w->chains[e];
            double low, high, other_low, other_high, mean = 0.0;
            if (length == 1)
                continue;
            straight_bounds(w, e, false, &low, &high);
            straight_bounds(w, e, true, &other_low, &other_high);
            low = isinf(low) && !isinf(high) ? low : fmax(low, other_low);
            high = isinf(high) ? high : fmin(high, other_high);
            for (size_t i = 0; i < length; i++)
                mean += w->items[chain[i]].x / (double)length;
            for (size_t i = 0; i < length && low <= high; i++)
                w->items[chain[i]].x = fmin(fmax(mean, low), high);
        }
}

static void place_items(LayersWork *w)
{
    for (size_t r = 0; r < w->layer_count; r++) {
        for (size_t i = 0; i < w->row_count[r]; i++)
            w->items[w->rows[r][i]].wanted = 0.0;
        layers_place_row(w, r);
    }
    for (int sweep = 0; sweep < 4 * SWEEPS; sweep++) {
        const bool is_last = sweep >= 3 * SWEEPS;
        for (size_t k = 0; k < w->layer_count; k++) {
            const size_t r = sweep % 2 ? w->layer_count - 1 - k : k;
            for (size_t i = 0; i < w->row_count[r]; i++) {
                LayersItem *item = &w->items[w->rows[r][i]];
                item->wanted =
                    mean_place(w, item, is_last || sweep % 2 == 0, is_last || sweep % 2 == 1);
            }
            layers_place_row(w, r);
        }
    }
    straighten_edges(w);
    // What is too close all the same moves apart.
    for (size_t r = 0; r < w->layer_count; r++) {
        for (size_t i = 0; i < w->row_count[r]; i++)
            w->items[w->rows[r][i]].wanted = w->items[w->rows[r][i]].x;
        layers_place_row(w, r);
    }
}

static void stack_rows(LayersWork *w)
{
    w->row_y = ARENA_ARRAY(w->arena, w->layer_count, double);
    w->row_height = ARENA_ARRAY(w->arena, w->layer_count, double);
    double y = 0.0;
    for (size_t r = 0; r < w->layer_count; r++) {
        for (size_t i = 0; i < w->row_count[r]; i++)
            w->row_height[r] = fmax(w->row_height[r], w->items[w->rows[r][i]].height);
        w->row_y[r] = y;
        y += w->row_height[r] + w->l->gap;
    }
    w->l->height = y - w->l->gap;
}

// ---------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------

// The edges at one side of a node get places along it, in the order of where they go.
static double port(const LayersWork *w, size_t node, size_t neighbour, bool is_below)
{
    const LayersItem *item = &w->items[node];
    const size_t *near = is_below ? item->down : item->up;
    const size_t count = is_below ? item->down_count : item->up_count;
    size_t before = 0;
    for (size_t k = 0; k < count; k++)
        before += w->items[near[k]].order < w->items[neighbour].order;
    const double spread = fmin(0.8 * 2.0 * item->left, 1.5 * w->l->gap * (double)count);
    return item->x + spread * (((double)before + 0.5) / (double)count - 0.5);
}

static void add_point(LayersEdge *edge, double x, double y, bool is_straight)
{
    edge->points[edge->point_count++] = (LayersPoint){x, y, is_straight};
}

static void trace_edge(LayersWork *w, size_t e)
{
    LayersEdge *edge = &w->l->edges[e];
    const size_t length = chain_length(w, e), top = top_of(w, e), bottom = bottom_of(w, e);
    const size_t *chain = w->chains[e];
    edge->points = ARENA_ARRAY(w->arena, 2 * length + 4, LayersPoint);
    const LayersItem *upper = &w->items[top], *lower = &w->items[bottom];
    const double start = port(w, top, chain[0], true);
    const double end = port(w, bottom, chain[length - 1], false);
    const size_t a = upper->layer, b = lower->layer;
    // Nodes are centred in their rows: go straight to the row's border first.
    add_point(edge, start, w->row_y[a] + 0.5 * (w->row_height[a] + upper->height), false);
    add_point(edge, start, w->row_y[a] + w->row_height[a], true);
    for (size_t i = 0; i < length; i++) {
        const LayersItem *item = &w->items[chain[i]];
        add_point(edge, item->x, w->row_y[item->layer], false);
        add_point(edge, item->x, w->row_y[item->layer] + w->row_height[item->layer], true);
        if (item->height > 0.0) {
            edge->label_x = item->x;
            edge->label_y =
                w->row_y[item->layer] + 0.5 * (w->row_height[item->layer] - item->height);
        }
    }
    add_point(edge, end, w->row_y[b], false);
    add_point(edge, end, w->row_y[b] + 0.5 * (w->row_height[b] - lower->height), true);
    if (!w->is_turned[e])
        return;
    // Backwards; "straight" belongs to the piece between two points.
    for (size_t i = 0, k = edge->point_count - 1; i < k; i++, k--) {
        const LayersPoint swap = edge->points[i];
        edge->points[i] = edge->points[k];
        edge->points[k] = swap;
    }
    for (size_t i = edge->point_count - 1; i > 0; i--)
        edge->points[i].is_straight = edge->points[i - 1].is_straight;
    edge->points[0].is_straight = false;
}

static void layers_store(LayersWork *w)
{
    Layers *l = w->l;
    double left = INFINITY, right = -INFINITY;
    for (size_t i = 0; i < w->item_count; i++) {
        left = fmin(left, w->items[i].x - w->items[i].left);
        right = fmax(right, w->items[i].x + w->items[i].right);
    }
    for (size_t i = 0; i < w->item_count; i++)
        w->items[i].x -= left;
    l->width = right - left;
    for (size_t i = 0; i < l->node_count; i++) {
        const size_t r = w->items[i].layer;
        l->nodes[i].x = w->items[i].x;
        l->nodes[i].y = w->row_y[r] + 0.5 * w->row_height[r];
    }
    for (size_t e = 0; e < l->edge_count; e++)
        trace_edge(w, e);
}

void layers_place(Arena *arena, Layers *l)
{
    l->width = l->height = 0.0;
    if (l->node_count == 0)
        return;
    LayersWork w = {.arena = arena,
                    .l = l,
                    .rank = ARENA_ARRAY(arena, l->node_count, size_t),
                    .is_turned = ARENA_ARRAY(arena, l->edge_count, bool)};
    turn_edges(&w);
    rank_nodes(&w);
    make_items(&w);
    link_items(&w);
    fill_rows(&w);
    layers_order_rows(&w);
    place_items(&w);
    stack_rows(&w);
    layers_store(&w);
}
