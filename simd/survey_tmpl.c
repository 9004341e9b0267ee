/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* One pass over the bodies, which come in as columns. What goes out: whether every value is valid, the box of the
 * scene, the largest extent of a box. From it the plan chooses its cells, and detection refuses bad bodies. Only least
 * and greatest values are kept, so that neither lanes nor threads change the result. */
#include "simd/check.h"
#include "simd/declare.h"
#include "simd/strided.h"

#define carom_survey_bodies CAROM_KERNEL(survey)
#define carom_survey_twin CAROM_TWIN(survey)

/* A carom_survey of each lane. */
typedef struct lanes {
    vf lo[3];
    vf hi[3];
    vf extent[3];
    vr defect;       /* sum of x - x: 0, or NaN once a value was not finite */
    vr least_radius; /* or 0 if all are above: only a negative one matters */
} lanes;

static inline __attribute__((always_inline)) void add_bodies(lanes *sum, const carom_bodies *bodies, uint64_t n,
                                                             const strided *s, const double centre[3]) {
    vr radius = radius_of(bodies, n, s);
    vr defect = vr_sub(radius, radius);
    sum->least_radius = vr_min(radius, sum->least_radius);
    for (int a = 0; a < 3; a++) {
        vr prev = prev_of(bodies, n, a, s);
        vr curr = curr_of(bodies, n, a, s);
        vf lo;
        vf hi;
        vr_box(prev, curr, radius, centre == NULL ? 0.0 : centre[a], &lo, &hi);
        sum->lo[a] = vf_min(lo, sum->lo[a]);
        sum->hi[a] = vf_max(hi, sum->hi[a]);
        sum->extent[a] = vf_max(vf_sub(hi, lo), sum->extent[a]);
        defect = vr_add(defect, vr_add(vr_sub(prev, prev), vr_sub(curr, curr)));
    }
    sum->defect = vr_add(sum->defect, defect);
}

/* Folds all lanes into *survey. */
static void fold(const lanes *sum, carom_survey *survey) {
    float lane[CAROM_LANES];
    carom_real defect[CAROM_LANES];
    carom_real radius[CAROM_LANES];
    vr_store(defect, sum->defect);
    vr_store(radius, sum->least_radius);
    for (int l = 0; l < CAROM_LANES; l++) {
        survey->bad |= !(defect[l] == 0) || radius[l] < 0;
    }
    for (int a = 0; a < 3; a++) {
        vf_store(lane, sum->lo[a]);
        for (int l = 0; l < CAROM_LANES; l++) {
            survey->lo[a] = lane[l] < survey->lo[a] ? lane[l] : survey->lo[a];
        }
        vf_store(lane, sum->hi[a]);
        for (int l = 0; l < CAROM_LANES; l++) {
            survey->hi[a] = lane[l] > survey->hi[a] ? lane[l] : survey->hi[a];
        }
        vf_store(lane, sum->extent[a]);
        for (int l = 0; l < CAROM_LANES; l++) {
            survey->extent[a] = lane[l] > survey->extent[a] ? lane[l] : survey->extent[a];
        }
    }
}

/* Whole vectors of bodies [n, end). Returns the first body that is left. */
static inline __attribute__((always_inline)) uint64_t survey_whole(const carom_bodies *bodies, uint64_t n, uint64_t end,
                                                                   const double centre[3], carom_survey *survey,
                                                                   bodies_form form) {
    lanes sum = {.defect = vr_set1(0), .least_radius = vr_set1(0)};
    for (int a = 0; a < 3; a++) {
        sum.lo[a] = vf_set1(survey->lo[a]);
        sum.hi[a] = vf_set1(survey->hi[a]);
        sum.extent[a] = vf_set1(survey->extent[a]);
    }
    const strided_bodies all = strided_of(bodies, form);
    for (; n + CAROM_LANES <= end; n += CAROM_LANES) {
        strided own;
        add_bodies(&sum, bodies, n, load_strided(&all, n, form, &own), centre);
    }
    fold(&sum, survey);
    return n;
}

static __attribute__((noinline)) uint64_t survey_triples(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                         const double centre[3], carom_survey *survey) {
    return survey_whole(bodies, begin, strided_end(bodies, end), centre, survey, BODIES_TRIPLES);
}
static __attribute__((noinline)) uint64_t survey_any(const carom_bodies *bodies, uint64_t begin, uint64_t end,
                                                     const double centre[3], carom_survey *survey) {
    return survey_whole(bodies, begin, strided_end(bodies, end), centre, survey, BODIES_ANY);
}

void carom_survey_bodies(const carom_bodies *bodies, uint64_t begin, uint64_t end, const double centre[3],
                         carom_survey *survey) {
    CAROM_ASSERT(carom_check_bodies(bodies, begin, end));
    CAROM_ASSERT(CAROM_REAL_BITS == 32 || carom_check_point(centre));
    const bodies_form form = bodies_form_of(bodies);
    const uint64_t n = form == BODIES_PACKED    ? survey_whole(bodies, begin, end, centre, survey, BODIES_PACKED)
                       : form == BODIES_TRIPLES ? survey_triples(bodies, begin, end, centre, survey)
                                                : survey_any(bodies, begin, end, centre, survey);
    carom_survey_twin(bodies, n, end, centre, survey);
}
