// SPDX-License-Identifier: MIT
//
// The layered layout of a graph (K. Sugiyama, S. Tagawa, M. Toda: Methods for visual understanding
// of hierarchical system structures, IEEE Trans. SMC 11, 1981): edges that close cycles are turned
// around, nodes get layers by the longest path, edges are cut into pieces from layer to layer, the
// order in the layers comes from the means of the neighbours, the places by least squares with the
// distances kept. A label is a piece of its edge with a width: it has its own place in a layer
// between those of the nodes.

#ifndef SALTUS_PLOT_LAYERS_H
#define SALTUS_PLOT_LAYERS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct LayersNode {
    double width, height; // in
    double extra;         // in: room to its right for something else
    double x, y;          // out: the centre
} LayersNode;

typedef struct LayersPoint {
    double x, y;
    bool is_straight; // the edge is vertical from the point before it to here
} LayersPoint;

typedef struct LayersEdge {
    size_t from, to;                  // in; they differ
    double label_width, label_height; // in; 0: none
    double label_x, label_y;          // out: its upper left corner; the edge passes at its left
    LayersPoint *points;              // out: from the border of `from` to that of `to`
    size_t point_count;
} LayersEdge;

typedef struct Layers {
    LayersNode *nodes;
    size_t node_count;
    LayersEdge *edges;
    size_t edge_count;
    double gap;           // in: between neighbours and between layers
    double width, height; // out: all lies in 0 ... width, 0 ... height
} Layers;

// Allocates in the arena, which must have a target for its exhaustion.
void layers_place(Arena *arena, Layers *layers);

#endif
