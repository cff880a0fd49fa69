// SPDX-License-Identifier: MIT

#include "drawing/shape.h"

#include "base/message.h"
#include "drawing/path.h"
#include "drawing/words.h"
#include "plot/svg.h"

#include <math.h>
#include <stdlib.h>

#define ELEMENT_NAME(NAME, name) name,
const char *const element_attribute_names[] = {ELEMENT_ATTRIBUTE_LIST(ELEMENT_NAME)};
#undef ELEMENT_NAME

static const char *const shape_names[SHAPE_KINDS] = {"Line", "Polygon", "Rectangle", "Ellipse",
                                                     "Text"};

static const struct {
    const char *name, *other;
} shape_fields[] = {
#define SHAPE_FIELD_NAMES(NAME, name, other) {name, other},
    SHAPE_FIELD_LIST(SHAPE_FIELD_NAMES)
#undef SHAPE_FIELD_NAMES
};

// ---------------------------------------------------------------------------
// Places
// ---------------------------------------------------------------------------

static ShapeAffine affine_times(ShapeAffine o, ShapeAffine i)
{
    return (ShapeAffine){.a = o.a * i.a + o.c * i.b,
                         .b = o.b * i.a + o.d * i.b,
                         .c = o.a * i.c + o.c * i.d,
                         .d = o.b * i.c + o.d * i.d,
                         .e = o.a * i.e + o.c * i.f + o.e,
                         .f = o.b * i.e + o.d * i.f + o.f};
}

static ShapeAffine shape_turn(DrawingStage *s, Attribute *origin, Attribute *rotation)
{
    const double *o, turn = attribute_number(s, rotation, 0.0) * acos(-1.0) / 180.0;
    size_t count;
    ShapeAffine m = {.a = cos(turn), .b = sin(turn), .c = -sin(turn), .d = cos(turn)};
    if (attribute_numbers(s, origin, 2, &o, &count)) {
        m.e = o[0];
        m.f = o[1];
    }
    return m;
}

// The extent of a transformation is where the coordinate system of the icon goes, relative to the
// origin, around which it is turned (section 18.6.1.1); an extent with x2 < x1 mirrors it.
bool place_affine(DrawingStage *s, Place *p, ShapeAffine *affine)
{
    const double *e, *q = p->system;
    size_t count;
    ShapeAffine outer = {.a = 1.0, .d = 1.0};
    if (p->outer && !place_affine(s, (Place *)p->outer, &outer))
        return false;
    *affine = outer;
    if (!p->outer)
        return true;
    if (!attribute_boolean(s, &p->visible, true))
        return false;
    static const double usual[] = {-100.0, -100.0, 100.0, 100.0};
    if (!attribute_numbers(s, &p->extent, 4, &e, &count))
        e = usual;
    double sx = (e[2] - e[0]) / (q[2] - q[0]), sy = (e[3] - e[1]) / (q[3] - q[1]);
    if (p->keeps_ratio) {
        const double least = fmin(fabs(sx), fabs(sy));
        sx = copysign(least, sx);
        sy = copysign(least, sy);
    }
    const ShapeAffine scale = {.a = sx,
                               .d = sy,
                               .e = 0.5 * (e[0] + e[2]) - 0.5 * sx * (q[0] + q[2]),
                               .f = 0.5 * (e[1] + e[3]) - 0.5 * sy * (q[1] + q[3])};
    *affine = affine_times(affine_times(outer, shape_turn(s, &p->origin, &p->rotation)), scale);
    return true;
}

// ---------------------------------------------------------------------------
// Reading
// ---------------------------------------------------------------------------

Shape *shape_of_fields(DrawingStage *s, ShapeKind kind, Fields fields, Scope scope, Place *place,
                       Instance *instance, uint32_t number)
{
    Shape *shape = ARENA_NEW(s->arena, Shape);
    *shape = (Shape){.kind = kind,
                     .place = place,
                     .instance = instance,
                     .moves = place->moves,
                     .number = number};
    for (int i = 0; i < SHAPE_FIELDS; i++) {
        const Expression *e = fields_find(fields, shape_fields[i].name);
        if (!e && shape_fields[i].other)
            e = fields_find(fields, shape_fields[i].other);
        shape->fields[i] = attribute_create(s, scope, e);
        shape->moves |= shape->fields[i].moves;
    }
    return shape;
}

Shape *shape_create(DrawingStage *s, const Expression *call, Scope scope, Place *place,
                    Instance *instance, uint32_t number)
{
    const Reference *name = call && call->kind == EXPRESSION_CALL ? call->call.function : NULL;
    const char *text =
        name && name->parts[name->count - 1].name ? name->parts[name->count - 1].name->text : NULL;
    for (int i = 0; text && i < SHAPE_KINDS; i++)
        if (strcmp(text, shape_names[i]) == 0)
            return shape_of_fields(s, (ShapeKind)i, (Fields){.call = call}, scope, place, instance,
                                   number);
    char *message = NULL;
    if (text && strcmp(text, "Bitmap") == 0)
        message_set(&message, "Bitmap is not supported, the drawing is without it");
    else
        message_set(&message, "Line, Polygon, Rectangle, Ellipse or Text is expected here%s%s%s",
                    text ? ", not '" : "", text ? text : "", text ? "'" : "");
    if (call && call->kind != EXPRESSION_ERROR)
        attribute_warn(s, call->span, message_text(message));
    free(message);
    return NULL;
}

// ---------------------------------------------------------------------------
// Lines and colours
// ---------------------------------------------------------------------------

typedef struct ShapePen {
    DrawingStage *stage;
    Shape *shape;
    Arena *arena;
    ShapeAffine affine;
    SvgElement *elements;
    size_t count;
    const char *visibility; // NULL: visible
    ShapeBox *box;
} ShapePen;

static const char *pen_number(const ShapePen *p, double x)
{
    StringBuilder b = builder_create(p->arena);
    svg_number(&b, x);
    return builder_string(&b).text;
}

// A colour as text, of which a share is white (positive) or black (negative).
static const char *pen_shade(const ShapePen *p, ShapeField field, double share)
{
    const double *numbers;
    size_t count;
    double c[3] = {0.0, 0.0, 0.0};
    if (attribute_numbers(p->stage, &p->shape->fields[field], 3, &numbers, &count))
        for (int i = 0; i < 3; i++)
            c[i] = isfinite(numbers[i]) ? fmin(fmax(numbers[i], 0.0), 255.0) : 0.0;
    for (int i = 0; i < 3; i++)
        c[i] = share > 0.0 ? c[i] + share * (255.0 - c[i]) : c[i] * (1.0 + share);
    StringBuilder b = builder_create(p->arena);
    builder_append_format(&b, "#%02x%02x%02x", (unsigned)lround(c[0]), (unsigned)lround(c[1]),
                          (unsigned)lround(c[2]));
    return builder_string(&b).text;
}

static const char *pen_colour(const ShapePen *p, ShapeField field)
{
    return pen_shade(p, field, 0.0);
}

static SvgElement *pen_element(ShapePen *p, const char *tag)
{
    SvgElement *e = &p->elements[p->count++];
    *e = (SvgElement){.tag = tag};
    if (p->visibility && strcmp(tag, "path") == 0)
        e->values[ELEMENT_VISIBILITY] = p->visibility;
    else if (strcmp(tag, "path") == 0)
        e->values[ELEMENT_VISIBILITY] = "visible";
    return e;
}

static void pen_stroke(const ShapePen *p, SvgElement *e)
{
    static const struct {
        const char *pattern;
        double dashes[6];
        int count;
    } patterns[] = {{"Dash", {3.0, 1.6}, 2},
                    {"Dot", {0.6, 1.2}, 2},
                    {"DashDot", {3.0, 1.2, 0.6, 1.2}, 4},
                    {"DashDotDot", {3.0, 1.2, 0.6, 1.2, 0.6, 1.2}, 6}};
    Shape *shape = p->shape;
    const char *pattern = attribute_word(p->stage, &shape->fields[SHAPE_PATTERN], 0, "Solid");
    const double thickness = attribute_number(p->stage, &shape->fields[SHAPE_THICKNESS], 0.25);
    const double width = 1.6 * (isfinite(thickness) ? fmin(fmax(thickness, 0.1), 100.0) : 0.25);
    const bool is_none = strcmp(pattern, "None") == 0;
    e->values[ELEMENT_STROKE] = is_none ? "none" : pen_colour(p, SHAPE_LINE_COLOR);
    e->values[ELEMENT_WIDTH] = pen_number(p, width);
    e->values[ELEMENT_JOIN] = "round";
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        if (strcmp(pattern, patterns[i].pattern) != 0)
            continue;
        StringBuilder b = builder_create(p->arena);
        for (int k = 0; k < patterns[i].count; k++) {
            builder_append_text(&b, k ? " " : "");
            svg_number(&b, patterns[i].dashes[k] * fmax(1.0, width));
        }
        e->values[ELEMENT_DASHES] = builder_string(&b).text;
    }
}

// ---------------------------------------------------------------------------
// Fills
// ---------------------------------------------------------------------------

static const char *pen_id(const ShapePen *p)
{
    StringBuilder b = builder_create(p->arena);
    builder_append_format(&b, "fill-%u", (unsigned)p->shape->number);
    return builder_string(&b).text;
}

static const char *pen_turned(const ShapePen *p, double turn, bool is_box)
{
    StringBuilder b = builder_create(p->arena);
    builder_append_text(&b, "rotate(");
    svg_number(&b, turn);
    builder_append_text(&b, is_box ? " .5 .5)" : ")");
    return builder_string(&b).text;
}

// Cylinders and spheres: from the colour of the line at the edge to that of the fill inside.
static void pen_gradient(ShapePen *p, bool is_sphere, bool is_vertical)
{
    SvgElement *e = pen_element(p, is_sphere ? "radialGradient" : "linearGradient");
    StringBuilder b = builder_create(p->arena);
    const char *edge = pen_colour(p, SHAPE_LINE_COLOR);
    const char *middle = pen_colour(p, SHAPE_FILL_COLOR);
    const double turn = -atan2(p->affine.b, p->affine.a) * 180.0 / acos(-1.0);
    e->values[ELEMENT_ID] = pen_id(p);
    if (!is_sphere)
        e->values[ELEMENT_TURN] = pen_turned(p, turn + (is_vertical ? 0.0 : 90.0), true);
    if (!is_sphere)
        builder_append_format(&b, "<stop offset=\"0\" stop-color=\"%s\"/>", edge);
    builder_append_format(&b,
                          "<stop offset=\"%s\" stop-color=\"%s\"/>"
                          "<stop offset=\"1\" stop-color=\"%s\"/>",
                          is_sphere ? "0" : ".5", middle, edge);
    e->values[ELEMENT_CONTENT] = builder_string(&b).text;
}

static void pen_hatch(ShapePen *p, bool is_crossed, double turn)
{
    SvgElement *e = pen_element(p, "pattern");
    StringBuilder b = builder_create(p->arena);
    e->fixed = " patternUnits=\"userSpaceOnUse\" width=\"3\" height=\"3\"";
    e->values[ELEMENT_ID] = pen_id(p);
    e->values[ELEMENT_PATTERN_TURN] = pen_turned(p, turn, false);
    builder_append_format(&b,
                          "<rect width=\"3\" height=\"3\" fill=\"%s\"/><path d=\"M0 1.5H3%s\" "
                          "stroke=\"%s\" stroke-width=\".3\"/>",
                          pen_colour(p, SHAPE_FILL_COLOR), is_crossed ? "M1.5 0V3" : "",
                          pen_colour(p, SHAPE_LINE_COLOR));
    e->values[ELEMENT_CONTENT] = builder_string(&b).text;
}

// What `fill` says; gradients and hatches are elements of their own before. A pattern that changes
// in time has none of them, so that the number of elements stays: it is full or not.
static const char *pen_fill(ShapePen *p)
{
    static const struct {
        const char *pattern;
        bool is_crossed;
        double turn;
    } hatches[] = {{"Horizontal", false, 0.0}, {"Vertical", false, 90.0},
                   {"Cross", true, 0.0},       {"Forward", false, 45.0},
                   {"Backward", false, -45.0}, {"CrossDiag", true, 45.0}};
    Attribute *field = &p->shape->fields[SHAPE_FILL_PATTERN];
    const char *pattern = attribute_word(p->stage, field, 0, "None");
    const char *plain = pen_colour(p, SHAPE_FILL_COLOR);
    if (strcmp(pattern, "None") == 0)
        return "none";
    if (strcmp(pattern, "Solid") == 0 || field->moves)
        return plain;
    const size_t before = p->count;
    const bool is_sphere = strcmp(pattern, "Sphere") == 0;
    const bool is_vertical = strcmp(pattern, "VerticalCylinder") == 0;
    if (is_sphere || is_vertical || strcmp(pattern, "HorizontalCylinder") == 0)
        pen_gradient(p, is_sphere, is_vertical);
    for (size_t i = 0; i < sizeof hatches / sizeof *hatches; i++)
        if (strcmp(pattern, hatches[i].pattern) == 0)
            pen_hatch(p, hatches[i].is_crossed, hatches[i].turn);
    if (p->count == before)
        return plain;
    StringBuilder b = builder_create(p->arena);
    builder_append_format(&b, "url(#%s)", pen_id(p));
    return builder_string(&b).text;
}

// ---------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------

static void pen_path(ShapePen *p, const DrawPath *path, const char *fill)
{
    SvgElement *e = pen_element(p, "path");
    e->values[ELEMENT_D] = path_text(path);
    e->values[ELEMENT_FILL] = fill;
    pen_stroke(p, e);
    if (!path_is_finite(path))
        e->values[ELEMENT_VISIBILITY] = "hidden";
    else if (!p->visibility)
        path_grow_box(path, p->box);
}

static bool pen_points(const ShapePen *p, const double **points, size_t *count)
{
    if (p->shape->points) {
        *points = p->shape->points;
        *count = p->shape->point_count;
        return true;
    }
    if (!attribute_numbers(p->stage, &p->shape->fields[SHAPE_POINTS], 2, points, count))
        return false;
    *count /= 2;
    return true;
}

// arrow = {begin, end}: filled, open or half of an open one.
static void pen_arrow(ShapePen *p, const double *points, size_t count, int end)
{
    Attribute *field = &p->shape->fields[SHAPE_ARROW];
    const char *kind = attribute_word(p->stage, field, (size_t)end, "None");
    if (strcmp(kind, "None") == 0 && !field->moves)
        return;
    const double size = attribute_number(p->stage, &p->shape->fields[SHAPE_ARROW_SIZE], 3.0);
    const double *tip = end ? points + 2 * (count - 1) : points;
    const double *from = end ? points + 2 * (count - 2) : points + 2;
    DrawPath path = path_begin(p->arena, p->affine);
    path_arrow(&path, tip, from, size, strcmp(kind, "Half") == 0, strcmp(kind, "Filled") == 0);
    const bool is_filled = strcmp(kind, "Filled") == 0;
    pen_path(p, &path, is_filled ? pen_colour(p, SHAPE_LINE_COLOR) : "none");
    SvgElement *e = &p->elements[p->count - 1];
    e->values[ELEMENT_DASHES] = NULL;
    if (strcmp(kind, "None") == 0)
        e->values[ELEMENT_VISIBILITY] = "hidden";
}

static void pen_line(ShapePen *p, bool is_closed)
{
    const double *points = NULL;
    size_t count = 0;
    if (!pen_points(p, &points, &count))
        count = 0;
    Attribute *smooth = &p->shape->fields[SHAPE_SMOOTH];
    const bool is_smooth =
        p->shape->is_smooth || strcmp(attribute_word(p->stage, smooth, 0, "None"), "Bezier") == 0;
    DrawPath path = path_begin(p->arena, p->affine);
    path_points(&path, points, count, is_smooth, is_closed);
    pen_path(p, &path, is_closed ? pen_fill(p) : "none");
    if (!is_closed && count >= 2) {
        pen_arrow(p, points, count, 0);
        pen_arrow(p, points, count, 1);
    }
}

// Raised and sunken borders: two lines, one lighter and one darker than the fill.
static void pen_border(ShapePen *p, const double *extent)
{
    Attribute *field = &p->shape->fields[SHAPE_BORDER];
    const char *border = attribute_word(p->stage, field, 0, "None");
    const bool is_none = strcmp(border, "None") == 0;
    if (is_none && !field->moves)
        return;
    const bool is_raised = strcmp(border, "Raised") == 0;
    for (int side = 0; side < 2; side++) {
        DrawPath path = path_begin(p->arena, p->affine);
        const double x1 = fmin(extent[0], extent[2]), x2 = fmax(extent[0], extent[2]);
        const double y1 = fmin(extent[1], extent[3]), y2 = fmax(extent[1], extent[3]);
        const double corners[] = {x1, y1, side ? x2 : x1, side ? y1 : y2, x2, y2};
        path_points(&path, corners, 3, false, false);
        pen_path(p, &path, "none");
        SvgElement *e = &p->elements[p->count - 1];
        const double share = (side == 0) == is_raised ? 0.6 : -0.4;
        e->values[ELEMENT_STROKE] = pen_shade(p, SHAPE_FILL_COLOR, share);
        e->values[ELEMENT_WIDTH] = strcmp(border, "Engraved") == 0 ? ".5" : "1";
        if (is_none)
            e->values[ELEMENT_VISIBILITY] = "hidden";
    }
}

static bool pen_extent(const ShapePen *p, double extent[4])
{
    const double *numbers;
    size_t count;
    if (!attribute_numbers(p->stage, &p->shape->fields[SHAPE_EXTENT], 4, &numbers, &count))
        return false;
    memcpy(extent, numbers, 4 * sizeof *extent);
    return true;
}

static void pen_rectangle(ShapePen *p)
{
    double extent[4] = {NAN, NAN, NAN, NAN};
    DrawPath path = path_begin(p->arena, p->affine);
    pen_extent(p, extent);
    path_rectangle(&path, extent, attribute_number(p->stage, &p->shape->fields[SHAPE_RADIUS], 0.0));
    const char *fill = pen_fill(p);
    pen_path(p, &path, fill);
    pen_border(p, extent);
}

static void pen_ellipse(ShapePen *p)
{
    Shape *shape = p->shape;
    double extent[4] = {NAN, NAN, NAN, NAN};
    DrawPath path = path_begin(p->arena, p->affine);
    pen_extent(p, extent);
    const double from = attribute_number(p->stage, &shape->fields[SHAPE_START_ANGLE], 0.0);
    const double to = attribute_number(p->stage, &shape->fields[SHAPE_END_ANGLE], 360.0);
    const bool is_whole = fabs(to - from) >= 360.0;
    const char *closure =
        attribute_word(p->stage, &shape->fields[SHAPE_CLOSURE], 0, is_whole ? "Chord" : "Radial");
    path_ellipse(&path, extent, from, to,
                 strcmp(closure, "None") == 0     ? PATH_OPEN
                 : strcmp(closure, "Radial") == 0 ? PATH_RADIAL
                                                  : PATH_CHORD);
    const char *fill = pen_fill(p);
    pen_path(p, &path, fill);
}

// ---------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------

// How large letters are, without a font size: as the extent allows.
static double text_size(const ShapePen *p, const char *text, double width, double height,
                        double *longest)
{
    double widest = 0.0;
    size_t lines = 0;
    for (const char *line = text; line; lines++) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) : strlen(line);
        widest = fmax(widest, svg_text_width(arena_copy_text(p->arena, line, length), 1.0));
        line = end ? end + 1 : NULL;
    }
    const double points = attribute_number(p->stage, &p->shape->fields[SHAPE_FONT_SIZE], 0.0);
    double size = height > 0.0 ? 0.78 * height / (double)lines : INFINITY;
    if (width > 0.0 && widest > 0.0)
        size = fmin(size, width / widest);
    if (points > 0.0)
        size = 0.3528 * points; // in millimetres
    size = isfinite(size) ? fmin(size, 1e4) : 4.0;
    *longest = widest * size;
    return size;
}

static const char *text_lines(const ShapePen *p, const char *text)
{
    StringBuilder b = builder_create(p->arena);
    size_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == '\n';
    for (const char *line = text; line;) {
        const char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) : strlen(line);
        builder_append_text(&b, "<tspan x=\"0\" dy=\"");
        svg_number(&b, line == text ? 0.35 - 0.575 * (double)(count - 1) : 1.15);
        builder_append_text(&b, "em\">");
        svg_escape(&b, line, length);
        builder_append_text(&b, "</tspan>");
        line = end ? end + 1 : NULL;
    }
    return builder_string(&b).text;
}

static void text_style(const ShapePen *p, SvgElement *e)
{
    Attribute *style = &p->shape->fields[SHAPE_TEXT_STYLE];
    for (size_t i = 0; i < 3; i++) {
        const char *word = attribute_word(p->stage, style, i, "");
        if (strcmp(word, "Bold") == 0)
            e->values[ELEMENT_WEIGHT] = "bold";
        else if (strcmp(word, "Italic") == 0)
            e->values[ELEMENT_STYLE] = "italic";
        else if (strcmp(word, "UnderLine") == 0)
            e->values[ELEMENT_DECORATION] = "underline";
    }
    const char *family = attribute_text(p->stage, &p->shape->fields[SHAPE_FONT_NAME]);
    if (!family || !*family)
        return;
    StringBuilder b = builder_create(p->arena);
    svg_escape(&b, family, strlen(family));
    e->values[ELEMENT_FAMILY] = builder_string(&b).text;
}

// %condition of a transition is what is written there.
static const char *text_condition(const ShapePen *p, const char *text)
{
    const char *place = strstr(text, "%condition");
    const String written = sources_text(p->stage->f->compilation->sources, p->shape->condition);
    StringBuilder b = builder_create(p->arena);
    builder_append(&b, text, (size_t)(place - text));
    builder_append(&b, written.text, written.length);
    builder_append_text(&b, place + strlen("%condition"));
    return builder_string(&b).text;
}

static const char *text_transform(const ShapePen *p, double x, double y, double turn)
{
    StringBuilder b = builder_create(p->arena);
    builder_append_text(&b, "translate(");
    svg_number(&b, x);
    builder_append_text(&b, " ");
    svg_number(&b, -y);
    builder_append_text(&b, ") rotate(");
    svg_number(&b, -turn);
    builder_append_text(&b, ")");
    return builder_string(&b).text;
}

// A text is never upside down or mirrored, however its component is.
static void pen_text(ShapePen *p)
{
    Shape *shape = p->shape;
    double extent[4] = {-10.0, -10.0, 10.0, 10.0};
    const char *written =
        shape->text ? shape->text : attribute_text(p->stage, &shape->fields[SHAPE_STRING]);
    const char *text =
        words_replace(p->stage, p->arena, shape->instance, written ? written : "", &shape->moves);
    if (span_is_known(shape->condition) && strstr(text, "%condition"))
        text = text_condition(p, text);
    const bool has_extent = pen_extent(p, extent);
    const ShapeAffine m = p->affine;
    const double across = hypot(m.a, m.b), up = hypot(m.c, m.d);
    const double width = fabs(extent[2] - extent[0]) * across;
    const double height = fabs(extent[3] - extent[1]) * up;
    double turn = atan2(m.b, m.a) * 180.0 / acos(-1.0);
    turn = turn > 90.001 ? turn - 180.0 : turn < -89.999 ? turn + 180.0 : turn;
    const char *alignment = attribute_word(p->stage, &shape->fields[SHAPE_ALIGNMENT], 0, "Center");
    const double aside = strcmp(alignment, "Left") == 0    ? -0.5 * width
                         : strcmp(alignment, "Right") == 0 ? 0.5 * width
                                                           : 0.0;
    const double cx = 0.5 * (extent[0] + extent[2]), cy = 0.5 * (extent[1] + extent[3]);
    const double radians = turn * acos(-1.0) / 180.0;
    const double x = m.a * cx + m.c * cy + m.e + aside * cos(radians);
    const double y = m.b * cx + m.d * cy + m.f + aside * sin(radians);
    double longest;
    const double size = text_size(p, text, width, has_extent ? height : 5.0, &longest);
    SvgElement *e = pen_element(p, "text");
    e->values[ELEMENT_TRANSFORM] = text_transform(p, x, y, turn);
    e->values[ELEMENT_FONT_SIZE] = pen_number(p, size);
    e->values[ELEMENT_ANCHOR] = aside < 0.0 ? "start" : aside > 0.0 ? "end" : "middle";
    e->values[ELEMENT_FILL] =
        pen_colour(p, shape->fields[SHAPE_TEXT_COLOR].source ? SHAPE_TEXT_COLOR : SHAPE_LINE_COLOR);
    e->values[ELEMENT_VISIBILITY] =
        p->visibility || !isfinite(x) || !isfinite(y) || !isfinite(size) ? "hidden" : "visible";
    text_style(p, e);
    e->values[ELEMENT_CONTENT] = text_lines(p, text);
    const double from = aside < 0.0 ? 0.0 : aside > 0.0 ? -longest : -0.5 * longest;
    if (strcmp(e->values[ELEMENT_VISIBILITY], "visible") == 0 && *text)
        for (int end = 0; end < 2; end++) {
            const double along = from + end * longest;
            path_grow_point(p->box, x + along * cos(radians), y + along * sin(radians), 0.5 * size);
        }
}

// ---------------------------------------------------------------------------
// Elements
// ---------------------------------------------------------------------------

size_t shape_elements(DrawingStage *s, Shape *shape, Arena *arena, SvgElement *elements,
                      ShapeBox *box)
{
    ShapePen p = {.stage = s, .shape = shape, .arena = arena, .elements = elements, .box = box};
    const ArenaMark mark = arena_mark(s->f->scratch);
    const bool is_there = place_affine(s, shape->place, &p.affine);
    if (!is_there)
        p.affine = (ShapeAffine){.a = 1.0, .d = 1.0};
    p.affine = affine_times(
        p.affine, shape_turn(s, &shape->fields[SHAPE_ORIGIN], &shape->fields[SHAPE_ROTATION]));
    if (!is_there || !attribute_boolean(s, &shape->fields[SHAPE_VISIBLE], true))
        p.visibility = "hidden";
    switch (shape->kind) {
    case SHAPE_LINE:
    case SHAPE_POLYGON:
        pen_line(&p, shape->kind == SHAPE_POLYGON);
        break;
    case SHAPE_RECTANGLE:
        pen_rectangle(&p);
        break;
    case SHAPE_ELLIPSE:
        pen_ellipse(&p);
        break;
    default:
        pen_text(&p);
    }
    arena_release(s->f->scratch, mark);
    return p.count;
}

void element_write(StringBuilder *out, const SvgElement *e, const char *inside)
{
    builder_append_format(out, "<%s%s", e->tag, e->fixed ? e->fixed : "");
    for (int i = 0; i < ELEMENT_CONTENT; i++)
        if (e->values[i] && !(i == ELEMENT_VISIBILITY && strcmp(e->values[i], "visible") == 0))
            builder_append_format(out, " %s=\"%s\"", element_attribute_names[i], e->values[i]);
    const char *content = e->values[ELEMENT_CONTENT];
    if (content || (inside && *inside))
        builder_append_format(out, ">%s%s</%s>\n", content ? content : "", inside ? inside : "",
                              e->tag);
    else
        builder_append_text(out, "/>\n");
}
