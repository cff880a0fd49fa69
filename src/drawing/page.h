// SPDX-License-Identifier: MIT
//
// A film as a page of HTML that needs nothing else: the picture, curves and the state chart beside
// it, and a time line with the events.

#ifndef SALTUS_DRAWING_PAGE_H
#define SALTUS_DRAWING_PAGE_H

#include "drawing/film.h"
#include "plot/figure.h"

typedef struct FilmPage {
    const Film *film;         // its elements may be none: there is no picture
    const PlotFigure *figure; // NULL: no curves
    const char *description;  // of the model; NULL: none
} FilmPage;

// No string: out of memory.
String page_html(const FilmPage *page, Arena *arena);

#endif
