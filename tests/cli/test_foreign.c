// SPDX-License-Identifier: MIT
//
// External functions of a user's own C code: refused, and run with --allow-external.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char package_text[] =
    "package Foo\n"
    "  function cube input Real x; output Real y;\n"
    "    external \"C\" y = my_cube(x) annotation(Include = \"#include \\\"cube.h\\\"\"); end "
    "cube;\n"
    "  function mean input Real x[:]; output Real y; output Integer n;\n"
    "    external \"C\" my_mean(x, size(x, 1), y, n) annotation(Library = \"foo\"); end mean;\n"
    "  function count input String s; input Boolean b[:]; output Integer k;\n"
    "    external \"C\" k = my_count(s, b, size(b, 1)) annotation(Library = \"foo\"); end count;\n"
    "  function last input String s; output String y;\n"
    "    external \"C\" y = my_last(s) annotation(Library = \"foo\"); end last;\n"
    "  function limited input Real x; output Real y;\n"
    "    external \"C\" y = my_limited(x) annotation(Include = \"#include "
    "\\\"ModelicaUtilities.h\\\"\n"
    "double my_limited(double x)\n"
    "{ if (x > 0.5) ModelicaFormatError(\\\"%g is too much\\\", x); return x; }\"); end limited;\n"
    "  class Offset extends ExternalObject;\n"
    "    function constructor input Real start; output Offset o;\n"
    "      external \"C\" o = offset_new(start) annotation(Library = \"foo\"); end constructor;\n"
    "    function destructor input Offset o;\n"
    "      external \"C\" offset_free(o) annotation(Library = \"foo\"); end destructor;\n"
    "  end Offset;\n"
    "  function add input Offset o; input Real x; output Real y;\n"
    "    external \"C\" y = offset_add(o, x) annotation(Library = \"foo\"); end add;\n"
    "  record R Real x; Integer k; Real z; end R;\n"
    "  function record_in input R r; input Real u; output Real y;\n"
    "    external \"C\" y = weigh(r, u) annotation(Include = \"struct R { double x; int k; "
    "double z; };\n"
    "double weigh(struct R *r, double u) { return r->x + 10 * r->k + r->z * u; }\");\n"
    "  end record_in;\n"
    "  function missing input Real x; output Real y; external \"C\" y = nowhere(x); end missing;\n"
    "  function fortran input Real A[:, :]; input Real x[:]; output Real y[size(A, 1)];\n"
    "    output Integer n; protected Real B[size(A, 1), size(A, 2)] = A; Real s;\n"
    "    external \"FORTRAN 77\" s = times(B, size(A, 1), size(A, 2), x, y, n) annotation(Include "
    "=\n"
    "\"double times_(double *a, int *m, int *n, double *x, double *y, int *k)\n"
    "{ for (int i = 0; i < *m; i++) { y[i] = 0;\n"
    "    for (int j = 0; j < *n; j++) y[i] += a[j * *m + i] * x[j]; }\n"
    "  *k = *m * 10 + *n; return y[0]; }\"); end fortran;\n"
    "  function cobol input Real x; output Real y; external \"COBOL\" y = f(x); end cobol;\n"
    "  function spoken input String s; output Real y; external \"FORTRAN 77\" y = f(s); end "
    "spoken;\n"
    "  model M Real x(start = 1, fixed = true), m, z, w, v; Integer n;\n"
    "    Integer k = count(\"abc\", {true, false, true}), l = count(last(\"abc\"), {false});\n"
    "    Offset o = Offset(5), p = Offset(7);\n"
    "  equation der(x) = -cube(x); (m, n) = mean({x, 2*x, time}); z + cube(z) = 2*time;\n"
    "    w = add(o, time); v = add(p, time); end M;\n"
    "  model Limited Real y = limited(time); end Limited;\n"
    "  model Record parameter R r(x = 1, k = 2, z = 5); Real y = record_in(r, time);\n"
    "  end Record;\n"
    "  record S String s; end S;\n"
    "  function text_in input S s; output Real y; external \"C\" y = f(s); end text_in;\n"
    "  model Text S s(s = \"a\"); Real y = text_in(s); end Text;\n"
    "  model Missing Real y = missing(time); end Missing;\n"
    "  model Fortran Real y[2]; Integer n; equation\n"
    "    (y, n) = fortran({{1, 2, 3}, {4, 5, 6}}, {1, 10, 100*time}); end Fortran;\n"
    "  model Cobol Real y = cobol(time); end Cobol;\n"
    "  model Spoken Real y = spoken(\"a\"); end Spoken;\n"
    "end Foo;\n";

static const char records_text[] =
    "within Foo; package Records\n"
    "  function record_out input Real x; output R r(x = 1, k = 7, z = 5);\n"
    "    external \"C\" put(x, r) annotation(Include = \"struct R { double x; int k; double z; };\n"
    "void put(double x, struct R *r) { r->x += x * x * x; r->k *= 2; r->z = 3 * x; }\");\n"
    "  end record_out;\n"
    "  function record_back input Real x; input R s; output R r;\n"
    "    external \"C\" annotation(Include = \"struct R { double x; int k; double z; };\n"
    "struct R record_back(double x, struct R *s) { struct R r = *s; r.x = x; r.k++; return r; "
    "}\");\n"
    "  end record_back;\n"
    "  function record_plain input Real x; output R r; external \"C\" r = plain(x)\n"
    "    annotation(Library = \"foo\"); end record_plain;\n"
    "  record N R r; end N;\n"
    "  function nested_out input Real x; output N r; external \"C\" g(x, r); end nested_out;\n"
    "  model Out R r = record_out(time), s = record_back(time, r), t = record_plain(2*time);\n"
    "    constant R c = record_out(2), d = record_back(3, c);\n"
    "    parameter R p = c, q = d; Real z(start = 0.5); R u = record_out(z);\n"
    "  equation u.x = 2 + 4*time; end Out;\n"
    "  model Nested N r = nested_out(time); end Nested;\n"
    "end Records;\n";

static const char library_text[] =
    "#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n"
    "extern char *ModelicaAllocateString(size_t);\n"
    "void my_mean(const double *x, size_t n, double *y, int *m)\n"
    "{ double s = 0; for (size_t i = 0; i < n; i++) s += x[i]; *y = s / n; *m = (int)n; }\n"
    "int my_count(const char *s, const int *b, size_t n)\n"
    "{ int k = (int)strlen(s); for (size_t i = 0; i < n; i++) k += 10 * b[i]; return k; }\n"
    "const char *my_last(const char *s)\n"
    "{ char *t = ModelicaAllocateString(1); t[0] = s[strlen(s) - 1]; return t; }\n"
    "void *offset_new(double s) { double *p = malloc(sizeof *p); *p = s; return p; }\n"
    "void offset_free(void *p) { fprintf(stderr, \"freed %g\\n\", *(double *)p); free(p); }\n"
    "double offset_add(void *p, double x) { return *(double *)p + x; }\n"
    "typedef struct { double x; int k; double z; } R;\n"
    "R plain(double x) { return (R){2 * x, 1, x}; }\n";

static int foreign_set_up(void **state)
{
    if (command_make_folder(state) != 0)
        return 1;
    command_shell("mkdir -p Foo/Resources/Include Foo/Resources/Library");
    command_write("Foo/package.mo", package_text);
    command_write("Foo/Records.mo", records_text);
    command_write("Foo/Resources/Include/cube.h",
                  "static double my_cube(double x) { return x * x * x; }\n");
    command_write("foo.c", library_text);
    return command_shell("cc -shared -fPIC -o Foo/Resources/Library/libfoo.so foo.c")->status;
}

static void refused_by_name(void **state)
{
    (void)state;
    command_expect(
        "simulate Foo Foo.M -o m.csv 2>&1", 3,
        "'Foo.cube' is an external function: 'my_cube' is none of those that Saltus has, "
        "and foreign code is not run without --allow-external");
    assert_null(command_read("m.csv"));
}

static void expect_last(const char *options)
{
    char line[300];
    snprintf(line, sizeof line, "simulate --allow-external %s Foo Foo.M -o m.csv 2>&1", options);
    const char *text = command_expect(line, 0,
                                      "foreign code is run: 'my_mean' from the library "
                                      "'foo' in 'Foo/Resources/Library'")
                           ->text;
    assert_non_null(
        strstr(text, "foreign code is run: 'my_cube' from the C code of its annotation"));
    // each object once, when all is over
    const char *freed = strstr(text, "freed 5");
    assert_non_null(freed);
    assert_null(strstr(freed + 1, "freed 5"));
    assert_non_null(strstr(text, "freed 7"));
    const char *rows = command_read("m.csv");
    assert_memory_equal(rows, "time,x,m,z,w,v,n,k,l", 20);
    const char *last = rows + strlen(rows) - 1;
    while (last > rows && last[-1] != '\n')
        last--;
    double v[9];
    char *at = (char *)(uintptr_t)last;
    for (int i = 0; i < 9; i++)
        v[i] = strtod(i ? at + 1 : at, &at);
    // der(x) = -x^3: x = 1/sqrt(1 + 2 t), at the tolerance 1e-6; z + z^3 = 2 has the root 1
    const double x = 1.0 / sqrt(3.0), expected[] = {1, x, (3.0 * x + 1.0) / 3.0, 1, 6, 8, 3, 23, 1};
    for (int i = 0; i < 9; i++)
        assert_true(fabs(v[i] - expected[i]) < 1e-6);
}

static void values_of_all_kinds(void **state)
{
    (void)state;
    expect_last("--backend=interpret");
    expect_last("--backend=c");
}

// The struct of a record: 1 + 10*2 + 5 at the end; and pointers and columns of FORTRAN
// 77: the rows of the matrix times (1, 10, 100), which are (321, 654).
static void records_and_columns(void **state)
{
    (void)state;
    command_expect("simulate --allow-external --stop-time 1 --output-interval 1 Foo Foo.Record "
                   "2>/dev/null | tail -1",
                   0, "1,26");
    command_expect("simulate --allow-external --stop-time 1 --output-interval 1 Foo Foo.Fortran "
                   "2>/dev/null | tail -1",
                   0, "1,321,654,23");
    // x = 1 + t^3, k = 14, z = 3 t; what is before a call is what was declared; 1 + z^3 = 2 + 4 t,
    // with the derivative of the call.
    command_expect(
        "simulate --allow-external --stop-time 2 --output-interval 2 Foo Foo.Records.Out "
        "-o - 2>/dev/null | tail -1",
        0, "2,9,14,6,2,15,6,8,1,4,2.080083823051904");
    command_expect("flatten --allow-external Foo Foo.Records.Out 2>/dev/null", 0,
                   "parameter Integer 'q.k' = 15;");
}

// The destructor of an object in C is called, after the run, with what the constructor has made.
static void objects_end(void **state)
{
    (void)state;
    command_write(
        "ended.mo",
        "model Ended\n  class Thing extends ExternalObject;\n"
        "    function constructor input Real x; output Thing thing;\n"
        "      external \"C\" thing = begin_thing(x) annotation(Include = \"#include <stdio.h>\n"
        "#include <stdlib.h>\n"
        "static void *begin_thing(double x) { double *p = malloc(sizeof *p); *p = x; return p; }\n"
        "static void end_thing(void *thing) { FILE *f = fopen(\\\"ended.txt\\\", \\\"w\\\");\n"
        "if (f) { fprintf(f, \\\"%g\\\", *(double *)thing); fclose(f); } free(thing); }\");\n"
        "    end constructor;\n    function destructor input Thing thing;\n"
        "      external \"C\" end_thing(thing);\n    end destructor;\n  end Thing;\n"
        "  function value input Thing thing; input Real t; output Real y;\n"
        "    external \"C\" y = of_thing(thing, t) annotation(Include = \n"
        "\"static double of_thing(void *thing, double t) { return *(double *)thing * t; }\");\n"
        "  end value;\n  Thing thing = Thing(3);\n  Real y = value(thing, time);\nend Ended;\n");
    command_expect("simulate ended.mo --allow-external -q --backend=interpret", 0,
                   "\n1,3,default\n");
    const char *said = command_read("ended.txt");
    assert_non_null(said);
    assert_string_equal(said, "3");
}

static void mistakes(void **state)
{
    (void)state;
    command_expect("simulate --allow-external Foo Foo.Limited -o m.csv 2>&1", 1, "is too much");
    command_expect("check --allow-external Foo Foo.Missing 2>&1", 3,
                   "the foreign function 'nowhere' cannot be loaded");
    command_expect("check --allow-external Foo Foo.Records.Nested 2>&1", 3,
                   "a record for a foreign function has numbers as members, and nothing else");
    command_expect("check --allow-external Foo Foo.Text 2>&1", 3,
                   "a record for a foreign function has numbers as members, and nothing else");
    command_expect("check --allow-external Foo Foo.Cobol 2>&1", 3,
                   "foreign functions are called in \"C\" or \"FORTRAN 77\", not in \"COBOL\"");
    command_expect("check --allow-external Foo Foo.Spoken 2>&1", 3,
                   "String cannot be given to a FORTRAN 77 function");
    command_expect("check Foo Foo.Missing 2>&1", 3, "--allow-external");
}

int main(int argc, char **argv)
{
    (void)argc;
    command_find(argv[0]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_by_name),
        cmocka_unit_test(values_of_all_kinds),
        cmocka_unit_test(records_and_columns),
        cmocka_unit_test(objects_end),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, foreign_set_up, command_remove_folder);
}
