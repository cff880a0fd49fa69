// SPDX-License-Identifier: MIT
//
// Speed and memory of the parser on texts of 1, 4 and 16 MB. The text is a package of models as
// libraries have them: declarations with modifiers and descriptions, equations, a function,
// comments, documentation and graphical annotations. Reading the clock is the only thing around
// the parser; the best of several runs counts. Both columns must be flat: cost grows linearly.

#include "modelica/parser.h"
#include "support/measure.h"

#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 5, MEGABYTE = 1000 * 1000 };

static void append_model(StringBuilder *b, unsigned i)
{
    builder_append_format(
        b,
        "  model Pendulum%u \"A pendulum whose rope may become slack, variant %u\"\n"
        "    extends Modelica.Icons.Example;\n"
        "    import Modelica.Constants.{pi, g_n};\n"
        "    parameter Modelica.Units.SI.Mass m(min=0) = %u.5 \"Mass of the bob\";\n"
        "    parameter Modelica.Units.SI.Length l(final min=0, start=1) = 1.25e-%u \"Length\"\n"
        "      annotation(Dialog(tab=\"General\", group=\"Geometry\"));\n"
        "    Real x[3](each start=0.0, each fixed=true), y(start=l), vx, vy; // Cartesian\n"
        "    Boolean taut(start=true, fixed=true) \"true while the rope is under tension\";\n"
        "    replaceable model Friction = Frictions.Linear(d=0.1) constrainedby Frictions.Base;\n"
        "  protected\n"
        "    inner output Real lambda = if taut then f_%u(x[1], y=2*y) else 0 \"force\";\n",
        i, i, i % 17, i % 9, i);
    builder_append_format(
        b,
        "  initial equation\n"
        "    y = -sqrt(l^2 - x[1]^2);\n"
        "  equation\n"
        "    der(x[1]) = vx;\n"
        "    der(y) = vy;\n"
        "    m*der(vx) = -lambda*x[1] - 0.5*(vx - v0[%u, 2:end])/l;\n"
        "    m*der(vy) = -lambda*y - m*g_n + sum(k[i]*z[i] for i in 1:size(z, 1));\n"
        "    /* the structure changes here */\n"
        "    if taut then\n"
        "      x[1]^2 + y^2 = l^2;\n"
        "    else\n"
        "      lambda = 0;\n"
        "    end if;\n"
        "    when {x[1]^2 + y^2 >= l^2 and not pre(taut), initial()} then\n"
        "      taut = true;\n"
        "      reinit(vx, 0.8*pre(vx));\n"
        "    elsewhen lambda < 0 then\n"
        "      taut = false;\n"
        "    end when;\n"
        "    connect(a.flange_b, b[%u].flange_a) annotation(Line(points={{-20,0},{20,%u}}));\n",
        i % 5, i % 7, i % 100);
    builder_append_text(
        b, "    annotation(experiment(StopTime=10, Tolerance=1e-8), Documentation(info=\"<html>\n"
           "<p>A point mass on a rope of length <code>l</code>. While the rope is taut the mass\n"
           "moves on a circle, otherwise it falls freely.</p>\n"
           "</html>\"), Icon(graphics={Rectangle(extent={{-100,100},{100,-100}},\n"
           "      lineColor={0,0,127}, fillPattern=FillPattern.Solid), "
           "Text(textString=\"%name\")}));\n");
    builder_append_format(b, "  end Pendulum%u;\n\n", i);
}

static String generate(Arena *arena, size_t size)
{
    StringBuilder b = builder_create(arena);
    builder_append_text(&b, "within;\npackage Generated \"for the benchmark\"\n");
    for (unsigned i = 0; b.length < size; i++)
        append_model(&b, i);
    builder_append_text(&b, "end Generated;\n");
    return builder_string(&b);
}

// Seconds of one run; *memory becomes the bytes of the arena beyond the text itself.
static double run(String text, size_t *memory)
{
    Compilation *c = compilation_create(NULL);
    const SourceFile *file;
    if (!c || sources_add(c->sources, "generated.mo", text.text, text.length, &file) != SOURCE_OK)
        exit(EXIT_FAILURE);
    size_t before = c->arena->taken;
    double start = measure_wall();
    StoredDefinition *definition = parser_parse(c, file);
    double seconds = measure_wall() - start;
    *memory = c->arena->taken - before;
    if (!definition || c->diagnostics->error_count) {
        fputs("the generated text has errors\n", stderr);
        exit(EXIT_FAILURE);
    }
    compilation_destroy(c);
    return seconds;
}

int main(void)
{
    static const size_t sizes[] = {1, 4, 16};
    printf("%8s %10s %10s %24s\n", "MB", "ms", "MB/s", "bytes of tree per byte");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Arena *arena = arena_create(NULL);
        if (!arena)
            return EXIT_FAILURE;
        String text = generate(arena, sizes[i] * MEGABYTE);
        double best = 1e9;
        size_t memory = 0;
        for (int j = 0; j < RUNS; j++) {
            double seconds = run(text, &memory);
            best = seconds < best ? seconds : best;
        }
        double megabytes = (double)text.length / MEGABYTE;
        printf("%8.1f %10.2f %10.1f %24.2f\n", megabytes, 1e3 * best, megabytes / best,
               (double)memory / (double)text.length);
        arena_destroy(arena);
    }
    return EXIT_SUCCESS;
}
