// SPDX-License-Identifier: MIT
//
// The dynamic contact by hand on a GPU: the loop of loops.h, one trajectory per thread.

#define HAND static __device__ __forceinline__
#define HAND_TABLE static __constant__
#define HAND_FAR static __device__
#include "loops.h"

#include <stdio.h>

static __global__ void hand_kernel(const double *axes, long count, double *results)
{
    const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < count)
        hand_contact(axes + 2 * i, 1e-8, 10.0 / 50.0, &results[2 * i], &results[2 * i + 1]);
}

// 0: fine.
extern "C" int hand_gpu(const double *axes, long count, double *results, double *seconds)
{
    double *a = 0, *r = 0;
    cudaEvent_t begin, end;
    float milliseconds = 0.0f;
    const size_t size = 2 * sizeof(double) * (size_t)count;
    if (cudaMalloc((void **)&a, size) != cudaSuccess || cudaMalloc((void **)&r, size) != cudaSuccess)
        return 1;
    cudaMemcpy(a, axes, size, cudaMemcpyHostToDevice);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    hand_kernel<<<(unsigned)((count + 127) / 128), 128>>>(a, count, r);
    cudaEventRecord(end);
    const cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(results, r, size, cudaMemcpyDeviceToHost);
    cudaEventElapsedTime(&milliseconds, begin, end);
    *seconds = milliseconds * 1e-3;
    cudaFree(a);
    cudaFree(r);
    if (e != cudaSuccess)
        fprintf(stderr, "by hand: %s\n", cudaGetErrorString(e));
    return e != cudaSuccess;
}
