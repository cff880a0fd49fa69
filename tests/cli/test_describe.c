// SPDX-License-Identifier: MIT
//
// saltus describe: parameters with defaults and units, ports with what they carry, what is hidden
// stays so; lists and pages of packages.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <string.h>

static void component(void **state)
{
    (void)state;
    assert_string_equal(command_run("describe parts.mo Parts.Valve 2>&1")->text,
                        "Parts.Valve: Lets | something through\n"
                        "parameters\n"
                        "  k               2.5 m/s             how wide\n"
                        "  twice           2.0*k               \n"
                        "  w[3]            {1, 2, 3}           \n"
                        "ports\n"
                        "  a               Parts.Flange: p (Pa), flow w (kg/s)  inlet\n"
                        "  open            input Boolean       whether it is open\n"
                        "  y               output Real (K)     \n"
                        "variables\n"
                        "  x               Real  m             inner place\n");
    command_expect("describe parts.mo Parts.Broken 2>&1", 3, "there is no");
    command_expect("describe parts.mo Parts.Nothing 2>&1", 3, "there is no class 'Nothing'");
    command_expect("describe 2>&1", 2, "no file given");
    command_expect("describe Saltus.Electrical.Switch", 0, "closed          input Boolean");
}

static void packages(void **state)
{
    (void)state;
    command_expect("describe parts.mo Parts", 0,
                   "Parts: A small library\n"
                   "  Parts.Flange  connector\n"
                   "  Parts.Base    partial model: what valves have\n"
                   "  Parts.Valve   model: Lets | something through\n");
    const char *page = command_expect("describe --markdown parts.mo Parts", 0, "")->text;
    assert_non_null(strstr(page, "\n## Parts\n\nA small library.\n"));
    assert_non_null(strstr(page, "\n### Parts.Valve\n\nLets \\| something through.\n"));
    assert_non_null(strstr(page, "| `k` | 2.5 | m/s | how wide |\n"));
    assert_non_null(strstr(page, "| `a` | Parts.Flange: `p` (Pa), flow `w` (kg/s) | inlet |\n"));
    assert_null(strstr(page, "Parts.Base"));
    assert_null(strstr(page, "hidden"));
    assert_non_null(strstr(page, "### Parts.Broken\n\n(It cannot be described by itself.)\n"));
}

static int set_up(void **state)
{
    if (command_make_folder(state) != 0)
        return -1;
    command_write(
        "parts.mo",
        "package Parts \"A small library\"\n"
        "connector Flange Real p(unit = \"Pa\"); flow Real w(unit = \"kg/s\"); end Flange;\n"
        "partial model Base \"what valves have\" Flange a \"inlet\"; end Base;\n"
        "model Valve \"Lets | something through\" extends Base;\n"
        "parameter Real k(unit = \"m/s\") = 2.5 \"how wide\"; parameter Real twice = 2*k;\n"
        "parameter Real w[3] = {1, 2, 3}; final parameter Real hidden1 = 1;\n"
        "input Boolean open \"whether it is open\"; output Real y(unit = \"K\") = 1;\n"
        "Real x(unit = \"m\") \"inner place\"; protected Real hidden2 = 1;\n"
        "equation x = if open then k else twice; a.w = a.p; end Valve;\n"
        "model Broken Nowhere n; end Broken;\n"
        "end Parts;\n");
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(component), cmocka_unit_test(packages)};
    return cmocka_run_group_tests(tests, set_up, command_remove_folder);
}
