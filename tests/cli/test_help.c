// SPDX-License-Identifier: MIT
//
// What comes from the tables of the commands: --help fits a screen and has examples, the manual
// names every option, man pages and completion are what their readers expect.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"
#include "results/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCREEN_LINES = 50, SCREEN_COLUMNS = 80 };

static SaltusAllocator allocator;
static MemoryPool pool;
static const Json *tables; // of saltus help --json

// The output of a line of the shell.
static const char *output(int expected, const char *format, ...)
{
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const CommandOutcome *outcome = command_shell(line);
    if (outcome->status != expected)
        fail_msg("%s: status %d\n%s", line, outcome->status, outcome->text);
    return outcome->text;
}

static void fits_a_screen(void **state)
{
    (void)state;
    for (const Json *c = json_member(tables, "commands")->first; c; c = c->next) {
        const char *name = json_member_text(c, "name");
        char help[8192];
        const char *text = output(0, "\"$SALTUS\" %s --help", name);
        assert_true(strlen(text) < sizeof help);
        strcpy(help, text);
        int lines = 0;
        for (const char *line = help; *line; line += strcspn(line, "\n") + 1) {
            if (strcspn(line, "\n") > SCREEN_COLUMNS)
                fail_msg("saltus %s --help: wide line '%.100s'", name, line);
            lines++;
        }
        if (lines > SCREEN_LINES)
            fail_msg("saltus %s --help has %d lines", name, lines);
        if (!strstr(help, "\nExamples:\n  saltus "))
            fail_msg("saltus %s --help has no examples", name);
        assert_string_equal(output(0, "\"$SALTUS\" help %s", name), help);
    }
    command_expect("help simulat 2>&1", 2, "did you mean 'simulate'?");
    command_expect("help a b 2>&1", 2, "one command at a time");
}

static char *read_manual(void)
{
    return strdup(
        output(0, "cat '%s'/README.md '%s'/docs/*.md", SALTUS_SOURCE_DIR, SALTUS_SOURCE_DIR));
}

// Every option of every command stands in the manual as code: `--name` or `--name=...`.
static void manual_names_all(void **state)
{
    (void)state;
    char *manual = read_manual();
    int missing = 0;
    for (const Json *c = json_member(tables, "commands")->first; c; c = c->next) {
        char name[100];
        snprintf(name, sizeof name, "saltus %s", json_member_text(c, "name"));
        if (!strstr(manual, name)) {
            print_error("the manual does not mention %s\n", name);
            missing++;
        }
        for (const Json *o = json_member(c, "options")->first; o; o = o->next) {
            snprintf(name, sizeof name, "--%s", json_member_text(o, "name"));
            const char *at = strstr(manual, name);
            while (at && strchr("abcdefghijklmnopqrstuvwxyz-", at[strlen(name)]))
                at = strstr(at + 1, name);
            if (at)
                continue;
            print_error("the manual does not mention %s of saltus %s\n", name,
                        json_member_text(c, "name"));
            missing++;
        }
    }
    free(manual);
    assert_int_equal(missing, 0);
}

static void man_pages(void **state)
{
    (void)state;
    command_expect("help --write=.", 0, "");
    for (const Json *c = json_member(tables, "commands")->first; c; c = c->next) {
        const char *name = json_member_text(c, "name");
        const char *page = output(0, "cat man/man1/saltus-%s.1", name);
        assert_non_null(strstr(page, ".SH OPTIONS\n"));
        assert_non_null(strstr(page, ".SH EXIT STATUS\n"));
    }
    if (system("command -v man >/dev/null 2>&1") != 0)
        return;
    // man says what it does not understand on stderr.
    const char *text = output(0, "LC_ALL=C MANWIDTH=80 man --warnings -E UTF-8 -l "
                                 "man/man1/saltus-simulate.1 2>&1 | col -bx");
    assert_null(strstr(text, "warning"));
    assert_non_null(strstr(text, "--relative-tolerance=NUMBER"));
    assert_non_null(strstr(text, "saltus-simulate - run a model"));
}

// What bash would offer for a command line whose last word is being typed.
static const char *offered(const char *words)
{
    return output(0,
                  "bash -c 'set -u; . bash-completion/completions/saltus; "
                  "COMP_WORDS=(%s \"\"); unset \"COMP_WORDS[-1]\"; "
                  "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _saltus; echo \"${COMPREPLY[@]-}\"'",
                  words);
}

static void bash_completion(void **state)
{
    (void)state;
    if (system("command -v bash >/dev/null 2>&1") != 0)
        skip();
    assert_string_equal(offered("saltus sim"), "simulate\n");
    assert_string_equal(offered("saltus simulate --rel"), "--relative-tolerance=\n");
    assert_string_equal(offered("saltus simulate --solver = dop"), "dopri5 dop853\n");
    assert_string_equal(offered("saltus simulate --solver ro"), "rodas\n");
    assert_string_equal(offered("saltus simulate --zeno = c"), "continue\n");
    assert_string_equal(offered("saltus help fl"), "flatten\n");
    assert_string_equal(offered("saltus simulate -o x"), "\n"); // files, by default
    // Models, results; parameters and variables of the model on the line.
    command_write("first.mo", "model A parameter Real alpha = 1, beta = 2; Real height = alpha; "
                              "Integer hits = 1; end A;");
    command_write("first.csv", "time,x\n");
    assert_string_equal(offered("saltus simulate fir"), "first.mo\n");
    assert_string_equal(offered("saltus plot fir"), "first.csv\n");
    const char *const path = "PATH=\"$(dirname \"$SALTUS\"):$PATH\"; export PATH; ";
    const char *text = output(0,
                              "%s bash -c '. bash-completion/completions/saltus; "
                              "COMP_WORDS=(saltus simulate first.mo -p b); COMP_CWORD=4; _saltus; "
                              "echo \"${COMPREPLY[@]-}\"; COMP_WORDS=(saltus simulate first.mo "
                              "--plot h); _saltus; echo \"${COMPREPLY[@]-}\"'",
                              path);
    assert_string_equal(text, "beta=\nheight hits\n");
}

static void other_shells(void **state)
{
    (void)state;
    const char *const shells[] = {"zsh -n zsh/site-functions/_saltus",
                                  "fish -n fish/vendor_completions.d/saltus.fish"};
    for (int i = 0; i < 2; i++) {
        char check[100];
        snprintf(check, sizeof check, "command -v %.4s >/dev/null 2>&1", shells[i]);
        if (system(check) == 0)
            output(0, "%s", shells[i]);
    }
    const char *text = command_read("zsh/site-functions/_saltus");
    assert_int_equal(strncmp(text, "#compdef saltus\n", 16), 0);
    assert_non_null(strstr(text, "--zeno='[if events accumulate]:zeno:(stop error "
                                 "continue)'"));
    text = command_read("fish/vendor_completions.d/saltus.fish");
    assert_non_null(strstr(text, "-l zeno -x -a 'stop error continue' -d "));
}

static int setup(void **state)
{
    allocator = memory_default();
    pool = (MemoryPool){.allocator = &allocator};
    if (command_make_folder(state) != 0)
        return -1;
    const char *text = command_run("help --json")->text;
    tables = json_parse(&pool, text, strlen(text));
    return tables ? 0 : -1;
}

static int teardown(void **state)
{
    memory_pool_free(&pool);
    return command_remove_folder(state);
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_a_screen), cmocka_unit_test(manual_names_all),
        cmocka_unit_test(man_pages),     cmocka_unit_test(bash_completion),
        cmocka_unit_test(other_shells),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
