/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A sample says how the bodies are spread; one pass over all of them finds the widest box, and values that are not
 * numbers; where boxes differ much, a second pass, the census, counts how many are how wide. */
#include "kernel/detect/search/survey_tmpl.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kernel/check/assert.h"
#include "kernel/sys/error.h"
#include "kernel/sys/mix.h"
#include "simd/layout.h"

/* Too large for the stack. */
static carom_sample *sample_of(const carom_detect_job *job) {
    return carom_context_work(job->context, CAROM_WORK_SAMPLE);
}

/* Body s of a sample: one from each of equal stretches of the index, at a place that no regular order of the bodies can
 * follow. */
static uint64_t sampled_body(uint64_t s, uint64_t stretch) {
    return s * stretch + ((carom_mix64(s) >> 32) * stretch >> 32);
}

static void take_sample(const carom_bodies *bodies, carom_sample *sample) {
    uint64_t count = carom_sample_size(bodies->count);
    CAROM_ASSERT(count > 0 && count <= bodies->count);
    uint64_t stretch = bodies->count / count;
    sample->count = (uint32_t)count;
    for (uint64_t s = 0; s < count; s++) {
        const carom_record body = carom_layout_body(bodies, sampled_body(s, stretch));
        for (int a = 0; a < 3; a++) {
            double prev = (double)body.prev[a];
            double curr = (double)body.curr[a];
            sample->centre[a][s] = 0.5 * prev + 0.5 * curr;
            sample->extent[a][s] = fabs(curr - prev) + 2.0 * (double)body.radius;
        }
    }
}

typedef struct survey_job {
    carom_detect_job *job;
    const carom_bodies *bodies; /* of the part */
} survey_job;

/* What each worker does: looks at its share of the bodies. */
static void survey_bodies(void *data, uint32_t worker) {
    const survey_job *s = data;
    const carom_detect_job *job = s->job;
    carom_survey *survey = &job->workers[worker].survey;
    *survey = (carom_survey){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}, {0, 0, 0}, 0};
    carom_walk walk = carom_team_walk(&job->context->team, worker, s->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_kernels_of(job->context->simd)->survey(s->bodies, walk.begin, walk.end, job->search.centre, survey);
    }
}

/* Least, greatest and widest are the same in any order: the result does not depend on how many workers there are. */
static carom_survey merge_surveys(const carom_detect_job *job) {
    carom_survey all = job->workers[0].survey;
    for (uint32_t w = 1; w < job->context->team.workers; w++) {
        const carom_survey *one = &job->workers[w].survey;
        for (int a = 0; a < 3; a++) {
            all.lo[a] = fminf(all.lo[a], one->lo[a]);
            all.hi[a] = fmaxf(all.hi[a], one->hi[a]);
            all.extent[a] = fmaxf(all.extent[a], one->extent[a]);
        }
        all.bad |= one->bad;
    }
    return all;
}

/* An image is reported as the body that it is of. */
static carom_status check_value(carom_detect_job *job, uint64_t body, const char *field, carom_real value) {
    if (isfinite(value)) {
        return CAROM_OK;
    }
    const char *what = isnan(value) ? "not a number" : "infinite";
    const carom_images *images = job->periodic.images;
    bool moved = images != NULL && (body >= images->owned || images->wrap != NULL);
    uint64_t owner = moved ? carom_images_owner(images, (uint32_t)body) : body;
    return carom_error_body(job->error, owner, field, "body %" PRIu64 ": %s%s is %s", owner, field,
                            moved ? " of an image" : "", what);
}

/* The first value of a body that is not as it must be. */
static carom_status check_body(carom_detect_job *job, uint64_t n) {
    static const char *const names[2][3] = {{"prev_x", "prev_y", "prev_z"}, {"curr_x", "curr_y", "curr_z"}};
    const carom_record body = carom_layout_body(job->bodies, n);
    carom_status status = CAROM_OK;
    for (int a = 0; a < 3 && status == CAROM_OK; a++) {
        status = check_value(job, n, names[0][a], body.prev[a]);
    }
    for (int a = 0; a < 3 && status == CAROM_OK; a++) {
        status = check_value(job, n, names[1][a], body.curr[a]);
    }
    if (status == CAROM_OK) {
        status = check_value(job, n, "radius", body.radius);
    }
    if (status == CAROM_OK && body.radius < 0) {
        status = carom_error_body(job->error, n, "radius", "body %" PRIu64 ": radius %g is negative", n,
                                  (double)body.radius);
    }
    return status;
}

/* The survey only says that some body is bad. */
carom_status carom_survey_find_bad(carom_detect_job *job) {
    carom_status status = CAROM_OK;
    carom_walk walk = carom_team_walk_alone(&job->context->team, job->bodies->count);
    while (status == CAROM_OK && carom_walk_next(&walk)) {
        for (uint64_t n = walk.begin; n < walk.end && status == CAROM_OK; n++) {
            status = check_body(job, n);
        }
    }
    CAROM_ASSERT(status != CAROM_OK || carom_job_stopped(job));
    return status;
}

/* Float keeps seven digits: f64 positions are taken from the middle of the scene before they become float boxes. */
static double choose_middle(double lo, double hi) {
    const double middle = 0.5 * lo + 0.5 * hi;
    return sizeof(carom_real) == sizeof(double) && isfinite(middle) ? middle : 0.0;
}

static void choose_centre(const carom_axis_statistics statistics[3], double centre[3]) {
    for (int a = 0; a < 3; a++) {
        centre[a] = choose_middle(statistics[a].lo, statistics[a].hi);
    }
}

void carom_survey_centre_of_few(const carom_bodies *bodies, uint64_t begin, uint64_t end, double centre[3]) {
    const uint64_t count = carom_sample_size(end - begin);
    CAROM_ASSERT(count < CAROM_SAMPLE_TRIMMED_LEAST);
    for (int a = 0; a < 3; a++) {
        double lo = (double)INFINITY;
        double hi = -(double)INFINITY;
        for (uint64_t s = 0; s < count && sizeof(carom_real) == sizeof(double); s++) {
            const uint64_t n = begin + sampled_body(s, (end - begin) / count);
            const double prev = (double)carom_layout_value(bodies->prev[a], bodies->prev_stride, n);
            const double curr = (double)carom_layout_value(bodies->curr[a], bodies->curr_stride, n);
            lo = fmin(lo, 0.5 * prev + 0.5 * curr);
            hi = fmax(hi, 0.5 * prev + 0.5 * curr);
        }
        centre[a] = choose_middle(lo, hi);
    }
}

/* Of the caller's bodies alone: it must not depend on which images a periodic box has. */
void carom_survey_centre(const carom_detect_job *job, double centre[3]) {
    carom_sample *sample = sample_of(job);
    carom_axis_statistics statistics[3];
    carom_bodies owned = *job->bodies;
    owned.count = job->owned;
    take_sample(&owned, sample);
    carom_sample_statistics(sample, statistics);
    choose_centre(statistics, centre);
}

static void count_widths(void *data, uint32_t worker) {
    const survey_job *s = data;
    const carom_detect_job *job = s->job;
    carom_walk walk = carom_team_walk(&job->context->team, worker, s->bodies->count, CAROM_SIMD_PAD);
    while (carom_walk_next(&walk)) {
        carom_kernels_of(job->context->simd)
            ->census(s->bodies, walk.begin, walk.end, job->search.centre, &job->workers[worker].census);
    }
}

/* Each worker counts in its own copy; the sums go into *census. */
static void take_census(survey_job *s, carom_census *census) {
    uint32_t workers = s->job->context->team.workers;
    for (uint32_t w = 0; w < workers; w++) {
        s->job->workers[w].census = *census;
    }
    carom_team_run_over(&s->job->context->team, s->bodies->count, count_widths, s);
    for (uint32_t w = 0; w < workers; w++) {
        for (int l = 0; l < CAROM_CENSUS_LIMITS; l++) {
            census->wider[l] += s->job->workers[w].census.wider[l];
        }
    }
}

/* Plans the part, and for the scene says in the summary how and why. Errors: CANCELLED. */
static carom_status make_plan(survey_job *s, carom_part *part, carom_plan_input *input) {
    carom_census census;
    if (carom_plan_needs_census(input, &census)) {
        take_census(s, &census);
        input->census = &census;
    }
    if (carom_job_stopped(s->job)) {
        return CAROM_ERROR_CANCELLED;
    }
    carom_plan_make(input, &part->plan);
    if (part->depth == 0) {
        carom_detect_summary *summary = &s->job->detection->summary;
        summary->method = carom_plan_method_name(part->plan.method);
        bool asked = s->job->config->method != CAROM_METHOD_AUTO;
        carom_plan_explain(&part->plan, asked, summary->reason, sizeof summary->reason);
    }
    return CAROM_OK;
}

/* The scene's centre: that of an earlier call if this one must have the same boxes. Parts keep it. */
static void set_centre(carom_detect_job *job, const carom_axis_statistics statistics[3]) {
    if (job->search.given_centre != NULL) {
        memcpy(job->search.centre, job->search.given_centre, sizeof job->search.centre);
    } else if (job->periodic.images == NULL) {
        choose_centre(statistics, job->search.centre);
    }
}

/* Pairs of two images are not wanted. Without self images the plan does not count on that: a call in a large box is
 * searched as one in open space. */
static uint64_t leading_bodies(const carom_detect_job *job, const carom_part *part) {
    const carom_images *images = job->periodic.images;
    const bool leads = images != NULL && images->self_images && images->count > 0 && part->depth == 0;
    return leads ? images->owned : 0;
}

carom_status carom_survey_part(carom_detect_job *job, carom_part *part, carom_method method) {
    carom_sample *sample = sample_of(job);
    carom_axis_statistics statistics[3];
    survey_job s = {.job = job, .bodies = &part->bodies};
    CAROM_ASSERT(part->bodies.count > 0);
    if (part->depth == 0 && job->periodic.images != NULL) {
        carom_survey_centre(job, job->search.centre);
    }
    take_sample(&part->bodies, sample);
    carom_sample_statistics(sample, statistics);
    if (part->depth == 0) {
        set_centre(job, statistics);
    }
    carom_team_run_over(&job->context->team, s.bodies->count, survey_bodies, &s);
    carom_survey survey = merge_surveys(job);
    if (carom_job_stopped(job)) {
        return CAROM_ERROR_CANCELLED;
    }
    if (survey.bad != 0) {
        CAROM_ASSERT(part->depth == 0); /* deeper parts hold copies of bodies that were surveyed */
        return carom_survey_find_bad(job);
    }
    carom_status status = CAROM_OK;
    if (job->config->until > CAROM_UNTIL_BOUNDS) {
        carom_plan_input input = {.count = part->bodies.count,
                                  .leading = leading_bodies(job, part),
                                  .method = method,
                                  .swept = part->swept,
                                  .sample = sample,
                                  .statistics = statistics,
                                  .spread = carom_sample_spread(sample, statistics),
                                  .survey = &survey,
                                  .centre = job->search.centre};
        status = make_plan(&s, part, &input);
    }
    job->detection->summary.phase_bytes[CAROM_PHASE_BOUNDS] += (double)part->bodies.count * 7 * sizeof(carom_real);
    carom_job_lap(job, CAROM_PHASE_BOUNDS);
    return status;
}
