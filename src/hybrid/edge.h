// SPDX-License-Identifier: MIT
//
// Events at the edge of where the equations are defined.
//
// A tank that runs empty, h' = -sqrt(h): every step that leads over h = 0 fails, and the event h <=
// 0 is never seen. Where no step succeeds and an event function heads for zero within the step that
// was tried, steps up to half the way to that zero lead to the edge, as near as they can; there the
// event is taken from the inside.

#ifndef SALTUS_HYBRID_EDGE_H
#define SALTUS_HYBRID_EDGE_H

#include "hybrid/run.h"

// No step succeeded; the active instance has the state of the run. SALTUS_OK: there is an event at
// the edge, which was handled or is nearer now.
SaltusStatus edge_meet(SaltusRun *run, SaltusStatus status);

#endif
