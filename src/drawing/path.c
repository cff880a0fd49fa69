// SPDX-License-Identifier: MIT

#include "drawing/path.h"

#include "plot/svg.h"

#include <math.h>

DrawPath path_begin(Arena *arena, ShapeAffine affine)
{
    return (DrawPath){.text = builder_create(arena),
                      .affine = affine,
                      .box = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
}

const char *path_text(const DrawPath *p)
{
    return p->text.length ? p->text.text : "M0 0";
}

bool path_is_finite(const DrawPath *p)
{
    return p->text.length && !p->is_wild;
}

void path_grow_point(ShapeBox *box, double x, double y, double radius)
{
    box->x1 = fmin(box->x1, x - radius);
    box->x2 = fmax(box->x2, x + radius);
    box->y1 = fmin(box->y1, y - radius);
    box->y2 = fmax(box->y2, y + radius);
}

void path_grow_box(const DrawPath *p, ShapeBox *box)
{
    if (p->box.x1 > p->box.x2)
        return;
    path_grow_point(box, p->box.x1, p->box.y1, 0.0);
    path_grow_point(box, p->box.x2, p->box.y2, 0.0);
}

// A point of the picture, whose y axis points down.
static void path_put(DrawPath *p, double x, double y)
{
    const bool is_fine = fabs(x) < 1e7 && fabs(y) < 1e7; // not for NAN
    if (is_fine)
        path_grow_point(&p->box, x, y, 0.0);
    else
        p->is_wild = true;
    svg_number(&p->text, is_fine ? x : 0.0);
    builder_append_character(&p->text, ' ');
    svg_number(&p->text, is_fine ? -y : 0.0);
}

static void path_command(DrawPath *p, char command, double x, double y)
{
    const ShapeAffine m = p->affine;
    builder_append_character(&p->text, command);
    path_put(p, m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f);
}

void path_points(DrawPath *p, const double *q, size_t count, bool is_smooth, bool is_closed)
{
    if (count == 0)
        return;
    const size_t last = count - 1;
    if (!is_smooth || count < 3) {
        for (size_t i = 0; i < count; i++)
            path_command(p, i ? 'L' : 'M', q[2 * i], q[2 * i + 1]);
    } else if (is_closed) {
        // A last point that repeats the first one is no corner.
        const bool is_repeated = q[0] == q[2 * last] && q[1] == q[2 * last + 1];
        const size_t n = is_repeated ? last : count;
        path_command(p, 'M', 0.5 * (q[0] + q[2]), 0.5 * (q[1] + q[3]));
        for (size_t i = 1; i <= n; i++) {
            const double *corner = q + 2 * (i % n), *next = q + 2 * ((i + 1) % n);
            path_command(p, 'Q', corner[0], corner[1]);
            path_command(p, ' ', 0.5 * (corner[0] + next[0]), 0.5 * (corner[1] + next[1]));
        }
    } else {
        path_command(p, 'M', q[0], q[1]);
        path_command(p, 'L', 0.5 * (q[0] + q[2]), 0.5 * (q[1] + q[3]));
        for (size_t i = 1; i < last; i++) {
            path_command(p, 'Q', q[2 * i], q[2 * i + 1]);
            path_command(p, ' ', 0.5 * (q[2 * i] + q[2 * i + 2]),
                         0.5 * (q[2 * i + 1] + q[2 * i + 3]));
        }
        path_command(p, 'L', q[2 * last], q[2 * last + 1]);
    }
    if (is_closed)
        builder_append_character(&p->text, 'Z');
}

// Bezier curves for an arc of at most a quarter of an ellipse around (cx, cy): the control points
// lie on the tangents, 4/3 tan(angle/4) of the radius away.
static void path_arc(DrawPath *p, double cx, double cy, double rx, double ry, double from,
                     double to)
{
    const double k = 4.0 / 3.0 * tan(0.25 * (to - from));
    path_command(p, 'C', cx + rx * (cos(from) - k * sin(from)),
                 cy + ry * (sin(from) + k * cos(from)));
    path_command(p, ' ', cx + rx * (cos(to) + k * sin(to)), cy + ry * (sin(to) - k * cos(to)));
    path_command(p, ' ', cx + rx * cos(to), cy + ry * sin(to));
}

void path_rectangle(DrawPath *p, const double e[4], double radius)
{
    const double x1 = fmin(e[0], e[2]), x2 = fmax(e[0], e[2]);
    const double y1 = fmin(e[1], e[3]), y2 = fmax(e[1], e[3]);
    if (!isfinite(e[0] + e[1] + e[2] + e[3])) {
        p->is_wild = true;
        return;
    }
    const double r = fmin(radius, 0.5 * fmin(x2 - x1, y2 - y1)), quarter = 0.5 * acos(-1.0);
    if (!(r > 0.0)) {
        const double corners[] = {x1, y1, x2, y1, x2, y2, x1, y2};
        path_points(p, corners, 4, false, true);
        return;
    }
    const double cx[] = {x2 - r, x2 - r, x1 + r, x1 + r}, cy[] = {y1 + r, y2 - r, y2 - r, y1 + r};
    path_command(p, 'M', x1 + r, y1);
    for (int i = 0; i < 4; i++) {
        const double from = (i - 1) * quarter;
        path_command(p, 'L', cx[i] + r * cos(from), cy[i] + r * sin(from));
        path_arc(p, cx[i], cy[i], r, r, from, from + quarter);
    }
    builder_append_character(&p->text, 'Z');
}

void path_ellipse(DrawPath *p, const double e[4], double from, double to, PathClosure closure)
{
    const double cx = 0.5 * (e[0] + e[2]), cy = 0.5 * (e[1] + e[3]);
    const double rx = 0.5 * fabs(e[2] - e[0]), ry = 0.5 * fabs(e[3] - e[1]);
    if (!isfinite(cx + cy + from + to) || fabs(from) > 1e6) {
        p->is_wild = true;
        return;
    }
    const double degree = acos(-1.0) / 180.0;
    const double sweep = fmax(fmin(to - from, 360.0), -360.0);
    const bool is_whole = fabs(sweep) >= 360.0;
    const double first = from * degree;
    if (!is_whole && closure == PATH_RADIAL) {
        path_command(p, 'M', cx, cy);
        path_command(p, 'L', cx + rx * cos(first), cy + ry * sin(first));
    } else {
        path_command(p, 'M', cx + rx * cos(first), cy + ry * sin(first));
    }
    // Always four, so that an arc can grow in an animation.
    for (int i = 0; i < 4; i++)
        path_arc(p, cx, cy, rx, ry, first + 0.25 * i * sweep * degree,
                 first + 0.25 * (i + 1) * sweep * degree);
    if (is_whole || closure != PATH_OPEN)
        builder_append_character(&p->text, 'Z');
}

void path_arrow(DrawPath *p, const double tip[2], const double from[2], double size, bool is_half,
                bool is_closed)
{
    const ShapeAffine m = p->affine;
    const double x = m.a * tip[0] + m.c * tip[1] + m.e, y = m.b * tip[0] + m.d * tip[1] + m.f;
    const double dx = m.a * (tip[0] - from[0]) + m.c * (tip[1] - from[1]);
    const double dy = m.b * (tip[0] - from[0]) + m.d * (tip[1] - from[1]);
    const double length = hypot(dx, dy), ux = length > 0.0 ? dx / length : 1.0;
    const double uy = length > 0.0 ? dy / length : 0.0, wing = 0.35;
    builder_append_character(&p->text, 'M');
    path_put(p, x - size * (ux + wing * uy), y - size * (uy - wing * ux));
    builder_append_character(&p->text, 'L');
    path_put(p, x, y);
    if (!is_half) {
        builder_append_character(&p->text, 'L');
        path_put(p, x - size * (ux - wing * uy), y - size * (uy + wing * ux));
    }
    if (is_closed)
        builder_append_character(&p->text, 'Z');
}
