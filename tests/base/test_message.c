// SPDX-License-Identifier: MIT

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 100000 };

// So many times a letter; to be freed.
static char *letters(char letter, size_t count)
{
    char *text = malloc(count + 1);
    assert_non_null(text);
    memset(text, letter, count);
    text[count] = '\0';
    return text;
}

static void messages_are_whole(void **state)
{
    (void)state;
    char *name = letters('n', LONG), *message = NULL;
    assert_false(message_set(&message, "%s is %d", name, 12));
    message_add(&message, ", not %d", 13);
    assert_int_equal(strlen(message), LONG + strlen(" is 12, not 13"));
    assert_memory_equal(message, name, LONG);
    assert_string_equal(message + LONG, " is 12, not 13");
    free(message);
    free(name);
}

// What is there may be among the arguments.
static void messages_contain_themselves(void **state)
{
    (void)state;
    char *message = NULL;
    message_set(&message, "no such file");
    message_set(&message, "cannot read: %s", message);
    message_add(&message, "; %s", message);
    assert_string_equal(message, "cannot read: no such file; cannot read: no such file");
    free(message);
}

// What there was no memory for gets no end without a beginning.
static void lost_messages_stay_lost(void **state)
{
    (void)state;
    char *message = NULL;
    message_add(&message, "(line 3)");
    assert_null(message);
    assert_string_equal(message_text(message), "out of memory");
    assert_false(message_set(NULL, "nobody asks"));
    message_add(NULL, "nobody asks");
}

static void what_is_said_stands_behind_each_other(void **state)
{
    (void)state;
    SaltusMessage message = {0};
    saltus_say(&message, "one");
    saltus_say(&message, ", %s", "two");
    assert_string_equal(message.text, "one, two");
    free(message.text);
    // The beginning was lost.
    message = (SaltusMessage){.is_begun = true};
    saltus_say(&message, ", two");
    assert_null(message.text);
}

static void errors_have_whole_messages(void **state)
{
    (void)state;
    char *name = letters('n', LONG);
    SaltusError error, other, copy;
    assert_int_equal(error_set(&error, SALTUS_ERROR_MODE, "there is no %s", name),
                     SALTUS_ERROR_MODE);
    assert_int_equal(strlen(error.message), LONG + strlen("there is no "));
    assert_true(isnan(error.time) && error.mode == -1 && error.event == -1);
    error_word(&error, "first: %s", error.message);
    assert_memory_equal(error.message, "first: there is no nnn", 22);
    error_copy(&copy, &error);
    error_pass(&other, &error);
    assert_int_equal(error.status, SALTUS_OK);
    assert_string_equal(copy.message, other.message);
    assert_ptr_not_equal(copy.message, other.message);
    saltus_error_clear(&other);
    saltus_error_clear(&copy);
    assert_string_equal(copy.message, "");
    assert_int_equal(error_set(&error, SALTUS_OK, "all is well"), SALTUS_OK);
    assert_true(!error.memory && error.message[0] == '\0');
    assert_int_equal(error_set(NULL, SALTUS_ERROR_MODE, "nobody asks"), SALTUS_ERROR_MODE);
    error_copy(NULL, &copy);
    error_set(&error, SALTUS_ERROR_MODE, "nobody asks");
    error_pass(NULL, &error);
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_whole),
        cmocka_unit_test(messages_contain_themselves),
        cmocka_unit_test(lost_messages_stay_lost),
        cmocka_unit_test(what_is_said_stands_behind_each_other),
        cmocka_unit_test(errors_have_whole_messages),
    };
    return cmocka_run_group_tests_name("base/message", tests, NULL, NULL);
}
