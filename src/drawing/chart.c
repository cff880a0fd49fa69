// SPDX-License-Identifier: MIT

#include "drawing/chart.h"

#include "plot/svg.h"

#include <math.h>
#include <stdio.h>

// Of an active state; of one with others inside, which is white otherwise.
#define LIT "#ffd977"
#define LIT_AROUND "#fff3d1"

// The size that its SVG says it has. False: there is no chart.
static bool chart_size(const Film *film, double *width, double *height)
{
    const char *box = film->chart.text ? strstr(film->chart.text, "viewBox=\"") : NULL;
    return box && sscanf(box, "viewBox=\"0 0 %lf %lf\"", width, height) == 2 && *width > 0.0 &&
           *height > 0.0;
}

// To the right of the picture, at most as high and as wide as that; alone, as large as it is.
static ShapeBox chart_place(const Film *film, double width, double height)
{
    const ShapeBox v = film->view;
    if (film->element_count == 0)
        return (ShapeBox){0.0, -height, width, 0.0};
    const double scale = fmin((v.y2 - v.y1) / height, (v.x2 - v.x1) / width);
    const double top = 0.5 * (v.y1 + v.y2) + 0.5 * scale * height;
    return (ShapeBox){v.x2, top - scale * height, v.x2 + scale * width, top};
}

ShapeBox chart_view(const Film *film)
{
    double width, height;
    if (!chart_size(film, &width, &height))
        return film->view;
    const ShapeBox c = chart_place(film, width, height), v = film->view;
    return film->element_count ? (ShapeBox){v.x1, v.y1, c.x2, v.y2} : c;
}

static const char *chart_mode(const Film *film, size_t frame)
{
    const Table *table = &film->recording->table;
    return table_word(&table->columns[table->column_count - 1], film->rows[frame]);
}

// The text of an attribute in a tag, unescaped names having no quotes.
static String tag_attribute(String tag, const char *name)
{
    const char *at = strstr(tag.text, name);
    if (!at || at >= tag.text + tag.length)
        return (String){0};
    at += strlen(name);
    return (String){at, strcspn(at, "\"")};
}

static void write_state(StringBuilder *out, Arena *scratch, const Film *film, String tag,
                        size_t frame)
{
    const String state = tag_attribute(tag, "data-state=\""), fill = tag_attribute(tag, " fill=\"");
    const char *name = arena_copy_text(scratch, state.text, state.length);
    const char *plain = fill.text ? arena_copy_text(scratch, fill.text, fill.length) : "#fff";
    const char *lit = strcmp(plain, "#fff") == 0 ? LIT_AROUND : LIT;
    const size_t count = frame == FILM_ALL ? film->frame_count : 1;
    const char **fills = ARENA_ARRAY(scratch, count, const char *);
    for (size_t i = 0; i < count; i++)
        fills[i] = recording_is_active(chart_mode(film, frame == FILM_ALL ? i : frame), name)
                       ? lit
                       : plain;
    if (frame != FILM_ALL && fill.text) {
        builder_append(out, tag.text, (size_t)(fill.text - tag.text));
        builder_append_text(out, fills[0]);
        const char *rest = fill.text + fill.length;
        builder_append(out, rest, (size_t)(tag.text + tag.length - rest));
        return;
    }
    builder_append(out, tag.text, tag.length - 2); // without "/>"
    builder_append_text(out, ">");
    film_write_track(out, film, "fill", fills, plain);
    builder_append_text(out, "</rect>");
}

void chart_write(StringBuilder *out, Arena *scratch, const Film *film, size_t frame)
{
    double width, height;
    if (!chart_size(film, &width, &height))
        return;
    const ShapeBox box = chart_place(film, width, height);
    const double numbers[] = {box.x1, -box.y2, box.x2 - box.x1, box.y2 - box.y1};
    static const char *const names[] = {"x", "y", "width", "height"};
    builder_append_text(out, "<svg");
    for (int i = 0; i < 4; i++) {
        builder_append_format(out, " %s=\"", names[i]);
        svg_number(out, numbers[i]);
        builder_append_text(out, "\"");
    }
    builder_append_format(out,
                          " viewBox=\"0 0 %.6g %.6g\" font-family=\"Helvetica, Arial, "
                          "sans-serif\">",
                          width, height);
    const char *text = strchr(film->chart.text, '>') + 1; // behind its opening tag
    for (const char *tag; (tag = strstr(text, "<rect ")) != NULL;) {
        const char *end = strstr(tag, "/>");
        if (!end)
            break;
        const String whole = {tag, (size_t)(end + 2 - tag)};
        builder_append(out, text, (size_t)(tag - text));
        if (tag_attribute(whole, "data-state=\"").text)
            write_state(out, scratch, film, whole, frame);
        else
            builder_append(out, whole.text, whole.length);
        text = end + 2;
    }
    builder_append_text(out, text); // to the end, with its closing tag
}
