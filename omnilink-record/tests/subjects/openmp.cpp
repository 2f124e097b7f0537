// Correct: loops that OpenMP shares out among threads.
#include "subject.hpp"
#include <omp.h>

int main() {
    long sum = 0, guarded = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic) num_threads(4)
    for (int i = 0; i < 200; i++) sum += i;
#pragma omp parallel num_threads(4)
    {
        for (int i = 0; i < 10; i++) {
#pragma omp critical
            guarded++;
        }
#pragma omp barrier
    }
    return sum == 19900 && guarded == 40 ? 0 : 1;
}
