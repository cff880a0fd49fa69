// SPDX-License-Identifier: MIT
//
// saltus draw --diagram and saltus animate as a user meets them: the pictures of their page in the
// manual, the models that have pictures, files, messages.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect(const char *arguments, int status, const char *expected)
{
    char line[1000];
    snprintf(line, sizeof line, "%s 2>&1", arguments);
    command_expect(line, status, expected);
}

// All of a model's pictures, with what moves in them: a run, and no warning.
static void models_that_have_pictures(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *shown;
    } models[] = {
        {"c21/Ball.mo Ball.EventContact --stop-time 3", "x = "},
        {"c21/Ball.mo Ball.SwitchingParts --stop-time 3", "w = "},
        {"c21/Ball.mo Ball.MaximalStateSpace --stop-time 3", "w = "},
        {"c21/Circuit.mo Circuit.ShockleyComponents --stop-time 2e-5", ">100 nF<"},
        {"c21/Ball.mo Ball.Decomposed --stop-time 3", "data-state=\"touching\""},
        {"c21/Circuit.mo Circuit.Shortcut --stop-time 2e-5", "conducts"},
        {"c21/Circuit.mo Circuit.ShockleyDecomposed --stop-time 2e-5", "conducts"},
        {"c21/Pendulum.mo Pendulum.Decomposed --stop-time 3", "free flight"},
        {"c21/Pendulum.mo Pendulum.MaximalStateSpace --stop-time 3", "free flight"},
        {"c21/Pendulum.mo Pendulum.Cartesian --stop-time 3", "free flight"},
        {"models/modes/CupAndBall.mo CupAndBall.Inelastic", "taut"},
        {"models/modes/CupAndBall.mo CupAndBall.Inelastic --plot taut", ">true</text>"},
        {"models/modes/IdealClutch.mo", "locked"},
        {"models/examples/StickSlip.mo", "sticks"},
        {"models/examples/ClutchEngagement.mo", "slips"},
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char line[300];
        snprintf(line, sizeof line, "animate --frames 30 %s -o film.html", models[i].arguments);
        expect(line, 0, "moving attribute");
        assert_null(strstr(command_run(line)->text, "warning"));
        const char *html = command_read("film.html");
        assert_non_null(html);
        if (!strstr(html, models[i].shown))
            fail_msg("%s: no '%s'", models[i].arguments, models[i].shown);
        assert_non_null(strstr(html, "data-e="));
    }
}

// Texts of the manual's pictures are those that are drawn now.
static void pictures_of_the_manual(void **state)
{
    (void)state;
    command_expect("draw --diagram models/examples/ClutchEngagement.mo -o clutch.svg", 0, "");
    command_expect("animate -q models/modes/CupAndBall.mo CupAndBall.Inelastic --frames 60 "
                   "-o cup.svg",
                   0, "");
    const CommandOutcome *o = command_shell("grep -o '<tspan.*</tspan>' clutch.svg > a; grep -o "
                                            "'<tspan.*</tspan>' docs/animate/clutch.svg | cmp - a "
                                            "&& grep -c '<animate' cup.svg");
    assert_int_equal(o->status, 0);
}

static void other_files(void **state)
{
    (void)state;
    command_write("Plain.mo", "model Plain Real x = time; end Plain;");
    command_write("P.mo", "model P Real x = time; annotation(Diagram(graphics = {Line(points = "
                          "DynamicSelect({{0, 0}, {1, 1}}, {{0, 0}, {100 * x, 1}}))})); end P;");
    // Without a picture there are curves; without a name it is that of the model.
    expect("animate Plain.mo --plot x", 0, "Plain.html: ");
    assert_non_null(strstr(command_read("Plain.html"), "id=\"curves\""));
    expect("animate Plain.mo -o a.svg", 2, "Plain has no diagram and no states");
    expect("animate P.mo -o a.svg --frames 10 --seconds 3", 0, "a.svg: 11 frames, 0 events");
    assert_non_null(strstr(command_read("a.svg"), "dur=\"3s\""));
    if (system("rsvg-convert --version >/dev/null 2>&1") == 0) {
        expect("animate P.mo -o a.gif --frames 10 --seconds 1 --width 60", 0, "a.gif: ");
        assert_memory_equal(command_read("a.gif"), "GIF89a", 6);
    }
    const CommandOutcome *o =
        command_shell("PATH=/nowhere \"$SALTUS\" animate P.mo -o b.gif --seconds 1 2>&1");
    assert_int_equal(o->status, 1);
    assert_non_null(strstr(o->text, "librsvg2-bin"));
    assert_null(command_read("b.gif"));
}

// exp(800 x) is beyond all numbers until x < 0.8872, from the first row on.
static void what_is_not_finite(void **state)
{
    (void)state;
    command_write(
        "N.mo", "model N Real x(start = 1, fixed = true), y = exp(800 * x); equation der(x) = -x; "
                "annotation(Diagram(graphics = {Line(points = DynamicSelect({{0, 0}, {1, 1}}, "
                "{{0, 0}, {100 * x, 1}}))})); end N;");
    expect("animate N.mo -o n.svg", 1, "y is not finite at t = 0\n");
}

// A machine in a state of another one: both charts, and states that are lit in their time.
static void states_light_up(void **state)
{
    (void)state;
    expect("animate models/modes/Statechart.mo --frames 40 -o c.svg", 0, "c.svg");
    const char *svg = command_read("c.svg");
    assert_non_null(strstr(svg, "data-state=\"working.fast\"><animate attributeName=\"fill\" "
                                "values=\"#ffd977;#f4f7fa;"));
    assert_non_null(strstr(svg, "data-state=\"pausing\"><animate attributeName=\"fill\" "
                                "values=\"#f4f7fa;#ffd977;"));
    expect("animate models/modes/Statechart.mo --frames 40 -o c.html", 0, "c.html");
    const char *html = command_read("c.html");
    assert_non_null(strstr(html, "id=\"chart\""));
    assert_null(strstr(html, "id=\"picture\"")); // states are in the chart
    assert_non_null(strstr(html, "\"modes\":[\"working.fast, day\""));
}

// Parameters and start values of the run are those of the picture.
static void settings_count(void **state)
{
    (void)state;
    command_write("S.mo",
                  "model Part parameter Real k = 1; annotation(Icon(graphics = {Text(textString = "
                  "\"%k\")})); end Part; model S parameter Integer n = 1; parameter Real g = 2; "
                  "Part p(k = g) annotation(Placement(transformation(extent = {{0, 0}, {9, 9}}))); "
                  "Part q[n](each k = 7) annotation(Placement(transformation(extent = {{20, 0}, "
                  "{29, 9}}))); Real x = time; end S;");
    expect("animate S.mo --frames 5 -p g=5 -p n=0 -o s.svg", 0, "s.svg");
    const char *svg = command_read("s.svg");
    assert_non_null(strstr(svg, ">5</tspan>"));
    assert_null(strstr(svg, ">7</tspan>"));
}

static void messages(void **state)
{
    (void)state;
    command_write("Plain.mo", "model Plain Real x = time; end Plain;");
    command_write("Bad.mo", "model Bad Real x = y; end Bad;");
    command_write("Fails.mo", "model Fails Real x = 1 / time; Real y(start = 0, fixed = true); "
                              "equation der(y) = sqrt(0.5 - time); end Fails;");
    static const CommandMistake mistakes[] = {
        {"Plain.mo -o a.mp4", 2, "must end in .html, .svg or .gif"},
        {"Plain.mo --plot z", 2, "'z'"},
        {"Plain.mo --frames 0", 2, "--frames must be from 1"},
        {"Plain.mo --seconds 0", 2, "--seconds must be from"},
        {"Plain.mo --width 5", 2, "--width must be from"},
        {"Plain.mo --stop-time -1", 2, "the stop time must be after the start time"},
        {"Bad.mo", 3, "y"},
        {"Fails.mo", 1, "the run ended at t = 0.5"},
        {"models/examples/BouncingBall.mo --stop-time 30 -o b.html", 4, "events accumulate"},
        {"Plain.mo -o no/such/folder.html", 2, "no/such"},
    };
    command_expect_all("animate", mistakes, sizeof mistakes / sizeof *mistakes);
    static const CommandMistake drawn[] = {
        {"--diagram Plain.mo", 2, "Plain has no diagram: it has no components"},
        {"--icon Plain.mo", 2, "Plain has no icon"},
        {"--diagram --modes Plain.mo", 2, "do not go together"},
        {"--diagram None.mo", 2, "None.mo"},
        {"--diagram Plain.mo Other", 3, "Other"},
    };
    command_expect_all("draw", drawn, sizeof drawn / sizeof *drawn);
    command_expect("draw --icon models/Saltus Saltus.Electrical.IdealDiode", 0,
                   ">IdealDiode</tspan>");
}

static int set_up(void **state)
{
    if (command_make_folder(state) != 0 ||
        symlink(SALTUS_SOURCE_DIR "/docs", command_path("docs")) != 0 ||
        symlink(SALTUS_SOURCE_DIR "/benchmarks/c21", command_path("c21")) != 0)
        return -1;
    return symlink(SALTUS_SOURCE_DIR "/models", command_path("models"));
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_that_have_pictures),
        cmocka_unit_test(pictures_of_the_manual),
        cmocka_unit_test(other_files),
        cmocka_unit_test(what_is_not_finite),
        cmocka_unit_test(states_light_up),
        cmocka_unit_test(settings_count),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, set_up, command_remove_folder);
}
