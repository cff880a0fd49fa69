// SPDX-License-Identifier: MIT

#include "drawing/page.h"

#include "drawing/page_text.h"
#include "plot/layout.h"
#include "plot/svg.h"

#include <math.h>

enum { MOST_MARKS = 600 }; // events on the time line

// ---------------------------------------------------------------------------
// Data
// ---------------------------------------------------------------------------

// JSON inside <script>: no "<" may end it.
static void page_string(StringBuilder *out, Arena *scratch, const char *text)
{
    const ArenaMark mark = arena_mark(scratch);
    StringBuilder json = builder_create(scratch);
    builder_append_json(&json, text, strlen(text));
    const String s = builder_string(&json);
    for (size_t i = 0; i < s.length; i++)
        if (s.text[i] == '<')
            builder_append_text(out, "\\u003c");
        else
            builder_append_character(out, s.text[i]);
    arena_release(scratch, mark);
}

static void page_number(StringBuilder *out, double value)
{
    if (isfinite(value))
        builder_append_format(out, "%.12g", value);
    else
        builder_append_text(out, "null");
}

static void page_times(StringBuilder *out, Arena *scratch, const Film *film)
{
    const Table *table = &film->recording->table;
    const TableColumn *mode = &table->columns[table->column_count - 1];
    builder_append_text(out, "\"times\":[");
    for (size_t i = 0; i < film->frame_count; i++) {
        builder_append_text(out, i ? "," : "");
        page_number(out, film->times[i]);
    }
    builder_append_text(out, "],\n\"mode\":[");
    for (size_t i = 0; i < film->frame_count; i++)
        builder_append_format(out, "%s%d", i ? "," : "", (int)mode->values[film->rows[i]]);
    builder_append_text(out, "],\n\"modes\":[");
    for (size_t i = 0; i < mode->word_count; i++) {
        builder_append_text(out, i ? "," : "");
        page_string(out, scratch, mode->words[i]);
    }
    builder_append_text(out, "],\n");
}

static void page_events(StringBuilder *out, Arena *scratch, const Recording *r)
{
    builder_append_format(out, "\"eventCount\":%zu,\n\"events\":[", r->event_count);
    for (size_t i = 0; i < r->event_count && i < MOST_MARKS; i++) {
        builder_append_text(out, i ? ",[" : "[");
        page_number(out, r->events[i].x);
        builder_append_text(out, ",");
        page_string(out, scratch, r->events[i].label);
        builder_append_text(out, "]");
    }
    builder_append_text(out, "],\n");
}

// A value that stays is 0.
static void page_tracks(StringBuilder *out, Arena *scratch, const Film *film)
{
    builder_append_text(out, "\"tracks\":[");
    for (size_t i = 0; i < film->track_count; i++) {
        const FilmTrack *t = &film->tracks[i];
        const char *name = element_attribute_names[t->attribute];
        builder_append_format(out, "%s\n[%u,\"%s\",[", i ? "," : "", (unsigned)t->element,
                              name ? name : "");
        for (size_t k = 0; k < film->frame_count; k++) {
            builder_append_text(out, k ? "," : "");
            if (k && t->values[k] == t->values[k - 1])
                builder_append_text(out, "0");
            else if (t->values[k])
                page_string(out, scratch, t->values[k]);
            else
                builder_append_text(out, "null");
        }
        builder_append_text(out, "]]");
    }
    builder_append_text(out, "],\n");
}

// Where the curves are drawn, for the line that runs along.
static void page_panels(StringBuilder *out, Arena *scratch, const PlotFigure *figure)
{
    const FigureLayout *l = figure ? layout_make(scratch, figure) : NULL;
    bool is_first = true;
    builder_append_text(out, "\"panels\":[");
    for (size_t i = 0; l && i < figure->panel_count; i++) {
        const PanelLayout *p = &l->panels[i];
        if (!p->panel->is_time)
            continue;
        const double numbers[] = {p->box.x,      p->box.y,       p->box.width,
                                  p->box.height, p->x.range.low, p->x.range.high};
        builder_append_text(out, is_first ? "[" : ",[");
        is_first = false;
        for (int k = 0; k < 6; k++) {
            builder_append_text(out, k ? "," : "");
            page_number(out, numbers[k]);
        }
        builder_append_text(out, "]");
    }
    builder_append_text(out, "],\n");
}

static void page_data(StringBuilder *out, Arena *scratch, const Film *film)
{
    builder_append_text(out, "<script type=\"application/json\" id=\"film\">{\n");
    page_times(out, scratch, film);
    page_events(out, scratch, film->recording);
    page_tracks(out, scratch, film);
    page_panels(out, scratch, film->figure);
    builder_append_format(out, "\"seconds\":%.6g}\n</script>\n", film->seconds);
}

// ---------------------------------------------------------------------------
// Pictures
// ---------------------------------------------------------------------------

static void page_picture(StringBuilder *out, Arena *scratch, const Film *film)
{
    size_t k = 0;
    scene_begin(out, film->view, NULL);
    for (size_t i = 0; i < film->element_count; i++) {
        SvgElement e = film->elements[i];
        const bool moves = k < film->track_count && film->tracks[k].element == i;
        while (k < film->track_count && film->tracks[k].element == i)
            k++;
        if (moves) {
            StringBuilder fixed = builder_create(scratch);
            builder_append_format(&fixed, "%s data-e=\"%zu\"", e.fixed ? e.fixed : "", i);
            e.fixed = builder_string(&fixed).text;
        }
        element_write(out, &e, NULL);
    }
    builder_append_text(out, "</svg>\n");
}

static void page_heading(StringBuilder *out, const Film *film)
{
    const char *title = film->title ? film->title : "";
    builder_append_text(out, page_head);
    builder_append_text(out, "<title>");
    svg_escape(out, title, strlen(title));
    builder_append_format(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<header><h1>",
                          page_style);
    svg_escape(out, title, strlen(title));
    builder_append_text(out, "</h1><p>");
    if (film->description)
        svg_escape(out, film->description, strlen(film->description));
    builder_append_text(out, "</p></header>\n");
}

static String draw_page(Arena *arena, Arena *scratch, const void *what)
{
    const Film *film = what;
    StringBuilder out = builder_create(arena);
    const bool has_picture = film->element_count > 0;
    page_heading(&out, film);
    builder_append_text(&out, "<main>\n");
    if (has_picture) {
        builder_append_text(&out, "<section id=\"picture\">\n");
        page_picture(&out, scratch, film);
        builder_append_text(&out, "</section>\n");
    }
    if (film->chart.text) {
        builder_append_text(&out, "<section id=\"chart\">\n");
        builder_append(&out, film->chart.text, film->chart.length);
        builder_append_text(&out, "</section>\n");
    }
    if (film->figure) {
        const String curves = plot_svg(scratch, film->figure);
        if (!curves.text)
            return (String){0}; // out of memory
        builder_append_text(&out, "<section id=\"curves\">\n");
        builder_append(&out, curves.text, curves.length);
        builder_append_text(&out, "</section>\n");
    }
    builder_append_text(&out, "</main>\n");
    builder_append_text(&out, page_controls);
    page_data(&out, scratch, film);
    builder_append_format(&out, "<script>%s</script>\n</body>\n</html>\n", page_script);
    return builder_string(&out);
}

String page_html(const Film *film, Arena *arena)
{
    return svg_make(arena, draw_page, film);
}
