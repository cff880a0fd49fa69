// SPDX-License-Identifier: MIT
//
// Graphic primitives of the Modelica specification (section 18.6): as they are written in an
// annotation, and as elements of SVG at a moment.
//
// Coordinates are those of the picture, computed here, not by transformations of SVG: lines keep
// their thickness and texts can be read, however a component is turned or scaled. One unit of a
// diagram counts as a millimetre for what is given in that. The y axis of the picture points down.
//
// What always holds: a shape has as many elements, of the same kinds, at any time, so that only
// their attributes change; a shape with a coordinate that is no finite number is not visible.

#ifndef SALTUS_DRAWING_SHAPE_H
#define SALTUS_DRAWING_SHAPE_H

#include "drawing/attribute.h"

typedef enum ShapeKind {
    SHAPE_LINE,
    SHAPE_POLYGON,
    SHAPE_RECTANGLE,
    SHAPE_ELLIPSE,
    SHAPE_TEXT,
    SHAPE_KINDS
} ShapeKind;

// The one list of their fields: X(NAME, name, other name or NULL).
#define SHAPE_FIELD_LIST(X)                                                                        \
    X(VISIBLE, "visible", NULL)                                                                    \
    X(ORIGIN, "origin", NULL)                                                                      \
    X(ROTATION, "rotation", NULL)                                                                  \
    X(LINE_COLOR, "lineColor", "color")                                                            \
    X(FILL_COLOR, "fillColor", NULL)                                                               \
    X(PATTERN, "pattern", NULL)                                                                    \
    X(FILL_PATTERN, "fillPattern", NULL)                                                           \
    X(THICKNESS, "lineThickness", "thickness")                                                     \
    X(POINTS, "points", NULL)                                                                      \
    X(EXTENT, "extent", NULL)                                                                      \
    X(RADIUS, "radius", NULL)                                                                      \
    X(BORDER, "borderPattern", NULL)                                                               \
    X(START_ANGLE, "startAngle", NULL)                                                             \
    X(END_ANGLE, "endAngle", NULL)                                                                 \
    X(CLOSURE, "closure", NULL)                                                                    \
    X(SMOOTH, "smooth", NULL)                                                                      \
    X(ARROW, "arrow", NULL)                                                                        \
    X(ARROW_SIZE, "arrowSize", NULL)                                                               \
    X(STRING, "textString", "string")                                                              \
    X(FONT_SIZE, "fontSize", NULL)                                                                 \
    X(FONT_NAME, "fontName", NULL)                                                                 \
    X(TEXT_STYLE, "textStyle", NULL)                                                               \
    X(TEXT_COLOR, "textColor", NULL)                                                               \
    X(ALIGNMENT, "horizontalAlignment", NULL)

typedef enum ShapeField {
#define SHAPE_FIELD_ENUM(NAME, name, other) SHAPE_##NAME,
    SHAPE_FIELD_LIST(SHAPE_FIELD_ENUM)
#undef SHAPE_FIELD_ENUM
        SHAPE_FIELDS
} ShapeField;

// Where something lies: a component, with the coordinate system of its icon in that of the outer
// one.
typedef struct Place Place;
struct Place {
    const Place *outer; // NULL: the picture
    double system[4];   // x1, y1, x2, y2 of the coordinate system inside
    bool keeps_ratio;   // preserveAspectRatio of it
    bool moves;         // it, or what is around it
    Attribute visible, origin, extent, rotation;
};

// x' = a x + c y + e, y' = b x + d y + f
typedef struct ShapeAffine {
    double a, b, c, d, e, f;
} ShapeAffine;

// From the coordinates inside to those of the picture, still with y upwards. False: not visible.
bool place_affine(DrawingStage *stage, Place *place, ShapeAffine *affine);

typedef struct Shape {
    ShapeKind kind;
    Attribute fields[SHAPE_FIELDS];
    const double *points; // in place of the field: a connection without a line
    size_t point_count;
    bool is_smooth;   // likewise
    const char *text; // in place of the field
    Span condition;   // of a transition, which %condition stands for
    Place *place;
    Instance *instance; // what %name and parameters in texts are of
    bool moves;
    uint32_t number; // makes identifiers
} Shape;

// The one list of attributes of elements.
#define ELEMENT_ATTRIBUTE_LIST(X)                                                                  \
    X(ID, "id")                                                                                    \
    X(D, "d")                                                                                      \
    X(TRANSFORM, "transform")                                                                      \
    X(FILL, "fill")                                                                                \
    X(STROKE, "stroke")                                                                            \
    X(WIDTH, "stroke-width")                                                                       \
    X(DASHES, "stroke-dasharray")                                                                  \
    X(JOIN, "stroke-linejoin")                                                                     \
    X(FONT_SIZE, "font-size")                                                                      \
    X(ANCHOR, "text-anchor")                                                                       \
    X(FAMILY, "font-family")                                                                       \
    X(WEIGHT, "font-weight")                                                                       \
    X(STYLE, "font-style")                                                                         \
    X(DECORATION, "text-decoration")                                                               \
    X(VISIBILITY, "visibility")                                                                    \
    X(TURN, "gradientTransform")                                                                   \
    X(PATTERN_TURN, "patternTransform")                                                            \
    X(CONTENT, NULL)

typedef enum ElementAttribute {
#define ELEMENT_ATTRIBUTE_ENUM(NAME, name) ELEMENT_##NAME,
    ELEMENT_ATTRIBUTE_LIST(ELEMENT_ATTRIBUTE_ENUM)
#undef ELEMENT_ATTRIBUTE_ENUM
        ELEMENT_ATTRIBUTES
} ElementAttribute;

extern const char *const element_attribute_names[];

// Of SVG. Values are escaped; NULL: not given. ELEMENT_CONTENT is what is inside.
typedef struct SvgElement {
    const char *tag, *fixed; // and attributes that never change
    const char *values[ELEMENT_ATTRIBUTES];
} SvgElement;

typedef struct ShapeBox {
    double x1, y1, x2, y2; // of the picture; x1 > x2: empty
} ShapeBox;

enum { SHAPE_MOST_ELEMENTS = 6 };

// The shape of that name. NULL, after a warning: there is none, or it is refused.
Shape *shape_create(DrawingStage *stage, const Expression *call, Scope scope, Place *place,
                    Instance *instance, uint32_t number);
// The same of annotation(Line(...)), with fields in a modification.
Shape *shape_of_fields(DrawingStage *stage, ShapeKind kind, Fields fields, Scope scope,
                       Place *place, Instance *instance, uint32_t number);
// Its elements now, in the arena; how many there are. `box` grows by what is visible.
size_t shape_elements(DrawingStage *stage, Shape *shape, Arena *arena, SvgElement *elements,
                      ShapeBox *box);
// An element as text.
void element_write(StringBuilder *out, const SvgElement *element, const char *inside);

#endif
