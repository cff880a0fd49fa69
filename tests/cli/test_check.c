// SPDX-License-Identifier: MIT
//
// The command as a user meets it: exit status, what is on standard output and what on standard
// error. The command is found relative to this program, as the build lays them out.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static void assert_output(const char *arguments, int status, const char *expected)
{
    char line[1000];
    snprintf(line, sizeof line, "%s 2>/dev/null", arguments);
    command_expect(line, status, expected);
}

static void assert_error(const char *arguments, int status, const char *expected)
{
    char line[1000];
    snprintf(line, sizeof line, "%s 2>&1 >/dev/null", arguments);
    command_expect(line, status, expected);
}

static void help_and_version(void **state)
{
    (void)state;
    assert_output("--help", 0, "Commands:\n  simulate");
    assert_output("", 0, "Commands:\n  simulate");
    assert_output("-h", 0, "Usage: saltus COMMAND");
    assert_output("--version", 0, "saltus 0.");
    assert_output("check --help", 0, "--syntax-only");
    assert_output("check -h", 0, "--color=auto|always|never");
}

static void wrong_usage(void **state)
{
    (void)state;
    assert_error("chekc", 2, "did you mean 'check'?");
    assert_error("frobnicate", 2, "unknown command 'frobnicate'\n");
    assert_error("good.mo", 2, "no command given; 'saltus simulate good.mo' runs a model\n");
    assert_error("--frobnicate", 2, "unknown option '--frobnicate'");
    assert_error("check", 2, "no file given");
    assert_error("check --syntax-onyl good.mo", 2, "did you mean '--syntax-only'?");
    assert_error("check -x good.mo", 2, "unknown option '-x'");
    assert_error("check --json=3 good.mo", 2, "--json takes no value");
    assert_error("check --color=red good.mo", 2, "'red' is no value for --color");
    assert_error("check --color", 2, "--color needs a value");
    assert_error("check --syntax-only missing.mo", 2, "cannot read 'missing.mo': No such file");
    assert_error("check --syntax-only .", 2, "cannot read '.': Is a directory");
}

static void good_file(void **state)
{
    (void)state;
    const CommandOutcome *outcome = command_expect("check --syntax-only good.mo 2>&1", 0, "");
    assert_string_equal(outcome->text, "");
    assert_output("check --syntax-only --json good.mo", 0,
                  "{\"schema\":\"saltus-check\",\"version\":1,\"errors\":0,\"warnings\":0,"
                  "\"diagnostics\":[]}\n");
    command_expect("check --syntax-only -- -dash.mo 2>&1", 0, "");
}

static void bad_file(void **state)
{
    (void)state;
    assert_error("check --syntax-only good.mo bad.mo", 3,
                 "bad.mo:2:10: error: expected ';' behind the declaration, found identifier 'y'\n"
                 "    2 |   Real x y;\n"
                 "      |          ^\n");
    assert_string_equal(command_run("check --syntax-only bad.mo 2>/dev/null")->text, "");
    assert_output("check --syntax-only --json bad.mo", 3,
                  "{\"schema\":\"saltus-check\",\"version\":1,\"errors\":1,\"warnings\":0,"
                  "\"diagnostics\":[{\"severity\":\"error\","
                  "\"file\":\"bad.mo\",\"line\":2,\"column\":10,");
    // The readable file is checked all the same.
    assert_error("check --syntax-only missing.mo bad.mo", 2, "bad.mo:2:10: error");
}

// Equations that are as many as the variables, but do not determine them; a part, which needs what
// it is connected to.
static void singular(void **state)
{
    (void)state;
    assert_error(
        "check singular.mo", 3,
        "singular.mo:2:8: error: too few equations: 1 equation for 2 variables, x and y\n");
    command_expect("check part.mo Part 2>&1", 0, "");
    command_expect("check part.mo Whole 2>&1", 3, "part.mo");
}

// Every file is checked, alone or with what it needs of the others; success says what is there.
static void several_files(void **state)
{
    (void)state;
    command_write("fine.mo", "model Fine Real x(start = 1, fixed = true), y; Integer n(start = 0, "
                             "fixed = true);\nequation der(x) = -x; y = 2*x;\n"
                             "when x < 0.5 then n = pre(n) + 1; end when; end Fine;\n");
    command_write("wrong.mo", "model Wrong Real x = z; end Wrong;\n");
    command_write("rope.mo", "model Rope Boolean b = time > 1; Real x(start = 1, fixed = true);\n"
                             "equation if b then x = 2; else der(x) = 1; end if; end Rope;\n");
    command_shell("mkdir -p other");
    command_write("other/base.mo", "model Base Real x = time; end Base;\n");
    command_write("user.mo", "model User extends Base; Real y = x; end User;\n");
    assert_output("check fine.mo", 0,
                  "Fine: 3 variables (1 discrete), 2 equations, 2 unknowns, 1 state, index 1\n");
    assert_output("check rope.mo", 0,
                  "Rope: 2 variables (1 discrete), 1 equation, 1 unknown, 1 state, index 0, in the "
                  "initial mode\n");
    assert_output("check -q fine.mo", 0, "");
    assert_string_equal(command_run("check -q fine.mo 2>&1")->text, "");
    assert_error("check wrong.mo fine.mo", 3, "wrong.mo:1:22: error: there is no variable 'z'");
    assert_output("check wrong.mo fine.mo", 3, "Fine: 3 variables");
    assert_error("check user.mo", 3, "Base");
    assert_string_equal(command_run("check user.mo other/base.mo 2>&1")->text,
                        "User: 2 variables, 1 equation, 1 unknown, 0 states, index 1\n"
                        "Base: 1 variable, 1 equation, 1 unknown, 0 states, index 1\n");
    assert_output(
        "check --json fine.mo", 0,
        "\"model\":\"Fine\",\"variables\":3,\"discrete\":1,\"equations\":2,\"unknowns\":2,"
        "\"states\":1,\"index\":1,\"diagnostics\":[]}\n");
}

// A name stands for its file, here or in models/; the examples that come with the command last.
static void files_by_name(void **state)
{
    (void)state;
    command_shell("mkdir -p models");
    command_write("Named.mo", "model Named Real x = 1; end Named;\n"
                              "model Later Real x = 1; Real y = x; end Later;\n");
    command_write("models/Inside.mo", "package Inside model A Real x = 1; end A;\n"
                                      "model B Real x = 1; end B; end Inside;\n");
    command_write("BouncingBall.mo", "model BouncingBall Real mine = 1; end BouncingBall;\n");
    assert_output("check Named", 0, "Named: 1 variable,");
    assert_output("check Inside", 0, "Inside.B: 1 variable,");
    assert_output("check Inside.A", 0, "Inside.A: 1 variable,");
    assert_output("check BouncingBall", 0, "BouncingBall: 1 variable,");
    command_shell("rm BouncingBall.mo");
    assert_output("check BouncingBall", 0,
                  "BouncingBall: 3 variables (1 discrete), 2 equations, 2 unknowns, 2 states");
    assert_error("check Rocket", 2, "there are two models 'Rocket': give the file");
    assert_error("check BouncinBall", 2,
                 "there is no model 'BouncinBall'; did you mean 'BouncingBall'?");
    assert_error("check Nowhere", 3, "there is no class 'Nowhere'");
    assert_output("check Saltus.Electrical.Resistor", 0, "a component that needs connections");
}

// Two batteries of the library side by side: the places are those in the user's file.
static void library_components(void **state)
{
    (void)state;
    assert_error("check short.mo", 3,
                 "short.mo:2:37: error: too many equations: 2 equations of a and b for 1 variable, "
                 "a.p.v\n");
    assert_error("check short.mo", 3, "short.mo:2:40: note: b: b.V = a.p.v\n");
    assert_null(strstr(command_run("check short.mo 2>&1")->text, "Electrical.mo"));
}

static void colours(void **state)
{
    (void)state;
    const CommandOutcome *plain = command_run("check --syntax-only bad.mo 2>&1 >/dev/null");
    assert_null(strchr(plain->text, '\x1b')); // a pipe is no terminal
    assert_error("check --syntax-only --color=always bad.mo", 3, "\x1b[1;31merror:");
}

static int set_up(void **state)
{
    if (command_make_folder(state) != 0)
        return -1;
    command_write("good.mo", "model A\n  Real x;\nend A;\n");
    command_write("-dash.mo", "model A\nend A;\n");
    command_write("singular.mo",
                  "model S\n  Real x, y;\nequation\n  x + y = 1;\n  x + y = 2;\nend S;\n");
    command_write("part.mo", "connector Pin\n  Real v;\n  flow Real i;\nend Pin;\n"
                             "model Part\n  Pin p, n;\nequation\n  p.v - n.v = p.i;\n"
                             "  p.i + n.i = 0;\nend Part;\n"
                             "model Whole\n  Part a, b;\nequation\n  connect(a.p, b.p);\n"
                             "  connect(a.n, b.n);\nend Whole;\n");
    command_write("short.mo", "model Short\n  Saltus.Electrical.ConstantVoltage a, b;\n"
                              "  Saltus.Electrical.Ground g;\nequation\n  connect(a.p, b.p);\n"
                              "  connect(a.n, b.n);\n  connect(a.n, g.p);\nend Short;\n");
    command_write("bad.mo", "model A\n  Real x y;\nend A;\n");
    return 0;
}

// Quoted names with points and quotes in them (section 2.3.1).
static void quoted_names(void **state)
{
    (void)state;
    command_write("quoted.mo", "package Q model 'a.b' Real x = time; end 'a.b'; "
                               "model 'a\\'b' Real x = time; end 'a\\'b'; end Q;");
    command_expect("check quoted.mo \"Q.'a.b'\" 2>&1", 0, "");
    command_expect("check quoted.mo \"Q.'a\\\\'b'\" 2>&1", 0, "");
    command_expect("check quoted.mo \"Q.'a\" 2>&1", 3, "there is no class");
}

// Whatever the language tests say, the command ends by itself, with a status of its own.
static void language_tests_end(void **state)
{
    (void)state;
    const CommandOutcome *outcome = command_shell(
        "find " SALTUS_SOURCE_DIR "/tests/language " SALTUS_SOURCE_DIR "/tests/fuzz/corpus "
        "-name '*.mo' | while read -r file; do \"$SALTUS\" check \"$file\" >out 2>err; "
        "[ $? -le 4 ] || echo \"$file\"; done");
    assert_string_equal(outcome->text, "");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_and_version),
        cmocka_unit_test(wrong_usage),
        cmocka_unit_test(good_file),
        cmocka_unit_test(bad_file),
        cmocka_unit_test(colours),
        cmocka_unit_test(singular),
        cmocka_unit_test(several_files),
        cmocka_unit_test(files_by_name),
        cmocka_unit_test(library_components),
        cmocka_unit_test(quoted_names),
        cmocka_unit_test(language_tests_end),
    };
    return cmocka_run_group_tests(tests, set_up, command_remove_folder);
}
