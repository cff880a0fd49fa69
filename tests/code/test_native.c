// SPDX-License-Identifier: MIT
//
// Compiled code and its cache: hits, damage, concurrent processes, folders that cannot be used, no
// compiler. Tests that need a C compiler are skipped where there is none.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "code/cache.h"
#include "code/native.h"
#include "support/code.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- modules ------------------------------------------------------------------------------------

typedef struct Made {
    Arena *arena;
    CodeModule *module;
} Made;

// y = factor x
static Made make(double factor)
{
    Made made = {.arena = arena_create(NULL)};
    Dag *d = dag_create(made.arena);
    const Node x = dag_reference(d, dag_add_variable(d, "x", DAG_PLAIN, DAG_REAL, DAG_CONTINUOUS));
    Harness h = harness_begin(d, 1);
    const CodeOutput output = {0, 0, dag_multiply(d, dag_real(d, factor), x)};
    harness_add(&h, "f", &output, 1, false);
    code_finish(h.module);
    made.module = h.module;
    return made;
}

static double value_of(const Native *native, double at)
{
    const CodeFunction f = native_entry(native, 0);
    assert_non_null(f);
    const double x[] = {0.0, at};
    double y[1] = {-1.0}, frame[8];
    const double *const in[] = {x, NULL};
    double *const out[] = {y};
    CodeRun run = {.frame = frame};
    assert_int_equal(f(in, out, &run), 0);
    return y[0];
}

static Native *compile_in(const Made *made, const char *folder)
{
    const NativeOptions options = {.cache = folder};
    Native *native = native_start(made->module, "test", &options);
    assert_non_null(native);
    native_poll(native, true);
    return native;
}

// ---- folders ------------------------------------------------------------------------------------

// A new folder inside that of the test program.
static const char *new_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", harness_cache(), name);
    return path;
}

static void remove_folder(const char *path)
{
    Cache cache = {.is_private = true};
    snprintf(cache.folder, sizeof cache.folder, "%s", path);
    cache_close(&cache);
}

// The only file with that suffix; fails the test if there are none or more.
static void find_file(const char *folder, const char *suffix, char path[512])
{
    DIR *d = opendir(folder);
    assert_non_null(d);
    int found = 0;
    for (struct dirent *e; (e = readdir(d));) {
        const size_t length = strlen(e->d_name), tail = strlen(suffix);
        if (length > tail && strcmp(e->d_name + length - tail, suffix) == 0) {
            snprintf(path, 512, "%s/%s", folder, e->d_name);
            found++;
        }
    }
    closedir(d);
    assert_int_equal(found, 1);
}

// When the only code of a folder was written: it is the same file as long as this is the same.
static struct timespec written(const char *folder)
{
    char path[512];
    struct stat s;
    find_file(folder, ".so", path);
    assert_int_equal(stat(path, &s), 0);
    return s.st_mtim;
}

static bool is_same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static int count_files(const char *folder)
{
    DIR *d = opendir(folder);
    int count = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        count += e->d_name[0] != '.';
    if (d)
        closedir(d);
    return count;
}

static bool has_compiler(void)
{
    const Made made = make(1.5);
    const NativeOptions options = {.cache = harness_cache()};
    Native *native = native_start(made.module, NULL, &options);
    const bool has = native_poll(native, false) != NATIVE_NO_COMPILER;
    native_destroy(native);
    arena_destroy(made.arena);
    return has;
}

#define NEEDS_COMPILER                                                                             \
    (void)state;                                                                                   \
    if (!has_compiler())                                                                           \
    skip()

// ---- tests --------------------------------------------------------------------------------------

// The examples of FIPS 180-4 (NIST's "abc" and empty message) and one that needs two blocks more.
static void digests_are_sha256(void **state)
{
    (void)state;
    static const struct {
        const char *message, *digest;
    } examples[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        unsigned char digest[SHA256_SIZE];
        char text[SHA256_TEXT];
        Sha256 s = sha256_begin();
        for (const char *c = examples[i].message; *c; c++)
            sha256_add(&s, c, 1);
        sha256_end(&s, digest);
        sha256_text(digest, text);
        assert_string_equal(text, examples[i].digest);
    }
}

static void the_second_time_is_cached(void **state)
{
    NEEDS_COMPILER;
    const char *folder = new_folder("cached");
    const Made made = make(3.0), other = make(4.0);
    Native *first = compile_in(&made, folder);
    assert_int_equal(native_poll(first, false), NATIVE_READY);
    const struct timespec when = written(folder);
    assert_true(value_of(first, 2.0) == 6.0);
    struct stat s;
    assert_int_equal(stat(folder, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0700);
    assert_int_equal(count_files(folder), 2); // the code, and what the compiler's version is
    Native *second = compile_in(&made, folder);
    assert_true(is_same_time(written(folder), when));
    assert_true(value_of(second, 2.0) == 6.0);
    // Other code has another name: nothing stale is loaded, even while the first is in use.
    Native *third = compile_in(&other, folder);
    assert_int_equal(count_files(folder), 3);
    assert_true(value_of(third, 2.0) == 8.0);
    assert_true(value_of(first, 2.0) == 6.0);
    native_destroy(first);
    native_destroy(second);
    native_destroy(third);
    remove_folder(folder);
    arena_destroy(made.arena);
    arena_destroy(other.arena);
}

static void compilation_goes_on_in_the_background(void **state)
{
    NEEDS_COMPILER;
    const char *folder = new_folder("background");
    const Made made = make(5.0);
    const NativeOptions options = {.cache = folder};
    Native *native = native_start(made.module, "test", &options);
    assert_int_equal(native_poll(native, false), NATIVE_COMPILING);
    assert_null(native_entry(native, 0));
    assert_int_equal(native_poll(native, true), NATIVE_READY);
    assert_true(value_of(native, 2.0) == 10.0);
    native_destroy(native);
    // One that is given up leaves nothing behind.
    const Made other = make(6.0);
    native_destroy(native_start(other.module, "test", &options));
    assert_int_equal(count_files(folder), 2);
    remove_folder(folder);
    arena_destroy(made.arena);
    arena_destroy(other.arena);
}

static void damage(const char *path, int kind)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    if (kind == 0) { // one bit
        fseek(file, 100, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, 100, SEEK_SET);
        fputc(byte ^ 1, file);
        fclose(file);
    } else {
        fclose(file);
        assert_int_equal(truncate(path, kind == 1 ? 5000 : 0), 0);
    }
}

static void damaged_files_are_made_anew(void **state)
{
    NEEDS_COMPILER;
    const char *folder = new_folder("damaged");
    const Made made = make(7.0);
    native_destroy(compile_in(&made, folder));
    for (int kind = 0; kind < 3; kind++) {
        char path[512];
        find_file(folder, ".so", path);
        damage(path, kind);
        const struct timespec when = written(folder);
        Native *native = compile_in(&made, folder);
        assert_int_equal(native_poll(native, false), NATIVE_READY);
        assert_false(is_same_time(written(folder), when));
        assert_true(value_of(native, 1.0) == 7.0);
        native_destroy(native);
        assert_true(cache_check(path, true));
    }
    remove_folder(folder);
    arena_destroy(made.arena);
}

// Eight processes compile and load the same two modules at once.
static void processes_share_the_cache(void **state)
{
    NEEDS_COMPILER;
    const char *folder = new_folder("shared");
    enum { PROCESSES = 8 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i])
            continue;
        const double factor = 11.0 + i % 2;
        const Made made = make(factor);
        const NativeOptions options = {.cache = folder};
        Native *native = native_start(made.module, "test", &options);
        const bool is_ready = native_poll(native, true) == NATIVE_READY;
        _exit(is_ready && value_of(native, 2.0) == 2.0 * factor ? 0 : 1);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(count_files(folder), 3); // two modules, the compiler's version
    remove_folder(folder);
}

static void folders_that_cannot_be_used_are_not(void **state)
{
    NEEDS_COMPILER;
    const Made made = make(13.0);
    const char *folder = new_folder("unsafe");
    for (int kind = 0; kind < 3; kind++) {
        if (kind == 0) { // others could put code there
            assert_int_equal(mkdir(folder, 0700), 0);
            assert_int_equal(chmod(folder, 0777), 0);
        } else if (kind == 1) { // not a folder
            FILE *file = fopen(folder, "w");
            assert_non_null(file);
            fclose(file);
        } else { // a link could lead anywhere
            assert_int_equal(symlink("/tmp", folder), 0);
        }
        Native *native = compile_in(&made, folder);
        assert_int_equal(native_poll(native, false), NATIVE_READY);
        assert_true(value_of(native, 1.0) == 13.0);
        native_destroy(native);
        if (kind == 0) {
            assert_int_equal(count_files(folder), 0);
            rmdir(folder);
        } else {
            unlink(folder);
        }
    }
    arena_destroy(made.arena);
}

static void the_usual_folder_follows_xdg(void **state)
{
    (void)state;
    char base[256], expected[300];
    snprintf(base, sizeof base, "%s", new_folder("xdg"));
    snprintf(expected, sizeof expected, "%s/saltus", base);
    setenv("XDG_CACHE_HOME", base, 1);
    Cache cache;
    assert_true(cache_open(&cache, NULL));
    assert_false(cache.is_private);
    assert_string_equal(cache.folder, expected);
    cache_close(&cache);
    // A relative path is ignored: then it is ~/.cache.
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", base, 1);
    snprintf(expected, sizeof expected, "%s/.cache/saltus", base);
    assert_true(cache_open(&cache, NULL));
    assert_string_equal(cache.folder, expected);
    rmdir(expected);
    snprintf(expected, sizeof expected, "%s/.cache", base);
    rmdir(expected);
    snprintf(expected, sizeof expected, "%s/saltus", base);
    rmdir(expected);
    rmdir(base);
    // The other tests of this program say where their cache is.
    unsetenv("XDG_CACHE_HOME");
}

static void no_compiler_is_no_error(void **state)
{
    (void)state;
    const Made made = make(17.0);
    const NativeOptions options = {.compiler = "no-such-compiler", .cache = harness_cache()};
    Native *native = native_start(made.module, "test", &options);
    assert_int_equal(native_poll(native, true), NATIVE_NO_COMPILER);
    assert_null(native_entry(native, 0));
    assert_string_equal(native_reason(native), "there is no C compiler");
    native_destroy(native);
    // A program that is no compiler fails; so does one that compiles nothing.
    static const char *const useless[] = {"/bin/false", "/bin/true"};
    for (int i = 0; i < 2; i++) {
        const NativeOptions wrong = {.compiler = useless[i], .cache = new_folder("useless")};
        native = native_start(made.module, "test", &wrong);
        assert_int_equal(native_poll(native, true), NATIVE_FAILED);
        assert_string_equal(native_reason(native), "the compiler failed");
        native_destroy(native);
        remove_folder(wrong.cache);
    }
    arena_destroy(made.arena);
}

static void old_files_are_removed(void **state)
{
    (void)state;
    Cache cache;
    assert_true(cache_open(&cache, new_folder("old")));
    char path[CACHE_PATH];
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        assert_true(cache_path(&cache, name, ".so", path));
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fclose(file);
        const struct timespec times[2] = {{1000 + (i * 5) % 6, 0}, {1000 + (i * 5) % 6, 0}};
        assert_int_equal(utimensat(0, path, times, 0), 0);
    }
    cache_evict(&cache, 2);
    // Times 1000 + 0, 5, 4, 3, 2, 1: the newest are 1 and 2.
    assert_int_equal(count_files(cache.folder), 2);
    for (int i = 1; i <= 2; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        assert_true(cache_path(&cache, name, ".so", path));
        assert_int_equal(access(path, F_OK), 0);
    }
    remove_folder(cache.folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_sha256),
        cmocka_unit_test(the_second_time_is_cached),
        cmocka_unit_test(compilation_goes_on_in_the_background),
        cmocka_unit_test(damaged_files_are_made_anew),
        cmocka_unit_test(processes_share_the_cache),
        cmocka_unit_test(folders_that_cannot_be_used_are_not),
        cmocka_unit_test(no_compiler_is_no_error),
        cmocka_unit_test(old_files_are_removed),
        cmocka_unit_test(the_usual_folder_follows_xdg),
    };
    return cmocka_run_group_tests(tests, harness_make_cache, harness_remove_cache);
}
