// SPDX-License-Identifier: MIT

#include "kernel/kernel.h"

#include "base/message.h"
#include "code/native.h"
#include "kernel/source.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*KernelOnProcessor)(const double *axes, long begin, long end, double *results,
                                  int *status);
typedef int (*KernelOnGpu)(const double *axes, long count, double *results, int *status,
                           double *seconds, char *message, int room);

struct KernelCode {
    KernelDevice device;
    SaltusSolver solver;
    unsigned lanes, modes;
    uint32_t numbers[KERNEL_MOST_MODES]; // of the modes
    Arena *arena;
    String source;
    Native *native;
    char *reason;
    bool has_failed;
};

// ---------------------------------------------------------------------------
// Machines
// ---------------------------------------------------------------------------

// Of the processor: its vectors, and what its compiler is told. Contraction into fused
// multiply-adds is welcome here: a kernel agrees with the ordinary run within the tolerance.
typedef struct KernelMachine {
    unsigned lanes;
    const char *flags[12];
} KernelMachine;

#define KERNEL_FLAGS                                                                               \
    "-O3", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC",      \
        "-std=gnu17", "-w"

static const KernelMachine kernel_wide = {8, {KERNEL_FLAGS, "-march=x86-64-v4", NULL}};
static const KernelMachine kernel_middle = {4, {KERNEL_FLAGS, "-march=x86-64-v3", NULL}};
static const KernelMachine kernel_any = {2, {KERNEL_FLAGS, NULL}};
// For one run there are no vectors, and the code is used now and then: the less of it the better.
#define KERNEL_WHOLE_FLAGS                                                                         \
    "-O2", "-fno-tree-vectorize", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math",   \
        "-shared", "-fPIC", "-std=gnu17", "-w"
static const KernelMachine kernel_whole_fused = {1, {KERNEL_WHOLE_FLAGS, "-march=x86-64-v3", NULL}};
static const KernelMachine kernel_whole_any = {1, {KERNEL_WHOLE_FLAGS, NULL}};
static const KernelMachine kernel_gpu = {
    1, {"-O3", "-arch=native", "-shared", "-Xcompiler", "-fPIC", "-w", NULL}};

static const KernelMachine *kernel_machine(KernelDevice device, bool is_whole)
{
    if (device == KERNEL_GPU)
        return &kernel_gpu;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (is_whole && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &kernel_whole_fused;
    if (is_whole)
        return &kernel_whole_any;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd"))
        return &kernel_wide;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &kernel_middle;
#endif
    return is_whole ? &kernel_whole_any : &kernel_any;
}

// ---------------------------------------------------------------------------
// Making
// ---------------------------------------------------------------------------

static void kernel_fail(KernelCode *k, const char *reason)
{
    message_set(&k->reason, "%s", reason);
    k->has_failed = true;
}

static void kernel_write(KernelCode *k, const KernelDef *def)
{
    jmp_buf exhaustion;
    arena_on_exhaustion(k->arena, &exhaustion);
    if (setjmp(exhaustion) == 0) {
        StringBuilder text = builder_create(k->arena);
        const char *reason = source_write(def, k->lanes, &text, &k->modes, k->numbers);
        k->source = builder_string(&text);
        if (reason)
            kernel_fail(k, reason);
    } else {
        kernel_fail(k, "out of memory");
    }
    arena_on_exhaustion(k->arena, NULL);
}

// What drivers of NVIDIA make, natively and in Windows' subsystem for Linux.
static bool kernel_has_gpu(void)
{
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

static void kernel_compile(KernelCode *k, const KernelDef *def, const KernelMachine *machine)
{
    if (k->device == KERNEL_GPU && !kernel_has_gpu()) {
        kernel_fail(k, "there is no NVIDIA GPU");
        return;
    }
    static const char *const names[][2] = {
        {"saltus_kernel", NULL}, {"saltus_kernel_gpu", NULL}, {"saltus_whole", NULL}};
    // Several modes gain nothing by more, and take a tenth longer.
    const char *flags[sizeof machine->flags / sizeof *machine->flags];
    memcpy(flags, machine->flags, sizeof flags);
    if (k->device == KERNEL_CPU && k->modes > 1 && !def->is_whole)
        flags[0] = "-O2";
    k->native = native_start_text(k->source, k->device == KERNEL_GPU ? "cu" : "c", flags,
                                  names[def->is_whole ? 2 : (int)k->device], def->native);
    if (!k->native)
        kernel_fail(k, "out of memory");
    else if (native_poll(k->native, true) != NATIVE_READY)
        kernel_fail(k, native_reason(k->native));
}

static const char *kernel_obstacle(const KernelDef *def)
{
    const SaltusSolver solver = def->method.solver;
    if (def->is_whole && solver == SALTUS_SOLVER_EXACT)
        return NULL;
    if (solver != SALTUS_SOLVER_RODAS && solver != SALTUS_SOLVER_DOPRI5 &&
        solver != SALTUS_SOLVER_DOP853 && solver != SALTUS_SOLVER_AUTO)
        return "the solver is none of auto, rodas, dopri5, dop853";
    if (def->method.event_tolerance > 0.0 || def->method.locate_iterations > 0)
        return "events are to be located less exactly than possible";
    return NULL;
}

KernelCode *kernel_create(const KernelDef *def, KernelDevice device)
{
    const KernelMachine *machine = kernel_machine(device, def->is_whole);
    KernelCode *k = calloc(1, sizeof *k);
    if (!k || !(k->arena = arena_create(NULL))) {
        free(k);
        return NULL;
    }
    k->device = device;
    k->solver = def->method.solver;
    k->lanes = def->lanes && device == KERNEL_CPU ? def->lanes : machine->lanes;
    const char *reason = kernel_obstacle(def);
    if (reason)
        kernel_fail(k, reason);
    else
        kernel_write(k, def);
    if (!k->has_failed)
        kernel_compile(k, def, machine);
    return k;
}

void kernel_destroy(KernelCode *k)
{
    if (!k)
        return;
    if (k->native)
        native_destroy(k->native);
    arena_destroy(k->arena);
    free(k->reason);
    free(k);
}

const char *kernel_reason(const KernelCode *k)
{
    return k->has_failed ? message_text(k->reason) : "";
}

String kernel_source(const KernelCode *k)
{
    return k->source;
}

unsigned kernel_lanes(const KernelCode *k)
{
    return k->lanes;
}

unsigned kernel_mode_count(const KernelCode *k)
{
    return k->modes;
}

CodeFunction kernel_entry(const KernelCode *k)
{
    return native_entry(k->native, 0);
}

uint32_t kernel_mode(const KernelCode *kernel, unsigned i)
{
    return kernel->numbers[i];
}

SaltusSolver kernel_solver(const KernelCode *k)
{
    return k->solver;
}

// ---------------------------------------------------------------------------
// Running
// ---------------------------------------------------------------------------

bool kernel_run(KernelCode *k, const double *axes, size_t count, double *results, int *status)
{
    const CodeFunction entry = native_entry(k->native, 0);
    if (k->device == KERNEL_CPU) {
        KernelOnProcessor run;
        memcpy(&run, &entry, sizeof run);
        run(axes, 0, (long)count, results, status);
        return true;
    }
    KernelOnGpu run;
    double seconds; // which only a measurement wants to know: benchmarks/sweep/gpu.cu
    memcpy(&run, &entry, sizeof run);
    char reason[512]; // as CUDA says it
    const bool is_fine =
        run(axes, (long)count, results, status, &seconds, reason, sizeof reason) == 0;
    if (!is_fine)
        kernel_fail(k, reason);
    return is_fine;
}

const char *kernel_status_text(int status)
{
    static const char *const texts[] = {
        "finished",
        "a value is not finite",
        "the step became too small",
        "an event function could not be told from zero",
        "an event could not be located",
        "conditions did not settle",
        "where an event function goes is not clear",
        "an action that ends the run",
        "an event function rests at zero",
        "events accumulate",
        "the start",
        "too many steps",
        "an event at the end, or almost together with another one",
        "a mode that no run of the sample was in",
        "the next mode has to be searched for",
        "variables jump where a mode is entered",
    };
    const size_t count = sizeof texts / sizeof *texts;
    return status >= 0 && (size_t)status < count ? texts[status] : "unknown";
}
