/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

#include "kernel/periodic/image_pair.h"

/* Whether the first of these numbers that is not 0 is negative. */
static bool is_negative(const int32_t shift[3]) {
    const int32_t first = shift[0] != 0 ? shift[0] : shift[1] != 0 ? shift[1] : shift[2];
    return first < 0;
}

carom_image_pair carom_image_pair_of(const carom_images *images, uint32_t first, uint32_t second) {
    CAROM_ASSERT(first < images->owned && first < second && second < images->owned + images->count);
    const carom_image none = {second, {0, 0, 0}};
    const carom_image *image = second >= images->owned ? &images->image[second - images->owned] : &none;
    carom_image_pair pair;
    pair.turned = image->owner < first || (image->owner == first && is_negative(image->shift));
    pair.i = pair.turned ? image->owner : first;
    pair.k = pair.turned ? first : image->owner;
    for (int a = 0; a < 3; a++) {
        const int32_t step = image->shift[a];
        const int32_t wrap = carom_images_wrap(images, pair.i, a);
        pair.shift[a] = (pair.turned ? -step : step) + wrap - carom_images_wrap(images, pair.k, a);
        pair.frame[a] = (double)(pair.turned ? wrap - step : wrap);
    }
    return pair;
}
