// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/message.h"

#include <string.h>

static void what_fits_is_whole(void **state)
{
    (void)state;
    char to[12];
    message_write(to, sizeof to, "%s %d", "abcdefgh", 12);
    assert_string_equal(to, "abcdefgh 12"); // eleven bytes and the zero
}

// Room for 11 bytes: four of each end and the dots between them.
static void what_is_too_long_loses_its_middle(void **state)
{
    (void)state;
    char to[12];
    message_write(to, sizeof to, "%s: %s", "cannot read '/a/long/path'", "no such file");
    assert_string_equal(to, "cann...file");
    char small[5], none[1] = "";
    message_write(small, sizeof small, "abcdef");
    assert_string_equal(small, "a...");
    message_write(none, sizeof none, "abcdef");
    assert_string_equal(none, "");
}

// u umlaut has two bytes: of one that is cut nothing is left, on both sides.
static void characters_stay_whole(void **state)
{
    (void)state;
    char to[12];
    message_write(to, sizeof to, "abc\xC3\xBC%s\xC3\xBCxyz", "------------");
    assert_string_equal(to, "abc...xyz");
    message_write(to, sizeof to, "ab\xC3\xBC%s\xC3\xBCyz", "------------");
    assert_string_equal(to, "ab\xC3\xBC...\xC3\xBCyz");
}

static void more_goes_behind(void **state)
{
    (void)state;
    char to[12] = "";
    message_more(to, sizeof to, "%d", 12);
    message_more(to, sizeof to, ", %d", 345);
    assert_string_equal(to, "12, 345");
    message_more(to, sizeof to, ", %s", "end of it");
    assert_string_equal(to, "12, ...f it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_whole),
        cmocka_unit_test(what_is_too_long_loses_its_middle),
        cmocka_unit_test(characters_stay_whole),
        cmocka_unit_test(more_goes_behind),
    };
    return cmocka_run_group_tests_name("base/message", tests, NULL, NULL);
}
