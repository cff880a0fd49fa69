// SPDX-License-Identifier: MIT

#include "plot/colour.h"

#include "base/number.h"
#include "plot/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *colour_curve(int index)
{
    static const char *const curves[PLOT_COLOURS] = {
        "#0072b2", // blue
        "#d55e00", // vermilion
        "#009e73", // bluish green
        "#cc79a7", // reddish purple
        "#e69f00", // orange
        "#56b4e9", // sky blue
        "#000000",
    };
    return curves[index % PLOT_COLOURS];
}

const char *colour_shade(int index)
{
    static const char *const shades[COLOUR_SHADES] = {"#dcebf5", "#fae3d2", "#d8efe5",
                                                      "#f6e2ec", "#fbf5c9", "#e4e4e4"};
    return shades[index % COLOUR_SHADES];
}

const char *colour_dash(int index)
{
    static const char *const dashes[PLOT_DASHES] = {"",          "5 2", "1.5 1.5",
                                                    "7 2 1.5 2", "9 2", "5 1.5 1.5 1.5 1.5 1.5"};
    return dashes[index % PLOT_DASHES];
}

double colour_dash_length(const char *dash)
{
    double length = 0.0;
    for (size_t used = 0; *dash; dash += used + strspn(dash + used, " ")) {
        double part = 0.0;
        used = strcspn(dash, " ");
        number_read(dash, used, &part);
        length += part;
    }
    return length;
}

// ---------------------------------------------------------------------------
// Maps
// ---------------------------------------------------------------------------

// From dark blue over blue and green to light yellow, with even steps of lightness: colours in the
// space Oklab (B. Ottosson, 2020), by lightness, green to red, blue to yellow.
static const double anchors[][3] = {
    {0.25, 0.00, -0.12}, {0.42, -0.035, -0.12}, {0.58, -0.09, -0.02},
    {0.75, -0.11, 0.08}, {0.93, -0.03, 0.15},
};

enum { LAST_ANCHOR = sizeof anchors / sizeof *anchors - 1 };

static int to_byte(double linear)
{
    const double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
    const double clamped = v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v;
    return (int)lround(255.0 * clamped);
}

// Oklab to sRGB by the two matrices of its definition.
static void to_text(const double c[3], char out[8])
{
    const double l0 = c[0] + 0.3963377774 * c[1] + 0.2158037573 * c[2];
    const double m0 = c[0] - 0.1055613458 * c[1] - 0.0638541728 * c[2];
    const double s0 = c[0] - 0.0894841775 * c[1] - 1.2914855480 * c[2];
    const double l = l0 * l0 * l0, m = m0 * m0 * m0, s = s0 * s0 * s0;
    const int red = to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    const int green = to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    const int blue = to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
    snprintf(out, 8, "#%02x%02x%02x", (unsigned)red & 255u, (unsigned)green & 255u,
             (unsigned)blue & 255u);
}

void colour_map(double fraction, char out[8])
{
    const double f = (fraction < 0.0 ? 0.0 : fraction > 1.0 ? 1.0 : fraction) * LAST_ANCHOR;
    const int below = f >= LAST_ANCHOR ? LAST_ANCHOR - 1 : (int)f;
    const double *p = anchors[below], *q = anchors[below + 1], s = f - below;
    double colour[3];
    for (int i = 0; i < 3; i++)
        colour[i] = p[i] + s * (q[i] - p[i]);
    to_text(colour, out);
}
