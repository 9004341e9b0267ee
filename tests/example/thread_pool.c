/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Carom authors */

/* Carom on a thread pool of the caller's. Results have the same bits as on Carom's own threads. */
#include <carom/carom.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 3, BODIES = 50000 };

/* Workers and the caller share out the indices of one loop at a time. The mutex guards all fields. */
typedef struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    pthread_t worker[WORKERS];
    carom_executor_task *task;
    void *task_data;
    uint32_t next, finished, count;
    bool stop;
} pool;

/* Takes indices until there are none left. The mutex is held, but not during a task. */
static void take_tasks(pool *p) {
    while (p->next < p->count) {
        const uint32_t index = p->next++;
        pthread_mutex_unlock(&p->mutex);
        p->task(p->task_data, index);
        pthread_mutex_lock(&p->mutex);
        p->finished++;
    }
    if (p->finished == p->count) {
        pthread_cond_signal(&p->end);
    }
}

static void *work(void *data) {
    pool *p = data;
    pthread_mutex_lock(&p->mutex);
    while (!p->stop) {
        take_tasks(p);
        pthread_cond_wait(&p->begin, &p->mutex);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

/* carom_executor.parallel_for */
static void parallel_for(void *user, uint32_t count, carom_executor_task *task, void *task_data) {
    pool *p = user;
    pthread_mutex_lock(&p->mutex);
    p->task = task;
    p->task_data = task_data;
    p->next = p->finished = 0;
    p->count = count;
    pthread_cond_broadcast(&p->begin);
    take_tasks(p);
    while (p->finished < count) {
        pthread_cond_wait(&p->end, &p->mutex);
    }
    pthread_mutex_unlock(&p->mutex);
}

static void start(pool *p) {
    for (int w = 0; w < WORKERS; w++) {
        if (pthread_create(&p->worker[w], NULL, work, p) != 0) {
            fprintf(stderr, "no thread\n");
            exit(EXIT_FAILURE);
        }
    }
}

static void stop(pool *p) {
    pthread_mutex_lock(&p->mutex);
    p->stop = true;
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->mutex);
    for (int w = 0; w < WORKERS; w++) {
        pthread_join(p->worker[w], NULL);
    }
}

static double x[3][BODIES], radius[BODIES];

static void place_bodies(void) {
    uint64_t seed = 1;
    for (int b = 0; b < BODIES; b++) {
        for (int a = 0; a < 3; a++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[a][b] = (double)(seed >> 11) * 0x1p-53;
        }
        radius[b] = 0.01;
    }
}

/* Prints pairs and a hash of everything that the call found. */
static void detect(const char *where, const carom_context_config *threads) {
    const carom_bodies_f64 bodies = {
        .count = BODIES, .prev = {x[0], x[1], x[2]}, .curr = {x[0], x[1], x[2]}, .radius = radius};
    carom_detect_config config = carom_detect_config_default();
    config.hash = true;
    carom_context *context;
    carom_detection_f64 found = {0};
    carom_error error;
    if (carom_context_create(threads, &context, &error) != CAROM_OK ||
        carom_detect_f64(context, &bodies, &config, NULL, &found, &error) != CAROM_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(EXIT_FAILURE);
    }
    printf("%s: %" PRIu64 " pairs, result %016" PRIx64 "\n", where, found.pair_count, found.summary.result_hash);
    carom_context_destroy(context);
}

int main(void) {
    static pool p = {
        .mutex = PTHREAD_MUTEX_INITIALIZER, .begin = PTHREAD_COND_INITIALIZER, .end = PTHREAD_COND_INITIALIZER};
    start(&p);
    place_bodies();
    carom_context_config config = carom_context_config_default();
    config.threads = WORKERS + 1;
    detect("Carom's threads", &config);
    config.executor = (carom_executor){.user = &p, .parallel_for = parallel_for};
    detect("the pool's threads", &config);
    stop(&p);
    return EXIT_SUCCESS;
}
