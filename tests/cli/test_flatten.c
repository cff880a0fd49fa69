// SPDX-License-Identifier: MIT
//
// `saltus flatten` and `saltus check` of a model, as a user meets them: which model is taken, what
// is on standard output and on standard error, exit status, JSON.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const CommandOutcome *run(const char *arguments, const char *redirection)
{
    char line[1000];
    snprintf(line, sizeof line, "%s %s", arguments, redirection);
    return command_run(line);
}

static void assert_run(const char *arguments, const char *redirection, int status,
                       const char *expected)
{
    char line[1000];
    snprintf(line, sizeof line, "%s %s", arguments, redirection);
    command_expect(line, status, expected);
}

#define OUT "2>/dev/null"
#define ERRORS "2>&1 >/dev/null"

// The library that comes with the command needs no setting.
static void own_library(void **state)
{
    (void)state;
    assert_run("flatten own.mo", OUT, 0, "'gain.y' = 'gain.k'*'gain.u';");
}

static void the_model_is_found(void **state)
{
    (void)state;
    assert_run("flatten good.mo", OUT, 0, "model Last\n");
    assert_run("flatten good.mo First", OUT, 0, "model First\n");
    assert_run("flatten First good.mo", OUT, 0, "model First\n");
    assert_run("flatten good.mo user.mo", OUT, 0, "Real 'f.x'");
    assert_run("flatten user.mo good.mo User", OUT, 0, "Real 'f.x'");
    assert_run("flatten library.mo", OUT, 0, "y = 3.0;");
    assert_run("flatten Library.Part", OUT, 0, "model 'Library.Part'");
}

static void errors_of_the_model(void **state)
{
    (void)state;
    assert_run("flatten bad.mo", ERRORS, 3, "bad.mo:3:7: error: there is no variable 'z'");
    assert_run("flatten bad.mo", OUT, 3, "");
    assert_run("check bad.mo", ERRORS, 3, "bad.mo:3:7: error:");
    assert_run("check good.mo", "2>&1", 0, "");
    assert_run("check good.mo Frist", ERRORS, 3, "did you mean 'First'?");
    assert_run("check --json bad.mo", OUT, 3,
               "{\"schema\":\"saltus-check\",\"version\":1,\"errors\":1,\"warnings\":0,"
               "\"diagnostics\":[{");
}

static void wrong_usage(void **state)
{
    (void)state;
    assert_run("flatten", ERRORS, 2, "no file given");
    assert_run("flatten missing.mo", ERRORS, 2, "cannot read 'missing.mo'");
    assert_run("flatten good.mo First Last", ERRORS, 2, "'Last' is neither a file");
    assert_run("flatten --json=1 good.mo", ERRORS, 2, "takes no value");
    assert_run("flatten --help", OUT, 0, "[options] FILE... [MODEL]");
}

// ---- JSON ----

// A JSON value by RFC 8259, without a check of what escapes mean. NULL: it is none.
static const char *skip_value(const char *s);

static const char *skip_blank(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static const char *skip_string(const char *s)
{
    if (*s++ != '"')
        return NULL;
    for (; *s != '"'; s++) {
        if ((unsigned char)*s < 0x20)
            return NULL;
        s += *s == '\\';
    }
    return s + 1;
}

static const char *skip_members(const char *s, char close, bool has_keys)
{
    s = skip_blank(s);
    if (*s == close)
        return s + 1;
    for (;;) {
        s = skip_blank(s);
        if (has_keys) {
            s = skip_string(s);
            if (!s || *(s = skip_blank(s)) != ':')
                return NULL;
            s++;
        }
        s = skip_value(skip_blank(s));
        if (!s)
            return NULL;
        s = skip_blank(s);
        if (*s == close)
            return s + 1;
        if (*s++ != ',')
            return NULL;
    }
}

static const char *skip_value(const char *s)
{
    if (*s == '{')
        return skip_members(s + 1, '}', true);
    if (*s == '[')
        return skip_members(s + 1, ']', false);
    if (*s == '"')
        return skip_string(s);
    if (strncmp(s, "true", 4) == 0)
        return s + 4;
    if (strncmp(s, "false", 5) == 0)
        return s + 5;
    char *end;
    strtod(s, &end);
    return end == s || !(isdigit((unsigned char)*s) || *s == '-') ? NULL : end;
}

static void json_is_valid(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "flatten --json good.mo", "flatten --json good.mo First", "flatten --json everything.mo",
        "check --json good.mo",   "check --json bad.mo",
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const CommandOutcome *outcome = run(calls[i], OUT);
        const char *end = skip_value(outcome->text);
        if (!end || *skip_blank(end))
            fail_msg("'%s' prints no JSON: %s", calls[i], outcome->text);
    }
}

static void json_has_everything(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "\"name\":\"Everything\"",
        "\"stopTime\":2",
        "{\"name\":\"x\",\"kind\":\"continuous\",\"type\":\"Real\",\"unit\":\"m\",\"start\":\"1."
        "0\","
        "\"fixed\":true,\"differentiated\":true,\"description\":\"the \\\"x\\\"\"",
        "\"dims\":[2],\"element\":1",
        "\"loops\":[{\"iterator\":\"i\",\"value\":2}]",
        "\"conditions\":[\"x > 1.0\",\"else\"]",
        "\"guard\":[{\"conditional\":0,\"branch\":1}]",
        "\"statements\":\"n = pre(n) + 1;\\n\"",
        "\"states\":[\"a\",\"b\"]",
        "\"guard\":[{\"state\":\"b\"}]",
        "\"immediate\":true,\"reset\":true,\"synchronize\":false,\"priority\":1",
        "\"level\":\"warning\"",
        "\"name\":\"f\",\"text\":\"function f\\n",
        "\"text\":\"x > 3.0\"",
        "\"at\":{\"file\":\"everything.mo\",\"line\":",
    };
    const CommandOutcome *outcome = run("flatten --json everything.mo", OUT);
    assert_int_equal(outcome->status, 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(outcome->text, parts[i]))
            fail_msg("there is no %s in %s", parts[i], outcome->text);
}

// ---- files ----

static int set_up(void **state)
{
    if (command_make_folder(state) != 0 || mkdir(command_path("lib"), 0700) != 0)
        return -1;
    setenv("MODELICAPATH", "lib", 1);
    command_write("good.mo", "model First\n  Real x = 1;\nend First;\n"
                             "model Last\n  Real y = 2;\nend Last;\n"
                             "partial model Part\n  Real z;\nend Part;\n");
    command_write("own.mo", "model Own\n  Saltus.Blocks.Gain gain(u = 2);\nend Own;\n");
    command_write("user.mo", "model User\n  First f;\nend User;\n");
    command_write("bad.mo", "model M Real y; equation\n\n  y = z;\nend M;\n");
    command_write("library.mo", "model M\n  Real y = Library.k;\nend M;\n");
    command_write("lib/Library.mo", "package Library\n  constant Real k = 3;\n"
                                    "  model Part\n    Real x = k;\n  end Part;\nend Library;\n");
    command_write("everything.mo",
                  "function f input Real x; output Real y = 2*x; algorithm end f;\n"
                  "model S outer output Real s; equation der(s) = 1; end S;\n"
                  "model Everything\n"
                  "  Real x(unit = \"m\", start = 1, fixed = true) \"the \\\"x\\\"\";\n"
                  "  Real v[2]; Real z; Integer n(start = 0); inner Real s(start = 0); S a, b;\n"
                  "equation\n"
                  "  der(x) = f(time);\n"
                  "  for i in 1:2 loop v[i] = i*x; end for;\n"
                  "  if x > 1 then z = 1; else z = 2; end if;\n"
                  "  when x > 3 then n = pre(n) + 1; end when;\n"
                  "  initialState(a); transition(a, b, s > 1);\n"
                  "  assert(z < 5, \"large\", AssertionLevel.warning);\n"
                  "annotation(experiment(StopTime = 2));\n"
                  "end Everything;\n");
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_library),         cmocka_unit_test(the_model_is_found),
        cmocka_unit_test(errors_of_the_model), cmocka_unit_test(wrong_usage),
        cmocka_unit_test(json_is_valid),       cmocka_unit_test(json_has_everything),
    };
    return cmocka_run_group_tests(tests, set_up, command_remove_folder);
}
