// SPDX-License-Identifier: MIT
//
// Small models of many kinds, each of which was once wrong, refused or endless: a value that is
// known in closed form, or what a message must say. small/README.md lists them.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of a relay that slides: x = x(t1) exp(t1 - t), where x + v = 0 at t1 = sqrt(3) - 1.
#define SLIDE 0.010256387973257461
// Of a gearbox whose ratio changes from 3.5 to 2 at t = 1. Before it the speed grows by
// (10 - 5 / 3.5) / (0.2 + 1.5 / 3.5^2); the momentum in units of the first shaft, 0.2 w1 + 1.5 w2 /
// 2, is kept by the impulse.
#define BEFORE (300.0 + (10.0 - 5.0 / 3.5) / (0.2 + 1.5 / 12.25))
#define SHIFTED (BEFORE * (0.2 + 1.5 / 3.5 / 2.0) / (0.2 + 1.5 / 4.0))

// clang-format off
static const struct {
    const char *file, *model; // NULL: the last one
    double stop_time;
    const char *variable;
    double expected;
    const char *what;
} values[] = {
    {"ArrType", NULL, 1, "R[3]", 3.0, "a type that extends an array type has its dimensions"},
    {"TypeExtendsArray", "AT.M", 1, "y", 1.0, "the same, as the result of a function"},
    {"Longtype", "P.M", 1, "s", 3.0, "the same, with a binding"},
    {"BoolArrayConnect", "BoolArrayConnect.M1", 1, "s.k", 1.0, "Boolean connections to elements of an array"},
    {"BoolArrayConnect", "BoolArrayConnect.M2", 1, "c[2].k", 1.0, "between arrays"},
    {"BoolArrayConnect", "BoolArrayConnect.M3", 1, "o.c.k", 1.0, "two in a row"},
    {"BoolArrayConnect", "BoolArrayConnect.M4", 1, "c.k", 1.0, "written the other way round"},
    {"DiscreteChain", "DiscreteChain.Eq", 1, "c", 1.0, "discrete equations have no direction: Boolean"},
    {"DiscreteChain", "DiscreteChain.EqInt", 1, "c", 1.0, "Integer"},
    {"DiscreteChain", "DiscreteChain.Not", 1, "b", 0.0, "solved through not"},
    {"DiscreteChain", "DiscreteChain.IntLin", 1, "b", 0.0, "solved through a sum"},
    {"DiscreteChain", "DiscreteChain.DiscReal", 1, "c", 0.5, "discrete Reals"},
    {"DupInherit", "DupInherit.M", 1, "x", 1.0, "the same declaration with another description"},
    {"DupInherit", "DupInherit.M2", 1, "x", 1.0, "with another annotation"},
    {"InheritedTwiceOtherText", "HB.B", 1, "x", 1.0, "without a binding"},
    {"FuncParam", "FuncParam.M", 1, "x", 2.0, "a function that is modified by a parameter of the model"},
    {"FuncParam", "FuncParam.M2", 1, "p.x", 2.0, "in a redeclaration"},
    {"GlobalBuiltin", "GlobalBuiltin.M", 1, "x", 0.8414709848078965, "built-in functions by their global name"},
    {"ModClass", "ModClass.M1", 1, "b.x", 4.0, "modifiers of classes in extends"},
    {"ModClass", "ModClass.M2", 1, "b.x", 4.0, "of a protected one"},
    {"ModClass", "ModClass.M3", 1, "a.b.x", 4.0, "in a component"},
    {"Pulley", NULL, 1.2, "y2", 1.4120433784426445, "two conditions at one impact: the rope goes slack as a mass hits the floor"},
    {"Pulley2", NULL, 1.2, "y2", 1.4120433784426445, "with <"},
    {"Pulley3", NULL, 1.2, "y2", 1.4120433784426445, "with when clauses"},
    {"Pulley6", NULL, 1.2, "y2", 1.4120433784426445, "with one when clause"},
    {"Pulley", NULL, 3, "T", 9.81, "and comes to rest: the rope carries the lighter mass"},
    {"Pulley2", NULL, 3, "N", 9.81, "and the floor the rest of the heavier one"},
    {"Pulley3", NULL, 3, "y1", 0.0, "and it does not leave the floor"},
    {"Pulley5", NULL, 0.4, "y2", 1.4381369482035535, "begun in the mode that follows"},
    {"Quoted", "Quoted.'a b'", 1, "x", 1.0, "quoted names"},
    {"RecFinal2", "RecFinal2.M", 1, "a.x", 10000000.0, "final members of records that depend on each other"},
    {"RecFinal2", "RecFinal2.M3", 1, "x", 10000000.0, "without a component"},
    {"RecFinal2", "RecFinal2.M4", 1, "a.x", 4.0, "one step of them"},
    {"Sliding", NULL, 5, "x", SLIDE, "a relay slides"},
    {"StrMsg", "StrMsg.M", 1, "x", 1.0, "texts of assertions with values, in functions"},
    {"StrMsg", "StrMsg.M2", 1, "x", 1.0, "and in models"},
    {"VecInRec", "VecInRec.M", 1, "c.X[1]", 1.0, "vectorized calls in functions, in a constructor"},
    {"VecInRec", "VecInRec.M2", 0.25, "c.X[2]", 0.5, "assigned to members"},
    {"VecInRec", "VecInRec.M3", 1, "c[1]", 1.0, "in a model"},
    {"VecInRec", "VecInRec.M5", 1, "x[2]", 4.0, "of a function of the user"},
    {"ZeroDer2", NULL, 1, "x[1]", 0.36787944117144233, "derivatives of an empty slice"},
    {"Empty", NULL, 1, "y[2]", 3.0, "matrices without rows"},
    {"EmptySliceDer", NULL, 1, "x[1]", 1.0, "zeros(0)"},
    {"AbsStart", NULL, 1, "w", 3.0, "the start value decides a condition on the unknown: abs"},
    {"AbsStart", NULL, 1, "u", 3.0, "an if-expression"},
    {"AbsStart", NULL, 1, "q", 3.0, "of another unknown"},
    {"AbsStart", NULL, 1, "s", 3.0, "a root"},
    {"AbsBranch", NULL, 0.5, "x", 0.5, "and stays on its branch"},
    {"HomotopyParameter", NULL, 1, "x", 21.0, "homotopy of parameters"},
    {"RecordFieldUnassigned", NULL, 1, "z", 1.0, "a member of a result that nobody assigned or uses"},
    {"RecordOutput", "CR.M1", 1, "z", 1.0, "in a package"},
    {"RecordOutput", "CR.M2", 1, "z", 1.0, "passed on by functions"},
    {"RecordOutputModifierNan", NULL, 1, "z", 1.0, "modifiers of an output record"},
    {"Derwhen", NULL, 2, "y", 1.8185948536513634, "der(...) in the condition of a when clause"},
    {"Fixedfalse", NULL, 1, "v", 14.0, "a parameter that is determined at the start, and those that depend on it"},
    {"FunctionDependence", "FD.M", 1, "x", 0.36787944117144233, "what a function\'s result depends on is read from its body"},
    {"EventLocationRestAtZero", NULL, 1, "n", 1.0, "a function that rests at zero and leaves it"},
    {"MinPlain", NULL, 2, "v", 1.74, "min: the side that is left counts"},
    {"MaxPlain", NULL, 1, "v", 0.0, "max: never below zero"},
    {"RelationAtRest", NULL, 1, "v", 0.0, "a dead zone"},
    {"InitialEquationPre", NULL, 0.25, "newActive", 1.0, "an initial equation that determines pre(...)"},
    {"InitialEquationPre", NULL, 1, "newActive", 0.0, "and what follows"},
    {"FixedStepDivergence", NULL, 1, "x", 0.5403023058681398, "a stiff equation"},
    {"RelationAtJumpFunction", NULL, 3, "b", 1.0, "a relation on what jumps at a time event"},
    {"RelationAtJumpFunction", NULL, 5, "b", 0.0, "and back"},
    {"RelationAtJumpNoevent", NULL, 3, "b", 1.0, "the same with noEvent"},
    {"Samplevar3", NULL, 3, "x", 0.0, "sample(...) is true at the instant only"},
    {"ThreePhase", NULL, 0, "power", -0.12865, "initial equations hold"},
    {"WhenLoop", NULL, 1, "x", 3.0, "a loop through a when clause"},
    {"ZeroPivot", NULL, 1, "x", 3.0, "parameters that are zero as pivots"},
    {"ZeroPivot2", NULL, 1, "w[1]", 2.0, "elements of a matrix"},
    {"Nand", "Nand.Gate", 80, "y[1]", 4.971088699385777, "a NAND gate of the IVP test set, whose events once did not end"},
    {"Jump", "Jump.Sep", 2, "x", 0.6766764161830635, "an impulse moves only what it must"},
    {"Jump", "Jump.Und", 2, "x", -1.0, "two ways to jump, and their ratio"},
    {"Jump2", "Jump2.Offset", 2, "w1", 4.5, "a step in a constraint keeps momentum"},
    {"Jump2", "Jump2.OffsetIf", 2, "w1", 4.5, "as an if-equation"},
    {"Jump2", "Jump2.Volt", 2, "u1", 3.25, "and charge"},
    {"Step", "Step.Crank", 2, "w1", 16.0, "a differential whose third shaft steps"},
    {"Shift", "Shift.Direct", 1, "w1", SHIFTED, "a gear ratio that changes: both sides keep their balance"},
    {"ShiftM", NULL, 1, "w1", SHIFTED, "as a state machine"},
    {"ModSw", NULL, 0.95, "q", 2.0, "a switch by mod"},
    {"ModTwo", NULL, 1.9, "p", 6.5, "two of them, one opens as the other closes"},
    {"Sqrt", NULL, 5, "h", 0.0, "the edge of what is defined"},
    {"Ring", "Ring.R", 0.505, "s[1].t", 0.005, "a ring of states"},
    {"Chat", "Chat.Slide", 5, "x", 0.0, "sliding on a line"},
    {"Chat", "Chat.Filip", 5, "y", 0.0, "and at a corner"},
    {"Caps", "Caps.Two", 1, "a.u", 3.903260477547427, "capacitors that a switch joins share their charge"},
    {"Caps", "Caps.Source", 3, "a.u", 2.4261226388505337, "on a source"},
    {"Caps", "Caps.Fuse", 2.5, "l.i", 1.2642411176571153, "a coil that is cut off, and begins anew"},
    {"Caps", "Caps.Peak", 0.5, "c.u", 4.207354924039483, "a peak rectifier without a resistor"},
    {"Caps", "Caps.PeakA", 0.5, "c.u", 4.207354924039483, "with a diode that is an automaton"},
    {"Dx", "Dx.C", 0.5, "c.u", 4.207354924039483, "with if-expressions"},
    // The circuit by hand: Runge-Kutta with steps of 1e-3 and 2e-3, which agree to 1e-11.
    {"Dx", "Dx.S", 4.5, "u", -0.2892042005692203, "a term of a sum"},
    {"Dx", "Dx.S2", 4, "u", 0.15364362086361194, "two of them"},
    {"Dx", "Dx.S2", 4.5, "j", 0.977530117665097, "and what the second one carries"},
    {"Dx", "Dx.S3", 4.5, "u", 1.0, "two terms of one sum"},
    {"Dx", "Dx.B", 20, "c.u", 1.6391259161777, "with a coil in line"},
    {"Dx", "Dx.A", 0.5, "load.i", 1.4024516413464942, "on a resistor"},
    {"Dx", "Dx.K", 2, "x", 3.0, "a coefficient that becomes zero"},
    {"Dx", "Dx.H", 2, "x", 2.8414709848078967, "der(...) in one branch"},
    {"Dx", "Dx.Q", 2, "w1", 4.0, "a clutch as an if-expression"},
    {"Conv", "Conv.Pump", 40, "o.u", 9.884707849539314, "a switched capacitor, impulses twice a period"},
    {"Conv", "Conv.Buck", 0.02, "c.u", 17.061979, "converters in discontinuous conduction, from exact exponentials to 9 digits"},
    {"Conv", "Conv.BuckW", 0.02, "c.u", 17.061979, "with multiples and other signs"},
    {"Conv", "Conv.BuckM", 0.02, "c.u", 17.061979, "with the relations of the diode mixed"},
    {"Conv", "Conv.BuckA", 0.02, "c.u", 17.061979, "with the automaton"},
    {"Conv", "Conv.Boost", 0.02, "c.u", 47.9711735, "boost"},
    {"Conv", "Conv.BuckBoost", 0.02, "c.u", 23.978875, "inverting"},
    {"Conv", "Conv.Thyristor6", 0.2, "l.i", 41.0806815, "a six-pulse bridge of thyristors"},
    {"Conv", "Conv.Thyristor6p", 0.2, "l.i", 41.0806815, "with if-equations"},
    {"InitD", "InitD.A", 2, "l.i", 4.908421805556329, "a diode and a coil from rest"},
    {"InitD", "InitD.B", 2, "l.i", 4.908421805556329, "with the automaton"},
    {"InitD", "InitD.C", 2, "l.i", 4.323323583816936, "a thyristor"},
    {"InitD", "InitD.Ca", 2, "l.i", 4.323323583816936, "as an automaton"},
    {"InitD", "InitD.E", 2, "l.i", 4.908421805556329, "two diodes"},
    {"InitD", "InitD.F", 2, "l.i", 4.323323583816936, "behind a switch"},
    {"InitD", "InitD.Fa", 2, "l.i", 4.323323583816936, "with the automaton"},
    {"InitD", "InitD.H", 2, "r.u", 2.0, "a switch over a conducting diode"},
    {"InitD", "InitD.Ha", 2, "r.u", 2.0, "with the automaton"},
    {"Sing", "Sing.Cutset", 1, "a.i", -0.4944518827903991, "coils in a node that a switch isolates"},
    {"Step", "Step.Divider", 1, "a.u", 9.0, "a capacitive divider on a step"},
    {"Guarded", "Guarded.Elseif", 1, "v", 0.46, "a condition behind a branch that holds is not computed"},
    {"Guarded", "Guarded.Equation", 1, "v", 0.46, "in an if-equation"},
    {"Guarded", "Guarded.Section", 1, "v", 0.46, "in an algorithm"},
    {"Guarded", "Guarded.Both", 1, "v", 0.5 - 0.36787944117144233, "behind 'and', with a logarithm that begins at zero"},
    {"Guarded", "Guarded.Both", 1, "n", 1.0, "in a when clause"},
    {"ZeroDer", NULL, 1, "s", 1.0, "arrays of states without elements"},
    {"Iterated", NULL, 1, "x", 0.7149919984418018, "a map that occurs twice in itself, often"},
    {"Caps", "Caps.Three", 3, "b.u", 1.2549569133402727, "three capacitors, and apart one by one"},
    {"Caps", "Caps.Coils", 3, "a.i", 1.0841119810211004, "coils that a switch puts in series share their flux"},
    {"Caps", "Caps.Greinacher", 20, "c2.u", 8.518311040098578, "a voltage doubler, mode by mode from its exponentials"},
    {"Caps", "Caps.GreinacherA", 20, "c2.u", 8.518311040098578, "with the automaton"},
    {"Caps", "Caps.GreinacherMin", 20, "c2.u", 8.518311040098578, "with min"},
    {"Caps", "Caps.GreinacherMax", 20, "c2.u", 8.518311040098578, "with max"},
    {"Conv", "Conv.HalfBridge", 0.02, "l.i", 3.0070939187955226, "diodes take over a coil's current, period by period"},
    {"Conv", "Conv.HalfBridgeMin", 0.02, "l.i", 3.0070939187955226, "with min"},
    {"Conv", "Conv.HalfBridgeG", 0.02, "l.i", 3.0067073577626982, "with conductances for diodes, from kink to kink by exponentials"},
    {"Conv", "Conv.HBridge", 0.02, "l.i", 6.0139406816699505, "four of them, with a leak"},
    {"Conv", "Conv.HBridgeA", 0.02, "l.i", 6.0139406816699505, "with the automaton"},
    {"Conv", "Conv.HBridgeMin", 0.02, "l.i", 6.0139406816699505, "with min"},
    {"Conv", "Conv.Cuk", 0.02, "c.u", 7.983213535317504, "two coils, from matrix exponentials"},
    {"Conv", "Conv.Bridge6", 0.1, "l.i", 53.39675643083784, "six diodes that leak: Simpson's rule between the kinks, without what leaks back, 2e-8"},
    {"Ring", "Ring.Crowd", 2, "c[1].off.t", 0.02928, "machines of many periods, 1.37 a each"},
    {"Ring", "Ring.Crowd", 2, "c[50].off.t", 0.2225, "the slowest"},
    {"Sing", "Sing.Loop", 2, "b.u", 1.131106506175537, "capacitors in a loop"},
    {"Sing", "Sing.NumSing", 1, "x3", 0.22984884706593012, "an index that structure does not show: (1 - cos(t)) / 2"},
    {"Sing", "Sing.Par", 2, "i2", 1.0, "another equation for the same"},
    {"Sing", "Sing.Vanish", 0.4, "y", 1.0, "a factor on both sides"},
    {"Sing", "Sing.Never", 1, "y", 1.0, "a singular mode that is never met"},
    {"Shift", "Shift.Neutral", 2, "w1", 248.3449956757607, "a gearbox with a neutral between"},
    {"Step", "Step.Hit", 2, "v2", 2.0, "an imposed motion that begins"},
    // x = x(t0) -+ (t - t0) - 0.3 (cos t - cos t0) from switching to switching, each by bisection.
    {"Chat", "Chat.Hyst", 1.22, "x", -4.577306148e-07, "fifteen hundred switchings of a relay with hysteresis"},
    {"Chat", "Chat.Slide2", 5, "x", 0.00786884213631285, "sliding along a line"},
    {"ModClass", "ModClass.M4", 1, "b.y", 4.0, "of a parameter"},
    {"RecFinal2", "RecFinal2.M2", 1, "a.x", 5000000.0, "by default"},
    {"VecInRec", "VecInRec.M4", 1, "x[2]", 0.9092974268256817, "of a built-in function"},
    {"InheritedTwiceOtherText", "HB.B2", 1, "x", 1.0, "the same text"},
    {"Quoted", "Quoted.'a.b'", 1, "x", 1.0, "with a dot"},
    {"InitD", "InitD.A1", 1, "l.i", 4.323323583816936, "with a start value that is right"},
    {"Crash4", NULL, 1, "x", 2.0, "a member that nobody assigned, beside one that is read"},
    {"Quoted", "Quoted.'a\\nb'", 1, "x", 1.0, "with an escape"},
    {"Quoted", "Quoted.'a\\'b'", 1, "x", 1.0, "with a quote"},
    {"IfOrder", NULL, 0.505, "z", 2.0, "a function behind a branch that holds is not called"},
    {"IfOrder", NULL, 1, "z", 1.0, "and is, later"},
    {"Circuits", "Circuits.Rectifier", 2.7, "load.i", 2.009461066379046, "ideal diodes without start values: half a wave, 2.5 sin(13.5)"},
    {"Circuits", "Circuits.Bridge", 0.4, "inductor.i", 54.0692796201185, "six of them, from kink to kink by exponentials"},
    // Each diode carries what its two capacitors ask for: Runge-Kutta with steps of 1e-6 and 2e-6,
    // which agree to 1e-11. The same for the rope (2e-5) and the crank (2e-7): accelerations and
    // forces from a linear system, in which the constraints are differentiated twice.
    {"Circuits", "Circuits.Ladder", 5, "capacitor[10].u", 2.021418859938, "ten in a row"},
    {"Rope", NULL, 2, "x[5]", -5.258276252449, "a straight chain of five masses without fixed values, whose third link breaks"},
    {"SliderCrankFlex", NULL, 0.1, "v2", 60.253467551297, "a flexible crank whose mass matrix has zeros as pivots"},
    // From event to event: lines, and the floor's motion. 28 events.
    {"Stack", "Stack.Sim", 5, "x2", 8.971644360269412, "stacked blocks that stop and let go at one instant"},
    {"StackPre", "StackPre.Sim", 5, "x1", 9.788411375820184, "with pre(...)"},
    // From switching to switching: the voltage of the capacitor is a sum of an exponential and a sine.
    {"Bridge", NULL, 1, "vc", 11.9500963217727, "four leaking diodes switched on at a zero of the source"},
    {"MissedDiode", NULL, 0.3, "vc", 11.8507952397628, "one of them"},
    {"BridgeSample", NULL, 0.095, "q", 0.0247581181843054, "samples at the zeros of the source"},
    // The angle by Runge and Kutta's method with steps of 1e-4 and 5e-5; at 1 the velocity relative
    // to the pivot loses what points along the rod.
    {"Track", NULL, 2, "x", 1.0807909090711, "a pivot that begins to move"},
    {"Ring", "Ring.Agent", 2, "on.t", 0.63, "one machine of two states"},
    {"Redundant", "Redundant.Parallel", 2, "w1", 1.75, "three clutches between two shafts"},
    // locked from 1 to 2: momentum, 3.5 and 0.5 more in a second, and then 1.5 more
    {"Redundant", "Redundant.Complete", 1.9, "w[1]", 3.95, "six clutches between four shafts"},
    {"Redundant", "Redundant.Complete", 3, "w[4]", 5.5, "that let go"},
    // the sum of the speeds, 2, and what drives them: (2 + 1 - cos 2 + 2 * 1.75) / 3
    {"Redundant", "Redundant.Driven", 2, "w[2]", 2.30538227884905, "four clutches between three shafts"},
    {"Redundant", "Redundant.Table", 1, "N[4]", 9.81 / 4.0, "the fourth leg of a table"},
};

static const struct {
    const char *file, *model;
    double stop_time; // 0: it is no model
    const char *message, *what;
} refusals[] = {
    {"CondUse", NULL, 0, "'a' is conditional", "a conditional component outside of connections"},
    {"Crash1", NULL, 0, "gets no value", "a constant from a member that nobody assigned"},
    {"Crash2", NULL, 0, "cannot extend", "a function that extends a type"},
    {"StructureAddStep", NULL, 0, "singular", "a branch with an equation too few"},
    {"CyclicOutput", NULL, 0, "depends on itself", "an output that depends on itself"},
    {"StrMsg", "StrMsg.M3", 0, "a String that is not known before the run", "Strings that change"},
    {"AliasFixedContradiction", NULL, 1, "contradict", "two start values of the same"},
    {"Fib", NULL, 1, "does not end", "a recursion without end"},
    {"ShiftMin", NULL, 1, "does not converge", "initial equations without a solution"},
    {"Pulley4", NULL, 3, "accumulate", "a floor by reinit alone: bounces accumulate, nothing rests"},
    {"Cyc2", NULL, 6, "without end", "an endless cascade of transitions"},
    {"Jump", "Jump.Pos", 2, "no finite impulse", "a position that would have to jump"},
    {"Jump", "Jump.Fric", 1, "which of the two counts is not determined", "friction that the impulse turns"},
    {"Jump", "Jump.Disc", 2, "which of the two counts is not determined", "an inertia that changes as it jumps"},
    {"Jump", "Jump.Ratio", 2, "which of the two counts is not determined", "a ratio that changes"},
    {"Jump2", "Jump2.Ratio2", 2, "which of the two counts is not determined", "whichever is the state"},
    {"Jump2", "Jump2.Gear", 2, "which of the two counts is not determined", "or a when clause changes it"},
    {"Jump2", "Jump2.Length", 2, "no finite impulse", "a rod that gets shorter"},
    {"Jump", "Jump.Nonlin", 2, "not linear", "an impulse in a nonlinear equation"},
    {"Chat", "Chat.SlideWhen", 5, "chatter", "a relay by when clauses"},
    {"Chat", "Chat.TwoBalls", 5, "accumulate", "balls without a mode at rest"},
    {"Caps", "Caps.Pump", 1, "contradicts", "start values that a closed switch contradicts"},
    {"Dx", "Dx.K2", 2, "not finite", "a coefficient that a when clause makes zero"},
    {"Jump", "Jump.Quad", 2, "which of the two counts is not determined", "energy in place of momentum"},
    {"Jump", "Jump.Und2", 2, "not linear", "jumps that are not determined"},
    {"Jump2", "Jump2.Ratio1", 2, "which of the two counts is not determined", "with another state"},
    {"Sing", "Sing.Contradict", 2, "too many equations", "two sources that a switch joins"},
    {"Sing", "Sing.Zero0", 2, "singular", "a constraint without a gradient"},
    {"Chat", "Chat.Tanks", 10, "accumulate", "water that is left in no tank"},
    {"StrMsg", "StrMsg.M4", 0, "a String that is not known before the run", "compared in a function"},
    {"StrMsg", "StrMsg.M5", 0, "a String that is not known before the run", "in a when clause"},
    {"RecordOutput", "CR.M3", 0, "gets no value", "a copy of what nobody assigned"},
    {"Sing", "Sing.Dep", 2, "too many equations", "a mode with an equation too many"},
    // both speeds 0: the momentum, 6.7, would be lost, though no torque takes it
    {"Redundant", "Redundant.Balance", 1, "cannot be satisfied", "constraints that no impulse leads to"},
    {"Chat", "Chat.Stacked", 5, "accumulate", "a ball that bounces on a ball"},
    {"Wood", NULL, 0.5, "contradicts the constraint", "values of reinit for free motion, where a contact is closed"},
    {"FuncParam", "FuncParam.Pump", 0, "is never assigned", "a function without a body"},
};
// clang-format on

// Appends a file of small/.
static void small_append(char *text, size_t size, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, SALTUS_SOURCE_DIR "/tests/model/small/%s.mo", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = strlen(text), more = fread(text + length, 1, size - length - 1, file);
    text[length + more] = '\0';
    assert_true(feof(file) || length + more < size - 1);
    fclose(file);
}

static Trial *small_trial(const char *name, const char *model)
{
    char text[16384] = "";
    small_append(text, sizeof text, name);
    if (strstr(text, " El."))
        small_append(text, sizeof text, "El");
    const size_t length = strlen(text);
    if (model)
        snprintf(text + length, sizeof text - length, "model T extends %s; end T;", model);
    return trial_text(text);
}

static void small_expect(size_t i, SaltusSolver solver, double bound)
{
    Trial *t = small_trial(values[i].file, values[i].model);
    if (!trial_is_model(t))
        fail_msg("%s: %s", values[i].what, trial_messages(t));
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.relative_tolerance = 1e-9;
    trial_options(t)->method.absolute_tolerance = 1e-12;
    if (trial_run(t, values[i].stop_time) != SALTUS_OK)
        fail_msg("%s, %s: %s", values[i].what, saltus_solver_name(solver), trial_error(t));
    const double actual = trial_value(t, values[i].variable), expected = values[i].expected;
    if (!(fabs(actual - expected) <= bound * (1.0 + fabs(expected))))
        fail_msg("%s, %s: %s = %.17g, not %.17g", values[i].what, saltus_solver_name(solver),
                 values[i].variable, actual, expected);
    trial_end(t);
}

static void known_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        small_expect(i, SALTUS_SOLVER_AUTO, 1e-7); // a hundred times the tolerance
}

// `exact` is for linear equations: the default solver takes it where they are. The bound is a
// thousand times the tolerance: converters begin anew a thousand times.
static void all_solvers_agree(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                           SALTUS_SOLVER_RODAS,  SALTUS_SOLVER_CVODE,
                                           SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        // Stiff: explicit solvers take millions of steps.
        const bool is_stiff = strcmp(values[i].file, "Nand") == 0;
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
            if (!is_stiff || solvers[k] == SALTUS_SOLVER_RODAS ||
                solvers[k] == SALTUS_SOLVER_CVODE || solvers[k] == SALTUS_SOLVER_IDA)
                small_expect(i, solvers[k], 1e-6);
    }
}

// The table of README.md has a row for each of them, in words, and no other; and the tests that it
// names are there.
static void table_is_complete(void **state)
{
    (void)state;
    static char text[65536], row[512];
    FILE *file = fopen(SALTUS_SOURCE_DIR "/tests/model/small/README.md", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *elsewhere = strstr(text, "\nElsewhere:");
    assert_non_null(elsewhere);
    *elsewhere++ = '\0';
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const char *model = values[i].model;
        snprintf(row, sizeof row, "\n| %s | `%s%s%s(%.10g)`: %s |", values[i].file,
                 model ? model : "", model ? ", " : "", values[i].variable, values[i].stop_time,
                 values[i].what);
        if (!strstr(text, row))
            fail_msg("no row%s", row);
    }
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const char *model = refusals[i].model;
        snprintf(row, sizeof row, "\n| %s | %s%s%srefuses: %s |", refusals[i].file,
                 model ? "`" : "", model ? model : "", model ? "`: " : "", refusals[i].what);
        if (!strstr(text, row))
            fail_msg("no row%s", row);
    }
    size_t rows = 0;
    for (const char *at = text; (at = strstr(at, "\n| ")); at++)
        rows++;
    assert_int_equal(rows, 1 + sizeof values / sizeof *values + sizeof refusals / sizeof *refusals);
    char part[64], name[64];
    for (const char *at = elsewhere; (at = strchr(at, '/')); at++) {
        const char *begin = at;
        while (begin[-1] >= 'a' && begin[-1] <= 'z')
            begin--;
        snprintf(part, sizeof part, "%.*s", (int)(at - begin), begin);
        snprintf(name, sizeof name, "%.*s",
                 (int)strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_0123456789"), at + 1);
        snprintf(row, sizeof row, SALTUS_SOURCE_DIR "/tests/%s/test_%s.c", part, name);
        file = fopen(row, "r");
        if (!file)
            fail_msg("no test %s/%s", part, name);
        fclose(file);
    }
}

static void messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        Trial *t = small_trial(refusals[i].file, refusals[i].model);
        const char *said = trial_messages(t);
        if (refusals[i].stop_time > 0.0 && trial_is_model(t)) {
            if (trial_run(t, refusals[i].stop_time) == SALTUS_OK)
                fail_msg("%s: no failure", refusals[i].what);
            said = trial_error(t);
        }
        if (!strstr(said, refusals[i].message))
            fail_msg("%s: \"%s\" does not say \"%s\"", refusals[i].what, said, refusals[i].message);
        trial_end(t);
    }
}

// Bounces smaller than the errors of a solver: the run ends at rest on the floor, or it stops
// early and says why, but no body falls through a floor.
static void floors_hold(void **state)
{
    (void)state;
    static const char *const files[] = {"Pulley3", "Chat"};
    static const char *const models[] = {NULL, "Chat.Stacked"}, *const heights[] = {"y1", "h[1]"};
    static const SaltusSolver solvers[] = {
        SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS, SALTUS_SOLVER_CVODE,
        SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA,    SALTUS_SOLVER_EXACT};
    static const double tolerances[] = {1e-5, 1e-6, 1e-7};
    for (int i = 0; i < 2; i++) {
        for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
            for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
                Trial *t = small_trial(files[i], models[i]);
                trial_options(t)->method.solver = solvers[s];
                trial_options(t)->method.relative_tolerance = tolerances[k];
                trial_options(t)->method.absolute_tolerance = 1e-3 * tolerances[k];
                const bool is_fine = trial_run(t, 4.0) == SALTUS_OK;
                if (!is_fine && !strstr(trial_error(t), "accumulate"))
                    fail_msg("%s", trial_error(t));
                // as much as the errors of both states in a bounce
                if (is_fine && !(trial_value(t, heights[i]) >= -100.0 * tolerances[k]))
                    fail_msg("%s, %s, %g: %s = %g", files[i], saltus_solver_name(solvers[s]),
                             tolerances[k], heights[i], trial_value(t, heights[i]));
                trial_end(t);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),      cmocka_unit_test(all_solvers_agree),
        cmocka_unit_test(table_is_complete), cmocka_unit_test(messages),
        cmocka_unit_test(floors_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
