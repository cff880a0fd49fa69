// SPDX-License-Identifier: MIT
//
// `saltus fmu`, and `saltus simulate` of an FMU, as a user meets them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ball[] = "model Ball \"a ball & a <floor>\"\n"
                           "  parameter Real e = 0.5 \"restitution\";\n"
                           "  parameter Integer n = 2;\n"
                           "  Real h(start = 1, fixed = true, unit = \"m\", nominal = 2);\n"
                           "  Real v(start = 0, fixed = true);\n"
                           "  output Real w[n] = {i * h for i in 1:n};\n"
                           "  constant String kind = \"round\";\n"
                           "equation\n  der(h) = v;\n  der(v) = -10;\n"
                           "  when h <= 0 then\n    reinit(v, -e * pre(v));\n  end when;\n"
                           "  annotation(experiment(StopTime = 0.5));\nend Ball;\n";

static void expect_in(const char *text, const char *expected)
{
    if (!strstr(text, expected))
        fail_msg("no '%s' in: %s", expected, text);
}

// What is in it, and that the same model makes the same bytes.
static void exports(void **state)
{
    (void)state;
    command_write("Ball.mo", ball);
    command_expect("fmu Ball.mo 2>&1", 0, "saltus: Ball.fmu (FMI 2.0)\n");
    command_expect("fmu -q Ball.mo -o again.fmu 2>&1", 0, "");
    assert_int_equal(command_shell("cmp Ball.fmu again.fmu")->status, 0);
    command_expect("fmu --fmi=3.0 -q Ball.mo -p e=0.25 -p n=3 -o three.fmu 2>&1", 0, "");
    assert_int_equal(command_shell("cmp -s Ball.fmu three.fmu")->status, 1);
    expect_in(command_shell("python3 -c \"import zipfile; print(zipfile.ZipFile('three.fmu').read("
                            "'resources/model.txt').decode())\"")
                  ->text,
              "\nset 0.25 e\n");
    command_expect("fmu -q --type=both Ball.mo -o both.fmu 2>&1", 0, "");
}

// With its C sources: the description that it is built by, the library, the modes of this model.
static void sources(void **state)
{
    (void)state;
    command_expect("fmu -q --fmi=3.0 --sources Ball.mo -o sources.fmu 2>&1", 0, "");
    assert_int_equal(command_shell("python3 -m zipfile -t sources.fmu")->status, 0);
    const char *list = command_shell("python3 -m zipfile -l sources.fmu")->text;
    expect_in(list, "sources/buildDescription.xml");
    expect_in(list, "sources/compiled/mode_1.c");
    expect_in(list, "sources/fmu/built_in.c");
    expect_in(list, "sources/fmu/fmi3.c");
    command_shell("python3 -m zipfile -e sources.fmu unpacked");
    const char *modes = command_read("unpacked/sources/fmu/built_in.c");
    assert_non_null(modes);
    expect_in(modes, "extern const CodeFunction saltus_mode_1[];");
    expect_in(modes, ", saltus_mode_1},");
}

static void simulates(void **state)
{
    (void)state;
    // h = 1 - 5 t^2: at 0.4 it is 0.2, exactly up to rounding.
    const char *text =
        command_expect("simulate Ball.fmu --allow-external --output-interval 0.4 --stop-time 0.4 "
                       "--variables h --variables w* 2>/dev/null",
                       0, "time,h,w[1],w[2],mode\n0,1,1,2,FMU\n")
            ->text;
    expect_in(text, "\n0.4000000000000000");
    command_expect("simulate three.fmu --allow-external --stop-time 0.1 --output-interval 0.1 "
                   "--variables e --variables w[3] 2>/dev/null",
                   0, "time,e,w[3],mode\n0,0.25,3,FMU\n");
    command_expect("simulate both.fmu --allow-external --interface=me -p e=0.75 --start h=2 "
                   "--stop-time 0.1 --output-interval 0.1 --variables e --variables h 2>/dev/null",
                   0, "time,e,h,mode\n0,0.75,2,FMU\n");
    command_expect("simulate both.fmu --allow-external --interface=me -o x.mat 2>&1", 0,
                   "FMI 2.0 model exchange");
    command_expect("simulate Ball.fmu --allow-external -o x.json -q 2>&1", 0, "");
}

static void not_finite(void **state)
{
    (void)state;
    command_write("wild.mo", "model Wild Real x(start = 1, fixed = true), y = sqrt(x - 0.4); "
                             "equation der(x) = -1; end Wild;");
    command_expect("fmu wild.mo --type=both -o wild.fmu 2>&1", 0, "wild.fmu");
    command_expect("simulate wild.fmu --allow-external --output-interval 0.25 -o x.csv 2>&1", 1,
                   "error: y is not finite at t = 0.75");
    command_expect("simulate wild.fmu --allow-external --interface=me --output-interval 0.25 "
                   "-o x.csv 2>&1",
                   1, "error: y is not finite at t = 0.75");
    command_expect("simulate wild.fmu --allow-external --stop-time 0.5 -o x.csv 2>&1", 0, "");
}

// b - a, of two large states, is zero only up to rounding; the FMU has to see a crossing where the
// importer has stopped for it, on whichever side that is. d = sin(3 t)/10 rises above 0.05 at
// t = (pi/6 + 2 pi k)/3: 29 times before t = 60.
static void crossings_within_rounding(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dopri5", "dop853", "rodas"};
    command_write("Near.mo", "model Near\n"
                             "  Real a(start = 0, fixed = true), b(start = 0, fixed = true);\n"
                             "  Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(a) = 1; der(b) = 1 + 0.3*cos(3*time);\n"
                             "  when b - a > 0.05 then n = pre(n) + 1; end when;\n"
                             "end Near;\n");
    command_expect("fmu -q --type=me Near.mo 2>&1", 0, "");
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        char call[192];
        snprintf(call, sizeof call,
                 "simulate -q Near.fmu --allow-external --stop-time 60 --output-interval 60 "
                 "--relative-tolerance 1e-8 --variables n --solver %s | tail -1",
                 solvers[i]);
        command_expect(call, 0, "60,29,FMU\n");
    }
}

// Diodes turn their currents around at events that change no state: that is no sign of bounces that
// have become smaller than errors, wherever an event is looked at.
static void diodes(void **state)
{
    (void)state;
    command_expect("fmu -q --type=me VoltageMultiplier 2>&1", 0, "");
    command_expect("simulate VoltageMultiplier.fmu --allow-external --relative-tolerance 1e-5 "
                   "--solver dop853 -o x.csv 2>&1",
                   0, "t = 2,");
}

// u = 0, 1, 0, 1, ... at t = 0, 1, 2, ..., with straight lines between: above 0.5 for one second
// around each of five peaks. The importer stops where u is 0.5 up to rounding, and says no slope.
static void conditions_on_inputs(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dopri5", "rodas", "cvode"};
    command_write("High.mo", "model High\n"
                             "  input Real u(start = 0);\n"
                             "  Real high(start = 0, fixed = true);\n"
                             "  Integer n(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(high) = if u > 0.5 then 1 else 0;\n"
                             "  when u > 0.5 then n = pre(n) + 1; end when;\n"
                             "end High;\n");
    command_write("high.csv", "time,u\n0,0\n1,1\n2,0\n3,1\n4,0\n5,1\n6,0\n7,1\n8,0\n9,1\n10,0\n");
    command_expect("fmu -q --type=me High.mo 2>&1", 0, "");
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        char call[256];
        snprintf(call, sizeof call,
                 "simulate -q High.fmu --allow-external --input high.csv --stop-time 10 "
                 "--output-interval 10 --variables high --variables n --solver %s -o - | tail -1",
                 solvers[i]);
        const char *text = command_expect(call, 0, "10,")->text;
        assert_true(fabs(strtod(text + 3, NULL) - 5.0) < 1e-9);
        expect_in(text, ",5,FMU\n");
    }
}

// Whatever the version and the interface, why an FMU failed is said in its own words, not what
// followed from it.
static void failures(void **state)
{
    (void)state;
    command_write("Fails.mo",
                  "model Fails Real x(start = 0, fixed = true); equation der(x) = 1; "
                  "when x > 0.5 then assert(x < 0.4, \"too far\"); end when; end Fails;");
    for (int version = 2; version <= 3; version++) {
        char call[128];
        snprintf(call, sizeof call, "fmu -q --type=both --fmi=%d.0 Fails.mo -o Fails.fmu 2>&1",
                 version);
        command_expect(call, 0, "");
        command_expect("simulate Fails.fmu --allow-external --interface=me -o x.csv 2>&1", 1,
                       "is violated: too far\n");
        command_expect("simulate Fails.fmu --allow-external --interface=cs -o x.csv 2>&1", 1,
                       "is violated: too far\n");
    }
}

// u = t up to 1, then 3 up to 2, then to 5 at 4, or held in each row: the integral is 0.5 + 3 + 8,
// or 3 + 6. In co-simulation the input is held in each step: half a step times what it rises by
// (1 + 2) is missing. A pass-through has the new value at once.
static void inputs(void **state)
{
    (void)state;
    command_write("In.mo", "model In input Real u; Real x(start = 0, fixed = true), y; equation "
                           "der(x) = u; y = 2*u; annotation(experiment(StopTime = 4)); end In;");
    command_write("in.csv", "time,u\n0,0\n1,1\n1,3\n2,3\n4,5\n");
    command_write("words.csv", "time,u\n0,a\n");
    command_write("other.csv", "time,v\n0,1\n");
    for (int version = 2; version <= 3; version++) {
        char line[300];
        snprintf(line, sizeof line, "fmu -q --type=both --fmi=%d.0 In.mo -o in.fmu", version);
        command_expect(line, 0, "");
        static const struct {
            const char *interface, *kind, *step;
            double x, bound;
        } cases[] = {{"me", "linear", "", 11.5, 1e-5},
                     {"me", "steps", "", 9.0, 1e-5},
                     {"cs", "steps", "", 9.0, 1e-5},
                     {"cs", "steps", "--step=0.0025", 9.0, 1e-5},
                     {"cs", "linear", "", 11.5 - 0.5 * 0.01 * 3.0, 1e-5},
                     {"cs", "linear", "--step=0.0025", 11.5 - 0.5 * 0.0025 * 3.0, 1e-5}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            snprintf(line, sizeof line,
                     "simulate in.fmu --allow-external --interface=%s --input in.csv %s "
                     "--interpolate=%s --output-interval 0.01 -q --variables x --variables y -o -",
                     cases[i].interface, cases[i].step, cases[i].kind);
            const char *text = command_expect(line, 0, "time,x,y,mode\n0,0,0,FMU\n")->text;
            const char *last = strstr(text, "\n4,");
            assert_non_null(last);
            assert_true(fabs(strtod(last + 3, NULL) - cases[i].x) <= cases[i].bound);
            expect_in(text, ",6,FMU\n"); // 2 u after the jump
        }
    }
    // Words of a Boolean input: x grows by 1 from 1 to 3, and n counts what was true.
    command_write("Bool.mo", "model Bool input Boolean b; Real x(start = 0, fixed = true); Integer "
                             "n(start = 0, fixed = true); equation der(x) = if b then 1 else 0; "
                             "when b then n = pre(n) + 1; end when; "
                             "annotation(experiment(StopTime = 4)); end Bool;");
    command_write("bool.csv", "time,b\n0,false\n1,true\n3,false\n");
    command_write("maybe.csv", "time,b\n0,false\n1,maybe\n");
    command_expect("fmu -q Bool.mo -o bool.fmu", 0, "");
    const char *text = command_expect("simulate bool.fmu --allow-external --input bool.csv "
                                      "--output-interval 0.5 -q --variables x --variables n -o -",
                                      0, "time,x,n,mode\n0,0,0,FMU\n")
                           ->text;
    const char *last = strstr(text, "\n4,");
    assert_non_null(last);
    assert_true(fabs(strtod(last + 3, NULL) - 2.0) <= 1e-5);
    expect_in(last, ",1,FMU\n");
    static const CommandMistake wrong[] = {
        {"in.fmu --allow-external --input words.csv", 2, "the column u should have numbers"},
        {"bool.fmu --allow-external --input maybe.csv", 2, "numbers, or true and false"},
        {"in.fmu --allow-external --input other.csv", 2, "no column has the name of an input"},
        {"in.fmu --allow-external --input none.csv", 2, "none.csv"},
    };
    command_expect_all("simulate", wrong, sizeof wrong / sizeof *wrong);
}

// Enumerations are listed; what shaped the model is constant, with the values that were given.
static void kinds(void **state)
{
    (void)state;
    command_write("Kinds.mo", "model Kinds\n"
                              "  type Gear = enumeration(low, high);\n"
                              "  parameter Gear gear = Gear.high;\n"
                              "  parameter Integer n = 2 annotation(Evaluate = true);\n"
                              "  parameter Boolean isUp = true annotation(Evaluate = true);\n"
                              "  parameter Gear first = Gear.low annotation(Evaluate = true);\n"
                              "  parameter Real x0 = -2;\n"
                              "  Real x(start = x0, fixed = true);\n"
                              "  output Real y = if gear == Gear.high then n * x else x;\n"
                              "  output Gear now = if x > -1 then Gear.high else first;\n"
                              "equation\n  der(x) = if isUp then 1 else -1;\nend Kinds;\n");
    static const char *const texts[] = {"<Enumeration declaredType=\"Kinds.Gear\" start=\"2\"/>",
                                        "declaredType=\"Kinds.Gear\" start=\"2\"></Enumeration>"};
    for (int version = 2; version <= 3; version++) {
        char line[300];
        snprintf(line, sizeof line,
                 "fmu -q Kinds.mo --fmi=%d.0 -p isUp=false -p first=Kinds.Gear.high -o kinds.fmu",
                 version);
        command_expect(line, 0, "");
        const char *xml = command_shell("rm -rf kinds && python3 -m zipfile -e kinds.fmu kinds && "
                                        "cat kinds/modelDescription.xml")
                              ->text;
        expect_in(xml, "<Item name=\"low\" value=\"1\"/>\n      <Item name=\"high\" value=\"2\"/>");
        expect_in(xml, texts[version - 2]);
        expect_in(xml, "variability=\"constant\" initial=\"exact\"");
        command_expect("simulate kinds.fmu --allow-external --stop-time 0.5 --output-interval 0.5 "
                       "--variables '*' 2>/dev/null",
                       0, "time,gear,n,isUp,first,x0,x,y,now,mode\n0,2,2,0,2,-2,-2,-4,2,FMU\n");
        command_expect("simulate kinds.fmu --allow-external -p gear=1 --stop-time 0.5 "
                       "--output-interval 0.5 --variables y 2>/dev/null",
                       0, "time,y,mode\n0,-2,FMU\n0.5,-2.5");
    }
}

static void mistakes(void **state)
{
    (void)state;
    command_write("wrong.fmu", "no archive");
    static const CommandMistake of_simulate[] = {
        {"Ball.fmu", 2, "--allow-external"},
        {"nothing.fmu --allow-external", 2, "cannot read 'nothing.fmu'"},
        {"wrong.fmu --allow-external", 3, "no ZIP archive"},
        {"Ball.fmu --allow-external --plot h", 2, "--plot is not for FMUs"},
        {"Ball.fmu --allow-external --interface=me", 1, "has no model exchange"},
        {"Ball.fmu --allow-external -p q=1", 1, "no variable q"},
        {"Ball.fmu --allow-external -p e=x", 1, "'x' is no value for e"},
        {"Ball.fmu --allow-external -p n=3", 1, "refuses n = 3"},
        {"Ball.fmu --allow-external --variables zz", 2, "no variable matches 'zz'"},
        {"Ball.fmu --allow-external --stop-time -1", 2, "before the start time"},
        {"Ball.fmu --allow-external --output-interval 0", 2, "output interval"},
        {"Ball.fmu --allow-external -o x.txt", 2, "'x.txt'"},
    };
    command_expect_all("simulate", of_simulate, sizeof of_simulate / sizeof *of_simulate);
    static const CommandMistake of_fmu[] = {
        {"", 2, "no file given"},
        {"Ball.mo -o nowhere/x.fmu", 1, "cannot write 'nowhere/x.fmu'"},
        {"Ball.mo -p q=1", 2, "q"},
        {"Ball.mo --fmi=1.0", 2, "1.0"},
        {"Ball.fmu", 2, "is an FMU"},
    };
    command_expect_all("fmu", of_fmu, sizeof of_fmu / sizeof *of_fmu);
    // Two files of one name, data that would not be there.
    command_shell("mkdir -p a b && cp Ball.mo a/Same.mo && echo 'package P end P;' >b/Same.mo");
    command_expect("fmu b/Same.mo a/Same.mo Ball 2>&1", 1, "have the same name");
    command_write("data.txt", "#1\n");
    command_write("Data.mo",
                  "model Data\n"
                  "  parameter String file = \"./data.txt\" annotation(Evaluate = true);\n"
                  "  Real x(start = 1, fixed = true);\n"
                  "equation\n  der(x) = -x;\nend Data;\n");
    command_expect("fmu Data.mo 2>&1", 1,
                   "file names the file './data.txt', which would not be in the FMU");
    command_write("Broken.mo", "model Broken\n  Real x = y;\nend Broken;\n");
    command_expect("fmu Broken.mo 2>&1", 3, "y");
    command_expect("check Ball.fmu 2>&1", 2, "is an FMU");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports),
        cmocka_unit_test(sources),
        cmocka_unit_test(simulates),
        cmocka_unit_test(not_finite),
        cmocka_unit_test(kinds),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(inputs),
        cmocka_unit_test(failures),
        cmocka_unit_test(crossings_within_rounding),
        cmocka_unit_test(conditions_on_inputs),
        cmocka_unit_test(diodes),
    };
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
