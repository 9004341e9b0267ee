/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* A step while it runs, shared by the files of this room: the job of cold detection, whose workers, rows and results
 * it uses, beside what is kept from step to step. */
#ifndef CAROM_COHERENT_STEP_TMPL_H
#define CAROM_COHERENT_STEP_TMPL_H

#include "kernel/coherent/state.h"
#include "kernel/detect/job/job_tmpl.h"

typedef struct carom_coherent_step carom_coherent_step;

/* What a step does otherwise in a periodic box. Only steps in double have these; periodic/periodic.h says more. */
typedef struct carom_coherent_hooks {
    carom_status (*place)(carom_coherent_step *step); /* this step's bodies, or what carom_periodic_move needs */
    bool (*move)(carom_coherent_step *step,
                 uint64_t *escaped);          /* both at once: bodies into the cell and to their slots.
                                                 escaped[w]: see follow_tmpl.c. False: it cannot */
    void (*bound)(carom_coherent_step *step); /* sets space.reach, before bodies are extended for a list */
    carom_status (*make_images)(carom_coherent_step *step, const carom_bodies *listed); /* those that bodies may need
                                                            whose boxes are inside these; step->cold: too many */
    uint64_t (*settle)(carom_coherent_step *step, uint64_t escaped); /* escaped bodies that are in no other cell */
    bool (*grow)(carom_coherent_step *step, uint32_t body); /* as carom_escape_grow_body, with the body's images */
    carom_status (*set_apart)(carom_coherent_step *step); /* pairs of bodies in other cells; step->crowded: too many */
    carom_status (*deliver)(carom_coherent_step *step);   /* results that are rounded to float */
    void (*show)(carom_coherent_step *step); /* after all: records of bodies that were hidden are whole again */
} carom_coherent_hooks;

struct carom_coherent_step {
    carom_detect_job *job;
    carom_coherent *state;
    carom_coherent_report *report;
    const carom_coherent_hooks *hooks; /* NULL: open space */
    carom_images *images;              /* of the list */
    carom_images *cold_images;         /* of a cold step */
    void *periodic;                    /* of the hooks */
    bool unplaced;                     /* the bodies are placed when they are moved to their slots */
    double centre[3]; /* of this step's scene, as cold detection would choose it; doubles' boxes are relative to it */
    double length;    /* range of the low corners on the sweep axis, without outliers, in the caller's unit; set by a
                         rebuild */
    uint64_t escape_limit; /* with more bodies outside their fat boxes there will be a rebuild */
    uint64_t candidates;   /* pairs of the list that this step builds, once they are counted; else 0 */
    bool cold;             /* the step has no list */
    bool in_set;           /* the touching pairs are in SET, as in cold steps and in periodic boxes */
    bool united;           /* the walk has united the slots of touching pairs */
    bool relabelled;       /* all groups were labelled anew */
    bool crowded;          /* too many bodies are in other cells than the list has them in */
    uint64_t changed;      /* periodic: pairs of the list that began or ended */
};

/* The caller's bodies of the step: in a periodic box, moved into the cell. */
static inline carom_bodies carom_coherent_step_bodies(const carom_coherent_step *step) {
    carom_bodies bodies = *step->job->bodies;
    bodies.count = step->job->owned;
    return bodies;
}

static inline const carom_prices *carom_coherent_step_prices(const carom_coherent_step *step) {
    return carom_price_table(step->job->config->until, sizeof(carom_real) == sizeof(double));
}

#define carom_coherent_step_run CAROM_REAL(carom_coherent_step_run)

/* Runs a step whose job, state and report are set; in a periodic box also hooks and images. Sets the results but for
 * summary.seconds. Errors: those of carom_coherent_detect. */
carom_status carom_coherent_step_run(carom_coherent_step *step);

/* Bodies moved between two looks at how many have escaped. */
enum { CAROM_COHERENT_BATCH = 4096 };

#endif
