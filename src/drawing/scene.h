// SPDX-License-Identifier: MIT
//
// A scene: all shapes of the diagram layer of a model, in the order in which they are drawn. The
// model's own graphics come first, those of its base classes before; then its components, each with
// the icon of its class and of its connectors; then the connections.
//
// Components without a Placement are put beside each other (see arrange.h), and connections without
// a Line are straight, so that a model without annotations has a picture, too.

#ifndef SALTUS_DRAWING_SCENE_H
#define SALTUS_DRAWING_SCENE_H

#include "drawing/shape.h"

typedef struct Scene {
    DrawingStage *stage; // that it was made on
    Instance *top;
    List shapes; // Shape
    Place *root;
    List arranged;            // Place: of components without a Placement
    Map places;               // Instance -> Place: of components and their connectors
    ShapeBox system;          // of the diagram
    uint32_t graphic_count;   // shapes of the model's own diagram
    uint32_t component_count; // components that are drawn
} Scene;

// The diagram of the model, or, is_icon, its icon.
Scene *scene_create(DrawingStage *stage, Instance *top, bool is_icon);

// A picture of the scene at the present of the stage, as a whole SVG text in the arena.
String scene_svg(DrawingStage *stage, const Scene *scene, Arena *arena, const char *title);

// The opening tag for a picture that shows the box, and what every picture begins with. `title` may
// be NULL.
void scene_begin(StringBuilder *out, ShapeBox box, const char *title);
// What a picture shows: all that was drawn, with a margin; if it moves, at least the coordinate
// system, and at most three times as much.
ShapeBox scene_view(const Scene *scene, ShapeBox drawn, bool is_moving);

#endif
