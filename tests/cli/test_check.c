// SPDX-License-Identifier: MIT
//
// The command as a user meets it: exit status, what is on standard output and what on standard
// error. The command is found relative to this program, as the build lays them out.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char command[4096];
static char folder[] = "/tmp/saltus-cli-XXXXXX";

typedef struct Outcome {
    int status;
    char text[8192];
} Outcome;

// Runs `saltus ARGUMENTS` in the test's folder, with what the redirection leaves of its output.
static Outcome run(const char *arguments, const char *redirection)
{
    char line[8192];
    snprintf(line, sizeof line, "cd '%s' && '%s' %s %s", folder, command, arguments, redirection);
    Outcome outcome = {0};
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    outcome.text[fread(outcome.text, 1, sizeof outcome.text - 1, pipe)] = '\0';
    outcome.status = WEXITSTATUS(pclose(pipe));
    return outcome;
}

static Outcome standard_output(const char *arguments)
{
    return run(arguments, "2>/dev/null");
}

static Outcome standard_error(const char *arguments)
{
    return run(arguments, "2>&1 >/dev/null");
}

static void assert_run(Outcome outcome, int status, const char *expected)
{
    assert_int_equal(outcome.status, status);
    if (!strstr(outcome.text, expected))
        fail_msg("'%s' lacks '%s'", outcome.text, expected);
}

static void help_and_version(void **state)
{
    (void)state;
    assert_run(standard_output("--help"), 0, "Commands:\n  simulate");
    assert_run(standard_output("-h"), 0, "Usage: saltus COMMAND");
    assert_run(standard_output("--version"), 0, "saltus 0.");
    assert_run(standard_output("check --help"), 0, "--syntax-only");
    assert_run(standard_output("check -h"), 0, "--color=auto|always|never");
}

static void wrong_usage(void **state)
{
    (void)state;
    assert_run(standard_error(""), 2, "no command given");
    assert_run(standard_error("chekc"), 2, "did you mean 'check'?");
    assert_run(standard_error("frobnicate"), 2, "unknown command 'frobnicate'\n");
    assert_run(standard_error("--frobnicate"), 2, "unknown option '--frobnicate'");
    assert_run(standard_error("check"), 2, "no file given");
    assert_run(standard_error("check --syntax-onyl good.mo"), 2, "did you mean '--syntax-only'?");
    assert_run(standard_error("check -x good.mo"), 2, "unknown option '-x'");
    assert_run(standard_error("check --json=3 good.mo"), 2, "--json takes no value");
    assert_run(standard_error("check --color=red good.mo"), 2, "'red' is no value for --color");
    assert_run(standard_error("check --color"), 2, "--color needs a value");
    assert_run(standard_error("check --syntax-only missing.mo"), 2,
               "cannot read 'missing.mo': No such file");
    assert_run(standard_error("check --syntax-only ."), 2, "cannot read '.': Is a directory");
}

static void good_file(void **state)
{
    (void)state;
    Outcome outcome = run("check --syntax-only good.mo", "2>&1");
    assert_int_equal(outcome.status, 0);
    assert_string_equal(outcome.text, "");
    assert_run(standard_output("check --syntax-only --json good.mo"), 0,
               "{\"schema\":\"saltus-check\",\"version\":1,\"errors\":0,\"warnings\":0,"
               "\"diagnostics\":[]}\n");
    assert_int_equal(run("check --syntax-only -- -dash.mo", "2>&1").status, 0);
}

static void bad_file(void **state)
{
    (void)state;
    assert_run(standard_error("check --syntax-only good.mo bad.mo"), 3,
               "bad.mo:2:10: error: expected ';' behind the declaration, found identifier 'y'\n"
               "    2 |   Real x y;\n"
               "      |          ^\n");
    assert_string_equal(standard_output("check --syntax-only bad.mo").text, "");
    assert_run(standard_output("check --syntax-only --json bad.mo"), 3,
               "{\"schema\":\"saltus-check\",\"version\":1,\"errors\":1,\"warnings\":0,"
               "\"diagnostics\":[{\"severity\":\"error\","
               "\"file\":\"bad.mo\",\"line\":2,\"column\":10,");
    // The readable file is checked all the same.
    assert_run(standard_error("check --syntax-only missing.mo bad.mo"), 2, "bad.mo:2:10: error");
}

// Equations that are as many as the variables, but do not determine them; a part, which needs what
// it is connected to.
static void singular(void **state)
{
    (void)state;
    assert_run(standard_error("check singular.mo"), 3,
               "singular.mo:2:8: error: too few equations: 1 equation for 2 variables, x and y\n");
    assert_run(run("check part.mo Part", "2>&1"), 0, "");
    assert_run(run("check part.mo Whole", "2>&1"), 3, "part.mo");
}

// Two batteries of the library side by side: the places are those in the user's file.
static void library_components(void **state)
{
    (void)state;
    assert_run(standard_error("check short.mo"), 3,
               "short.mo:2:37: error: too many equations: 2 equations of a and b for 1 variable, "
               "a.p.v\n");
    assert_run(standard_error("check short.mo"), 3, "short.mo:2:40: note: b: b.V = a.p.v\n");
    assert_null(strstr(standard_error("check short.mo").text, "Electrical.mo"));
}

static void colours(void **state)
{
    (void)state;
    Outcome plain = standard_error("check --syntax-only bad.mo");
    assert_null(strchr(plain.text, '\x1b')); // a pipe is no terminal
    assert_run(standard_error("check --syntax-only --color=always bad.mo"), 3, "\x1b[1;31merror:");
}

static void write_file(const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int create_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    write_file("good.mo", "model A\n  Real x;\nend A;\n");
    write_file("-dash.mo", "model A\nend A;\n");
    write_file("singular.mo",
               "model S\n  Real x, y;\nequation\n  x + y = 1;\n  x + y = 2;\nend S;\n");
    write_file("part.mo", "connector Pin\n  Real v;\n  flow Real i;\nend Pin;\n"
                          "model Part\n  Pin p, n;\nequation\n  p.v - n.v = p.i;\n"
                          "  p.i + n.i = 0;\nend Part;\n"
                          "model Whole\n  Part a, b;\nequation\n  connect(a.p, b.p);\n"
                          "  connect(a.n, b.n);\nend Whole;\n");
    write_file("short.mo", "model Short\n  Saltus.Electrical.ConstantVoltage a, b;\n"
                           "  Saltus.Electrical.Ground g;\nequation\n  connect(a.p, b.p);\n"
                           "  connect(a.n, b.n);\n  connect(a.n, g.p);\nend Short;\n");
    write_file("bad.mo", "model A\n  Real x y;\nend A;\n");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"good.mo",     "-dash.mo", "bad.mo",
                                        "singular.mo", "part.mo",  "short.mo"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(int argc, char **argv)
{
    (void)argc;
    char *here = realpath(argv[0], NULL);
    snprintf(command, sizeof command, "%s/../../saltus", dirname(here));
    free(here);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_and_version),
        cmocka_unit_test(wrong_usage),
        cmocka_unit_test(good_file),
        cmocka_unit_test(bad_file),
        cmocka_unit_test(colours),
        cmocka_unit_test(singular),
        cmocka_unit_test(library_components),
    };
    return cmocka_run_group_tests(tests, create_folder, remove_folder);
}
