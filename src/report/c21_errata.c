// SPDX-License-Identifier: MIT
//
// What is misprinted in the documents of C21, and where the reading is ours.

#include "report/c21.h"

#define DEFINITION "definition"
#define SLIDES "slides"
#define HENON "Hénon paper"
#define PROJECT "forerunner, project"
#define PAPER "forerunner, paper"

static const char *const errata[][4] = {
    {DEFINITION, "1.3: types SE-F (5) or SE-S (6)", "(6) and (7)", "(5) is SE-X"},
    {DEFINITION, "1.1: types SE-D and SE-S", "SE-F and SE-S", "SE-D is an older name"},
    {DEFINITION, "recursion t_{m} = t_{m−1}(μ+1) − μ t_{m−2}", "with t_{0} = −t_{1}",
     "it does not hold for m = 2 with t_{0} = 0"},
    {DEFINITION, "2.3: events of type SE-S, state change event", "SE-X", "(5) defines SE-X"},
    {DEFINITION, "2.3: event C (20)", "(19)", "(20) is the contact force"},
    {DEFINITION, "bounces of the linear model are ‘too late’", "the first one is too early",
     "without resistance the ball falls faster"},
    {DEFINITION, "β = 0.002 1/m", "0.0192 1/m for the values of the forerunner",
     "½ C_{d} ρ A/m; kept as the standard value"},
    {DEFINITION, "k in N/m, d in kg/s", "1/s² and 1/s", "they are per unit mass"},
    {DEFINITION, "(23): u_{C} + u_{R1} + u_{L} + u_{R2} + u_{C} = u_{0}", "one u_{C} less",
     "Kirchhoff's law"},
    {DEFINITION, "(23) and (30) are numbered twice", "—", "references are ambiguous"},
    {DEFINITION, "(25) to (28) with (34)", "two consistent orientations",
     "as printed the diode delivers power (R7)"},
    {DEFINITION, "(31): R_{2}(i + i_{D}) + u_{C}", "R_{2} i + u_{C}",
     "identically zero while a shortcut conducts; conduction ends where i_{D} changes sign"},
    {DEFINITION, "(33): u_{C}' = u_{C}/R_{2}", "u_{C}' = −u_{C}/(R_{2} C)",
     "the capacitor discharges, and has a capacity"},
    {DEFINITION, "(35): I_{S} R_{2}(exp(u_{D}/U_{T}) − 1) + u_{C} + u_{D} = 0", "+ R_{2} i",
     "the current through R_{2} is i + i_{D}"},
    {DEFINITION, "(36): −U_{T} ln(…)", "+U_{T} ln(…)", "u_{D} has the other sign in `up`"},
    {DEFINITION, "(37) without input and constants", "x' = A x + b + B u",
     "each chord has its own offset, and the source drives"},
    {DEFINITION, "(38)", "u_{D}' = −(u_{C}' + R_{2} i')/(1 + (I_{S} R_{2}/U_{T}) exp(u_{D}/U_{T}))",
     "i depends on time, too; the bracket is misplaced"},
    {DEFINITION, "3.3: equation (34) for u_{D} or (35) for i_{D}", "(35) and (36)", "numbering"},
    {DEFINITION, "f = 0.15·10^{−6}", "0.15·10^{6} Hz", "otherwise nothing happens in 500 µs"},
    {DEFINITION, "4.2: swinging ‘in polar coordinates’, model (31)", "Cartesian, (39)",
     "(47), (48) are Cartesian"},
    {DEFINITION, "(47): m ÿ = … − λ x", "− λ y", "the rope pulls along (x, y)"},
    {DEFINITION, "4.3 (ii): next fall starts at φ = π", "upright, φ = 2π",
     "the rope force is positive at the bottom"},
    {DEFINITION, "4.3: γ for two rotations", "an interval of γ", "bounded by grazing (P4)"},
    {SLIDES, "u_{d} = U_{T} ln(i_{D}/I_{S} − 1)", "+ 1", "inverse of (34)"},
    {SLIDES, "an ODE for i_{D}'", "for u_{D}'", "it is (38)"},
    {HENON, "bisection: t = ½ (t_{k+1} − t_{k})", "½ (t_{k+1} + t_{k})", "midpoint"},
    {HENON, "modified system without dt/dh", "dt/dh = 1/h'", "time is one of the unknowns"},
    {HENON, "a vanishing denominator is ‘rare’", "it vanishes at every lift-off",
     "flight begins tangentially"},
    {HENON, "C6 Constrained Pendulum", "C7", "C6 is the emergency department"},
    {PROJECT, "A_{F} with +k/d", "−k/d", "the deformation decays"},
    {PROJECT, "F = +g m cos φ + m l φ'²", "−g m cos φ", "φ is measured from the top"},
    {PROJECT, "taut if r ≥ 1", "r ≥ l", "the rope has the length l"},
    {PROJECT, "k_{2} = 12.9", "12.8 in the paper", "both computed (P5)"},
    {PAPER, "(17): root over the whole fraction", "√(2h_{0}/g) (1+μ)/(1−μ)", "geometric series"},
    {PAPER, "(24): h = v, y' = −h", "y' = −h'", "the deformation opposes h"},
    {PAPER, "(26): f = 1/(2√(LC))", "1/(2π√(LC))", "resonance"},
    {PAPER, "eigenvalues of C^{−1}A", "of −C^{−1}A", "the signs of Table 4"},
    {PAPER, "end at 8.5 s", "7.562 s by its own criterion", "a missed event (P2)"},
};

void c21_errata(Benchmark *b)
{
    static const char *const columns[] = {"document", "printed", "correct", "reason"};
    enum { COLUMNS = 4 };
    const char **cells = ARENA_ARRAY(b->arena, COUNT(errata) * COLUMNS, const char *);
    for (size_t i = 0; i < COUNT(errata); i++)
        for (size_t k = 0; k < COLUMNS; k++)
            cells[COLUMNS * i + k] = errata[i][k];
    document_text(
        b->document, DOCUMENT_BOTH,
        "While solving the tasks we found the slips of [#errata] in the documents: in the "
        "definition [@c21] and its slides [@slides], in the paper on Hénon's method [@henon], and "
        "in the forerunner as project description [@bcp1] and as paper [@bcp2].");
    document_table(b->document, DOCUMENT_BOTH,
                   &(DocumentTable){.id = "errata",
                                    .caption = "Misprints and slips of the documents",
                                    .columns = columns,
                                    .column_count = COLUMNS,
                                    .cells = cells,
                                    .row_count = COUNT(errata),
                                    .is_wide = true});
    document_text(
        b->document, DOCUMENT_BOTH,
        "In some places the documents can be read in several ways, and the choice is ours:");
    document_item(b->document, DOCUMENT_BOTH,
                  "*Orientation of the diode*: `up` keeps (25) to (27), (35) and (38), and the run "
                  "starts conducting; `down` keeps (24) and (30), and it starts locking. R2 gives "
                  "the switching times of both.");
    document_item(b->document, DOCUMENT_BOTH,
                  "*Air resistance in contact*: none, as printed in (21). With it the second "
                  "flight is 0.1 mm lower (B7).");
    document_item(b->document, DOCUMENT_BOTH,
                  "*The same movement as before* (P4): the state of the start recurs. If only the "
                  "speed at the bottom is to be that of the first passage, γ is smaller.");
    document_item(
        b->document, DOCUMENT_BOTH,
        "*The forerunner's switch S1*: one pulse, and one in every microsecond (F2, F4).");
}
