/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A neighbour list as molecular dynamics uses it: argon in a periodic box, all neighbours of every atom within the
 * cutoff, and from them the Lennard-Jones energy and forces. Lengths are in sigma, energies in epsilon. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 6, ATOMS = 4 * CELLS * CELLS * CELLS };
static const double SPACING = 1.71, BOX = CELLS * 1.71, CUTOFF = 2.5;

static double x[3][ATOMS], radius[ATOMS], force[3][ATOMS];

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* A crystal whose atoms have moved a little. Two atoms within the cutoff are spheres of half the cutoff that touch. */
static void place_atoms(void) {
    static const double corner[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    uint64_t seed = 1;
    for (int b = 0; b < ATOMS; b++) {
        const int cell[3] = {b / 4 % CELLS, b / 4 / CELLS % CELLS, b / 4 / CELLS / CELLS};
        for (int a = 0; a < 3; a++) {
            x[a][b] = SPACING * (cell[a] + corner[b % 4][a] + 0.1 * (uniform(&seed) - 0.5));
        }
        radius[b] = CUTOFF / 2;
    }
}

/* Row n is a pair (i, k): the image of k that is near i is at x_k + shift edges. So r points from b to its neighbour:
 * from i to the image of k, or from k to the image of i, which is the same vector turned round. */
static double energy_of(const carom_detection_f64 *found, uint32_t b) {
    double energy = 0;
    for (uint64_t m = found->neighbours.offset[b]; m < found->neighbours.offset[b + 1]; m++) {
        const uint64_t n = found->neighbours.pair[m];
        const uint32_t i = found->contacts.i[n], k = found->contacts.k[n];
        double r[3], square = 0;
        for (int a = 0; a < 3; a++) {
            r[a] = (x[a][k] + found->contacts.shift[a][n] * BOX - x[a][i]) * (b == i ? 1 : -1);
            square += r[a] * r[a];
        }
        const double s6 = 1 / (square * square * square);
        for (int a = 0; a < 3; a++) {
            force[a][b] -= 24 * s6 * (2 * s6 - 1) / square * r[a];
        }
        energy += 4 * s6 * (s6 - 1) / 2;
    }
    return energy;
}

int main(void) {
    place_atoms();
    carom_periodic box = carom_periodic_default();
    for (int a = 0; a < 3; a++) {
        box.along[a] = true;
        box.edge[a][a] = BOX;
    }
    carom_detect_config config = carom_detect_config_default();
    config.until = CAROM_UNTIL_APPROACH; /* no groups */
    config.periodic = &box;
    config.neighbours = CAROM_NEIGHBOURS_FULL;
    const carom_bodies_f64 atoms = {
        .count = ATOMS, .prev = {x[0], x[1], x[2]}, .curr = {x[0], x[1], x[2]}, .radius = radius};
    carom_context *context;
    carom_detection_f64 found = {0};
    carom_error error;
    if (carom_context_create(NULL, &context, &error) != CAROM_OK ||
        carom_detect_f64(context, &atoms, &config, NULL, &found, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    double energy = 0;
    for (uint32_t b = 0; b < ATOMS; b++) {
        energy += energy_of(&found, b);
    }
    printf("%d atoms, %.3f neighbours each\n", ATOMS, (double)found.neighbours.offset[ATOMS] / ATOMS);
    printf("energy of an atom %.6f\n", energy / ATOMS);
    printf("force on atom 7: %.5f %.5f %.5f\n", force[0][7], force[1][7], force[2][7]);
    carom_context_destroy(context);
    return EXIT_SUCCESS;
}
