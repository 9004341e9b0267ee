/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/validate_images.h"

#include <math.h>
#include <stdlib.h>

static const char *check_shift(const carom_images *images, const carom_image *image) {
    bool any = false;
    for (int a = 0; a < 3; a++) {
        any = any || image->shift[a] != 0;
        if (abs(image->shift[a]) > images->most[a]) {
            return "an image is shifted by more than the greatest shift";
        }
    }
    return any ? NULL : "an image is not shifted";
}

/* The same sums that placed the image, so that they are equal to the last bit. */
static bool is_displaced(const carom_images *images, uint64_t n) {
    const carom_image *image = &images->image[n];
    const carom_bodies_f64 *bodies = &images->bodies;
    const uint64_t body = images->owned + n;
    double by[3];
    carom_lattice_displacement(&images->lattice, (double[3]){image->shift[0], image->shift[1], image->shift[2]}, by);
    bool same = bodies->radius[body] == bodies->radius[image->owner];
    for (int j = 0; j < 3; j++) {
        same = same && bodies->prev[j][body] == bodies->prev[j][image->owner] + by[j];
        same = same && bodies->curr[j][body] == bodies->curr[j][image->owner] + by[j];
    }
    return same;
}

/* A displacement may take a value beyond the range of doubles: it is infinite then, and the survey refuses the body. */
static bool is_number(const carom_bodies_f64 *bodies, uint64_t n) {
    bool number = isfinite(bodies->radius[n]);
    for (int j = 0; j < 3; j++) {
        number = number && !isnan(bodies->prev[j][n]) && !isnan(bodies->curr[j][n]);
    }
    return number;
}

/* Owners before all else: the other checks read their bodies. */
static const char *check_images(const carom_images *images) {
    for (uint64_t n = 0; n < images->count; n++) {
        const carom_image *image = &images->image[n];
        if (image->owner >= images->owned) {
            return "an image has an owner that does not exist";
        }
        if (n > 0 && images->image[n - 1].owner > image->owner) {
            return "images are not in order of their owners";
        }
        const char *reason = check_shift(images, image);
        if (reason != NULL) {
            return reason;
        }
        if (!is_displaced(images, n)) {
            return "an image is not its owner displaced by its shift";
        }
    }
    return NULL;
}

static const char *check_wraps(const carom_images *images) {
    for (uint64_t n = 0; n < images->owned && images->wrap != NULL; n++) {
        for (int a = 0; a < 3; a++) {
            if (fabs((double)images->wrap[n][a]) > CAROM_WRAP_MOST) {
                return "a body was too many cells from the origin";
            }
        }
    }
    return NULL;
}

const char *carom_images_validate(const carom_images *images) {
    if (images->bodies.count != images->owned + images->count) {
        return "the bodies are not the owned ones and the images";
    }
    for (uint64_t n = 0; n < images->bodies.count && images->count > 0; n++) {
        if (!is_number(&images->bodies, n)) {
            return "a value of a body or an image is not a number";
        }
    }
    const char *reason = check_wraps(images);
    return reason == NULL ? check_images(images) : reason;
}
