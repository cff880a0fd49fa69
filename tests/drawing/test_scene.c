// SPDX-License-Identifier: MIT
//
// Diagrams: where shapes lie against transformations by hand (Modelica specification, section
// 18.6), what texts say, what is inherited, hidden and refused, and that no annotation makes a
// drawing fail.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawing/scene.h"
#include "flatten/flatten.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Drawings of texts
// ---------------------------------------------------------------------------

typedef struct Sketch {
    bool is_icon;
    uint32_t shape_count;
    char *svg, *messages; // to be freed
} Sketch;

static void take_sketch(Flattener *f, Instance *top, void *user)
{
    Sketch *sketch = user;
    DrawingStage stage = stage_create(f, NULL);
    const Scene *scene = scene_create(&stage, top, sketch->is_icon);
    const String svg = scene_svg(&stage, scene, f->arena, "title & <more>");
    sketch->shape_count = scene->shapes.count;
    sketch->svg = strdup(svg.text);
}

// The diagram of the last model of the text.
static Sketch sketch_of(const char *text, bool is_icon)
{
    Sketch sketch = {.is_icon = is_icon};
    Compilation *c = compilation_create(NULL);
    assert_non_null(c);
    FlattenOptions options = flatten_default_options();
    options.text = text;
    const bool is_fine = flatten_visit(c, 0, NULL, NULL, &options, false, take_sketch, &sketch);
    StringBuilder out = builder_create(c->arena);
    diagnostics_render_text(c->diagnostics, false, &out);
    sketch.messages = strdup(builder_string(&out).text);
    if (!is_fine)
        fail_msg("%s", sketch.messages);
    assert_int_equal(c->diagnostics->error_count, 0);
    compilation_destroy(c);
    return sketch;
}

static void sketch_free(Sketch *sketch)
{
    free(sketch->svg);
    free(sketch->messages);
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in\n%s", part, text);
}

static void assert_has_not(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in\n%s", part, text);
}

static void assert_sketch(const char *text, const char *part)
{
    Sketch sketch = sketch_of(text, false);
    assert_has(sketch.svg, part);
    assert_string_equal(sketch.messages, "");
    sketch_free(&sketch);
}

// ---------------------------------------------------------------------------
// Transformations
// ---------------------------------------------------------------------------

#define PART                                                                                       \
    "model Part annotation(Icon(graphics = {Line(points = {{-100, 0}, {100, 50}})})); end Part;"
#define PLACED(transformation)                                                                     \
    PART "model M Part p annotation(Placement(transformation(" transformation "))); end M;"

static void test_a_component_lies_where_its_placement_says(void **state)
{
    (void)state;
    // A tenth of the icon around (20, 20): (-100, 0) goes to (10, 20), (100, 50) to (30, 25); the
    // picture's y axis points down.
    assert_sketch(PLACED("extent = {{10, 10}, {30, 30}}"), "d=\"M10 -20L30 -25\"");
    // Mirrored: x2 < x1, y2 < y1.
    assert_sketch(PLACED("extent = {{30, 10}, {10, 30}}"), "d=\"M30 -20L10 -25\"");
    assert_sketch(PLACED("extent = {{10, 30}, {30, 10}}"), "d=\"M10 -20L30 -15\"");
    // (-10, 0) and (10, 5), turned by 90 degrees to (0, -10) and (-5, 10), then moved by (50, 0).
    assert_sketch(PLACED("extent = {{-10, -10}, {10, 10}}, rotation = 90, origin = {50, 0}"),
                  "d=\"M50 10L45 -10\"");
    // Without an origin the turn is around (0, 0) of the diagram: (40, 20), (60, 25) become
    // (-40, -20), (-60, -25).
    assert_sketch(PLACED("extent = {{40, 10}, {60, 30}}, rotation = 180"), "d=\"M-40 20L-60 25\"");
    // The icon keeps its ratio: a tenth, not a fifth, around (0, 20).
    assert_sketch(PLACED("extent = {{-20, 10}, {20, 30}}"), "d=\"M-10 -20L10 -25\"");
}

static void test_an_icon_has_its_own_coordinates(void **state)
{
    (void)state;
    // From 0..40 x 0..20 to 100..120 x 0..10: half, from (100, 0) on; (10, 20) goes to (105, 10).
    assert_sketch("model Part annotation(Icon(coordinateSystem(extent = {{0, 0}, {40, 20}}),"
                  "graphics = {Line(points = {{0, 0}, {10, 20}})})); end Part;"
                  "model M Part p annotation(Placement(transformation(extent = {{100, 0}, {120, "
                  "10}}))); end M;",
                  "d=\"M100 0L105 -10\"");
    // Stretched where the ratio need not be kept: x by a quarter, y by one.
    assert_sketch("model Part annotation(Icon(coordinateSystem(extent = {{0, 0}, {40, 20}},"
                  "preserveAspectRatio = false), graphics = {Line(points = {{0, 0}, {40, 20}})})); "
                  "end Part;"
                  "model M Part p annotation(Placement(transformation(extent = {{0, 0}, {10, "
                  "20}}))); end M;",
                  "d=\"M0 0L10 -20\"");
}

static void test_a_connector_lies_in_the_icon_of_its_component(void **state)
{
    (void)state;
    // The pin is at (100, 0) of an icon of size 20 at (50, 0), so at (60, 0), one unit in size; in
    // the icon its iconTransformation counts.
    assert_sketch(
        "connector Pin Real v; flow Real i; annotation(Icon(graphics = {Rectangle(extent = {{-100, "
        "-100}, {100, 100}})})); end Pin;"
        "model Part Pin p annotation(Placement(transformation(extent = {{0, 0}, {1, 1}}), "
        "iconTransformation(extent = {{95, -5}, {105, 5}}))); "
        "annotation(Icon(graphics = {Line(points = {{0, 0}, {1, 0}})})); end Part;"
        "model M Part p annotation(Placement(transformation(extent = {{40, -10}, {60, 10}}))); "
        "end M;",
        "d=\"M59.5 0.5L60.5 0.5L60.5 -0.5L59.5 -0.5Z\"");
}

// A shape's own origin and rotation: (10, 0) turned by 90 degrees around its origin (5, 5).
static void test_shapes_are_turned_around_their_origin(void **state)
{
    (void)state;
    assert_sketch("model M annotation(Diagram(graphics = {Line(origin = {5, 5}, rotation = 90, "
                  "points = {{0, 0}, {10, 0}})})); end M;",
                  "d=\"M5 -5L5 -15\"");
}

// ---------------------------------------------------------------------------
// Shapes
// ---------------------------------------------------------------------------

#define GRAPHICS(shapes) "model M annotation(Diagram(graphics = {" shapes "})); end M;"

static void test_shapes_become_paths(void **state)
{
    (void)state;
    assert_sketch(GRAPHICS("Polygon(points = {{0, 0}, {10, 0}, {0, 10}}, lineColor = {255, 0, 16}, "
                           "fillColor = {0, 128, 300}, fillPattern = FillPattern.Solid)"),
                  "d=\"M0 0L10 0L0 -10Z\" fill=\"#0080ff\" stroke=\"#ff0010\"");
    // A parabola from the middle of the first edge to the middle of the last one.
    assert_sketch(GRAPHICS("Line(points = {{0, 0}, {10, 0}, {10, 10}}, smooth = Smooth.Bezier)"),
                  "d=\"M0 0L5 0Q10 0 10 -5L10 -10\"");
    // A quarter circle: control points at 4/3 tan(90/4 degrees) = 0.5523 of the radius.
    Sketch arc = sketch_of(GRAPHICS("Ellipse(extent = {{-10, -10}, {10, 10}})"), false);
    assert_has(arc.svg, "d=\"M10 0C10 -5.52 5.52 -10 0 -10");
    sketch_free(&arc);
    assert_sketch(GRAPHICS("Ellipse(extent = {{-10, -10}, {10, 10}}, startAngle = 0, endAngle = "
                           "90, closure = EllipseClosure.Radial)"),
                  "d=\"M0 0L10 0C");
    assert_sketch(GRAPHICS("Rectangle(extent = {{0, 0}, {20, 10}}, radius = 2)"),
                  "d=\"M2 0L18 0C19.1 0 20 -0.9 20 -2L20 -8");
    assert_sketch(GRAPHICS("Line(points = {{0, 0}, {10, 0}}, pattern = LinePattern.None)"),
                  "stroke=\"none\"");
    assert_sketch(GRAPHICS("Line(points = {{0, 0}, {10, 0}}, pattern = LinePattern.Dash)"),
                  "stroke-dasharray=\"3 1.6\"");
    // An arrow of size 3 with its tip at (10, 0); its wings are 0.35 of the size wide.
    assert_sketch(GRAPHICS("Line(points = {{0, 0}, {10, 0}}, arrow = {Arrow.None, Arrow.Filled})"),
                  "d=\"M7 -1.05L10 0L7 1.05Z\" fill=\"#000000\"");
}

static void test_fills_have_gradients_and_hatches(void **state)
{
    (void)state;
    static const char *const patterns[][2] = {{"HorizontalCylinder", "<linearGradient"},
                                              {"VerticalCylinder", "<linearGradient"},
                                              {"Sphere", "<radialGradient"},
                                              {"Cross", "<pattern"},
                                              {"Forward", "<pattern"}};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 GRAPHICS("Rectangle(extent = {{0, 0}, {9, 9}}, lineColor = {1, 2, 3}, fillColor = "
                          "{250, 251, 252}, fillPattern = FillPattern.%s)"),
                 patterns[i][0]);
        Sketch sketch = sketch_of(text, false);
        assert_has(sketch.svg, patterns[i][1]);
        assert_has(sketch.svg, "#fafbfc");
        assert_has(sketch.svg, "#010203");
        assert_has(sketch.svg, "fill=\"url(#fill-0)\"");
        sketch_free(&sketch);
    }
}

static void test_what_is_inherited_comes_first(void **state)
{
    (void)state;
    Sketch sketch = sketch_of(
        "model A annotation(Diagram(coordinateSystem(extent = {{0, 0}, {50, 50}}), graphics = "
        "{Line(points = {{1, 0}, {2, 0}})})); end A;"
        "model B annotation(Diagram(graphics = {Line(points = {{3, 0}, {4, 0}})})); end B;"
        "model H annotation(Diagram(graphics = {Line(points = {{8, 0}, {9, 0}})})); end H;"
        "model M extends A; extends B; extends H annotation(DiagramMap(primitivesVisible = "
        "false)); annotation(Diagram(graphics = {Line(points = {{5, 0}, {6, 0}})})); end M;",
        false);
    const char *a = strstr(sketch.svg, "M1 0L2 0"), *b = strstr(sketch.svg, "M3 0L4 0"),
               *m = strstr(sketch.svg, "M5 0L6 0");
    assert_true(a && b && m && a < b && b < m);
    assert_has_not(sketch.svg, "M8 0L9 0");
    sketch_free(&sketch);
}

static void test_what_is_not_there_is_not_drawn(void **state)
{
    (void)state;
    Sketch sketch = sketch_of(
        "connector Pin Real v; flow Real i; end Pin;"
        "model Part Pin p annotation(Placement(transformation(extent = {{90, -10}, {110, 10}}))); "
        "annotation(Icon(graphics = {Text(textString = \"%name\")})); end Part;"
        "model M parameter Boolean both = false; "
        "Part here annotation(Placement(transformation(extent = {{0, 0}, {9, 9}})));"
        "Part there if both annotation(Placement(transformation(extent = {{20, 0}, {29, 9}})));"
        "Part hidden annotation(Placement(visible = both, transformation(extent = {{40, 0}, {49, "
        "9}})));"
        "equation connect(here.p, there.p) annotation(Line(points = {{7, 7}, {8, 8}}));"
        "connect(here.p, hidden.p) annotation(Line(points = {{17, 17}, {18, 18}}, color = {0, 0, "
        "255})); end M;",
        false);
    assert_has(sketch.svg, ">here<");
    assert_has_not(sketch.svg, ">there<");
    assert_has_not(sketch.svg, "M7 -7L8 -8");
    assert_has(sketch.svg, "d=\"M17 -17L18 -18\" fill=\"none\" stroke=\"#0000ff\"");
    const char *hidden = strstr(sketch.svg, ">hidden<");
    assert_non_null(hidden);
    while (hidden > sketch.svg && strncmp(hidden, "<text", 5) != 0)
        hidden--;
    assert_true(strstr(hidden, "visibility=\"hidden\"") < strstr(hidden, ">hidden<"));
    sketch_free(&sketch);
}

static void test_an_array_of_components_is_drawn_once(void **state)
{
    (void)state;
    Sketch sketch = sketch_of(
        "connector Port Real v; flow Real i; annotation(Icon(graphics = {Ellipse()})); end Port;"
        "model Part parameter Real k = 2; Port a annotation(Placement(transformation(extent = {{0, "
        "0}, {9, 9}}))); annotation(Icon(graphics = {Text(textString = \"%name %k\")})); end Part;"
        "model M Part p[3](k = {5, 6, 7}) annotation(Placement(transformation(extent = {{0, 0}, "
        "{9, 9}}))); Part none[0] annotation(Placement(transformation(extent = {{0, 0}, {9, 9}})));"
        "end M;",
        false);
    assert_int_equal(sketch.shape_count, 2); // its icon, and its port
    assert_has(sketch.svg, ">p[3] 5<");
    sketch_free(&sketch);
}

// ---------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------

static void test_texts_have_names_and_values(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"%name", "r"},
        {"%class", "Part"},
        {"R=%R", "R=1.5 \xCE\xA9"},
        {"%{R}x", "1.5 \xCE\xA9x"},
        {"50%%", "50%"},
        {"%kind.", "soft."},
        {"%nothing", "%nothing"},
        {"%twice", "3 \xCE\xA9"},
        {"100%", "100%"},
        {"%flag", "true"},
        {"%word", "a&lt;b&gt;"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[1000], part[100];
        snprintf(text, sizeof text,
                 "package P type Kind = enumeration(hard, soft); model Part "
                 "parameter Real R(unit = \"Ohm\") = 1; parameter Real twice(unit = \"Ohm\") = 2 * "
                 "R; parameter Kind kind = Kind.soft; parameter Boolean flag = true; parameter "
                 "String word = \"a<b>\"; parameter Real C(unit = \"F\") = 1e-7; parameter Real "
                 "J(unit = \"kg.m2\") = "
                 "0.5;"
                 "annotation(Icon(graphics = {Text(extent = {{-100, -20}, {100, 20}}, textString = "
                 "\"%s\")})); end Part; model M Part r(R = 1.5) "
                 "annotation(Placement(transformation(extent = {{0, 0}, {9, 9}}))); end M; end P;",
                 pairs[i][0]);
        snprintf(part, sizeof part, ">%s</tspan>", pairs[i][1]);
        assert_sketch(text, part);
    }
}

// Models are data: nothing of them becomes markup.
static void test_texts_are_escaped(void **state)
{
    (void)state;
    Sketch sketch = sketch_of(
        GRAPHICS("Text(extent = {{0, 0}, {9, 9}}, textString = \"<script>&\\\"\", fontName = "
                 "\"x\\\" onload=\\\"y\")"),
        false);
    assert_has(sketch.svg, "&lt;script&gt;&amp;");
    assert_has_not(sketch.svg, "<script");
    assert_has_not(sketch.svg, "\" onload");
    assert_has(sketch.svg, "<title>title &amp; &lt;more&gt;</title>");
    sketch_free(&sketch);
}

static void test_texts_can_be_read_however_a_component_is_turned(void **state)
{
    (void)state;
    static const struct {
        const char *transformation, *turned;
    } cases[] = {
        {"extent = {{-10, -10}, {10, 10}}", "translate(0 0) rotate(0)"},
        {"extent = {{10, -10}, {-10, 10}}", "translate(0 0) rotate(0)"},
        {"extent = {{-10, -10}, {10, 10}}, rotation = 180", "translate(0 0) rotate(0)"},
        {"extent = {{-10, -10}, {10, 10}}, rotation = 90", "translate(0 0) rotate(-90)"},
        {"extent = {{-10, -10}, {10, 10}}, rotation = -90", "translate(0 0) rotate(-90)"},
        {"extent = {{-10, -10}, {10, 10}}, rotation = 30", "translate(0 0) rotate(-30)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "model Part annotation(Icon(graphics = {Text(extent = {{-50, -20}, {50, 20}}, "
                 "textString = \"text\")})); end Part; model M Part p "
                 "annotation(Placement(transformation(%s))); end M;",
                 cases[i].transformation);
        assert_sketch(text, cases[i].turned);
    }
}

// As high as the extent, 40 of 200 in a tenth: 4, and letters 0.78 of that; a long text is as wide
// as the extent at most.
static void test_texts_fit_into_their_extent(void **state)
{
    (void)state;
    assert_sketch("model Part annotation(Icon(graphics = {Text(extent = {{-100, -20}, {100, 20}}, "
                  "textString = \"i\")})); end Part; model M Part p "
                  "annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}))); end M;",
                  "font-size=\"3.12\"");
    assert_sketch(GRAPHICS("Text(extent = {{0, 0}, {9, 9}}, fontSize = 10, textString = \"i\")"),
                  "font-size=\"3.53\"");
}

// ---------------------------------------------------------------------------
// What is missing, wrong or refused
// ---------------------------------------------------------------------------

// A connection without a line of its own leads from the middle of one component to the middle of
// the other, wherever the origin of their icons is.
static void test_a_connection_leads_from_middle_to_middle(void **state)
{
    (void)state;
    Sketch sketch = sketch_of(
        "connector Pin Real v; flow Real i; end Pin; model Part Pin p; "
        "annotation(Icon(coordinateSystem(extent = {{0, 0}, {100, 200}}), "
        "graphics = {Rectangle(extent = {{0, 0}, {100, 200}})})); end Part; model M "
        "Part one annotation(Placement(transformation(extent = {{-50, -20}, {-30, 20}}))); "
        "Part two annotation(Placement(transformation(extent = {{30, 0}, {50, 40}}))); "
        "equation connect(one.p, two.p); end M;",
        false);
    assert_has(sketch.svg, "<path d=\"M-40 0L"); // upwards is -y
    assert_has(sketch.svg, "L40 -20\" fill=\"none\" stroke=\"#6e6e6e\"");
    sketch_free(&sketch);
}

static void test_a_model_without_annotations_is_arranged(void **state)
{
    (void)state;
    Sketch sketch = sketch_of("connector Pin Real v; flow Real i; end Pin; model Part Pin p; end "
                              "Part; model M Part one, two; equation connect(one.p, two.p); end M;",
                              false);
    assert_has(sketch.svg, ">one<");
    assert_has(sketch.svg, ">two<");
    assert_has(sketch.svg, "stroke=\"#6e6e6e\""); // the connection
    assert_string_equal(sketch.messages, "");
    sketch_free(&sketch);
    Sketch empty = sketch_of("model M Real x = 1; end M;", false);
    assert_int_equal(empty.shape_count, 0);
    sketch_free(&empty);
}

static void test_bitmaps_are_refused_by_name(void **state)
{
    (void)state;
    Sketch sketch = sketch_of(GRAPHICS("Bitmap(extent = {{0, 0}, {9, 9}}, fileName = \"/etc/x\"), "
                                       "Line(points = {{1, 1}, {2, 2}})"),
                              false);
    assert_has(sketch.messages, "warning");
    assert_has(sketch.messages, "Bitmap is not supported");
    assert_has(sketch.svg, "M1 -1L2 -2");
    assert_has_not(sketch.svg, "/etc/x");
    sketch_free(&sketch);
}

static void test_annotations_that_are_wrong_are_warnings(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *warning;
    } cases[] = {
        {"Line(points = {{0, unknown}, {1, 1}})", "unknown"},
        {"Line(points = \"text\")", "numbers are expected"},
        {"Line(points = {{0, x}, {1, 1}})", "'x' is not a parameter"},
        {"Rectangle(extent = {{0, 0}})", "fewer numbers"},
        {"Text(textString = 3)", "a String is expected"},
        {"Circle(extent = {{0, 0}, {1, 1}})", "not 'Circle'"},
        {"3", "is expected here"},
        {"Line(points = {{0, 1 / zero}, {1, 1}})", NULL},
        {"Line(points = {{1e300, 0}, {1, 1}})", NULL},
        {"Ellipse(extent = {{0, 0}, {0, 0}}, startAngle = 1e30)", NULL},
        {"Line()", NULL},
        {"Polygon(points = {})", NULL},
        {"Polygon(points = {{}, {}})", NULL},
        {"Text()", NULL},
        {"Rectangle(extent = {{0, 0}, {9, 9}}, lineColor = {1}, fillPattern = none, radius = -1, "
         "pattern = 7, lineThickness = -3)",
         NULL},
        {"Line(points = DynamicSelect({{0, 0}, {1, 1}}, {{0, undefined}, {1, 1}}))", NULL},
        {"Line(points = DynamicSelect({{0, 0}, {1, 1}}))", "DynamicSelect"},
        {"Text(textString = \"%{\" + \"%\" + \"%{}\")", NULL},
        {"Line(points = {{0, 0}, {1, 1}}, visible = \"yes\")", "numbers are expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "model M Real x = 1; parameter Real zero = 0; annotation(Diagram(graphics = {%s, "
                 "Line(points = {{3, 3}, {4, 4}})})); end M;",
                 cases[i].shape);
        Sketch sketch = sketch_of(text, false);
        assert_has(sketch.svg, "M3 -3L4 -4");
        assert_has_not(sketch.svg, "nan");
        assert_has_not(sketch.svg, "inf");
        if (cases[i].warning)
            assert_has(sketch.messages, cases[i].warning);
        sketch_free(&sketch);
    }
}

static void test_systems_and_places_that_are_wrong(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "model M annotation(Diagram(coordinateSystem(extent = {{0, 0}, {0, 0}}), graphics = "
        "{Line(points = {{0, 0}, {1, 1}})})); end M;",
        "model M annotation(Diagram(coordinateSystem(extent = 3), graphics = 4)); end M;",
        "model M annotation(Diagram = 3, Icon(4 = 5)); end M;",
        "model M annotation(Diagram(graphics = {Line(points = {{0, 0}, {1e200, 1}})})); end M;",
        "model P end P; model M P p annotation(Placement(transformation(extent = {{0, 0}, {0, "
        "0}}))); end M;",
        "model P end P; model M P p annotation(Placement(transformation = 3)); end M;",
        "model P end P; model M P p annotation(Placement(transformation(rotation = 1e308, origin = "
        "{1e308, 1}))); end M;",
        "model M equation connect(a, b) annotation(Line(points = {{0, 0}})); end M;",
        "partial model M annotation(Diagram(graphics = {Line(points = {{0, 0}, {1, 1}})})); end M;",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Compilation *c = compilation_create(NULL);
        Sketch sketch = {0};
        FlattenOptions options = flatten_default_options();
        options.text = texts[i];
        const bool is_fine = flatten_visit(c, 0, NULL, strstr(texts[i], "partial") ? "M" : NULL,
                                           &options, false, take_sketch, &sketch);
        if (is_fine)
            assert_has(sketch.svg, "</svg>");
        sketch_free(&sketch);
        compilation_destroy(c);
    }
}

// Characters left out, doubled and replaced, a few at a time: what still parses is drawn.
static void test_damaged_annotations(void **state)
{
    (void)state;
    static const char whole[] =
        "model P parameter Real k(unit=\"N\")=3; "
        "annotation(Icon(coordinateSystem(extent={{-50,-50},"
        "{50,50}}),graphics={Rectangle(extent={{-40,-30},{40,30}},radius=5,lineColor={0,0,127},"
        "fillPattern=FillPattern.Sphere,borderPattern=BorderPattern.Raised),Text(extent={{-9,9},"
        "{9,20}},textString=\"%name %k%\",textStyle={TextStyle.Bold})})); end P;"
        "model M P p(k=4) annotation(Placement(visible=true,transformation(origin={5,6},extent={{"
        "-10,-10},{10,10}},rotation=90))); P q[2]; Real x=time; annotation(Diagram(graphics={Line("
        "points={{0,0},{5,5},{9,0}},smooth=Smooth.Bezier,arrow={Arrow.Filled,Arrow.Half},pattern="
        "LinePattern.DashDot),Ellipse(extent=DynamicSelect({{-3,-3},{3,3}},{{-x,-x},{x,x}}),"
        "startAngle=10,endAngle=300,closure=EllipseClosure.Radial),Polygon(points={{1,2},{3,4},{5,"
        "6}},fillPattern=FillPattern.Cross)})); end M;";
    static const char letters[] = "{}(),=0123456789.eE-+\"%[]/*axk ";
    enum { ROUNDS = 3000, MOST_CHANGES = 4 };
    uint32_t seed = 7;
    int drawn = 0;
    for (int round = 0; round < ROUNDS; round++) {
        char text[2 * sizeof whole];
        memcpy(text, whole, sizeof whole);
        for (int change = 0; change <= round % MOST_CHANGES; change++) {
            const size_t length = strlen(text);
            seed = seed * 1664525u + 1013904223u;
            const size_t place = (seed >> 8) % length;
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 30 == 0)
                memmove(text + place, text + place + 1, length - place);
            else if (seed >> 30 == 1 && length + 2 < sizeof text)
                memmove(text + place + 1, text + place, length - place + 1);
            else
                text[place] = letters[(seed >> 8) % (sizeof letters - 1)];
        }
        Compilation *c = compilation_create(NULL);
        Sketch sketch = {0};
        FlattenOptions options = flatten_default_options();
        options.text = text;
        if (flatten_visit(c, 0, NULL, "M", &options, false, take_sketch, &sketch)) {
            assert_has(sketch.svg, "</svg>");
            assert_has_not(sketch.svg, "nan");
            drawn++;
        } else {
            assert_true(c->diagnostics->error_count > 0);
        }
        sketch_free(&sketch);
        compilation_destroy(c);
    }
    assert_true(drawn > ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_component_lies_where_its_placement_says),
        cmocka_unit_test(test_an_icon_has_its_own_coordinates),
        cmocka_unit_test(test_a_connector_lies_in_the_icon_of_its_component),
        cmocka_unit_test(test_shapes_are_turned_around_their_origin),
        cmocka_unit_test(test_shapes_become_paths),
        cmocka_unit_test(test_fills_have_gradients_and_hatches),
        cmocka_unit_test(test_what_is_inherited_comes_first),
        cmocka_unit_test(test_what_is_not_there_is_not_drawn),
        cmocka_unit_test(test_an_array_of_components_is_drawn_once),
        cmocka_unit_test(test_texts_have_names_and_values),
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_texts_can_be_read_however_a_component_is_turned),
        cmocka_unit_test(test_texts_fit_into_their_extent),
        cmocka_unit_test(test_a_model_without_annotations_is_arranged),
        cmocka_unit_test(test_a_connection_leads_from_middle_to_middle),
        cmocka_unit_test(test_bitmaps_are_refused_by_name),
        cmocka_unit_test(test_annotations_that_are_wrong_are_warnings),
        cmocka_unit_test(test_systems_and_places_that_are_wrong),
        cmocka_unit_test(test_damaged_annotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
