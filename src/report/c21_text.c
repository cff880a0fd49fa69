// SPDX-License-Identifier: MIT
//
// C21: what is said before and after the tasks.

#include "report/c21.h"

void c21_approach(Benchmark *b)
{
    Document *d = b->document;
    document_text(
        d, DOCUMENT_BOTH,
        "Saltus simulates hybrid and structural-dynamic systems. Models are written in "
        "Modelica, without new grammar; two constructs mean more than usual. The states "
        "of a state machine may own continuous equations, and the branches of an "
        "if-equation may differ in structure: in their variables, in the number of "
        "differential states, in the differential index. Each mode that a run visits is "
        "analysed and compiled when it is first entered: its equations are matched, the "
        "index is reduced, states are selected, and what must jump at the entry follows "
        "from the equations, integrated over the instant. So every system is modelled here in "
        "several "
        "ways: with parts that switch, by hybrid decomposition, in a maximal state space, "
        "and, where there is one, as one DAE whose index changes.");
    document_text(d, DOCUMENT_BOTH,
                  "An event is detected by the sign of its function at points inside each step, "
                  "located by one of seven methods, and closed by a solver step to its time. "
                  "Actions are iterated to a fixed point; a function that is zero when a mode is "
                  "entered is armed with the sign it takes just after. The log of events says what "
                  "each action changed: the classes in this report are read from it. Numbers are "
                  "computed when the report is made; a deviation beyond the bound beside it makes "
                  "the command fail.");
}

void c21_discussion(Benchmark *b)
{
    static const char *const keys[] = {"B2.t_inf.linear",
                                       "B2.t_inf.drag",
                                       "B3.error_max",
                                       "B4.delta.first",
                                       "B4.t_inf_min",
                                       "B7.h_max[1]",
                                       "B7.w_max[1]",
                                       "B7.w_max[2]",
                                       "B7.t_last_contact",
                                       "B8.restitution.weightless[k=1e6,d=500]",
                                       "B9.mars.t_inf",
                                       "R2.published.shortcut.t[1]",
                                       "R2.published.shockley.t[1]",
                                       "R3.u_D_max",
                                       "R7.fold_time",
                                       "P1.Decomposed.t[1]",
                                       "P1.Cartesian.t[1]",
                                       "P1.Cartesian.t[2]",
                                       "P2.t_end.turning",
                                       "P2.t_end.forerunner",
                                       "P4.gamma.i",
                                       "P4.gamma.ii",
                                       "P4.gamma.iii.lower",
                                       "P4.gamma.iii.upper",
                                       "H1.c7.a.t[1]"};
    Document *d = b->document;
    document_text(
        d, DOCUMENT_BOTH,
        "[#summary] selects what the tasks ask for; the files beside the report have all "
        "numbers. Where there is neither a closed form nor a published value, the reference "
        "is an integrator of another family, with its own error control. For the event "
        "times, heights and deformations of B7, B9, R2, R3, P2, P4 and P5 the script "
        "`benchmarks/c21/independent.py` of the repository writes down the equations a "
        "second time and solves them without Saltus, with SciPy.");
    findings_select(&b->findings, d, DOCUMENT_BOTH, keys, COUNT(keys), "summary",
                    "Selected results");
    document_text(d, DOCUMENT_BOTH, "What we learned from them:");
    document_item(d, DOCUMENT_BOTH,
                  "*Scattering.* A parameter, another right-hand side and another algorithm each "
                  "prevent it; the tool's own guard needs no change of the model and stops where "
                  "the intervals between bounces reach the resolution of time, after all bounces "
                  "that can be told apart.");
    document_item(d, DOCUMENT_BOTH,
                  "*Compensation.* An initial velocity can make one bounce of the linear model "
                  "agree, or many of them nearly, but not the limit: no δ can do that.");
    document_item(d, DOCUMENT_BOTH,
                  "*Algorithms.* Events are as accurate as the solver; the choice of the locator "
                  "changes the cost, not the result, unless a method is taken once instead of "
                  "iterated. Dynamic contact and circuit are stiff in one phase and not in the "
                  "other: implicit one-step methods restart cheaply and win.");
    document_item(d, DOCUMENT_BOTH,
                  "*Diodes.* With the printed parameters the Shockley diode hardly conducts, and "
                  "comparing diode models compares a circuit with and without a shortcut. With "
                  "R_{1} = 10 Ω the comparison is one of diodes.");
    document_item(d, DOCUMENT_BOTH,
                  "*Missed events.* The forerunner's end at 8.5 s is an event that was stepped "
                  "over. A tighter tolerance with a method of higher order misses it as well; "
                  "looking inside the steps does not.");
    document_item(
        d, DOCUMENT_BOTH,
        "*Structure.* The pendulum as one Cartesian DAE runs through changes of its index "
        "by itself, with the same events as the hand-made decompositions.");
}
