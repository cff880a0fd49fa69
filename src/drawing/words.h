// SPDX-License-Identifier: MIT
//
// Texts of icons: what %name, %class, %par and %{par} stand for (section 18.6.5.5).

#ifndef SALTUS_DRAWING_WORDS_H
#define SALTUS_DRAWING_WORDS_H

#include "drawing/attribute.h"

// In the arena. `moves` becomes true if a variable of the run is shown. What has no meaning stays
// as it is.
const char *words_replace(DrawingStage *stage, Arena *arena, Instance *instance, const char *text,
                          bool *moves);

#endif
