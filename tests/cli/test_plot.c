// SPDX-License-Identifier: MIT
//
// saltus plot and saltus draw as a user meets them: the commands and pictures of their page in the
// manual, options, messages.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST = 1 << 20 };

// Runs `saltus ARGUMENTS` in the test's folder; expects the text in either stream.
static void assert_run(const char *arguments, int status, const char *expected)
{
    char line[1000];
    snprintf(line, sizeof line, "%s 2>&1", arguments);
    command_expect(line, status, expected);
}

// The caller frees it; NULL: there is no such file.
static char *read_path(const char *start, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", start, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = malloc(LARGEST);
    assert_non_null(text);
    text[fread(text, 1, LARGEST - 1, file)] = '\0';
    fclose(file);
    return text;
}

static bool exists(const char *name)
{
    return access(command_path(name), R_OK) == 0;
}

// ---------------------------------------------------------------------------
// The manual
// ---------------------------------------------------------------------------

// The next text of a picture, and moves behind it.
static bool next_text(const char **svg, char text[256])
{
    const char *begin = strstr(*svg, "<text");
    const char *end = begin ? strstr(begin, "</text>") : NULL;
    if (!end)
        return false;
    begin = strchr(begin, '>') + 1;
    snprintf(text, 256, "%.*s", (int)(end - begin), begin);
    *svg = end;
    return true;
}

// The picture says the same as the one of the page: ticks, labels, legends. (Its curves differ
// in hundredths of points when a solver changes in its last bits.)
static void compare_picture(const char *page, const char *name)
{
    char place[256];
    snprintf(place, sizeof place, "%s/docs/%s", SALTUS_SOURCE_DIR, page);
    char *made = read_path(command_path("."), name), *kept = read_path(place, name);
    if (!made || !kept)
        fail_msg("%s is missing in %s", name, made ? place : "what the command made");
    const char *a = made, *b = kept;
    char left[256] = "", right[256] = "";
    bool has_left, has_right;
    do {
        has_left = next_text(&a, left);
        has_right = next_text(&b, right);
        assert_int_equal(has_left, has_right);
        if (has_left)
            assert_string_equal(left, right);
    } while (has_left);
    free(made);
    free(kept);
}

// Runs the commands of a page; returns how many pictures they made.
static int run_page(const char *name)
{
    char file[64];
    snprintf(file, sizeof file, "%s.md", name);
    char *page = read_path(SALTUS_SOURCE_DIR "/docs", file);
    assert_non_null(page);
    int count = 0;
    bool is_code = false;
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "```", 3) == 0)
            is_code = strcmp(line, "```sh") == 0;
        if (!is_code || strncmp(line, "saltus ", 7) != 0)
            continue;
        assert_run(line + 7, 0, "");
        const char *picture = strstr(line, " -o ");
        if (picture && strstr(picture, ".svg")) {
            compare_picture(name, picture + 4);
            count++;
        }
    }
    free(page);
    return count;
}

static void manual_test(void **state)
{
    (void)state;
    assert_in_range(run_page("plot"), 5, 50);
    assert_in_range(run_page("tutorial"), 1, 50);
    assert_in_range(run_page("sweep"), 1, 50);
    assert_in_range(run_page("solve"), 1, 50);
    assert_in_range(run_page("compare"), 1, 50);
    assert_in_range(run_page("linearize"), 1, 50);
}

// ---------------------------------------------------------------------------
// Options and messages
// ---------------------------------------------------------------------------

static void small_files(void)
{
    command_write("a.csv", "time,x,\"y[1,2]\",mode\n0,0,1,up\n1,1,2,up\n1,1,0,down\n2,4,3,down\n");
    command_write("b.csv", "time,x,z,mode\n0,0,1,up\n2,5,2,up\n");
    command_write("events.csv", "time,class,condition,from,to,changes\n1,SE-X,x > 1,up,down,\n");
}

// Booleans have no numbers on their axis, whether the run itself or a manifest says so.
static void boolean_test(void **state)
{
    (void)state;
    command_write("Flag.mo", "model Flag Boolean b = time > 0.5; Real x = 2*time; end Flag;");
    assert_run("simulate Flag.mo --plot b -o flag.svg", 0, "");
    assert_non_null(strstr(command_read("flag.svg"), ">true<"));
    assert_run("simulate Flag.mo --plot x -o flag.svg", 0, "");
    assert_null(strstr(command_read("flag.svg"), ">true<"));
    assert_run("simulate Flag.mo -o flag.csv --manifest manifest.json", 0, "");
    assert_run("plot flag.csv b -o flag.svg", 0, "");
    assert_non_null(strstr(command_read("flag.svg"), ">true<"));
    assert_run("plot flag.csv b,x -o flag.svg", 0, "");
    assert_null(strstr(command_read("flag.svg"), ">true<"));
}

static void expressions_test(void **state)
{
    (void)state;
    small_files();
    assert_run("plot a.csv 'x-2' 'x^2:x' -o e.svg", 0, "");
    assert_non_null(strstr(command_read("e.svg"), ">x-2<"));
    assert_run("plot a.csv b.csv 'x+y[1,2]' -o e.svg", 2, "b has no variable 'y[1,2]' in");
    assert_run("simulate " SALTUS_SOURCE_DIR
               "/models/examples/BouncingBall.mo --plot '9.81*h+v^2/2' -o e.svg",
               0, "");
    assert_run("simulate " SALTUS_SOURCE_DIR
               "/models/examples/BouncingBall.mo --plot 'h+w' -o e.svg",
               2, "no variable 'w'");
}

static void panels_test(void **state)
{
    (void)state;
    small_files();
    assert_run("plot a.csv x 'y[1,2]'", 0, ">y[1,2]</text>");
    assert_run("plot a.csv 'x,y[1,2]'", 0, ">x</text>");
    assert_run("plot a.csv '*'", 0, ">y[1,2]</text>");
    assert_run("plot a.csv '?'", 0, ">x</text>");
    assert_run("plot a.csv x:'y[1,2]' --equal", 0, ">y[1,2]</text>");
    assert_run("plot a.csv b.csv x", 0, ">b</text>");
    assert_run("plot a.csv x --phases", 0, ">down</text>");
    assert_run("plot a.csv 'x:y[1,2]' --phases", 0, ">down</text>");
    assert_run("plot a.csv x --events events.csv", 0, ">x &gt; 1</text>");
    assert_run("plot a.csv x --zoom 0.5:1.5 --title 'A & B' --points --log y", 0, "A &amp; B");
    assert_run("plot a.csv x --window 0:1 --size 84x60", 0, "width=\"84mm\" height=\"60mm\"");
    assert_run("plot a.csv --map x:time,'y[1,2]'", 0, ">y[1,2]</text>");
}

// Labels with and without units, names of runs, ranges; what they cannot be.
static void labels_test(void **state)
{
    (void)state;
    command_write("days.csv", "time,x,y\n0,1,2\n1,3,4\n2,5,0\n");
    command_write("other.csv", "time,x,y\n0,1,2\n2,4,1\n");
    const char *svg = command_expect("plot days.csv other.csv x --label 'time=age (d)' "
                                     "--label 'x=growth (kg)' --label 'days=with water' "
                                     "--range x=0:10 | cat",
                                     0, ">age (d)<")
                          ->text;
    assert_non_null(strstr(svg, ">growth (kg)<"));
    assert_non_null(strstr(svg, ">with water<"));
    assert_non_null(strstr(svg, ">other<"));
    assert_non_null(strstr(svg, ">10<"));
    command_expect("plot days.csv y:x --range x=-1:8 --label 'x=a' | cat", 0, ">a<");
    static const CommandMistake cases[] = {
        {"days.csv x --label z=3", 2, "--label needs NAME=..., with a variable, not 'z=3'"},
        {"days.csv x --label x", 2, "--label needs NAME=..."},
        {"days.csv x --range x=3", 2, "the range of x is FROM:TO, not '3'"},
        {"days.csv x --range x=3:1", 2, "the range of x is FROM:TO, not '3:1'"},
        {"days.csv x --range q=3:1", 2, "--range needs NAME=..."},
    };
    command_expect_all("plot", cases, sizeof cases / sizeof *cases);
}

static void messages_test(void **state)
{
    (void)state;
    command_write("none.csv", "time,x\n");
    command_expect("plot none.csv x -o n.svg 2>&1", 0, "warning: none.csv has no rows");
    small_files();
    command_write("bad.csv", "time,x\n1,2,3\n");
    assert_run("plot", 2, "no result file");
    assert_run("plot x", 2, "no result file 'x'");
    assert_run("plot nothing.csv x", 2, "nothing.csv");
    assert_run("plot bad.csv x", 2, "bad.csv:2");
    assert_run("plot a.csv", 2, "no variable given");
    assert_run("plot a.csv xx", 2, "a has no variable 'xx'; did you mean 'x'?");
    assert_run("plot a.csv b.csv z", 2, "a has no variable 'z'; it has x, ");
    assert_run("plot model.mo x", 2, "there is no result file 'model.mo'");
    assert_run("plot a.csv b.csv 'y*'", 2, "b has no variable 'y[1,2]'");
    assert_run("plot a.csv 'q*'", 2, "no variable of a matches 'q*'");
    assert_run("plot a.csv 'ti*'", 2, "no variable of a matches 'ti*'"); // time is on the axis
    assert_run("plot a.csv x,", 2, "a name is missing");
    assert_run("plot a.csv x,x:time", 2, "mixes curves over time and portraits");
    // What is wrong is not lost behind a long text.
    char line[1000] = "plot a.csv x";
    for (int i = 0; i < 400; i++)
        strcat(line, ",x");
    strcat(line, ",x:time");
    assert_run(line, 2, "mixes curves over time and portraits");
    assert_run("plot a.csv x --window 2:1", 2, "--window needs T0:T1");
    assert_run("plot a.csv x --zoom one", 2, "--zoom needs T0:T1");
    assert_run("plot a.csv x --size 5", 2, "--size needs millimetres");
    assert_run("plot a.csv x --dpi 5", 2, "--dpi must be");
    assert_run("plot a.csv x -o a.gif", 2, "must end in .svg, .png or .pdf");
    assert_run("plot a.csv x -o no/where.svg", 1, "cannot write 'no/where.svg'");
    assert_run("plot a.csv --map x", 2, "a map needs 'z:x,y'");
    assert_run("plot a.csv --map q:x,time", 2, "a has no column 'q'");
    assert_run("plot a.csv --map mode:x,time", 2, "has no numbers");
    assert_run("plot a.csv x --map x:time,x", 2, "--map takes no further variables");
    command_write("c.csv", "time,x\n1,2\n");
    assert_run("plot c.csv x --phases", 2, "no column 'mode'");
    assert_run("plot c.csv x --events c.csv", 0, ">event</text>");
    assert_run("plot c.csv x --events nothing.csv", 2, "nothing.csv");
}

// saltus simulate --plot
static void simulate_test(void **state)
{
    (void)state;
    assert_run("simulate models/examples/BouncingBall.mo --plot h,v --plot v:h -o s.svg", 0, "");
    char *svg = read_path(command_path("."), "s.svg");
    assert_non_null(svg);
    assert_non_null(strstr(svg, ">v</text>"));
    free(svg);
    assert_run("simulate models/modes/PendulumMachine.mo --plot swing.phi -o s.svg", 0, "");
    svg = read_path(command_path("."), "s.svg");
    assert_non_null(svg);
    assert_non_null(strstr(svg, ">fall</text>")); // phases
    free(svg);
    assert_run("simulate models/examples/BouncingBall.mo --plot h", 2, "--plot needs -o FILE.svg");
    assert_run("simulate models/examples/BouncingBall.mo -o t.svg", 2, "needs --plot");
    assert_run("simulate models/examples/BouncingBall.mo --plot hh -o t.svg", 2,
               "no variable 'hh'; did you mean 'h'?");
    assert_false(exists("t.svg"));
}

static void draw_test(void **state)
{
    (void)state;
    command_write("Plain.mo", "model Plain Real x = time; end Plain;");
    command_write("Bad.mo", "model Bad Real x = y; end Bad;");
    small_files();
    assert_run("draw models/modes/Statechart.mo", 0, ">(resumes)</text>");
    assert_run("draw models/modes/Statechart.mo --modes", 0, ">working.fast</text>");
    assert_run("draw models/modes/Statechart.mo --run events.csv", 0, ">working</text>");
    assert_run("draw Plain.mo --modes", 0, ">default</text>");
    assert_run("draw Plain.mo", 2, "Plain has no state machine");
    assert_run("draw Bad.mo", 3, "y");
    assert_run("draw models/modes/Statechart.mo --run a.csv", 2, "no event log");
    assert_run("draw models/modes/Statechart.mo --run nothing.csv", 2, "nothing.csv");
    assert_run("draw models/modes/Statechart.mo -o a.txt", 2, "must end in .svg, .png or .pdf");
    assert_run("draw", 2, "no file");
}

// PNG and PDF, where rsvg-convert is there; and what is said where it is not.
static void converted_test(void **state)
{
    (void)state;
    small_files();
    if (system("rsvg-convert --version >/dev/null 2>&1") == 0) {
        assert_run("plot a.csv x -o a.png", 0, "");
        char *png = read_path(command_path("."), "a.png");
        assert_non_null(png);
        assert_memory_equal(png, "\x89PNG", 4);
        free(png);
        assert_run("plot a.csv x -o a.pdf", 0, "");
        char *pdf = read_path(command_path("."), "a.pdf");
        assert_non_null(pdf);
        assert_memory_equal(pdf, "%PDF", 4);
        free(pdf);
    }
    const CommandOutcome *o = command_shell("PATH=/nowhere \"$SALTUS\" plot a.csv x -o b.png 2>&1");
    assert_int_equal(o->status, 1);
    assert_non_null(strstr(o->text, "librsvg2-bin"));
    assert_false(exists("b.png"));
}

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

// Six dots of one path; seven values from 0 to 2, in as many bars as Sturges's rule has: four, of
// which two are empty.
static void dots_and_histogram_test(void **state)
{
    (void)state;
    command_write("cloud.csv", "a,s[1],s[2]\n1,1,4\n2,2,5\n3,3,6\n");
    command_write("values.csv", "n,v\n1,0\n2,0\n3,0\n4,0\n5,2\n6,2\n7,2\n8,nan\n");
    assert_run("plot cloud.csv 's*' --dots -o cloud.svg", 0, "");
    char *svg = read_path(command_path("."), "cloud.svg");
    assert_non_null(svg);
    assert_int_equal(occurrences(svg, "h.6v.6h-.6z"), 6);
    assert_non_null(strstr(svg, ">s</text>"));
    free(svg);
    assert_run("plot values.csv v --histogram -o values.svg", 0, "");
    svg = read_path(command_path("."), "values.svg");
    assert_non_null(svg);
    const char *bars = strstr(svg, "fill-opacity=\".75\"");
    assert_non_null(bars);
    assert_int_equal(occurrences(bars, "<rect"), 4 + 1); // and the frame around the panel
    assert_non_null(strstr(svg, ">count</text>"));
    free(svg);
}

static int set_up(void **state)
{
    if (command_make_folder(state) != 0 ||
        symlink(SALTUS_SOURCE_DIR "/docs", command_path("docs")) != 0)
        return -1;
    return symlink(SALTUS_SOURCE_DIR "/models", command_path("models"));
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manual_test),    cmocka_unit_test(panels_test),
        cmocka_unit_test(boolean_test),   cmocka_unit_test(expressions_test),
        cmocka_unit_test(messages_test),  cmocka_unit_test(labels_test),
        cmocka_unit_test(simulate_test),  cmocka_unit_test(draw_test),
        cmocka_unit_test(converted_test), cmocka_unit_test(dots_and_histogram_test),
    };
    return cmocka_run_group_tests(tests, set_up, command_remove_folder);
}
