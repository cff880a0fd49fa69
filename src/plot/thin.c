// SPDX-License-Identifier: MIT

#include "plot/thin.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------
// Columns
// ---------------------------------------------------------------------------

static bool rises(const ThinPoint *points, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (points[i].x < points[i - 1].x)
            return false;
    return true;
}

// Writes the first, lowest, highest and last of points[first ... end - 1] to `to`, in their order.
static size_t keep_extremes(const ThinPoint *points, size_t first, size_t end, ThinPoint *to)
{
    size_t low = first, high = first, kept = 0;
    for (size_t i = first; i < end; i++) {
        if (points[i].y < points[low].y)
            low = i;
        if (points[i].y > points[high].y)
            high = i;
    }
    const size_t order[4] = {first, low < high ? low : high, low < high ? high : low, end - 1};
    for (size_t i = 0; i < 4; i++)
        if (i == 0 || order[i] != order[i - 1])
            to[kept++] = points[order[i]];
    return kept;
}

size_t thin_columns(ThinPoint *points, size_t count, double width)
{
    if (!rises(points, count))
        return count;
    size_t kept = 0;
    for (size_t first = 0; first < count;) {
        const double column = floor(points[first].x / width);
        size_t end = first + 1;
        while (end < count && floor(points[end].x / width) == column)
            end++;
        ThinPoint extremes[4];
        const size_t few = keep_extremes(points, first, end, extremes);
        memcpy(points + kept, extremes, few * sizeof *points); // kept <= first: in place
        kept += few;
        first = end;
    }
    return kept;
}

// ---------------------------------------------------------------------------
// Straight parts
// ---------------------------------------------------------------------------

static double distance_to_segment(ThinPoint p, ThinPoint a, ThinPoint b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double s = square > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0.0;
    s = s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
    return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

static bool thin_is_near(const ThinPoint *points, size_t first, size_t last, double tolerance)
{
    for (size_t i = first + 1; i < last; i++)
        if (distance_to_segment(points[i], points[first], points[last]) > tolerance)
            return false;
    return true;
}

size_t thin_straight(ThinPoint *points, size_t count, double tolerance)
{
    enum { LONGEST = 64 }; // points that one line may replace, which bounds the work
    if (count < 3)
        return count;
    size_t kept = 1, anchor = 0;
    // The anchor's point is also points[kept - 1]; what lies between has been read.
    while (anchor + 1 < count) {
        size_t last = anchor + 1;
        while (last + 1 < count && last - anchor < LONGEST &&
               thin_is_near(points, anchor, last + 1, tolerance))
            last++;
        points[kept++] = points[last];
        anchor = last;
    }
    return kept;
}
