// SPDX-License-Identifier: MIT
//
// Libraries where people have them: folders, versions, files deep in a library, lists of examples.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A library with one model, whose value is its version's number.
static void write_library(const char *folder, const char *version, const char *annotation,
                          int number)
{
    char path[200], text[400];
    snprintf(text, sizeof text, "mkdir -p '%s/Deep/Deeper'", folder);
    assert_int_equal(command_shell(text)->status, 0);
    snprintf(path, sizeof path, "%s/package.mo", folder);
    snprintf(
        text, sizeof text,
        "package Lib constant Integer number = %d;\nannotation(version = \"%s\"%s); end Lib;\n",
        number, version, annotation);
    command_write(path, text);
    snprintf(path, sizeof path, "%s/Deep/package.mo", folder);
    command_write(path, "within Lib; package Deep end Deep;\n");
    snprintf(path, sizeof path, "%s/Deep/Deeper/package.mo", folder);
    command_write(path, "within Lib.Deep; package Deeper end Deeper;\n");
    snprintf(path, sizeof path, "%s/Deep/Deeper/Run.mo", folder);
    command_write(path, "within Lib.Deep.Deeper; model Run \"it runs\" Real x = Lib.number;\n"
                        "annotation(experiment(StopTime = 1)); end Run;\n");
    snprintf(path, sizeof path, "%s/Deep/Deeper/Part.mo", folder);
    command_write(path, "within Lib.Deep.Deeper; model Part Real x = 1; end Part;\n");
}

static void write_user(const char *name, const char *version)
{
    char text[300];
    snprintf(text, sizeof text, "model User extends Lib.Deep.Deeper.Run;%s%s%s end User;\n",
             version ? " annotation(uses(Lib(version = \"" : "", version ? version : "",
             version ? "\")));" : "");
    command_write(name, text);
}

static int set_up(void **state)
{
    if (command_make_folder(state) != 0)
        return -1;
    unsetenv("MODELICAPATH");
    unsetenv("OPENMODELICALIBRARY");
    write_library("home/.openmodelica/libraries/Lib 2.9.0+maint.om", "2.9.0", "", 29);
    write_library("home/.openmodelica/libraries/Lib 2.10.0", "2.10.0",
                  ", conversion(noneFromVersion = \"2.8.0\", from(version = \"1.0\", script = "
                  "\"modelica://Lib/convert.mos\"))",
                  210);
    write_library("mine/Lib", "3.0.0", "", 30);
    write_user("any.mo", NULL);
    write_user("nine.mo", "2.9.0");
    write_user("eight.mo", "2.8.0");
    write_user("one.mo", "1.0");
    write_user("four.mo", "4.0.0");
    return 0;
}

static void expect(const char *line, int status, const char *expected)
{
    const CommandOutcome *o = command_shell(line);
    if (o->status != status || !strstr(o->text, expected))
        fail_msg("%s: status %d, %s", line, o->status, o->text);
}

// The last row of "saltus simulate ARGUMENTS" has the library's number as x.
static void expect_number(const char *arguments, const char *number)
{
    char line[300], expected[40];
    snprintf(line, sizeof line, "HOME=home $SALTUS simulate -q %s 2>&1 | tail -1", arguments);
    snprintf(expected, sizeof expected, "1,%s,default", number);
    expect(line, 0, expected);
}

// Versions are numbers: 2.10 is after 2.9. The wanted one is taken wherever it is.
static void versions(void **state)
{
    (void)state;
    expect_number("any.mo", "210");
    expect_number("nine.mo", "29");
    expect_number("eight.mo", "210"); // which says that nothing has to be converted
    expect("HOME=home $SALTUS check eight.mo 2>&1", 0, "");
    assert_string_equal(command_shell("HOME=home $SALTUS check -q eight.mo 2>&1")->text, "");
    expect("HOME=home $SALTUS check one.mo 2>&1", 0,
           "warning: version 1.0 of 'Lib' is wanted, and version 2.10.0 is there");
    expect("HOME=home $SALTUS check one.mo 2>&1", 0, "have to be converted to it first");
    expect("HOME=home $SALTUS check four.mo 2>&1", 0, "what is new in 4.0.0 is not in it");
}

// Who uses a class of an earlier version learns what it is called now, or why it is gone.
static void conversions(void **state)
{
    (void)state;
    command_write("home/.openmodelica/libraries/Lib 2.10.0/convert.mos",
                  "  // convertClass(\"Lib.Old\", \"Lib.Wrong\");\n"
                  "myconvertClass(\"Lib.Old\", \"Lib.Wrong\");\n"
                  "convertClass({\"Lib.Older\",\n \"Lib.Old\"},\n \"Lib.New\");\n"
                  "convertMessage(\"Lib.Gone\", \"It has (no) place.\");\n");
    command_write("old.mo", "model O Lib.Old x; end O;");
    expect("HOME=home $SALTUS check old.mo 2>&1", 3,
           "note: 'Lib.Old' of an earlier version is 'Lib.New' now");
    command_write("gone.mo", "model G Lib.Gone x; end G;");
    expect("HOME=home $SALTUS check gone.mo 2>&1", 3, "note: 'Lib.Gone': It has (no) place.");
    command_write("never.mo", "model N Lib.Never x; end N;");
    assert_null(strstr(command_shell("HOME=home $SALTUS check never.mo 2>&1")->text, "earlier"));
}

// A library of today, and the script that says what was called otherwise in version 1.
static const char new_library[] =
    "package New\n"
    "  package Units type Length = Real(unit = \"m\");\n"
    "    package Convert function twice input Real u; output Real y = 2*u; algorithm end twice;\n"
    "    end Convert; end Units;\n"
    "  model Spring parameter Real stiffness = 1; parameter Real rest = 0; Real length;\n"
    "    Real force = stiffness*(length - rest); end Spring;\n"
    "  model Hard extends Spring; parameter Boolean isHard = true; end Hard;\n"
    "  model Line parameter Real a = 1, b = 1; Real u, y = a*u + b; end Line;\n"
    "  model Pipe parameter Boolean isWarm; Real T = if isWarm then 300 else 270; end Pipe;\n"
    "  annotation(version = \"2.0\", conversion(from(version = {\"0.9\", \"1.0\"}, "
    "script = \"modelica://New/up.mos\")));\nend New;\n";
static const char new_script[] =
    "// convertClass(\"New.Feder\", \"New.Line\");\n"
    "convertClass(\"New.Feder\",\n  \"New.Spring\");\n"
    "convertClass(\"New.SI\", \"New.Units\"); convertClass(\"New.SI.Conv\", "
    "\"New.Units.Convert\");\n"
    "convertClassIf(\"New.Feder\", \"hart\", \"true\", \"New.Hard\");\n"
    "convertModifiers(\"New.Feder\", {\"hart\"}, fill(\"\", 0));\n"
    "convertElement({\"New.Feder\"}, \"c\", \"stiffness\");\n"
    "convertElement({\"New.Feder\"}, {\"s\", \"s0\"}, {\"length\", \"rest\"});\n"
    "convertModifiers(\"New.Line\", {\"k\", \"d=3\"}, {\"a=%k%*2\", \"b=%d%\"}, true);\n"
    "convertClass(\"New.ColdPipe\", \"New.Pipe\");\n"
    "convertModifiers({\"New.ColdPipe\"}, fill(\"\", 0), {\"isWarm=false\"});\n"
    "convertMessage({\"New.Gone\", \"New.Line\"}, \"look at its offset\");\n";

// The last row of User: f.force, g.force, h[2].force, l.y, m.y, p.T, q.T, z.
static void upgrades(void **state)
{
    (void)state;
    static const char body[] =
        "  import SI = New.SI; import New.SI.Conv; import New.Line;\n"
        "  New.Feder f(c = 3, s0(displayUnit = \"cm\") = 1), h[2](each c = 5, each hart = false);\n"
        "  New.Feder g(hart = true, c = 7);\n"
        "  model Own extends New.Feder(c = 2); Real twice = 2*s; end Own;\n"
        "  Own o(s0 = 1); Line l(k = x + 1, d = 1), m(k = 4); parameter Real x = 1;\n"
        "  New.ColdPipe p, q[2]; SI.Length z = SI.Conv.twice(3) + Conv.twice(1);\n"
        "equation f.s = 2; g.s = 1; h[1].s = 0; h[2].s = 10; o.s = 4; l.u = 1; m.u = 1;\n";
    char text[2000];
    command_shell("mkdir -p libs/New Pack");
    command_write("libs/New/package.mo", new_library);
    command_write("libs/New/up.mos", new_script);
    snprintf(text, sizeof text,
             "model User\n%s  annotation(uses(New(version = \"1.0\"))); end User;\n", body);
    command_write("user.mo", text);
    expect("$SALTUS check -q -L libs user.mo 2>&1", 0,
           "warning: version 1.0 of 'New' is wanted, and version 2.0 is there: the model was "
           "converted");
    expect("$SALTUS check -q -L libs user.mo 2>&1", 0, "note: this is 'New.Units' now");
    expect("$SALTUS check -q -L libs user.mo 2>&1", 0, "'New.Line' of an earlier version: look at");
    // The texts that the user sees are those of the file.
    assert_null(strstr(command_shell("$SALTUS check -q -L libs user.mo 2>&1")->text, "error"));
    expect("$SALTUS flatten -L libs user.mo 2>/dev/null", 0, "'g.isHard' = true");
    static const struct {
        const char *name, *value;
    } results[] = {{"f.force", "3"},  {"g.force", "7"}, {"h[2].force", "50"}, {"o.force", "6"},
                   {"o.twice", "8"},  {"l.y", "5"},     {"m.y", "11"},        {"p.T", "270"},
                   {"q[2].T", "270"}, {"z", "8"}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        char line[300], row[40];
        snprintf(line, sizeof line,
                 "$SALTUS simulate -q -L libs user.mo --variables='%s' -o - 2>/dev/null | tail -1",
                 results[i].name);
        snprintf(row, sizeof row, "1,%s,default", results[i].value);
        expect(line, 0, row);
    }
    // A package in a folder: what is in its files is converted, too.
    command_write("Pack/package.mo",
                  "package Pack annotation(uses(New(version = \"0.9\"))); end Pack;\n");
    command_write("Pack/Deep.mo", "within Pack; model Deep New.Feder f(c = 4); equation f.s = 3; "
                                  "end Deep;\n");
    expect(
        "$SALTUS simulate -q -L libs Pack Pack.Deep --variables=f.force -o - 2>/dev/null | tail -1",
        0, "1,12,default");
    // The new texts: of a file printed, of a package written; of the library nothing is.
    expect("$SALTUS convert -L libs user.mo 2>/dev/null", 0,
           "New.Spring f(stiffness = 3, rest(displayUnit = \"cm\") = 1)");
    expect("$SALTUS convert -L libs user.mo 2>&1 >/dev/null", 0, "note: this is 'New.Units' now");
    expect(
        "$SALTUS convert -L libs user.mo > now.mo 2>/dev/null; $SALTUS check -L libs now.mo 2>&1",
        0, "User: ");
    assert_null(strstr(command_shell("$SALTUS check -L libs now.mo 2>&1")->text, "is wanted"));
    expect("$SALTUS convert -L libs Pack 2>&1", 2, "2 files change; --write writes them");
    expect("grep -c Feder Pack/Deep.mo", 0, "1");
    expect("$SALTUS convert --write -L libs Pack/ 2>&1", 0, "'Pack/Deep.mo' is written");
    expect("cat Pack/package.mo Pack/Deep.mo", 0,
           "package Pack annotation(uses(New(version = \"2.0\"))); end Pack;\n"
           "within Pack; model Deep New.Spring f(stiffness = 4); equation f.length = 3; end "
           "Deep;\n");
    expect("$SALTUS convert --write -L libs Pack libs/New 2>&1", 0, "there is nothing to convert");
    expect("$SALTUS convert -L libs Pack/Deep.mo 2>&1", 0, "there is nothing to convert");
    assert_string_equal(command_read("libs/New/up.mos"), new_script);
    assert_string_equal(command_read("libs/New/package.mo"), new_library);
    expect("$SALTUS convert 2>&1", 2, "no file given");
    command_write("broken.mo",
                  "model Broken New.Feder f( annotation(uses(New(version = \"1.0\"))); "
                  "end Broken;\n");
    expect("$SALTUS convert --write -L libs broken.mo 2>&1", 3, "error: ");
    // Nothing is converted from a version that the script does not know, or that is today's.
    command_write("late.mo", "model Late New.Pipe p(isWarm = true); "
                             "annotation(uses(New(version = \"2.0\"))); end Late;\n");
    assert_string_equal(command_shell("$SALTUS check -q -L libs late.mo 2>&1")->text, "");
    command_write("else.mo", "model Else New.Feder f; annotation(uses(New(version = \"1.5\"))); "
                             "end Else;\n");
    expect("$SALTUS check -q -L libs else.mo 2>&1", 3, "have to be converted to it first");
}

// Sizes and values of parameters from a file, by functions that are impure: they only read.
static void matrices_of_files(void **state)
{
    (void)state;
    command_write("a.txt", "#1\ndouble A(2,3)\n1 2 3\n4 5 6\n");
    command_write(
        "matrix.mo",
        "impure function sizes input String f; input String n; output Integer d[2];\n"
        "  external \"C\" ModelicaIO_readMatrixSizes(f, n, d); end sizes;\n"
        "impure function values input String f; input String n; input Integer r; input Integer c;\n"
        "  output Real A[r, c]; external \"C\" ModelicaIO_readRealMatrix(f, n, A, r, c, 0);\n"
        "end values;\n"
        "model Matrix parameter String f = \"a.txt\"; final parameter Integer d[2] = sizes(f, "
        "\"A\");\n  final parameter Real A[:, :] = values(f, \"A\", d[1], d[2]);\n"
        "  Real y = A[2, 3]*time, n = size(A, 2); end Matrix;\n");
    expect("$SALTUS simulate -q matrix.mo -o - 2>&1 | tail -1", 0, "1,6,3,default");
}

static void places(void **state)
{
    (void)state;
    expect_number("-L mine any.mo", "30");
    expect_number("-L mine/Lib any.mo", "30"); // the library itself
    expect_number("--library=nowhere --library=mine any.mo", "30");
    expect_number("-L mine nine.mo", "29"); // the wanted version is elsewhere
    expect_number("-L mine Lib.Deep.Deeper.Run", "30");
    expect("HOME=home MODELICAPATH=mine $SALTUS simulate -q any.mo | tail -1", 0, "1,30,default");
    expect("HOME=. OPENMODELICAHOME=om $SALTUS check any.mo 2>&1", 3,
           "note: a library 'Lib' is not there either (it was looked for in");
    expect("HOME=. $SALTUS check any.mo 2>&1", 3, "--library=DIR");
    expect("HOME=. $SALTUS check Lib.Run 2>&1", 3, "there is no package 'Lib'");
    expect("HOME=. $SALTUS check Modelica.Run 2>&1", 3, "Modelica Standard Library is free");
}

// A file three folders deep finds its own library, not another version of it.
static void inside(void **state)
{
    (void)state;
    expect_number("mine/Lib/Deep/Deeper/Run.mo", "30");
    expect_number("'home/.openmodelica/libraries/Lib 2.9.0+maint.om/Deep/Deeper/Run.mo'", "29");
    expect_number("mine/Lib mine/Lib/Deep/Deeper/Run.mo", "30");
    expect_number("mine/Lib/Deep Lib.Deep.Deeper.Run", "30");
    expect("cd mine/Lib/Deep/Deeper && $SALTUS simulate -q Run.mo | tail -1", 0, "1,30,default");
    expect("cd mine/Lib/Deep && $SALTUS simulate -q . Lib.Deep.Deeper.Run | tail -1", 0,
           "1,30,default");
}

static void examples(void **state)
{
    (void)state;
    assert_string_equal(command_expect("examples -L mine Lib", 0, "")->text,
                        "Lib.Deep.Deeper.Run  it runs\n");
    assert_string_equal(command_expect("examples mine/Lib/Deep/Deeper", 0, "")->text,
                        "Lib.Deep.Deeper.Run  it runs\n");
    command_expect("examples -L mine Lib.Deep.Deeper --json", 0,
                   "{\"name\":\"Lib.Deep.Deeper.Run\",\"description\":\"it runs\"}");
    command_expect("examples -L mine Lib.Deep.Deeper.Part 2>&1", 0,
                   "no model there has an experiment");
    command_expect("examples -L mine Lib.Depe 2>&1", 3, "did you mean 'Deep'?");
    command_expect("examples 2>&1", 2, "no file given");
}

static void mistakes(void **state)
{
    (void)state;
    const CommandMistake all[] = {
        {"nowhere Lib.Run", 2, "cannot read 'nowhere': No such file"},
        {"no/where Lib.Run", 2, "cannot read 'no/where': No such file"},
        {"home Lib.Run", 2, "there is no package.mo in it"},
        {"any.mo A B", 2, "'B' is neither a file nor the only model"},
    };
    command_expect_all("check", all, sizeof all / sizeof *all);
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions), cmocka_unit_test(conversions),
        cmocka_unit_test(upgrades), cmocka_unit_test(matrices_of_files),
        cmocka_unit_test(places),   cmocka_unit_test(inside),
        cmocka_unit_test(examples), cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, set_up, command_remove_folder);
}
