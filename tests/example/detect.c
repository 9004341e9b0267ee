#include <carom/carom.h>
#include <stdio.h>

int main(void) {
    float x0[] = {0, 10, 50}, x1[] = {4, 4, 50}, zero[3] = {0}, radius[] = {1, 1, 1};
    carom_bodies_f32 bodies = {.count = 3, .prev = {x0, zero, zero}, .curr = {x1, zero, zero}, .radius = radius};
    carom_context *context;
    carom_detection_f32 found = {0};
    carom_error error;
    if (carom_context_create(NULL, &context, &error) != CAROM_OK ||
        carom_detect_f32(context, &bodies, NULL, NULL, &found, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const carom_contacts_f32 *rows = &found.contacts;
    for (uint64_t n = 0; n < found.pair_count; n++) {
        printf("%u and %u touch at t = %g, at x = %g\n", rows->i[n], rows->k[n], rows->t_toi[n], rows->point[0][n]);
    }
    carom_context_destroy(context);
    return 0;
}
