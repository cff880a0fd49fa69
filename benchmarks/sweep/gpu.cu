// SPDX-License-Identifier: MIT
//
// The dynamic contact, 1000 x 1000 trajectories, on a GPU: the kernel that Saltus emits from the
// Modelica model (linked in) against one that was written by hand. tools/bench-gpu builds it.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern "C" int saltus_kernel_gpu(const double *axes, long count, double *results, int *status,
                                 double *seconds, char *message, int room);
extern "C" int hand_gpu(const double *axes, long count, double *results, double *seconds);

int main(int argc, char **argv)
{
    const long n = argc > 1 ? atol(argv[1]) : 1000, count = n * n, repeats = 5;
    double *axes = (double *)calloc(2 * count, sizeof(double));
    double *ours = (double *)calloc(2 * count, sizeof(double));
    double *hand = (double *)calloc(2 * count, sizeof(double));
    int *status = (int *)calloc(count, sizeof(int));
    double best = INFINITY, best_by_hand = INFINITY, seconds = 0.0, most = 0.0;
    char message[200] = "";
    cudaDeviceProp device;
    for (long i = 0; i < count; i++) {
        axes[2 * i] = pow(10.0, 4.0 + 4.0 * (double)(i / n) / (double)(n - 1));
        axes[2 * i + 1] = 50.0 * pow(100.0, (double)(i % n) / (double)(n - 1));
    }
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
        fprintf(stderr, "there is no GPU\n");
        return 1;
    }
    for (long k = 0; k < repeats; k++) {
        if (saltus_kernel_gpu(axes, count, ours, status, &seconds, message, sizeof message) != 0) {
            fprintf(stderr, "kernel: %s\n", message);
            return 1;
        }
        best = fmin(best, seconds);
        if (hand_gpu(axes, count, hand, &seconds) != 0)
            return 1;
        best_by_hand = fmin(best_by_hand, seconds);
    }
    long aside = 0, other = 0, why[20] = {0};
    for (long i = 0; i < count; i++) {
        aside += status[i] != 0;
        why[status[i] < 20 ? status[i] : 19]++;
        if (status[i] != 0)
            continue;
        other += ours[2 * i] != hand[2 * i];
        if (ours[2 * i] == hand[2 * i])
            most = fmax(most, fabs(ours[2 * i + 1] - hand[2 * i + 1]));
    }
    printf("%s, %ld x %ld trajectories of the dynamic contact\n", device.name, n, n);
    printf("by hand   %.4f s, %.2f million per second\n", best_by_hand,
           1e-6 * (double)count / best_by_hand);
    printf("kernel    %.4f s, %.2f million per second, ratio %.3f\n", best,
           1e-6 * (double)count / best, best / best_by_hand);
    printf("%ld set aside, %ld with other numbers of contacts, rebounds differ by %.1e\n", aside,
           other, most);
    for (int i = 1; i < 20; i++)
        if (why[i])
            printf("status %d: %ld\n", i, why[i]);
    return 0;
}
