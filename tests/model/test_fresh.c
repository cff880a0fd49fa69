// SPDX-License-Identifier: MIT
//
// Models that a user would write, with the emphasis on what happens at events: converters,
// contacts, friction, machines, sliding, sampled controllers, logic. The numbers are closed forms,
// or come from programs that follow each phase by itself with DOP853 at a tolerance of 1e-12 and
// locate its end on the solution, written without Saltus.

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "model/trial.h"
#include "open/warnings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 10 };

// clang-format off
static const struct {
    const char *file, *model, *parameter;
    double value, stop_time;
    struct { const char *name; double value; } expected[MOST_VALUES];
} runs[] = {
    {"Switching", "BoostT", "R", 10, 0.003999999999, {{"i", 2.52174278919}, {"u", 20.5278869006}}},
    {"Switching", "BoostT", "R", 400, 0.003999999999, {{"i", 0}, {"u", 43.0011319308}}},
    {"Switching", "Thyristor", NULL, 0, 0.007, {{"i", 11.2642553083}}},
    {"Switching", "Thyristor", NULL, 0, 0.012806440518259927, {{"i", 0.0386883079006}}},
    {"Switching", "Thyristor", NULL, 0, 0.012826440518259926, {{"i", 0}, {"v", -77.5781383821}, {"on", 0}}},
    {"Switching", "Thyristor", NULL, 0, 0.047, {{"i", 11.2642553083}}},
    {"Switching", "Flyback", NULL, 0, 0.009999999999, {{"phi", 5.47247122786e-05}, {"u", 5.98087249255}}},
    {"Switching", "ChargePump", NULL, 0, 9.9, {{"u1", 4.71843242645}, {"u2", 4.71843242645}}},
    {"Switching", "Crowbar", NULL, 0, 0.0014, {{"u", -100}, {"i", 0}}},
    {"Switching", "Crowbar", NULL, 0, 0.0011, {{"u", 54.0302305868}, {"i", 8.41470984808}}},
    {"Switching", "Peak", NULL, 0, 0.9, {{"u", 7.24816292156}}},
    {"Switching", "Peak", NULL, 0, 1.2, {{"u", 9.51056516295}}},
    {"Switching", "Peak", NULL, 0, 1.8, {{"u", 7.61978418126}}},
    {"Switching", "Freewheel", NULL, 0, 3.0, {{"i", 2.48381044647}, {"id", 2.48381044647}}},
    {"Contacts", "Coulomb2", NULL, 0, 2.0, {{"w1", 3.4804654313}, {"w2", 1.18040802086}}},
    {"Contacts", "Coulomb2", NULL, 0, 5.0, {{"w1", 1.43862628324}, {"w2", 1.43862628324}}},
    {"Contacts", "Coulomb2", NULL, 0, 9.5, {{"w1", 0.0118025848519}, {"w2", 0.0118025848519}}},
    {"Contacts", "BrakeSlope", NULL, 0, 8.0, {{"v", 0.958731634611}, {"x", 46.5898535123}}},
    {"Contacts", "Gap", NULL, 0, 2.5, {{"x1", 2.25133742892}}},
    {"Contacts", "Gap", NULL, 0, 4.0, {{"x1", 3.23940109588}, {"v1", -0.641032521288}, {"x2", 4.17366215797}, {"v2", 1.22964462463}}},
    {"Contacts", "Stop", NULL, 0, 2.0, {{"x", 0}, {"v", 0}, {"N", 2}}},
    {"Contacts", "Stop", NULL, 0, 5.0, {{"x", 0.917416513781}, {"v", -0.360896418873}}},
    {"Contacts", "Rod", NULL, 0, 2.0, {{"v1", -1.5}, {"v2", -1.5}, {"x2", 2.5}}},
    {"Contacts", "Lever", NULL, 0, 2.2, {{"th", 0.0274582521891}, {"w", -0.981618437347}}},
    {"Contacts", "Wagons", NULL, 0, 5.5, {{"v[4]", 0.5}, {"x[1]", 6.25}, {"x[4]", 6.25}}},
    {"Contacts", "Bungee", NULL, 0, 5.605007387074404, {{"y", -14.4987233531}, {"v", 16.8660888231}}},
    {"Contacts", "Slope", "mu", 0.3, 2.0, {{"x", -0.114207234796}, {"v", -2.78570993363}}},
    {"Contacts", "Slope", "mu", 0.6, 2.0, {{"x", 1.26664170966}, {"v", 0}}},
    {"Contacts", "Stack", NULL, 0, 1.0, {{"v1", 0.266666666667}, {"v2", 0.266666666667}}},
    {"Contacts", "Stack", NULL, 0, 2.0, {{"v1", 5.4}, {"v2", 2.2}}},
    {"Contacts", "Stack", NULL, 0, 2.5666666666666664, {{"v1", 2.13333333333}, {"v2", 2.13333333333}}},
    {"Contacts", "Stack", NULL, 0, 6.0, {{"v1", 0}, {"v2", 0}}},
    {"Contacts", "Billiard", NULL, 0, 1.6850244419177245, {{"x", 5.14721040282}, {"y", 0.355850445253}, {"w", 57.1428571429}, {"vx", 2.85714285714}}},
    {"Contacts", "Rocking", NULL, 0, 4.0, {{"th", -0.00830353976722}, {"w", 0.0558778958999}, {"n", 5}}},
    {"Contacts", "BreakingRod", NULL, 0, 2.0, {{"x1", 1.6173708451}, {"y1", 1.96149812313}, {"u1", 0.909297426826}, {"w1", 1.41614683655}}},
    {"Machines", "Batch", NULL, 0, 3.0, {{"V", 0.915094692991}, {"Tm", 60}}},
    {"Machines", "Batch", NULL, 0, 5.0, {{"V", 0.153394180976}, {"Tm", 22.6076608477}}},
    {"Machines", "Batch", NULL, 0, 9.3, {{"V", 0.025773482641}, {"Tm", 60}}},
    {"Machines", "Batch", NULL, 0, 14.2, {{"V", 0.0455233832482}, {"Tm", 28.7866931555}}},
    {"Machines", "Parallel", NULL, 0, 1.5, {{"on.x", 1.6487212707}, {"k", 0}}},
    {"Machines", "Parallel", NULL, 0, 2.0, {{"on.x", 2.71828182846}, {"on2.x", 1.35914091423}, {"k", 1}}},
    {"Machines", "Parallel", NULL, 0, 2.5, {{"on.x", 1.49389635678}, {"on2.x", 2.24084453517}, {"k", 1}}},
    {"Machines", "Servo", NULL, 0, 0.9999, {{"v", 1.55367273563}}},
    {"Machines", "Servo", NULL, 0, 2.0, {{"v", 1.90929742683}, {"x", 2.92062268928}, {"F", 4.89559860738}}},
    {"Machines", "Position", NULL, 0, 2.0, {{"x", 1.90929742683}, {"v", -0.832293673094}, {"F", -3.6371897073}}},
    {"Machines", "Overflow", NULL, 0, 1.0, {{"h1", 1}, {"h2", 0.0815231086777}, {"empty", 0}, {"full", 1}}},
    {"Machines", "Overflow", NULL, 0, 1.9, {{"h1", 1}, {"h2", 0.126523108678}, {"empty", 0}, {"full", 1}}},
    {"Machines", "Overflow", NULL, 0, 3.0, {{"h1", 0.752740034527}, {"h2", 0.128783074151}, {"empty", 0}, {"full", 0}}},
    {"Machines", "Overflow", NULL, 0, 6.0, {{"h1", 0.263754629525}, {"h2", 0}, {"empty", 1}, {"full", 0}}},
    {"Machines", "Bottles", NULL, 0, 5.1, {{"b[1].k", 4}, {"b[1].f.m", 0.1}, {"b[2].k", 7}, {"b[2].f.m", 1}, {"b[3].k", 9}, {"b[3].f.m", 1}}},
    {"Machines", "Switcheroo", NULL, 0, 1.0, {{"x", 1.10363832351}, {"y", 2}}},
    {"Machines", "Switcheroo", NULL, 0, 2.0, {{"x", 0}, {"y", 1.05460644137}}},
    {"Machines", "Switcheroo", NULL, 0, 3.0, {{"x", 3.07691445295}, {"y", 6}}},
    {"Machines", "Index3", NULL, 0, 1.5, {{"vx", 0}, {"vy", 0}, {"l", -0.2}}},
    {"Machines", "Index3", NULL, 0, 3.0, {{"vx", -0.2}, {"vy", -1.4}, {"x", 0.8}, {"y", -0.4}}},
    {"Surfaces", "TwoSurf", NULL, 0, 1.0, {{"x", 0.591939538826}, {"y", -0.1}}},
    {"Surfaces", "TwoSurf", NULL, 0, 2.0, {{"x", 1.42262786578e-17}, {"y", -5.23216712951e-20}}},
    {"Surfaces", "TwoSurf", NULL, 0, 3.9, {{"x", 7.67761251588e-18}, {"y", -1.06340107049e-18}}},
    {"Surfaces", "TwoSurf", NULL, 0, 6.0, {{"x", 0}, {"y", 1.26772372185}}},
    {"Surfaces", "Quota", NULL, 0, 10.0, {{"f", 0.4}, {"c", 2.91105273609}}},
    {"Surfaces", "NonLinSlide", NULL, 0, 2.25, {{"x", 0}, {"y", 2.75}}},
    {"Surfaces", "Delay", NULL, 0, 5.0, {{"x", 0.611082174849}}},
    {"Surfaces", "Delay", NULL, 0, 20.0, {{"x", 1.0225544575}}},
    {"Surfaces", "DelayLin", NULL, 0, 4.5, {{"x", 0.231510416667}}},
    {"Surfaces", "Pipe", NULL, 0, 2.7, {{"out1", 0.644217687238}}},
    {"Surfaces", "Pipe", NULL, 0, 4.5, {{"out0", 0.997494986604}}},
    {"Surfaces", "Pipe", NULL, 0, 5.5, {{"out0", 0}}},
    {"Surfaces", "SampledPI", NULL, 0, 2.05, {{"y", 2.05047211211}, {"u", 2.12030206355}, {"I", 2.19532902985}}},
    {"Surfaces", "SampledAlg", NULL, 0, 2.05, {{"y", 2.05047211211}, {"u", 2.12030206355}, {"I", 2.19532902985}}},
    {"Surfaces", "Clocked", NULL, 0, 2.05, {{"y", 2.05047211211}, {"u", 2.12030206355}, {"I", 2.19532902985}}},
    {"Surfaces", "SampledPI", NULL, 0, 4.05, {{"y", 0.373733556442}, {"u", 0.0362839850398}, {"I", -0.138060069458}}},
    {"Surfaces", "SampledAlg", NULL, 0, 4.05, {{"y", 0.373733556442}, {"u", 0.0362839850398}, {"I", -0.138060069458}}},
    {"Surfaces", "Clocked", NULL, 0, 4.05, {{"y", 0.414770981578}, {"u", -0.0857380825643}, {"I", -0.181045874496}}},
    {"Surfaces", "Edge", NULL, 0, 2.0, {{"q", -1}, {"ch", 13}, {"up", 4}, {"both", 304}}},
    {"Surfaces", "Shifter", NULL, 0, 3.75, {{"n", 25}}},
    {"Surfaces", "Lotka", NULL, 0, 12.0, {{"x", 0.614015028271}, {"y", 3.46731731958}, {"k", 2}}},
    {"Surfaces", "ParEq", NULL, 0, 1.0, {{"u", 0.164169997248}, {"w", 0.518777191303}}},
    {"Surfaces", "Homotopy", NULL, 0, 1.0, {{"x", 1.87938524157}, {"y", 1.87938524157}}},
    {"Surfaces", "Sat", NULL, 0, 1.0, {{"y", 13}, {"lev", 3}}},
    {"Surfaces", "Sat", NULL, 0, 3.0, {{"y", 10}, {"lev", 0}}},
    {"Surfaces", "Sat", NULL, 0, 4.0, {{"y", 0}}},
    {"Impacts", "ImpulseChain", NULL, 0, 1.0, {{"x1", 0}, {"v1", -2}, {"v2", -2}, {"v3", 1}, {"x3", 3.5}}},
    {"Impacts", "PendulumWall", NULL, 0, 5.0, {{"x", -0.00823204804271}, {"n", 3}}},
    {"Impacts", "CablePair", NULL, 0, 0.5, {{"x", -0.00411886965567}, {"y", -1.11433625787}, {"vx", 0.185248244138}, {"vy", -0.166925608133}}},
    {"Impacts", "CablePair", NULL, 0, 1.0, {{"x", 0}, {"y", -1.11803398875}}},
    {"Impacts", "CablePair", NULL, 0, 2.0, {{"x", 0}, {"y", -1.11803398875}}},
    {"Impacts", "ThreeRelays", NULL, 0, 2.0384615384615383, {{"x[1]", 0}, {"x[2]", 0}, {"x[3]", 0.7865}}},
    {"Impacts", "ThreeRelays", NULL, 0, 6.0, {{"x[1]", 0}, {"x[2]", 0}, {"x[3]", 0}, {"u[1]", 0}}},
    {"Impacts", "SlideLeave", NULL, 0, 2.0, {{"x", 0.624220254821}, {"q", -2}}},
    {"Impacts", "SlideLeave", NULL, 0, 4.0, {{"x", -0.00888886727124}, {"q", -2.98935429857}}},
    {"Impacts", "SlideLeave", NULL, 0, 7.0, {{"x", 0}, {"q", -0.869146618485}}},
    {"Impacts", "Func", NULL, 0, 2.1, {{"s", 1}, {"z", 1.51666666667}, {"n", 3}, {"sn", 1}}},
    {"Impacts", "Rec", NULL, 0, 5.0, {{"x[1]", 0.908452586148}, {"x[2]", 1.11574867384}}},
    {"Impacts", "Thermal", NULL, 0, 10.0, {{"T[1]", 20.173795558}, {"T[2]", 20.2762076522}, {"W", 19.7729511123}}},
    {"Impacts", "SIR", NULL, 0, 90.0, {{"s", 0.329813917301}, {"i", 0.00762922160225}}},
    {"Impacts", "PWM", NULL, 0, 0.3, {{"i", 0.574997561119}, {"w", 20.748694827}}},
    {"Impacts", "Ratchet", NULL, 0, 1.0, {{"w1", 1.0056035676}, {"w2", 1.0056035676}}},
    {"Impacts", "RatchetC", NULL, 0, 1.0, {{"w1", 1.0056035676}, {"w2", 1.0056035676}}},
    {"Impacts", "Ratchet", NULL, 0, 3.0, {{"w1", 0.822686097158}, {"w2", 0.822686097158}}},
    {"Impacts", "RatchetC", NULL, 0, 3.0, {{"w1", 0.822686097158}, {"w2", 0.822686097158}}},
    {"Impacts", "Ratchet", NULL, 0, 8.0, {{"w1", -1.65988398695}, {"w2", 0.595438912604}}},
    {"Impacts", "RatchetC", NULL, 0, 8.0, {{"w1", -1.65988398695}, {"w2", 0.595438912604}}},
    {"Instants", "Cascade", NULL, 0, 3.0, {{"n", 5}, {"b[5]", 0}, {"rounds", 1}}},
    {"Instants", "When2", NULL, 0, 1.0, {{"x", 2}, {"y", 1}, {"zb", 21}, {"za", 21}}},
    {"Instants", "Init", NULL, 0, 3.0, {{"k", 2}, {"s", 5}}},
    {"Instants", "Rounding", NULL, 0, 10.0, {{"a", 91.8182979796}}},
    {"Instants", "SemiLin", NULL, 0, 5.0, {{"m", 0.103042078372}, {"e", -0.926780510279}}},
    {"Instants", "Coincide", NULL, 0, 1.25, {{"a", 805}, {"b", 13}, {"c", 5}}},
    {"Instants", "Machine", NULL, 0, 2.85, {{"up.x", 0.7}, {"up.hits", 1}, {"c", 1}}},
    {"Instants", "Machine", NULL, 0, 3.1, {{"down.y", 0.9}, {"c", 1}, {"down.n", 0}}},
    {"Instants", "Prio", NULL, 0, 2.6, {{"nb", 1}, {"nc", 1}, {"c.x", 0.1}}},
    {"Instants", "Prio", NULL, 0, 3.8, {{"nb", 1}, {"nc", 2}, {"c.x", 0.05}}},
    {"Instants", "Nest", NULL, 0, 1.5, {{"x[1]", 0.5}, {"x[2]", 2.4794255386}, {"x[3]", 1.5}, {"f[2]", 0.87758256189}}},
    {"Instants", "Nest", NULL, 0, 3.0, {{"x[1]", -0.632120558829}, {"x[2]", 3.18300718033}, {"x[3]", -1.89636167649}}},
    {"Instants", "Grazing", NULL, 0, 20.0, {{"n", 3}, {"g", 3}}},
    {"Instants", "Narrow", NULL, 0, 20.0, {{"n", 3}}},
    {"Instants", "StartZero", NULL, 0, 1.0, {{"n", 1}, {"m", 0}, {"k", 1}, {"c", 0}, {"d", 1}}},
    {"Instants", "Stiffy", NULL, 0, 3.0, {{"T", 21.6656}}},
    {"Instants", "Enum", NULL, 0, 7.0, {{"q", 2}, {"cnt[1]", 1}, {"cnt[2]", 1}, {"cnt[3]", 1}}},
    {"Instants", "MixedLoop", NULL, 0, 1.9, {{"v", 0}}},
    {"Instants", "MixedLoop", NULL, 0, 3.0, {{"v", 10.4545454545}}},
    {"Instants", "DerIf", NULL, 0, 0.5, {{"v", 1}, {"F", 2}}},
    {"Instants", "DerIf", NULL, 0, 1.5, {{"v", 2}, {"F", 0}, {"x", 2}}},
    {"Instants", "VarDelay", NULL, 0, 3.0, {{"y", 2.2}, {"n", 1}}},
    {"Instants", "ClockEvt", NULL, 0, 1.05, {{"n", 1}, {"fast", 11}, {"slow", 9}, {"m", 15}}},
    {"Drives", "Fric3", NULL, 0, 4.0, {{"x[1]", 6.51986548707}, {"x[2]", 5.01986548707}, {"x[3]", 3.51986548707}}},
    {"Drives", "Elevator", NULL, 0, 4.0, {{"z", 2.99452772386}}},
    {"Drives", "Elevator", NULL, 0, 9.0, {{"z", 1.00806532244}}},
    {"Drives", "Latch", NULL, 0, 4.0, {{"n", 2}, {"t", 4}}},
    {"Drives", "Cavity", NULL, 0, 4.0, {{"p1", 1.46666421157}, {"p2", 1.42067305142}}},
    {"Drives", "Ideal2", NULL, 0, 4.0, {{"p1", 2.64799721142}, {"p2", 2.64799721142}}},
    {"Drives", "Gears", NULL, 0, 4.0, {{"we", 82.0710608299}, {"wl", 82.0710608299}}},
    {"Drives", "Crane", NULL, 0, 0.9, {{"xt", 1.80449130021}, {"x", 0.88203479918}, {"y", -1.77456304586}, {"vx", 2.90105277956}, {"vy", 0.454159975374}}},
    {"Drives", "Crane", NULL, 0, 2.0, {{"xt", 3}, {"x", 4.59637684779}, {"y", -1.20481573688}, {"vx", 0.890344920598}, {"vy", 1.1797040612}}},
    {"Drives", "Crane", NULL, 0, 4.0, {{"xt", 3}, {"x", 1.55967723502}, {"y", -1.38761317833}, {"vx", 1.66671081242}, {"vy", -1.73002214397}}},
    {"Logic", "Ring", NULL, 0, 10.0, {{"c[1].v", 0.142959836249}, {"c[2].v", 0.70937734609}, {"c[3].v", 0.322120926565}, {"c[4].v", 0.922227904225}, {"c[5].v", 0.559183663597}, {"c[1].n", 11}, {"c[2].n", 11}, {"c[3].n", 12}, {"c[4].n", 12}, {"c[5].n", 13}}},
    {"Logic", "AliasReinit", NULL, 0, 2.0, {{"x", 0.541341132946}, {"z", -0.541341132946}}},
    {"Logic", "Product", NULL, 0, 10.0, {{"n", 4}, {"q", 5.28761101962}}},
    {"Logic", "NextTime", NULL, 0, 5.05, {{"k", 25}, {"x", 62.95}}},
    {"Logic", "AlgWhen", NULL, 0, 2.0, {{"s", 60}, {"a[2]", 60}, {"a[3]", -1}, {"a[1]", 1}}},
    {"Logic", "Priority", NULL, 0, 2.0, {{"p", 1}, {"q", 1}}},
    {"Logic", "MaxArr", NULL, 0, 6.2, {{"served", 3233}, {"who", 3}}},
    {"Logic", "Saturate", NULL, 0, 8.0, {{"y", 0.511307428177}, {"I", 0.271412880687}}},
    {"Logic", "Tank3", NULL, 0, 6.0, {{"h[1]", 0.628264699238}, {"h[2]", 0.601385949024}, {"h[3]", 0.470349342317}}},
    {"Logic", "PosReinit", NULL, 0, 2.0, {{"phi", 2.86106664958}, {"x", 2.02628739329}}},
    {"Logic", "Neutral", NULL, 0, 3.05, {{"n", 12}, {"a", 0}, {"b", 0}}},
    {"Closed", "BridgeRL", NULL, 0, 1, {{"i", 2.3071799502}}},
    {"Closed", "BridgeRL", NULL, 0, 2.35, {{"i", 3.14632973467}}},
    {"Closed", "BridgeRL", NULL, 0, 3, {{"i", 2.32388278206}}},
    {"Closed", "Villard", NULL, 0, 0.9, {{"u2", 5}}},
    {"Closed", "Villard", NULL, 0, 1.9, {{"u2", 12.5}}},
    {"Closed", "Villard", NULL, 0, 2.9, {{"u2", 16.25}}},
    {"Closed", "Quant", NULL, 0, 0.25, {{"x", 0.075}}},
    {"Closed", "Quant", NULL, 0, 2.9, {{"x", 0.5}, {"q", 0.5}}},
    {"Closed", "Quant", NULL, 0, 8, {{"x", 1.5}}},
    {"Closed", "Quant2", NULL, 0, 4.95, {{"x", 1.08624259465}}},
    {"Closed", "Stack3", NULL, 0, 3, {{"v3", 0.0833333333333}}},
    {"Closed", "Stack3", NULL, 0, 3.9, {{"v1", 0.653333333333}}},
    {"Closed", "Stack3", NULL, 0, 6, {{"v1", 0.740740740741}, {"v2", 0.740740740741}, {"v3", 0.0925925925926}}},
    {"Closed", "Stack3", NULL, 0, 6.3, {{"v1", 0.340740740741}, {"v3", 0}}},
    {"Closed", "RelayOsc", NULL, 0, 3.14159265359, {{"x", -1.4}}},
    {"Closed", "RelayOsc", NULL, 0, 9.8, {{"x", -0.2}}},
    {"Closed", "RelayOsc", NULL, 0, 12, {{"x", -0.2}}},
    {"Closed", "TwoQuant", NULL, 0, 1, {{"x", 1}}},
    {"Closed", "TwoQuant", NULL, 0, 2, {{"x", 1.5}}},
    {"Closed", "TwoQuant", NULL, 0, 4, {{"x", 2}}},
    {"Closed", "Ropes", NULL, 0, 0.5, {{"y2", 0.294431852949}, {"v2", -2.29530296077}, {"y3", 0}, {"v1", 2.29530296077}}},
    {"Closed", "ClutchRing3", NULL, 0, 0.9, {{"w1", 1.9}}},
    {"Closed", "ClutchRing3", NULL, 0, 1.5, {{"w1", 0.833333333333}}},
    {"Closed", "ClutchRing3", NULL, 0, 2.5, {{"w1", 0.0833333333333}}},
    {"Closed", "ClutchRing3", NULL, 0, 3.5, {{"w3", 0.25}}},
    {"Closed", "ClutchRing3", NULL, 0, 4.5, {{"w1", 0.833333333333}, {"w3", 0.333333333333}}},
    {"Closed", "ImpactRod", NULL, 0, 0.9, {{"v1", -0.25}, {"v2", 0.75}, {"v3", 0.75}}},
    {"Closed", "CurrentDiodes", NULL, 0, 0.1, {{"u", 0.303958893918}}},
    {"Closed", "CurrentDiodes", NULL, 0, 0.4, {{"u", 1}}},
    {"Closed", "CurrentDiodes", NULL, 0, 0.6, {{"u", 0.696041106082}}},
    {"Closed", "CurrentDiodes", NULL, 0, 0.9, {{"u", -1.87913996792}}},
    {"Closed", "CurrentDiodes", NULL, 0, 0.98, {{"u", -2}}},
    {"Closed", "CurrentDiodes", NULL, 0, 1.1, {{"u", -1.69604110608}}},
    {"Closed", "BangHarm", NULL, 0, 2, {{"x", 2}}},
    {"Closed", "BangHarm", NULL, 0, 3.5, {{"v", -0.662277660168}}},
    {"Closed", "BangHarm", NULL, 0, 4.3, {{"x", 0}, {"v", 0}}},
    {"Closed", "Island", NULL, 0, 0.5, {{"u1", 3}, {"u2", 5}}},
    {"Closed", "Island", NULL, 0, 1.5, {{"ua", 8}}},
    {"Closed", "Island", NULL, 0, 2.9, {{"u1", 3.98767965247}}},
    {"Closed", "MotionBegins", NULL, 0, 0.5, {{"v", 0}}},
    {"Closed", "MotionBegins", NULL, 0, 1.5, {{"v", 2}, {"x", 1}, {"vq", 6}, {"q", 3}}},
    {"Closed", "LogEdge", NULL, 0, 1.4, {{"z", 1}, {"x", 0}, {"y", -1}}},
    {"Closed", "StartContact", NULL, 0, 0.5, {{"x", 0}, {"N", 5}}},
    {"Closed", "StartContact", NULL, 0, 2, {{"x", 1.66666666667}}},
    {"Closed", "Legs4", NULL, 0, 0.5, {{"s", 98.1}}},
    {"Closed", "Legs4", NULL, 0, 2, {{"f1", 14.0142857143}, {"f3", 56.0571428571}, {"f4", 0}}},
    {"Closed", "SlideWhen", NULL, 0, 1, {{"x", 0}}},
    {"Closed", "SlideWhen", NULL, 0, 1.9, {{"x", 0}}},
    {"Closed", "SlideWhen", NULL, 0, 2.5, {{"x", 0.5}}},
    {"Closed", "SlideWhen", NULL, 0, 4, {{"x", 1}}},
    {"Closed", "SlideStart", NULL, 0, 0.5, {{"x", 0.5}, {"r", 1}}},
    {"Closed", "SlideStart", NULL, 0, 4, {{"x", 1}}},
};
// clang-format on

static Trial *fresh_trial(const char *file, const char *model)
{
    char path[200], name[200];
    snprintf(path, sizeof path, "../tests/model/fresh/%s.mo", file);
    snprintf(name, sizeof name, "%s.%s", file, model);
    return trial_file(path, name);
}

static void known_value(size_t i, SaltusSolver solver)
{
    Trial *t = fresh_trial(runs[i].file, runs[i].model);
    if (runs[i].parameter)
        trial_parameter(t, runs[i].parameter, runs[i].value);
    trial_options(t)->method.solver = solver;
    trial_options(t)->method.relative_tolerance = 1e-9;
    trial_options(t)->method.absolute_tolerance = 1e-12;
    if (trial_run(t, runs[i].stop_time) != SALTUS_OK)
        fail_msg("%s, %s: %s", runs[i].model, saltus_solver_name(solver), trial_error(t));
    for (int k = 0; k < MOST_VALUES && runs[i].expected[k].name; k++) {
        const double actual = trial_value(t, runs[i].expected[k].name);
        const double expected = runs[i].expected[k].value;
        // errors of 1e-9 for each step, some hundred steps and events
        if (!(fabs(actual - expected) <= 1e-6 * fmax(1.0, fabs(expected))))
            fail_msg("%s, %s at %g: %s = %.12g, not %.12g", runs[i].model,
                     saltus_solver_name(solver), runs[i].stop_time, runs[i].expected[k].name,
                     actual, expected);
    }
    trial_end(t);
}

static void known_values(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {
        SALTUS_SOLVER_AUTO,  SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853, SALTUS_SOLVER_RODAS,
        SALTUS_SOLVER_CVODE, SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        for (size_t s = 0; s < sizeof solvers / sizeof solvers[0]; s++)
            known_value(i, solvers[s]);
}

// Bounces whose height sinks below what a solver's tolerance or rounding tells apart end the run:
// nothing falls through its floor in silence, whatever the solver and however few bounces there
// were. The accumulation point of Ball is known: it falls for t0 = sqrt(2 h / g), and each flight
// takes e times as long as the one before, t0 (1 + 2 e / (1 - e)) in all.
static void nothing_falls_through(void **state)
{
    (void)state;
    static const char *const models[] = {"Ball", "Slope", "Lever", "Pair"};
    static const double restitutions[] = {1e-8, 1e-4, 1e-3, 0.01, 0.1, 0.3, 0.5};
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_DOP853,
                                           SALTUS_SOLVER_RODAS,  SALTUS_SOLVER_CVODE,
                                           SALTUS_SOLVER_ADAMS,  SALTUS_SOLVER_IDA};
    for (int m = 0; m < 4; m++)
        for (int s = 0; s < 6; s++)
            for (int r = 0; r < 7; r++) {
                Trial *t = fresh_trial("Bounces", models[m]);
                trial_parameter(t, "e", restitutions[r]);
                trial_options(t)->method.solver = solvers[s];
                const SaltusStatus status = trial_run(t, 8.0);
                if (status != SALTUS_ZENO || !strstr(trial_error(t), "accumulate"))
                    fail_msg("%s, %s, e = %g: status %d, %s", models[m],
                             saltus_solver_name(solvers[s]), restitutions[r], status,
                             trial_error(t));
                const double e = restitutions[r];
                const double end = sqrt(2.0 / 9.81) * (1.0 + 2.0 * e / (1.0 - e));
                // The multistep methods cannot follow flights below their tolerance: the rest of
                // the sequence is missing.
                if (m == 0 && !(fabs(saltus_run_time(trial_get_run(t)) - end) <= 1e-3))
                    fail_msg("%s, e = %g: ends at %.12g, not %.12g", saltus_solver_name(solvers[s]),
                             e, saltus_run_time(trial_get_run(t)), end);
                trial_end(t);
            }
}

// What a run says of itself, all together.
static void append_warnings(const Trial *t, char *text, size_t size)
{
    uint32_t index = 0;
    double time;
    const char *message;
    Arena *arena = arena_create(NULL);
    text[0] = '\0';
    while (warnings_next(trial_model(t), trial_get_run(t), &index, &time, arena, &message)) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "%s\n", message);
    }
    arena_destroy(arena);
}

// States that are smaller than their absolute tolerance: the run says so, and is right with the
// nominal value of their size, or a smaller tolerance. A charge of 1 pF grows by u' =
// (5 - u)^2 in microseconds, so that 1 / (5 - u) grows by 1 in each of them, and falls from 2 V to
// 0.5 V: after 1/3 - 1/5 and then every 1/3 - 2/9.
static void small_states(void **state)
{
    (void)state;
    static const SaltusSolver solvers[] = {SALTUS_SOLVER_DOPRI5, SALTUS_SOLVER_RODAS,
                                           SALTUS_SOLVER_CVODE, SALTUS_SOLVER_IDA};
    const double since = fmod(2.13 - (1.0 / 3.0 - 0.2), 1.0 / 9.0);
    const double u = 5.0 - 1.0 / (2.0 / 9.0 + since);
    char text[2000];
    for (int s = 0; s < 4; s++)
        for (int kind = 0; kind < 3; kind++) {
            Trial *t = fresh_trial("Units", kind == 1 ? "Nominal" : "Charge");
            trial_options(t)->method.solver = solvers[s];
            trial_options(t)->method.relative_tolerance = 1e-6;
            trial_options(t)->method.absolute_tolerance = kind == 2 ? 1e-21 : 1e-9;
            assert_int_equal(trial_run(t, 2.13e-6), SALTUS_OK);
            append_warnings(t, text, sizeof text);
            const bool warned = strstr(text, "the errors of q are not controlled") &&
                                strstr(text, "declare it with nominal = ");
            if (warned != (kind == 0))
                fail_msg("%s, %d: \"%s\"", saltus_solver_name(solvers[s]), kind, text);
            if (kind > 0)
                trial_assert_value(t, "u", u, 1e-3); // 18 restarts of methods at 1e-6
            trial_end(t);
        }
    // A state that stays zero, and one of usual size, are none of them.
    Trial *t = trial_text("model M Real x(start = 1, fixed = true), y(start = 0, fixed = true);\n"
                          "equation der(x) = -x^2; der(y) = -y*x; end M;\n");
    assert_int_equal(trial_run(t, 1.0), SALTUS_OK);
    append_warnings(t, text, sizeof text);
    assert_string_equal(text, "");
    trial_end(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(nothing_falls_through),
        cmocka_unit_test(small_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
