// SPDX-License-Identifier: MIT
//
// All shapes are drawn once, in the first frame; afterwards only those that move, each into scratch
// memory, and what differs from the frame before is kept. So the cost is the number of frames by
// that of moving shapes, and memory that of the values that change.
//
// What always holds: the elements of shape i stand from begins[i] on, as many as in the first
// frame, so that an element is known by its number; a track exists from the first frame on in which
// its attribute differs from the first one, and has a value for every frame before, too.

#include "drawing/film.h"

#include "drawing/chart.h"
#include "plot/svg.h"

#include <math.h>

// ---------------------------------------------------------------------------
// Frames
// ---------------------------------------------------------------------------

// Rows about evenly spaced in time, and those of events as long as there are not too many.
static void choose_frames(Film *film, Arena *arena, size_t frames)
{
    const Recording *r = film->recording;
    const size_t n = r->table.row_count;
    const double *t = r->table.columns[0].values;
    const double step = (t[n - 1] - t[0]) / (double)(frames ? frames : 1);
    const size_t most = 3 * frames + 2;
    film->rows = ARENA_ARRAY(arena, most + 2, size_t);
    film->times = ARENA_ARRAY(arena, most + 2, double);
    double next = t[0];
    for (size_t i = 0; i < n && film->frame_count < most; i++) {
        const bool is_last = i + 1 == n;
        const bool is_due = t[i] >= next - 1e-9 * step;
        if (!is_due && !is_last && !(r->is_event[i] && film->frame_count + frames < most))
            continue;
        if (is_due)
            next = fmax(next + step, t[i] + 0.5 * step);
        film->rows[film->frame_count] = i;
        film->times[film->frame_count++] = t[i];
    }
    if (film->rows[film->frame_count - 1] != n - 1) {
        film->rows[film->frame_count] = n - 1;
        film->times[film->frame_count++] = t[n - 1];
    }
}

static bool film_is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *film_keep(Arena *arena, const char *text)
{
    return text ? arena_copy_text(arena, text, strlen(text)) : NULL;
}

// The values of an element in a frame go into its tracks, which are made when something changes.
static void film_take(Film *film, Arena *arena, FilmTrack **tracks, uint32_t element, size_t frame,
                      const SvgElement *now)
{
    for (int a = 0; a < ELEMENT_ATTRIBUTES; a++) {
        FilmTrack *track = tracks[element] ? &tracks[element][a] : NULL;
        const char *first = film->elements[element].values[a];
        if (track && track->values) {
            const char *before = track->values[frame - 1];
            track->values[frame] =
                film_is_same(before, now->values[a]) ? before : film_keep(arena, now->values[a]);
            continue;
        }
        if (film_is_same(first, now->values[a]))
            continue;
        if (!tracks[element])
            tracks[element] = ARENA_ARRAY(arena, ELEMENT_ATTRIBUTES, FilmTrack);
        track = &tracks[element][a];
        track->element = element;
        track->attribute = (ElementAttribute)a;
        track->values = ARENA_ARRAY(arena, film->frame_count, const char *);
        for (size_t i = 0; i < frame; i++)
            track->values[i] = first;
        track->values[frame] = film_keep(arena, now->values[a]);
    }
}

static void film_first(Film *film, Arena *arena, DrawingStage *s, const Scene *scene,
                       uint32_t *begins, ShapeBox *box)
{
    film->elements =
        ARENA_ARRAY(arena, (size_t)scene->shapes.count * SHAPE_MOST_ELEMENTS + 1, SvgElement);
    s->row = film->rows[0];
    for (uint32_t i = 0; i < scene->shapes.count; i++) {
        begins[i] = (uint32_t)film->element_count;
        film->element_count += shape_elements(s, scene->shapes.items[i], arena,
                                              film->elements + film->element_count, box);
    }
}

static void film_rest(Film *film, Arena *arena, DrawingStage *s, const Scene *scene,
                      const uint32_t *begins, FilmTrack **tracks, ShapeBox *box)
{
    Arena *scratch = s->f->frames;
    for (size_t frame = 1; frame < film->frame_count; frame++) {
        s->row = film->rows[frame];
        for (uint32_t i = 0; i < scene->shapes.count; i++) {
            Shape *shape = scene->shapes.items[i];
            if (!shape->moves)
                continue;
            SvgElement elements[SHAPE_MOST_ELEMENTS];
            const ArenaMark mark = arena_mark(scratch);
            const size_t end = i + 1 < scene->shapes.count ? begins[i + 1] : film->element_count;
            const size_t count = shape_elements(s, shape, scratch, elements, box);
            for (size_t k = 0; k < count && begins[i] + k < end; k++)
                film_take(film, arena, tracks, begins[i] + (uint32_t)k, frame, &elements[k]);
            arena_release(scratch, mark);
        }
    }
}

static void film_gather(Film *film, Arena *arena, FilmTrack *const *tracks)
{
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass)
            film->tracks = ARENA_ARRAY(arena, count + 1, FilmTrack);
        for (size_t i = 0; i < film->element_count; i++)
            for (int a = 0; tracks[i] && a < ELEMENT_ATTRIBUTES; a++) {
                if (!tracks[i][a].values)
                    continue;
                if (pass)
                    film->tracks[film->track_count++] = tracks[i][a];
                else
                    count++;
            }
    }
}

Film *film_create(DrawingStage *s, const Scene *scene, const Recording *recording, Arena *arena,
                  size_t frames)
{
    Film *film = ARENA_NEW(arena, Film);
    ShapeBox box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    film->recording = recording;
    film->title = recording->table.title;
    choose_frames(film, arena, frames);
    uint32_t *begins = ARENA_ARRAY(arena, scene->shapes.count + 1u, uint32_t);
    film_first(film, arena, s, scene, begins, &box);
    FilmTrack **tracks = ARENA_ARRAY(arena, film->element_count + 1, FilmTrack *);
    film_rest(film, arena, s, scene, begins, tracks, &box);
    film_gather(film, arena, tracks);
    film->view = scene_view(scene, box, true);
    const double span = film->times[film->frame_count - 1] - film->times[0];
    film->seconds = span >= 2.0 && span <= 30.0 ? span : 10.0;
    return film;
}

void film_write_frame(StringBuilder *out, const Film *film, size_t frame)
{
    size_t k = 0;
    for (size_t i = 0; i < film->element_count; i++) {
        SvgElement e = film->elements[i];
        for (; k < film->track_count && film->tracks[k].element == i; k++)
            e.values[film->tracks[k].attribute] = film->tracks[k].values[frame];
        element_write(out, &e, NULL);
    }
}

// ---------------------------------------------------------------------------
// SMIL
// ---------------------------------------------------------------------------

static double frame_time(const Film *film, size_t frame)
{
    const double span = film->times[film->frame_count - 1] - film->times[0];
    return span > 0.0 ? (film->times[frame] - film->times[0]) / span : 0.0;
}

// Values where they change, discretely: each frame is one of the run.
void film_write_track(StringBuilder *out, const Film *film, const char *name,
                      const char *const *values, const char *otherwise)
{
    const struct {
        const char *begin;
        bool are_times;
    } parts[] = {{" values=\"", false}, {"\" keyTimes=\"", true}};
    builder_append_format(out, "<animate attributeName=\"%s\"", name);
    for (int part = 0; part < 2; part++) {
        builder_append_text(out, parts[part].begin);
        for (size_t i = 0; i < film->frame_count; i++) {
            if (i && film_is_same(values[i], values[i - 1]))
                continue;
            builder_append_text(out, i ? ";" : "");
            if (parts[part].are_times)
                builder_append_format(out, "%.5g", frame_time(film, i));
            else
                builder_append_text(out, values[i] ? values[i] : otherwise);
        }
    }
    builder_append_format(
        out, "\" calcMode=\"discrete\" dur=\"%.4gs\" repeatCount=\"indefinite\"/>", film->seconds);
}

static const FilmTrack *find_track(const FilmTrack *tracks, size_t count,
                                   ElementAttribute attribute)
{
    for (size_t i = 0; i < count; i++)
        if (tracks[i].attribute == attribute)
            return &tracks[i];
    return NULL;
}

static bool track_stays(const FilmTrack *track, size_t from, size_t frame)
{
    return !track || track->values[frame] == track->values[from];
}

// What SMIL cannot change, what a text says and how it is turned, is there once for each value, and
// visible in its time.
static void smil_copies(StringBuilder *out, const Film *film, Arena *arena, SvgElement e,
                        const FilmTrack *tracks, size_t count)
{
    const FilmTrack *const content = find_track(tracks, count, ELEMENT_CONTENT);
    const FilmTrack *const turn = find_track(tracks, count, ELEMENT_TRANSFORM);
    const FilmTrack *const visibility = find_track(tracks, count, ELEMENT_VISIBILITY);
    for (size_t i = 0, end; i < film->frame_count; i = end) {
        for (end = i + 1;
             end < film->frame_count && track_stays(content, i, end) && track_stays(turn, i, end);)
            end++;
        const char **visible = ARENA_ARRAY(arena, film->frame_count, const char *);
        for (size_t k = 0; k < film->frame_count; k++)
            visible[k] = k < i || k >= end ? "hidden"
                         : visibility      ? visibility->values[k]
                                           : "visible";
        StringBuilder inside = builder_create(arena);
        film_write_track(&inside, film, "visibility", visible, "visible");
        for (size_t t = 0; t < count; t++)
            if (&tracks[t] != content && &tracks[t] != turn && &tracks[t] != visibility)
                film_write_track(&inside, film, element_attribute_names[tracks[t].attribute],
                                 tracks[t].values, "none");
        if (turn)
            e.values[ELEMENT_TRANSFORM] = turn->values[i];
        if (content)
            e.values[ELEMENT_CONTENT] = content->values[i];
        e.values[ELEMENT_VISIBILITY] = visible[0];
        element_write(out, &e, builder_string(&inside).text);
    }
}

static void smil_element(StringBuilder *out, const Film *film, Arena *arena, size_t element,
                         const FilmTrack *tracks, size_t count)
{
    if (find_track(tracks, count, ELEMENT_CONTENT) ||
        find_track(tracks, count, ELEMENT_TRANSFORM)) {
        smil_copies(out, film, arena, film->elements[element], tracks, count);
        return;
    }
    StringBuilder inside = builder_create(arena);
    for (size_t t = 0; t < count; t++)
        film_write_track(&inside, film, element_attribute_names[tracks[t].attribute],
                         tracks[t].values, "none");
    element_write(out, &film->elements[element], builder_string(&inside).text);
}

static String draw_smil(Arena *arena, Arena *scratch, const void *what)
{
    const Film *film = what;
    StringBuilder out = builder_create(arena);
    scene_begin(&out, chart_view(film), film->title);
    for (size_t i = 0, k = 0; i < film->element_count; i++) {
        const ArenaMark mark = arena_mark(scratch);
        const size_t first = k;
        while (k < film->track_count && film->tracks[k].element == i)
            k++;
        smil_element(&out, film, scratch, i, film->tracks + first, k - first);
        arena_release(scratch, mark);
    }
    chart_write(&out, scratch, film, FILM_ALL);
    builder_append_text(&out, "</svg>\n");
    return builder_string(&out);
}

String film_svg(const Film *film, Arena *arena)
{
    return svg_make(arena, draw_smil, film);
}
