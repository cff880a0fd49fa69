// SPDX-License-Identifier: MIT
//
// The equations of a large flat model in few bytes. Once the graph has been made of them, nearly
// nothing reads them any more, but they would take a third of the flat model's memory for as long
// as it lives. So their trees are made in an arena of their own (Flattener.equations), written down
// in prefix order when the model is finished, and released with that arena. Who needs them makes
// them anew, for as long as that takes.
//
// Equations that are no plain trees, such as those with relations or calls, are copied instead. If
// anything else of the model is in that arena, the model stays as it is.

#ifndef SALTUS_FLATTEN_PACK_H
#define SALTUS_FLATTEN_PACK_H

#include "base/arena.h"
#include "flatten/flat.h"

// True: nothing of the model is in `equations` any more, and model->equations is NULL. What is kept
// is in `arena`; what is needed meanwhile, in `scratch`.
bool flat_pack(FlatModel *model, Arena *arena, Arena *equations, Arena *scratch);
// A model like it that has its equations, in `arena`, equal to what they were; itself if they were
// not packed.
const FlatModel *flat_unpack(Arena *arena, const FlatModel *model);

#endif
