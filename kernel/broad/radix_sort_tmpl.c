/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Included by radix_sort.c for each width of key: CAROM_SORT(name) is name_u32 or name_u64. */

/* One pass: from keys and payload to out_keys and out_payload by the digit at `shift`. */
typedef struct CAROM_SORT(pass) {
    const carom_team *team;
    const carom_simd *simd;
    digit_table *tables;
    uint64_t count;
    uint32_t shift;
    uint32_t mask;
    CAROM_SORT(key) * keys;
    uint32_t *payload;
    CAROM_SORT(key) * out_keys;
    uint32_t *out_payload;
} CAROM_SORT(pass);

/* The histogram kernel counts in 32 bits, so longer blocks are counted in pieces. */
static void CAROM_SORT(count_digits)(void *data, uint32_t worker) {
    const CAROM_SORT(pass) *pass = data;
    digit_table *table = &pass->tables[worker];
    uint64_t begin;
    uint64_t end;
    carom_team_range(pass->team, worker, pass->count, GRAIN, &begin, &end);
    memset(table, 0, sizeof *table);
    while (begin < end) {
        uint32_t counts[DIGITS];
        const uint64_t piece = end - begin < UINT32_MAX ? end - begin : UINT32_MAX;
        pass->simd->CAROM_SORT(digit_histogram)(pass->keys + begin, piece, pass->shift, pass->mask, counts);
        for (uint32_t digit = 0; digit <= pass->mask; digit++) {
            table->at[digit] += counts[digit];
        }
        begin += piece;
    }
}

static void CAROM_SORT(scatter)(void *data, uint32_t worker) {
    const CAROM_SORT(pass) *pass = data;
    uint64_t *restrict at = pass->tables[worker].at;
    const CAROM_SORT(key) *restrict keys = pass->keys;
    const uint32_t *restrict payload = pass->payload;
    CAROM_SORT(key) *restrict out_keys = pass->out_keys;
    uint32_t *restrict out_payload = pass->out_payload;
    const uint32_t shift = pass->shift;
    const uint32_t mask = pass->mask;
    uint64_t begin;
    uint64_t end;
    carom_team_range(pass->team, worker, pass->count, GRAIN, &begin, &end);
    for (uint64_t n = begin; n < end; n++) {
        const CAROM_SORT(key) key = keys[n];
        const uint64_t to = at[(key >> shift) & mask]++;
        out_keys[to] = key;
        out_payload[to] = payload[n];
    }
}

static void CAROM_SORT(copy)(void *data, uint32_t worker) {
    const CAROM_SORT(pass) *pass = data;
    uint64_t begin;
    uint64_t end;
    carom_team_range(pass->team, worker, pass->count, GRAIN, &begin, &end);
    memcpy(pass->out_keys + begin, pass->keys + begin, (size_t)(end - begin) * sizeof *pass->keys);
    memcpy(pass->out_payload + begin, pass->payload + begin, (size_t)(end - begin) * sizeof *pass->payload);
}

/* Moves the keys unless the digit is the same for all of them; the next pass starts where this one put them. */
static void CAROM_SORT(run_pass)(CAROM_SORT(pass) * pass) {
    carom_team_run(pass->team, CAROM_SORT(count_digits), pass);
    if (!place(pass->tables, pass->team->workers, pass->mask + 1, pass->count)) {
        return;
    }
    carom_team_run(pass->team, CAROM_SORT(scatter), pass);
    CAROM_SORT(key) *keys = pass->keys;
    uint32_t *payload = pass->payload;
    pass->keys = pass->out_keys;
    pass->payload = pass->out_payload;
    pass->out_keys = keys;
    pass->out_payload = payload;
}

static void CAROM_SORT(insertion_sort)(uint64_t count, CAROM_SORT(key) * keys, uint32_t *payload) {
    for (uint64_t n = 1; n < count; n++) {
        const CAROM_SORT(key) key = keys[n];
        const uint32_t load = payload[n];
        uint64_t to = n;
        for (; to > 0 && keys[to - 1] > key; to--) {
            keys[to] = keys[to - 1];
            payload[to] = payload[to - 1];
        }
        keys[to] = key;
        payload[to] = load;
    }
}

carom_status CAROM_SORT(carom_radix_sort)(carom_radix_sort *sort, const carom_team *team, carom_memory *memory,
                                          const carom_simd *simd, uint64_t count, uint32_t key_bits,
                                          CAROM_SORT(key) * keys, uint32_t *payload, CAROM_SORT(key) * spare_keys,
                                          uint32_t *spare_payload) {
    assert(key_bits >= 1 && key_bits <= 8 * sizeof *keys);
    if (count <= INSERTION_MAX) {
        CAROM_SORT(insertion_sort)(count, keys, payload);
        return CAROM_OK;
    }
    const carom_team alone = {.workers = 1};
    const carom_team *workers = count <= SERIAL_MAX ? &alone : team;
    const carom_status status = reserve_tables(sort, memory, workers->workers);
    if (status != CAROM_OK) {
        return status;
    }
    CAROM_SORT(pass)
    pass = {workers, simd, sort->histogram.data, count, 0, 0, keys, payload, spare_keys, spare_payload};
    const uint32_t bits = digit_bits(key_bits);
    pass.mask = (UINT32_C(1) << bits) - 1;
    for (; pass.shift < key_bits; pass.shift += bits) {
        CAROM_SORT(run_pass)(&pass);
    }
    if (pass.keys != keys) {
        carom_team_run(workers, CAROM_SORT(copy), &pass);
    }
    return CAROM_OK;
}
