// SPDX-License-Identifier: MIT

#include "drawing/scene.h"

#include "plot/svg.h"

#include <math.h>

enum { MOST_SHAPES = 200 * 1000, MOST_DEPTH = 50 };

static void scene_add(Scene *s, Shape *shape)
{
    if (shape && s->shapes.count < MOST_SHAPES)
        list_append(s->stage->arena, &s->shapes, shape);
}

// ---------------------------------------------------------------------------
// Graphics of a class
// ---------------------------------------------------------------------------

// Its own coordinate system, or that of a base class (section 18.6.1.1).
static Fields find_system(const Class *c, const char *layer, unsigned depth)
{
    const Fields own = fields_inside(fields_of_class(c, layer), "coordinateSystem");
    if (fields_are_given(own) || depth > MOST_DEPTH)
        return own;
    for (uint32_t i = 0; i < c->base_count; i++) {
        const Fields found = find_system(c->bases[i].class_, layer, depth + 1);
        if (fields_are_given(found))
            return found;
    }
    return own;
}

static void read_system(Scene *s, Class *c, const char *layer, Place *place)
{
    const Fields system = find_system(c, layer, 0);
    Attribute extent = attribute_create(s->stage, scope_of_class(c), fields_find(system, "extent"));
    Attribute ratio =
        attribute_create(s->stage, scope_of_class(c), fields_find(system, "preserveAspectRatio"));
    static const double usual[] = {-100.0, -100.0, 100.0, 100.0};
    const double *e;
    size_t count;
    if (!attribute_numbers(s->stage, &extent, 4, &e, &count) ||
        !(fabs(e[2] - e[0]) > 1e-9 && fabs(e[3] - e[1]) > 1e-9) ||
        !(fabs(e[0]) + fabs(e[1]) + fabs(e[2]) + fabs(e[3]) < 1e6))
        e = usual;
    for (int i = 0; i < 4; i++)
        place->system[i] = e[i];
    place->keeps_ratio = attribute_boolean(s->stage, &ratio, true);
}

static bool has_graphics(const Class *c, const char *layer, unsigned depth)
{
    const Expression *graphics = fields_find(fields_of_class(c, layer), "graphics");
    if (graphics && graphics->kind == EXPRESSION_ARRAY && graphics->array.count)
        return true;
    for (uint32_t i = 0; i < c->base_count && depth < MOST_DEPTH; i++)
        if (has_graphics(c->bases[i].class_, layer, depth + 1))
            return true;
    return false;
}

// IconMap and DiagramMap of an extends clause may hide what it inherits.
static bool shows_base(Scene *s, const Class *c, const Base *base, const char *layer)
{
    const Description *d = base->element ? base->element->description : NULL;
    const Fields map = fields_of_annotation(d ? d->annotation : NULL,
                                            strcmp(layer, "Icon") == 0 ? "IconMap" : "DiagramMap");
    Attribute visible = attribute_create(s->stage, scope_of_class((Class *)c),
                                         fields_find(map, "primitivesVisible"));
    return attribute_boolean(s->stage, &visible, true);
}

static void add_graphics(Scene *s, Class *c, Instance *instance, const char *layer, Place *place,
                         unsigned depth)
{
    for (uint32_t i = 0; i < c->base_count && depth < MOST_DEPTH; i++)
        if (c->bases[i].class_ && shows_base(s, c, &c->bases[i], layer))
            add_graphics(s, c->bases[i].class_, instance, layer, place, depth + 1);
    const Expression *graphics = fields_find(fields_of_class(c, layer), "graphics");
    if (graphics && graphics->kind != EXPRESSION_ARRAY) {
        attribute_warn(s->stage, graphics->span, "graphics must be an array, {...}");
        return;
    }
    const Scope scope = scope_of_instance(instance, c);
    for (uint32_t i = 0; graphics && i < graphics->array.count; i++)
        scene_add(s, shape_create(s->stage, graphics->array.items[i], scope, place, instance,
                                  s->shapes.count));
}

// ---------------------------------------------------------------------------
// Components
// ---------------------------------------------------------------------------

// What an outer component shows is the inner one; of an array, the first element.
static Instance *shown_instance(Scene *s, Instance *i)
{
    Flattener *f = s->stage->f;
    const DiagnosticsMark mark = diagnostics_mark(f->diagnostics);
    instance_declare(f, i);
    bool is_there = !i->is_absent && !i->is_broken && i->class_;
    if (is_there && i->kind == INSTANCE_OUTER && s->top->stage == INSTANCE_OPEN) {
        Instance *target = instance_target(f, i, i->flat->declared->span);
        i = target && target->class_ ? target : i;
    }
    if (is_there)
        instance_open(f, i);
    is_there = is_there && i->class_ && !(i->kind == INSTANCE_ARRAY && i->count == 0);
    if (is_there && i->kind == INSTANCE_ARRAY) {
        i = &i->children[0];
        instance_open(f, i);
    }
    diagnostics_rewind(f->diagnostics, mark);
    if (!is_there)
        return NULL;
    class_expand(f, i->class_);
    return i;
}

static Place *place_create(Scene *s, const Place *outer, Scope scope, Fields placement,
                           bool is_icon)
{
    DrawingStage *stage = s->stage;
    Place *place = ARENA_NEW(stage->arena, Place);
    Fields transformation = fields_inside(placement, "iconTransformation");
    if (!is_icon || !fields_are_given(transformation))
        transformation = fields_inside(placement, "transformation");
    const char *const visible =
        is_icon && fields_find(placement, "iconVisible") ? "iconVisible" : "visible";
    place->outer = outer;
    place->visible = attribute_create(stage, scope, fields_find(placement, visible));
    place->origin = attribute_create(stage, scope, fields_find(transformation, "origin"));
    place->extent = attribute_create(stage, scope, fields_find(transformation, "extent"));
    place->rotation = attribute_create(stage, scope, fields_find(transformation, "rotation"));
    place->moves = outer->moves || place->visible.moves || place->origin.moves ||
                   place->extent.moves || place->rotation.moves;
    return place;
}

static Fields placement_of(const Instance *i)
{
    const Element *e = i->element ? i->element : i->member ? i->member->element : NULL;
    const Element *own = i->member ? i->member->element : NULL;
    Fields found = {0};
    if (e && e->description)
        found = fields_of_annotation(e->description->annotation, "Placement");
    // A redeclaration has the place of what it replaces.
    if (!fields_are_given(found) && own && own->description)
        found = fields_of_annotation(own->description->annotation, "Placement");
    return found;
}

// A box with the name, for a class without an icon.
static void add_plain_icon(Scene *s, Instance *i, Place *place)
{
    Shape *const box = shape_of_fields(s->stage, SHAPE_RECTANGLE, (Fields){0},
                                       scope_of_class(i->class_), place, i, s->shapes.count);
    static const double corners[] = {-100, -60, 100, -60, 100, 60, -100, 60, -100, -60};
    box->kind = SHAPE_LINE;
    box->points = corners;
    box->point_count = 5;
    scene_add(s, box);
    Shape *const name = shape_of_fields(s->stage, SHAPE_TEXT, (Fields){0},
                                        scope_of_class(i->class_), place, i, s->shapes.count);
    static const double middle[] = {-90, -30, 90, 30};
    name->text = "%name";
    name->fields[SHAPE_EXTENT] = attribute_of_numbers(s->stage, middle, 4);
    scene_add(s, name);
}

static bool scene_is_connector(Scene *s, Instance *i)
{
    return class_is_connector(s->stage->f, i->class_);
}

static void add_component(Scene *s, Instance *child, const Place *outer, Class *text, bool in_icon);

static void add_icon(Scene *s, Instance *i, Place *place, bool in_diagram)
{
    const bool is_port = scene_is_connector(s, i);
    const char *const layer =
        in_diagram && is_port && has_graphics(i->class_, "Diagram", 0) ? "Diagram" : "Icon";
    read_system(s, i->class_, layer, place);
    add_graphics(s, i->class_, i, layer, place, 0);
    const bool is_plain = !has_graphics(i->class_, layer, 0);
    if (is_plain && in_diagram)
        add_plain_icon(s, i, place);
    // Connectors of a component belong to its icon; what they consist of does not.
    for (uint32_t k = 0; !is_port && i->kind == INSTANCE_COMPLEX && k < i->count; k++)
        if (!i->children[k].member->is_protected)
            add_component(s, &i->children[k], place, i->class_, true);
}

static bool is_component_shown(Scene *s, Instance *i, bool has_place, bool in_icon)
{
    Flattener *f = s->stage->f;
    if (in_icon)
        return has_place && scene_is_connector(s, i);
    return has_place || class_is_model(f, i->class_) ||
           (scene_is_connector(s, i) && !class_is_simple(f, i->class_));
}

static void add_component(Scene *s, Instance *child, const Place *outer, Class *text, bool in_icon)
{
    Instance *shown = shown_instance(s, child);
    if (!shown || child->prefix.is_twin)
        return;
    const Fields placement = placement_of(child);
    const bool has_place = fields_are_given(placement);
    if (!is_component_shown(s, shown, has_place, in_icon))
        return;
    const Scope scope =
        scope_of_instance(instance_parent(child), child->scope ? child->scope : text);
    Place *place = place_create(s, outer, scope, placement, in_icon);
    if (!has_place && (s->graphic_count || child->flat->state))
        return; // no part of the model's own picture; a state, which the state chart has
    if (!in_icon)
        s->component_count++;
    if (!has_place)
        list_append(s->stage->arena, &s->arranged, place);
    map_set(s->stage->arena, &s->places, child, place);
    add_icon(s, shown, place, !in_icon);
}

// ---------------------------------------------------------------------------
// Components without a place
// ---------------------------------------------------------------------------

// In rows below the coordinate system, or in it if nothing else is there.
static void arrange(Scene *s)
{
    enum { CELL = 60, HALF = 20 };
    const uint32_t count = s->arranged.count;
    const bool is_alone = count == s->component_count;
    if (count == 0)
        return;
    const uint32_t columns = (uint32_t)ceil(sqrt(1.5 * (double)count));
    const uint32_t rows = (count + columns - 1) / columns;
    double *q = s->root->system;
    const double left = 0.5 * (q[0] + q[2]) - 0.5 * CELL * (columns - 1.0);
    const double top =
        is_alone ? 0.5 * (q[1] + q[3]) + 0.5 * CELL * (rows - 1.0) : fmin(q[1], q[3]) - 0.5 * CELL;
    for (uint32_t i = 0; i < count; i++) {
        Place *place = s->arranged.items[i];
        const uint32_t row = i / columns, column = i % columns;
        const double x = left + CELL * column, y = top - CELL * row;
        const double extent[] = {x - HALF, y - HALF, x + HALF, y + HALF};
        place->extent = attribute_of_numbers(s->stage, extent, 4);
    }
}

// ---------------------------------------------------------------------------
// Connections
// ---------------------------------------------------------------------------

// The place of what a reference names, as far as it is drawn. False: it is not there at all.
static bool find_end(Scene *s, const Reference *r, Place **place)
{
    Instance *i = s->top;
    *place = NULL;
    for (uint32_t k = 0; k < r->count && i; k++) {
        Flattener *f = s->stage->f;
        const DiagnosticsMark mark = diagnostics_mark(f->diagnostics);
        if (i->kind == INSTANCE_ARRAY && i->count)
            i = &i->children[0];
        i = r->parts[k].name && i->kind == INSTANCE_COMPLEX ? instance_child(f, i, r->parts[k].name)
                                                            : NULL;
        diagnostics_rewind(f->diagnostics, mark);
        if (i && i->is_absent)
            return false;
        Place *here = i ? map_find(&s->places, i) : NULL;
        *place = here ? here : *place;
    }
    return true;
}

static void add_wire(Scene *s, Place *from, Place *to, Scope scope)
{
    ShapeAffine m;
    double ends[4];
    Place *const places[] = {from, to};
    for (int i = 0; i < 2; i++) {
        const double *q = places[i]->system;
        const double x = 0.5 * (q[0] + q[2]), y = 0.5 * (q[1] + q[3]);
        if (!place_affine(s->stage, places[i], &m))
            return;
        ends[2 * i] = m.a * x + m.c * y + m.e;
        ends[2 * i + 1] = m.b * x + m.d * y + m.f;
    }
    // A bow, so that connections of parts that stand in a row can be told apart.
    const double dx = ends[2] - ends[0], dy = ends[3] - ends[1], bow = 0.2;
    const double points[] = {ends[0],
                             ends[1],
                             0.5 * (ends[0] + ends[2]) - bow * dy,
                             0.5 * (ends[1] + ends[3]) + bow * dx,
                             ends[2],
                             ends[3]};
    Shape *wire =
        shape_of_fields(s->stage, SHAPE_LINE, (Fields){0}, scope, s->root, s->top, s->shapes.count);
    wire->points = attribute_of_numbers(s->stage, points, 6).numbers;
    wire->point_count = 3;
    wire->is_smooth = true;
    static const double grey[] = {110.0, 110.0, 110.0};
    wire->fields[SHAPE_LINE_COLOR] = attribute_of_numbers(s->stage, grey, 3);
    scene_add(s, wire);
}

// annotation(Line(...), Text(...)) of an equation. False: it has no Line. The Text of a connection
// is not of the standard: %first at a point that `index` counts.
static bool add_lines(Scene *s, const Equation *e, Scope scope)
{
    const Modification *annotation = e->description ? e->description->annotation : NULL;
    static const struct {
        const char *name;
        ShapeKind kind;
    } parts[] = {{"Line", SHAPE_LINE}, {"Text", SHAPE_TEXT}};
    bool has_line = false;
    for (int i = 0; i < 2; i++) {
        const Fields fields = fields_of_annotation(annotation, parts[i].name);
        if (!fields_are_given(fields) ||
            (e->kind == EQUATION_CONNECT && parts[i].kind == SHAPE_TEXT))
            continue;
        has_line |= parts[i].kind == SHAPE_LINE;
        Shape *shape = shape_of_fields(s->stage, parts[i].kind, fields, scope, s->root, s->top,
                                       s->shapes.count);
        if (shape->kind == SHAPE_TEXT && e->kind == EQUATION_CALL &&
            e->call->kind == EXPRESSION_CALL && e->call->call.count > 2)
            shape->condition = e->call->call.arguments[2]->span; // of a transition
        scene_add(s, shape);
    }
    return has_line;
}

static void scene_equations(Scene *s, uint32_t count, Equation *const *equations, Scope scope,
                            bool is_loop);

// The branch that holds; all of them where that is not known.
static void add_branches(Scene *s, const Equation *e, Scope scope, bool is_loop)
{
    for (uint32_t i = 0; i < e->branches.count; i++) {
        const Section *branch = &e->branches.items[i];
        Attribute condition = attribute_create(s->stage, scope, branch->condition);
        double holds = branch->condition ? -1.0 : 1.0;
        if (branch->condition && !is_loop) {
            const DiagnosticsMark mark = diagnostics_mark(s->stage->f->diagnostics);
            holds = attribute_number(s->stage, &condition, -1.0);
            diagnostics_rewind(s->stage->f->diagnostics, mark);
        }
        if (holds != 0.0)
            scene_equations(s, branch->count, branch->equations, scope, is_loop);
        if (holds > 0.0)
            return;
    }
}

static void scene_equations(Scene *s, uint32_t count, Equation *const *equations, Scope scope,
                            bool is_loop)
{
    for (uint32_t i = 0; i < count; i++) {
        const Equation *e = equations[i];
        Place *from = NULL, *to = NULL;
        switch (e->kind) {
        case EQUATION_CONNECT:
            if (!find_end(s, e->connect.from, &from) || !find_end(s, e->connect.to, &to))
                break;
            if (!add_lines(s, e, scope) && from && to && from != to)
                add_wire(s, from, to, scope);
            break;
        case EQUATION_CALL:
            add_lines(s, e, scope);
            break;
        case EQUATION_IF:
            add_branches(s, e, scope, is_loop);
            break;
        case EQUATION_FOR:
            scene_equations(s, e->loop.count, e->loop.equations, scope, true);
            break;
        default:
            break;
        }
    }
}

static void add_connections(Scene *s)
{
    const List *texts = class_texts(s->stage->f, s->top->class_);
    for (uint32_t i = 0; i < texts->count; i++) {
        Class *text = texts->items[i];
        const ClassDefinition *d = text->definition;
        if (!d || (d->form != FORM_LONG && d->form != FORM_EXTENDING))
            continue;
        const Scope scope = scope_of_instance(s->top, text);
        for (uint32_t k = 0; k < d->body.section_count; k++) {
            const Section *section = d->body.sections[k];
            if (!section->is_algorithm && !section->is_initial)
                scene_equations(s, section->count, section->equations, scope, false);
        }
    }
}

// ---------------------------------------------------------------------------
// The scene
// ---------------------------------------------------------------------------

Scene *scene_create(DrawingStage *stage, Instance *top, bool is_icon)
{
    Scene *scene = ARENA_NEW(stage->arena, Scene);
    Place *root = ARENA_NEW(stage->arena, Place);
    const char *const layer = is_icon ? "Icon" : "Diagram";
    scene->stage = stage;
    scene->top = top;
    scene->root = root;
    instance_open(stage->f, top);
    class_expand(stage->f, top->class_);
    read_system(scene, top->class_, layer, root);
    add_graphics(scene, top->class_, top, layer, root, 0);
    scene->graphic_count = scene->shapes.count;
    for (uint32_t i = 0; top->kind == INSTANCE_COMPLEX && i < top->count; i++)
        add_component(scene, &top->children[i], root, top->class_, is_icon);
    arrange(scene);
    if (!is_icon)
        add_connections(scene);
    const double *q = root->system;
    scene->system =
        (ShapeBox){fmin(q[0], q[2]), fmin(q[1], q[3]), fmax(q[0], q[2]), fmax(q[1], q[3])};
    return scene;
}

ShapeBox scene_view(const Scene *scene, ShapeBox drawn, bool is_moving)
{
    const ShapeBox q = scene->system;
    const double width = q.x2 - q.x1, height = q.y2 - q.y1;
    const bool is_empty = drawn.x1 > drawn.x2;
    // The coordinate system is the frame of what moves; otherwise what is drawn counts.
    const bool is_tight = !is_empty && (!is_moving || scene->graphic_count == 0);
    ShapeBox box = is_tight ? drawn : q;
    if (!is_empty && !is_tight)
        box = (ShapeBox){
            fmin(q.x1, fmax(drawn.x1, q.x1 - width)), fmin(q.y1, fmax(drawn.y1, q.y1 - height)),
            fmax(q.x2, fmin(drawn.x2, q.x2 + width)), fmax(q.y2, fmin(drawn.y2, q.y2 + height))};
    const double margin = 2.0 + 0.02 * fmax(box.x2 - box.x1, box.y2 - box.y1);
    return (ShapeBox){box.x1 - margin, box.y1 - margin, box.x2 + margin, box.y2 + margin};
}

void scene_begin(StringBuilder *out, ShapeBox box, const char *title)
{
    const double w = box.x2 - box.x1, h = box.y2 - box.y1;
    const double longest = fmax(w, h), scale = fmin(fmax(4.0, 480.0 / longest), 1600.0 / longest);
    builder_append_text(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    svg_number(out, round(w * scale));
    builder_append_text(out, "\" height=\"");
    svg_number(out, round(h * scale));
    builder_append_text(out, "\" viewBox=\"");
    const double view[] = {box.x1, -box.y2, w, h};
    for (int i = 0; i < 4; i++) {
        builder_append_text(out, i ? " " : "");
        svg_number(out, view[i]);
    }
    builder_append_text(out, "\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n");
    if (title) {
        builder_append_text(out, "<title>");
        svg_escape(out, title, strlen(title));
        builder_append_text(out, "</title>\n");
    }
    builder_append_text(out, "<rect x=\"");
    svg_number(out, view[0]);
    builder_append_text(out, "\" y=\"");
    svg_number(out, view[1]);
    builder_append_text(out, "\" width=\"");
    svg_number(out, w);
    builder_append_text(out, "\" height=\"");
    svg_number(out, h);
    builder_append_text(out, "\" fill=\"#fff\"/>\n");
}

String scene_svg(DrawingStage *s, const Scene *scene, Arena *arena, const char *title)
{
    ShapeBox box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    StringBuilder shapes = builder_create(arena);
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        SvgElement elements[SHAPE_MOST_ELEMENTS];
        Shape *shape = scene->shapes.items[i];
        // The text grows in the same arena: elements have another one.
        const size_t count = shape_elements(s, shape, s->f->frames, elements, &box);
        for (size_t k = 0; k < count; k++)
            element_write(&shapes, &elements[k], NULL);
    }
    StringBuilder out = builder_create(s->f->frames);
    scene_begin(&out, scene_view(scene, box, false), title);
    builder_append_text(&out, builder_string(&shapes).text);
    builder_append_text(&out, "</svg>\n");
    const String text = builder_string(&out);
    return (String){arena_copy_text(arena, text.text, text.length), text.length};
}
