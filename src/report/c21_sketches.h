// SPDX-License-Identifier: MIT
//
// C21: sketches of the three systems, as SVG.

#ifndef SALTUS_REPORT_C21_SKETCHES_H
#define SALTUS_REPORT_C21_SKETCHES_H

extern const char c21_sketch_ball[], c21_sketch_circuit[], c21_sketch_pendulum[];

#endif
