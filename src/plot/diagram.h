// SPDX-License-Identifier: MIT
//
// Graphs as pictures: boxes and arrows with labels, in layers from top to bottom.
//
// Plain data in, SVG text out, as for figures (see figure.h): a node may contain graphs of its own,
// side by side; an arrow may lead back, or to its own node. No label lies on another one, on a box
// or on a line that is not its own.

#ifndef SALTUS_PLOT_DIAGRAM_H
#define SALTUS_PLOT_DIAGRAM_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Diagram Diagram;

typedef struct DiagramNode {
    const char *label;
    const char *key;  // its box has the attribute data-state with it; NULL: none
    const char *note; // smaller, below it, lines separated by '\n'; NULL: none
    bool is_initial;  // an arrow from a dot leads to it
    long count;       // how often it was entered; 0: never. See Diagram.has_run
    const Diagram *inner;
    size_t inner_count; // graphs inside
} DiagramNode;

typedef struct DiagramEdge {
    size_t from, to;   // nodes
    const char *label; // lines separated by '\n'; NULL: none
    long count;
} DiagramEdge;

struct Diagram {
    const DiagramNode *nodes;
    size_t node_count;
    const DiagramEdge *edges;
    size_t edge_count;
    bool has_run; // what was never taken is pale, the rest has its count
};

// The inside of a node as a picture, as large as it needs: the graphs side by side, the label as
// title (NULL: none). No string: out of memory.
String diagram_svg(Arena *arena, const DiagramNode *whole);

// A text in lines of at most `width` characters, broken at blanks where there are any,
// before `and` and `or` rather than elsewhere.
const char *diagram_wrap(Arena *arena, const char *text, size_t width);

#endif
