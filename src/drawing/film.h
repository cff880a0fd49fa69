// SPDX-License-Identifier: MIT
//
// A film: a scene along a recording. Elements that never change are there once; of those that do,
// each attribute that changes is a track with a value for every frame.
//
// What always holds: frames are rows of the recording, so that what is shown are values of the run,
// not between them; around an event there are two frames at the same time, before and after it.

#ifndef SALTUS_DRAWING_FILM_H
#define SALTUS_DRAWING_FILM_H

#include "drawing/gif.h"
#include "drawing/recording.h"
#include "drawing/scene.h"
#include "plot/convert.h"

typedef struct FilmTrack {
    uint32_t element;
    ElementAttribute attribute;
    const char **values; // one per frame; a value that stays is the same pointer. NULL: none
} FilmTrack;

typedef struct Film {
    const Recording *recording;
    const char *title;
    SvgElement *elements; // in the first frame
    FilmTrack *tracks;    // by element
    size_t element_count, track_count, frame_count;
    size_t *rows;   // of the frames, in the recording
    double *times;  // likewise
    ShapeBox view;  // of the picture
    String chart;   // of the state machines, as SVG; none: .text is NULL
    double seconds; // of playback
    // Beside it on a page:
    const struct PlotFigure *figure; // NULL: no curves
    const char *description;         // of the model; NULL: none
} Film;

// About so many frames, more if there are events. The arena has the film.
Film *film_create(DrawingStage *stage, const Scene *scene, const Recording *recording, Arena *arena,
                  size_t frames);

#define FILM_ALL SIZE_MAX // no frame, but all of them

// <animate> of an attribute, with a value for each frame: equal ones that follow each other are
// one.
void film_write_track(StringBuilder *out, const Film *film, const char *name,
                      const char *const *values, const char *otherwise);
// Elements of a frame as SVG, without the opening tag.
void film_write_frame(StringBuilder *out, const Film *film, size_t frame);

// A picture that moves by itself in a browser (SMIL, SVG 1.1 chapter 19).
String film_svg(const Film *film, Arena *arena);

// The same as GIF, `width` pixels wide, drawn by rsvg-convert; no bytes: the message says why.
String film_gif(const Film *film, Arena *arena, unsigned width, char **message);

#endif
