// SPDX-License-Identifier: MIT
//
// JSON in, manifests out and in.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/json.h"
#include "results/manifest.h"
#include "results/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Parsed {
    SaltusAllocator allocator;
    MemoryPool pool;
    const Json *json;
} Parsed;

static Parsed *parse(const char *text)
{
    static Parsed p;
    p.allocator = memory_default();
    p.pool = (MemoryPool){.allocator = &p.allocator};
    p.json = json_parse(&p.pool, text, strlen(text));
    return &p;
}

static void values(void **state)
{
    (void)state;
    Parsed *p = parse(" {\"a\": [1, -2.5e3, true, false, null], \"b\":{\"c\":\"x\"}, \"e\":[]} ");
    assert_non_null(p->json);
    const Json *a = json_member(p->json, "a")->first;
    assert_true(a->kind == JSON_NUMBER && a->number == 1.0);
    assert_true(a->next->number == -2500.0);
    assert_int_equal(a->next->next->kind, JSON_TRUE);
    assert_int_equal(a->next->next->next->kind, JSON_FALSE);
    assert_int_equal(a->next->next->next->next->kind, JSON_NULL);
    assert_null(a->next->next->next->next->next);
    assert_string_equal(json_member_text(json_member(p->json, "b"), "c"), "x");
    assert_null(json_member(p->json, "e")->first);
    assert_null(json_member(p->json, "f"));
    assert_null(json_member_text(p->json, "a"));
    memory_pool_free(&p->pool);
}

static void strings(void **state)
{
    (void)state;
    // RFC 8259, section 7: a character beyond the basic plane is a surrogate pair.
    Parsed *p =
        parse("[\"\\u00e9\\n\\\"\\\\\\/\\t\", \"\\ud834\\udd1e\", \"\\ud834\", \"\\u20AC\"]");
    assert_non_null(p->json);
    const Json *s = p->json->first;
    assert_string_equal(s->text, "\xc3\xa9\n\"\\/\t");
    assert_string_equal(s->next->text, "\xf0\x9d\x84\x9e");
    assert_string_equal(s->next->next->text, "\xef\xbf\xbd"); // half of a pair
    assert_string_equal(s->next->next->next->text, "\xe2\x82\xac");
    memory_pool_free(&p->pool);
}

static void refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",          "{",     "[1,]", "{\"a\"}",  "{\"a\":}",
                                        "{a:1}",     "[1 2]", "nul",  "\"abc",    "\"\\x\"",
                                        "\"\\u12\"", "1.2.3", "[1]]", "\"a\nb\"", "--1",
                                        "-",         "+1",    "\"\\", "\"\\\"",   "{\"a\":1,}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Parsed *p = parse(texts[i]);
        if (p->json)
            fail_msg("'%s' was read", texts[i]);
        memory_pool_free(&p->pool);
    }
    // Brackets without end do not exhaust the stack.
    enum { DEPTH = 100000 };
    char *deep = malloc(DEPTH + 1);
    memset(deep, '[', DEPTH);
    deep[DEPTH] = '\0';
    Parsed *p = parse(deep);
    assert_null(p->json);
    memory_pool_free(&p->pool);
    free(deep);
}

// The units of a CSV file come back with it; the hash is that of FIPS 180-4 for "abc".
static void round_trip(void **state)
{
    (void)state;
    char folder[] = "/tmp/saltus-manifest-XXXXXX", path[256], beside[300], *message = NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/r.csv", folder);
    snprintf(beside, sizeof beside, "%s/manifest.json", folder);

    const TableHeading columns[] = {{"time", "s", NULL, TABLE_NUMBERS, false},
                                    {"x", "m/s", "a \"speed\"", TABLE_NUMBERS, false}};
    const WriterDef def = {.path = path, .column_count = 2, .columns = columns};
    Writer *writer = writer_create(&def, &message);
    assert_non_null(writer);
    assert_true(writer_close(writer, &message));

    const SourceFile source = {.name = "a.mo", .text = "abc", .length = 3}, *text = &source;
    const NamedSetting settings[] = {{"stopTime", NULL, 2.5}, {"solver", "rk4", 0.0}};
    const char *const command[] = {"simulate", "a b.mo"};
    const uint64_t seed = 18446744073709551615u;
    const Manifest manifest = {.path = beside,
                               .table = "elsewhere/r.csv",
                               .columns = columns,
                               .column_count = 2,
                               .log = "e.csv",
                               .command = command,
                               .command_count = 2,
                               .model = "A",
                               .texts = &text,
                               .text_count = 1,
                               .settings = settings,
                               .setting_count = 2,
                               .seed = &seed,
                               .status = "finished"};
    assert_true(manifest_write(&manifest, &message));

    Table *t = table_read(path, &message);
    assert_non_null(t);
    assert_string_equal(t->columns[1].heading.unit, "m/s");
    assert_string_equal(t->columns[1].heading.description, "a \"speed\"");
    assert_string_equal(t->title, "A");
    table_destroy(t);

    FILE *file = fopen(beside, "r");
    assert_non_null(file);
    char all[4096];
    all[fread(all, 1, sizeof all - 1, file)] = '\0';
    fclose(file);
    Parsed *p = parse(all);
    assert_non_null(p->json);
    const Json *hashed = json_member(p->json, "texts")->first;
    assert_string_equal(json_member_text(hashed, "sha256"),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_true(json_member(json_member(p->json, "settings"), "stopTime")->number == 2.5);
    assert_non_null(strstr(all, "\"seed\":18446744073709551615"));
    memory_pool_free(&p->pool);

    // Nothing of the manifest is trusted: another file's columns, or no JSON, say nothing.
    file = fopen(beside, "w");
    fputs("{\"schema\":\"saltus-manifest\",\"model\":\"B\",\"results\":[{\"file\":\"q.csv\","
          "\"columns\":[{\"name\":\"time\",\"unit\":\"h\"}]},{\"file\":\"r.csv\","
          "\"columns\":[{\"name\":\"y\",\"unit\":\"K\"}]}]}",
          file);
    fclose(file);
    t = table_read(path, &message);
    assert_non_null(t);
    assert_null(t->columns[0].heading.unit);
    table_destroy(t);
    // Another manifest can be named; a file that it does not have stays as it is.
    char other[300];
    snprintf(other, sizeof other, "%s/other.json", folder);
    file = fopen(other, "w");
    fputs("{\"schema\":\"saltus-manifest\",\"model\":\"C\",\"results\":[{\"file\":\"r.csv\","
          "\"columns\":[{\"name\":\"time\",\"unit\":\"h\"}]}]}",
          file);
    fclose(file);
    t = table_read(path, &message);
    manifest_describe_from(t, path, other);
    assert_string_equal(t->columns[0].heading.unit, "h");
    assert_string_equal(t->title, "C");
    manifest_describe_from(t, "/x/s.csv", beside);
    assert_string_equal(t->columns[0].heading.unit, "h");
    table_destroy(t);
    unlink(other);

    unlink(beside);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); // nothing else was left
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(strings),
                                       cmocka_unit_test(refused), cmocka_unit_test(round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
