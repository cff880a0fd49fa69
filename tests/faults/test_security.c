// SPDX-License-Identifier: MIT
//
// Models are data: names and texts stay in their quotes wherever they are written, what is printed
// does not command the terminal, and files are read only where they may be.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

static const char evil[] =
    "model Evil \"<script>alert(1)</script> */ %s\"\n"
    "  Real 'x\");puts(\"hi\");//'(start = 1, fixed = true);\n"
    "  Real '</text><script>alert(1)</script>'(start = 2, fixed = true) \"]]> & < > \\\" '\";\n"
    "  Real '*/ int main(){} /*'(start = 0, fixed = true);\n"
    "  Real '=SUM(A1)'(start = 0, fixed = true) \"@SUM\";\n"
    "  Real 'a,b'(start = 0, fixed = true);\n"
    "  Real '#{x}%n%s'(start = 0, fixed = true);\n"
    "equation\n"
    "  der('x\");puts(\"hi\");//') = -1;\n"
    "  der('</text><script>alert(1)</script>') = -'x\");puts(\"hi\");//';\n"
    "  der('*/ int main(){} /*') = 1;\n"
    "  der('=SUM(A1)') = 1;\n"
    "  der('a,b') = 1;\n"
    "  der('#{x}%n%s') = 1;\n"
    "  when '=SUM(A1)' > 0.5 then reinit('a,b', 3); end when;\n"
    "end Evil;\n";

static void names_stay_in_their_quotes(void **state)
{
    (void)state;
    command_write("evil.mo", evil);
    // in C: it compiles, and computes the same
    command_expect("simulate evil.mo --backend=c -o c.csv 2>&1", 0, "compiled");
    command_expect("simulate evil.mo -q --backend=interpret -o i.csv && cmp c.csv i.csv", 0, "");
    // in CSV: a cell that begins a formula in spreadsheets begins with a quote here
    const char *table = command_read("c.csv");
    assert_non_null(strstr(table, "time,\"'x\"\");puts(\"\"hi\"\");//'\",'</text>"));
    assert_non_null(strstr(table, ",'=SUM(A1)',\"'a,b'\","));
    // so does what else could begin one: a condition
    command_write("sign.mo", "model Sign function HYPERLINK input String a; input Real x; output "
                             "Real y; algorithm y := x; while y > 1e9 loop y := y / 2; end while; "
                             "end HYPERLINK; Real x(start = 1, fixed = true); equation der(x) = "
                             "-HYPERLINK(\"u\", x); when -HYPERLINK(\"http://e\", x) > -0.5 then "
                             "reinit(x, 2); end when; end Sign;");
    command_expect("simulate sign.mo -q -o s.csv --events s-events.csv", 0, "");
    assert_non_null(strstr(command_read("s-events.csv"), ",\" -"));
    assert_non_null(strstr(command_read("s-events.csv"), "HYPERLINK(\"\"http://e\"\""));
    command_expect("events sign.mo --csv", 0, ",\" -");
    // in SVG
    command_expect("plot c.csv \"'</text><script>alert(1)</script>'\" \"'=SUM(A1)'\" -o p.svg", 0,
                   "");
    assert_null(strstr(command_read("p.svg"), "<script"));
    command_expect("structure evil.mo --svg s.svg", 0, "");
    assert_null(strstr(command_read("s.svg"), "<script"));
    // in JSON: what is written is read
    command_expect("simulate evil.mo -q -o j.json && \"$SALTUS\" compare j.json c.csv 2>&1", 0, "");
}

// States, classes, texts of annotations, modes: what pictures and pages are made of.
static const char drawn[] =
    "model Drawn \"</script><script>alert(1)</script>\"\n"
    "  model 'S\"];x[label=\"' \"<b>\"\n"
    "    annotation(Icon(graphics = {Text(extent = {{-100, -100}, {100, 100}},\n"
    "      textString = \"%name </text><script>alert(2)</script> %class\")}));\n"
    "  end 'S\"];x[label=\"';\n"
    "  'S\"];x[label=\"' 'a\"];evil[\"', '</text><script>alert(3)</script>'\n"
    "    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));\n"
    "  Real '</script><script>alert(4)</script>'(start = 1, fixed = true);\n"
    "equation\n"
    "  initialState('a\"];evil[\"');\n"
    "  transition('a\"];evil[\"', '</text><script>alert(3)</script>',\n"
    "    '</script><script>alert(4)</script>' > 1.2);\n"
    "  der('</script><script>alert(4)</script>') = 1;\n"
    "  annotation(Diagram(graphics = {\n"
    "    Text(extent = {{-50, -50}, {50, 50}}, textString = DynamicSelect(\"<script>\",\n"
    "      \"</script><script>alert(5)</script>\" + String(time))),\n"
    "    Text(extent = {{0, 0}, {50, 50}}, textString = \"\\\"><img src=x onerror=alert(6)>\",\n"
    "      fontName = \"x\\\" onload=\\\"alert(7)\")}));\n"
    "end Drawn;\n";

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static void pictures_and_pages_have_no_scripts(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "draw drawn.mo -o d.svg",
        "draw drawn.mo --run log.csv -o d.svg",
        "draw --modes drawn.mo -o d.svg",
        "draw --diagram drawn.mo -o d.svg",
        "animate drawn.mo -o d.svg",
        "structure drawn.mo --svg d.svg >/dev/null",
        "plot run.csv \"'</script><script>alert(4)</script>'\" --phases -e log.csv -o d.svg",
        "plot run.csv time --title '</svg><script>' --label 'time=</text><script>' -o d.svg",
    };
    command_write("drawn.mo", drawn);
    command_expect("simulate drawn.mo -q -o run.csv --events log.csv", 0, "");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        command_expect(commands[i], 0, "");
        const char *svg = command_read("d.svg");
        assert_non_null(strstr(svg, "<svg"));
        assert_null(strstr(svg, "<script"));
        assert_null(strstr(svg, "<img"));
        assert_null(strstr(svg, "onload=\""));
    }
    // The page has its data and its program, each in one element.
    command_expect("animate drawn.mo -o d.html", 0, "");
    const char *page = command_read("d.html");
    assert_int_equal(count_of(page, "<script"), 2);
    assert_int_equal(count_of(page, "</script"), 2);
    assert_null(strstr(page, "<img"));
    assert_null(strstr(page, "onload=\"alert"));
    // In Graphviz quotes and backslashes in labels are escaped.
    command_expect("structure drawn.mo --dot d.dot >/dev/null", 0, "");
    const char *dot = command_read("d.dot");
    assert_non_null(strstr(dot, "label=\"'a\\\"];evil[\\\"'"));
    assert_null(strstr(dot, "'a\"]"));
}

static void terminals_are_not_commanded(void **state)
{
    (void)state;
    char text[] =
        "\033[1;31mred\033[0m \033[8mhidden \033]0;title\007 \033[2J\t\xc2\x9b z\x7f \xc3\xa4\r\n";
    terminal_clean(text, sizeof text - 1);
    assert_string_equal(text,
                        "\033[1;31mred\033[0m ?[8mhidden ?]0;title? ?[2J\t?? z? \xc3\xa4\r\n");
    // C1 without its first byte; directions; other characters of these blocks
    char other[] = "\x9b"
                   "2J \xc2 \xe2\x80\xae"
                   "a\xe2\x81\xa6 \xe2\x80\xa9 \xe2\x82\xac \xe2\x80";
    terminal_clean(other, sizeof other - 1);
    assert_string_equal(other, "?2J ? ???a??? \xe2\x80\xa9 \xe2\x82\xac ??");
    command_write(
        "escape.mo",
        "model M Real x = 1; equation assert(false, \"\033]0;title\007\033[2J\"); end M;");
    const CommandOutcome *outcome = command_run("simulate escape.mo -o x.csv 2>&1");
    assert_int_equal(outcome->status, 1);
    assert_null(strchr(outcome->text, '\033'));
    assert_null(strchr(outcome->text, '\007'));
    assert_non_null(strstr(outcome->text, "?]0;title??[2J"));
}

#define READS(file)                                                                                \
    "function line input String f; input Integer n; output String s; output Boolean e; "           \
    "external \"C\" s = ModelicaInternal_readLine(f, n, e); end line;\n"                           \
    "function count input String f; output Integer n; external \"C\" n = "                         \
    "ModelicaInternal_countLines(f); end count;\n"                                                 \
    "model M parameter Integer n = count(\"" file "\"); Real x = n; end M;"

static void files_are_read_where_they_may_be(void **state)
{
    (void)state;
    command_shell("mkdir -p in out lib; printf '1\\n2\\n3\\n' >in/a.txt; cp in/a.txt lib; "
                  "cp in/a.txt out; ln -sf ../out/a.txt in/link.txt; mkfifo in/pipe");
    command_write("in/fine.mo", READS("a.txt"));
    command_expect("--version >/dev/null; cd in && \"$SALTUS\" simulate fine.mo --json -q", 0,
                   "\"x\":3");
    // beside the file that was given, from elsewhere
    char text[2000];
    snprintf(text, sizeof text, READS("%s"), command_path("in/a.txt"));
    command_write("in/absolute.mo", text);
    command_expect(
        "--version >/dev/null; cd out && \"$SALTUS\" simulate ../in/absolute.mo --json -q", 0,
        "\"x\":3");
    snprintf(text, sizeof text, READS("%s"), command_path("lib/a.txt"));
    command_write("in/other.mo", text);
    command_expect("--version >/dev/null; cd in && \"$SALTUS\" simulate other.mo -o x.csv 2>&1", 3,
                   "is not read: it is neither below the working directory");
    command_expect(
        "--version >/dev/null; cd in && \"$SALTUS\" simulate other.mo -L ../lib --json -q", 0,
        "\"x\":3");
    command_write("in/passwd.mo", READS("/etc/passwd"));
    command_expect("simulate in/passwd.mo -o x.csv 2>&1", 3, "'/etc/passwd' is not read");
    command_write("in/link.mo", READS("link.txt"));
    command_expect("--version >/dev/null; cd in && \"$SALTUS\" simulate link.mo -o x.csv 2>&1", 3,
                   "is not read");
    // nothing to wait for, nothing without end
    command_write("in/pipe.mo", READS("in/pipe"));
    command_expect("simulate in/pipe.mo -o x.csv --max-time=20 2>&1", 3, "it is no regular file");
    command_write("in/zero.mo", READS("/dev/zero"));
    command_expect("simulate in/zero.mo -o x.csv --max-time=20 2>&1", 3, "it is no regular file");
    command_expect("check /dev/zero --max-time=60 --max-memory=2000 2>&1", 3, "more than 256 MB");
    command_expect("check --syntax-only /dev/zero --max-time=60 --max-memory=2000 2>&1", 2,
                   "more than 256 MB");
}

// Commands that need no equations keep to the same folders.
static void pictures_and_listings_read_where_they_may(void **state)
{
    (void)state;
    static const char *const commands[] = {"draw --diagram", "draw --icon", "describe",
                                           "animate -o d.html"};
    char line[200];
    command_write("drawn.mo",
                  "model M\n"
                  "function line input String f; input Integer n; output String s; output Boolean "
                  "e; external \"C\" s = ModelicaInternal_readLine(f, n, e); end line;\n"
                  "constant String c = line(\"/etc/passwd\", 1);\n"
                  "Real x = time; annotation(\n"
                  "Diagram(graphics = {Text(extent = {{-9, -9}, {9, 9}}, textString = c)}),\n"
                  "Icon(graphics = {Text(extent = {{-9, -9}, {9, 9}}, textString = c)}));\n"
                  "end M;\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        snprintf(line, sizeof line, "%s drawn.mo 2>&1", commands[i]);
        const CommandOutcome *outcome = command_run(line);
        assert_non_null(strstr(outcome->text, "'/etc/passwd' is not read"));
        assert_null(strstr(outcome->text, "root:"));
    }
}

// Folders that contain themselves by links have an end.
static void links_of_libraries_end(void **state)
{
    (void)state;
    command_shell("mkdir -p linked/F; ln -s ../F linked/F/F; ln -s ../F linked/F/G");
    command_write("linked/F/package.mo",
                  "package F model A Real x = time; annotation(experiment(StopTime = 1)); end A; "
                  "end F;\npackage G model B Real x = time; annotation(experiment(StopTime = 1)); "
                  "end B; end G;\n");
    command_expect("examples linked/F --max-time=20 2>&1", 0, "F.G.B");
    assert_null(strstr(command_run("examples linked/F 2>&1")->text, "F.F.F."));
    command_expect("convert linked/F --max-time=20 2>&1", 0, "nothing to convert");
}

// The script by which a library converts models is one of its files: nothing that a link or ".."
// leads to, and nothing that is waited for. Folders of what is not read are not open to tables.
static void conversion_scripts_are_files_of_the_library(void **state)
{
    (void)state;
    static const char *const hostile[] = {"mkfifo", "ln -s /etc/passwd", "ln -s /dev/zero"};
    char line[300];
    command_shell("mkdir -p old/Foo");
    command_write("old/Foo/package.mo",
                  "package Foo model New Real y = time; end New; annotation(version = \"2\", "
                  "conversion(from(version = \"1\", script = \"modelica://Foo/c.mos\"))); "
                  "end Foo;\n");
    command_write("old/M.mo", "model M Foo.Old o; annotation(uses(Foo(version = \"1\"))); end M;");
    command_write("old/Foo/c.mos", "convertClass(\"Foo.Old\", \"Foo.New\");\n");
    command_expect("convert old/M.mo -L old 2>&1", 0, "Foo.New o;");
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        snprintf(line, sizeof line, "rm -f c.mos old/Foo/c.mos; %s c.mos; mv c.mos old/Foo",
                 hostile[i]);
        assert_int_equal(command_shell(line)->status, 0);
        command_expect("check old/M.mo -L old --max-time=20 2>&1", 3,
                       "the conversion script 'old/Foo/c.mos' is not read");
        command_expect("convert old/M.mo -L old --max-time=20 2>&1", 0, "nothing to convert");
    }
    command_shell(
        "sed -i 's,Foo/c.mos,Foo/../../../../../../../../etc/passwd,' old/Foo/package.mo");
    const CommandOutcome *outcome = command_run("check old/M.mo -L old 2>&1");
    assert_int_equal(outcome->status, 3);
    assert_non_null(strstr(outcome->text, "is not read"));
    assert_null(strstr(outcome->text, "root:"));
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stay_in_their_quotes),
        cmocka_unit_test(pictures_and_pages_have_no_scripts),
        cmocka_unit_test(terminals_are_not_commanded),
        cmocka_unit_test(files_are_read_where_they_may_be),
        cmocka_unit_test(pictures_and_listings_read_where_they_may),
        cmocka_unit_test(links_of_libraries_end),
        cmocka_unit_test(conversion_scripts_are_files_of_the_library)};
    return cmocka_run_group_tests(tests, command_make_folder, command_remove_folder);
}
