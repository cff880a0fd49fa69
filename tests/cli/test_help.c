// SPDX-License-Identifier: MIT
//
// What comes from the tables of the commands: --help fits a screen and has examples, the manual
// names every option, man pages and completion are what their readers expect.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/json.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { SCREEN_LINES = 50, SCREEN_COLUMNS = 80 };

static char command[4096];
static char folder[] = "/tmp/saltus-help-XXXXXX";
static SaltusAllocator allocator;
static MemoryPool pool;
static const Json *tables; // of saltus help --json

typedef struct Text {
    size_t length;
    char text[1 << 20];
} Text;

// The output of a shell command; static, since it is large.
static const Text *output(int expected, const char *format, ...)
{
    static Text out;
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    out.length = fread(out.text, 1, sizeof out.text - 1, pipe);
    out.text[out.length] = '\0';
    const int status = WEXITSTATUS(pclose(pipe));
    if (status != expected)
        fail_msg("%s: status %d\n%s", line, status, out.text);
    return &out;
}

static void fits_a_screen(void **state)
{
    (void)state;
    for (const Json *c = json_member(tables, "commands")->first; c; c = c->next) {
        const char *name = json_member_text(c, "name");
        const Text *help = output(0, "'%s' %s --help", command, name);
        int lines = 0;
        for (const char *line = help->text; *line; line += strcspn(line, "\n") + 1) {
            if (strcspn(line, "\n") > SCREEN_COLUMNS)
                fail_msg("saltus %s --help: wide line '%.100s'", name, line);
            lines++;
        }
        if (lines > SCREEN_LINES)
            fail_msg("saltus %s --help has %d lines", name, lines);
        if (!strstr(help->text, "\nExamples:\n  saltus "))
            fail_msg("saltus %s --help has no examples", name);
        assert_string_equal(output(0, "'%s' help %s", command, name)->text, help->text);
    }
    assert_non_null(
        strstr(output(2, "'%s' help simulat 2>&1", command)->text, "did you mean 'simulate'?"));
    assert_non_null(
        strstr(output(2, "'%s' help a b 2>&1", command)->text, "one command at a time"));
}

static char *read_manual(void)
{
    const Text *all =
        output(0, "cat '%s'/README.md '%s'/docs/*.md", SALTUS_SOURCE_DIR, SALTUS_SOURCE_DIR);
    char *copy = malloc(all->length + 1);
    memcpy(copy, all->text, all->length + 1);
    return copy;
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
    output(0, "'%s' help --write='%s'", command, folder);
    for (const Json *c = json_member(tables, "commands")->first; c; c = c->next) {
        const char *name = json_member_text(c, "name");
        const Text *page = output(0, "cat '%s/man/man1/saltus-%s.1'", folder, name);
        assert_non_null(strstr(page->text, ".SH OPTIONS\n"));
        assert_non_null(strstr(page->text, ".SH EXIT STATUS\n"));
    }
    if (system("command -v man >/dev/null 2>&1") != 0)
        return;
    // man says what it does not understand on stderr.
    const Text *text = output(0,
                              "LC_ALL=C MANWIDTH=80 man --warnings -E UTF-8 -l "
                              "'%s/man/man1/saltus-simulate.1' 2>&1 | col -bx",
                              folder);
    assert_null(strstr(text->text, "warning"));
    assert_non_null(strstr(text->text, "--relative-tolerance=NUMBER"));
    assert_non_null(strstr(text->text, "saltus-simulate - run a model"));
}

// What bash would offer for a command line whose last word is being typed.
static const char *offered(const char *words)
{
    return output(0,
                  "cd '%s' && bash -c 'set -u; . bash-completion/completions/saltus; "
                  "COMP_WORDS=(%s \"\"); unset \"COMP_WORDS[-1]\"; "
                  "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _saltus; echo \"${COMPREPLY[@]-}\"'",
                  folder, words)
        ->text;
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
}

static void other_shells(void **state)
{
    (void)state;
    const char *const shells[] = {"zsh -n '%s/zsh/site-functions/_saltus'",
                                  "fish -n '%s/fish/vendor_completions.d/saltus.fish'"};
    for (int i = 0; i < 2; i++) {
        char check[100];
        snprintf(check, sizeof check, "command -v %.4s >/dev/null 2>&1", shells[i]);
        if (system(check) == 0)
            output(0, shells[i], folder);
    }
    const Text *text = output(0, "cat '%s/zsh/site-functions/_saltus'", folder);
    assert_int_equal(strncmp(text->text, "#compdef saltus\n", 16), 0);
    assert_non_null(strstr(text->text, "--zeno='[where events accumulate]:zeno:(stop error "
                                       "continue)'"));
    text = output(0, "cat '%s/fish/vendor_completions.d/saltus.fish'", folder);
    assert_non_null(strstr(text->text, "-l zeno -x -a 'stop error continue' -d "));
}

static int setup(void **state)
{
    (void)state;
    allocator = memory_default();
    pool = (MemoryPool){.allocator = &allocator};
    if (!mkdtemp(folder))
        return -1;
    const Text *text = output(0, "'%s' help --json", command);
    tables = json_parse(&pool, text->text, text->length);
    return tables ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    char line[256];
    memory_pool_free(&pool);
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    return system(line);
}

int main(int argc, char **argv)
{
    (void)argc;
    char program[2048];
    if (!realpath(argv[0], program))
        return 1;
    snprintf(command, sizeof command, "%s/../../saltus", dirname(program));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_a_screen), cmocka_unit_test(manual_names_all),
        cmocka_unit_test(man_pages),     cmocka_unit_test(bash_completion),
        cmocka_unit_test(other_shells),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
