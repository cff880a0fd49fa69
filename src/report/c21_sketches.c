// SPDX-License-Identifier: MIT
//
// C21: sketches of the three systems. Drawn by hand: a unit is a fifth of a millimetre, the width
// that of a page.

#include "report/c21_sketches.h"

// Begins a picture of 870 x height units on white paper, with an arrow head to refer to.
#define SKETCH(height, id)                                                                         \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"174mm\" height=\"" height                   \
    "mm\" viewBox=\"0 0 870 " id "\" font-family=\"'DejaVu Sans',sans-serif\" font-size=\"24\" "   \
    "fill=\"none\" stroke=\"#222\" stroke-width=\"1.6\">"                                          \
    "<rect width=\"870\" height=\"" id "\" fill=\"#fff\" stroke=\"none\"/>"

// Text with its anchor in the middle; subscripts by <tspan>.
#define WORD(x, y, text)                                                                           \
    "<text x=\"" x "\" y=\"" y "\" fill=\"#222\" stroke=\"none\" text-anchor=\"middle\">" text     \
    "</text>"
#define SUB(text) "<tspan dy=\"6\" font-size=\"17\">" text "</tspan>"
#define BACK "<tspan dy=\"-6\">\u200b</tspan>"
// Arrows that point right, left, up and down, with the tip at (x, y).
#define TIP(x, y, turn)                                                                            \
    "<path transform=\"translate(" x "," y ") rotate(" turn ")\" d=\"M0 0 L-9 -4 L-9 4 Z\" "       \
    "fill=\"#222\" stroke=\"none\"/>"
#define LINE(path) "<path d=\"" path "\"/>"
#define THIN(path) "<path stroke-width=\"0.9\" stroke=\"#666\" d=\"" path "\"/>"
#define BODY "fill=\"#cfe5f5\" stroke=\"#0072b2\""

const char c21_sketch_ball[] = SKETCH("48", "240")
    // Flight.
    LINE("M30 200 H260") THIN(
        "M40 200 l-8 10 M80 200 l-8 10 M120 200 l-8 10 M160 200 l-8 10 "
        "M200 200 l-8 10 M240 200 l-8 10") "<circle cx=\"140\" cy=\"70\" r=\"34\" " BODY
                                           "/>" LINE("M140 70 V122") TIP("140", "124", "90") WORD(
                                               "154", "128", "g") THIN("M60 200 V104 M52 104 H140")
                                               TIP("60", "104", "-90") WORD("44", "158", "x")
                                                   LINE("M200 92 V56") TIP("200", "52", "-90")
                                                       WORD("216", "68", "v")
                                                           WORD("140", "232", "flight")
    // Contact.
    LINE("M320 200 H550") THIN(
        "M330 200 l-8 10 M370 200 l-8 10 M410 200 l-8 10 M450 200 l-8 10 "
        "M490 200 l-8 10 M530 200 l-8 10") "<path " BODY " d=\"M396 186 A34 34 0 1 1 474 186 Q474 "
                                           "200 460 200 H410 Q396 200 396 186 Z\"/>"
                                           "<circle cx=\"435\" cy=\"176\" r=\"40\" "
                                           "stroke-dasharray=\"4 4\" stroke=\"#888\"/>" THIN(
                                               "M435 216 H580 M550 200 H580") LINE("M572 200 V216")
                                               WORD("592", "213", "w") WORD("435", "232", "contact")
    // The law of the contact.
    THIN("M640 200 H830") THIN("M640 44 H830")
        LINE("M690 44 V84 l-12 6 l24 10 l-24 10 l24 10 l-24 10 l12 6 V200")
            LINE("M780 44 V100 M762 92 V130 H798 V92 M766 110 H794 M780 130 V200")
                WORD("656", "124", "k") WORD("816", "116", "d")
                    WORD("735", "30",
                         "mass 1") "<rect x=\"650\" y=\"38\" width=\"170\" height=\"12\" " BODY
                                   "/>" WORD("735", "232", "what acts in contact") "</svg>\n";

const char c21_sketch_circuit[] = SKETCH("52", "260")
    // Source, R1, L in series.
    "<circle cx=\"120\" cy=\"140\" r=\"26\"/>" LINE("M106 140 q7 -16 14 0 t14 0")
        LINE("M120 114 V50 H200 M270 50 H330") "<rect x=\"200\" y=\"40\" width=\"70\" "
                                               "height=\"20\"/>" LINE(
                                                   "M330 50 a10 10 0 0 1 20 0 a10 10 0 0 1 20 0 "
                                                   "a10 10 0 0 1 20 0 a10 10 0 0 1 20 0 H690")
                                                   LINE("M120 166 V226 H690") TIP("170", "50", "0")
                                                       WORD("164", "38", "i")
                                                           WORD("70", "148", "u" SUB("0"))
                                                               WORD("235", "28", "R" SUB("1"))
                                                                   WORD("370", "32", "L")
    // R2 and C.
    LINE(
        "M540 50 V76 M540 136 V164 M540 174 V226 M518 164 H562 M518 174 H562") "<rect x=\"530\" "
                                                                               "y=\"76\" "
                                                                               "width=\"20\" "
                                                                               "height=\"60\"/"
                                                                               ">" WORD(
                                                                                   "510", "112",
                                                                                   "R" SUB("2"))
                                                                                   WORD("500",
                                                                                        "174", "C")
                                                                                       WORD(
                                                                                           "584",
                                                                                           "174",
                                                                                           "u" SUB(
                                                                                               "C"))
    // The diode.
    LINE("M690 50 V118 M690 158 V226") "<path fill=\"#fde3c3\" stroke=\"#b35900\" "
                                       "d=\"M668 158 H712 L690 120 Z\"/><path stroke=\"#b35900\" "
                                       "d=\"M668 119 H712\"/>" TIP("690", "92", "-90")
                                           WORD("714", "92", "i" SUB("D")) WORD(
                                               "740", "146",
                                               "u" SUB(
                                                   "D")) "<circle cx=\"540\" cy=\"50\" r=\"3\" "
                                                         "fill=\"#222\"/>"
                                                         "<circle cx=\"540\" cy=\"226\" r=\"3\" "
                                                         "fill=\"#222\"/>" WORD(
                                                             "400", "252",
                                                             "orientation “up”: the diode lets "
                                                             "current flow from below") "</svg>\n";

const char c21_sketch_pendulum[] = SKETCH("56", "280")
    // Swinging.
    "<circle cx=\"200\" cy=\"140\" r=\"110\" stroke-dasharray=\"4 4\" stroke=\"#888\"/>"
    "<circle cx=\"200\" cy=\"140\" r=\"4\" fill=\"#222\"/>" THIN("M200 140 V14") TIP("200", "12",
                                                                                     "-90")
        WORD("214", "22", "y") THIN("M200 140 H336") TIP("338", "140", "0") WORD("334", "132", "x")
            LINE("M200 140 L278 62") "<circle cx=\"278\" cy=\"62\" r=\"14\" " BODY "/>"
                                     "<path d=\"M200 84 A56 56 0 0 1 239.6 100.4\"/>" TIP(
                                         "241", "102", "45") WORD("226", "76", "φ")
                                         WORD("248", "116", "l") LINE("M278 62 V104")
                                             TIP("278", "108", "90") WORD("314", "104", "m g")
                                                 WORD("200", "272", "swinging: the rope is taut")
    // Falling.
    "<circle cx=\"600\" cy=\"140\" r=\"110\" stroke-dasharray=\"4 4\" stroke=\"#888\"/>"
    "<circle cx=\"600\" cy=\"140\" r=\"4\" fill=\"#222\"/>" LINE(
        "M600 140 Q636 150 622 112 T647 86") "<circle cx=\"647\" cy=\"86\" r=\"14\" " BODY "/>"
                                             "<path stroke=\"#d55e00\" d=\"M560 38 Q640 20 694 "
                                             "196\"/>"
                                             "<circle cx=\"560\" cy=\"38\" r=\"4\" "
                                             "fill=\"#d55e00\" stroke=\"none\"/>"
                                             "<circle cx=\"694\" cy=\"196\" r=\"4\" "
                                             "fill=\"#d55e00\" stroke=\"none\"/>" WORD(
                                                 "540", "28", "F") WORD("716", "206", "S")
                                                 WORD("600", "272",
                                                      "falling: the rope is slack") "</svg>\n";
