// A get from C beside the floor, the same answer copied out: interleaved rounds, medians, ratios.
// `make bench` runs it.
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nudge.h"

enum { COMPONENTS = 25, KEYS = 50, VARIANTS = 4, SLOTS = COMPONENTS * KEYS, ROUNDS = 15, BATCH = 5000 };

static const char *const branches[] = {"dev", "dev", "main", "release/*"};
static const char *const systems[] = {"linux", "darwin", "linux", "windows"};

static nudge *store;
static nudge_context *contexts[COMPONENTS];
static char *asked[SLOTS], *asked_with_context[SLOTS], *set[SLOTS];
static char *sample;
static volatile size_t bytes;

static void check(nudge_error *error) {
    if (!error) return;
    fprintf(stderr, "%s\n", nudge_error_message(error));
    exit(1);
}

static char *text(const char *format, ...) {
    static char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return strdup(line);
}

static void fill(void) {
    check(nudge_new(NULL, &store));
    for (int slot = 0; slot < SLOTS; slot++) {
        int component = slot / KEYS, key = slot % KEYS;
        for (int variant = 0; variant < VARIANTS; variant++) {
            int number = slot * VARIANTS + variant;
            char *value = text("docker compose -f deploy/service-%04d.yml build task-%02d --pull --progress=plain",
                               component, key);
            char *reason = text("the image of step %d is rebuilt whenever its base changes", number);
            char *request = text(
                "{\"component\":\"service-%04d\",\"key\":\"task-%02d\",\"value\":\"%s\",\"meta\":{\"reason\":\"%s\","
                "\"tags\":[\"build\",\"rare-%02d\"],\"priority\":%d,\"confidence\":0.8,\"added_by\":\"agent:bench\","
                "\"scope\":{\"cwd_glob\":\"**/service-%04d*\",\"branch\":\"%s\",\"os\":\"%s\"}}}",
                component, key, value, reason, number % 100, 1 + number % 10, component, branches[variant],
                systems[variant]);
            check(nudge_set_hint(store, NULL, request, NULL));
            free(value), free(reason);
            if (variant == 0) set[slot] = request;
            else free(request);
        }
        asked[slot] = text("{\"component\":\"service-%04d\",\"key\":\"task-%02d\"}", component, key);
        asked_with_context[slot] =
            text("{\"component\":\"service-%04d\",\"key\":\"task-%02d\",\"context\":{\"cwd\":"
                 "\"/work/platform/service-%04d\",\"branch\":\"dev\",\"os\":\"linux\"}}",
                 component, key, component);
    }
    for (int component = 0; component < COMPONENTS; component++) {
        char *facts = text("{\"cwd\":\"/work/platform/service-%04d\",\"branch\":\"dev\",\"os\":\"linux\"}", component);
        check(nudge_context_new(facts, &contexts[component]));
        free(facts);
    }
    check(nudge_get_hint(store, contexts[0], asked[0], &sample));
}

static void by_copying(int slot) {
    char *answer = strdup(sample);
    bytes += (size_t)answer[slot % 64];
    free(answer);
}

static void prepared(int slot) {
    char *answer;
    check(nudge_get_hint(store, contexts[slot / KEYS], asked[slot], &answer));
    bytes += (size_t)answer[0];
    nudge_string_free(answer);
}

static void with_context(int slot) {
    char *answer;
    check(nudge_get_hint(store, NULL, asked_with_context[slot], &answer));
    bytes += (size_t)answer[0];
    nudge_string_free(answer);
}

static void setting(int slot) { check(nudge_set_hint(store, NULL, set[slot], NULL)); }

static const struct {
    const char *name;
    void (*run)(int slot);
} ways[] = {
    {"floor: the same answer copied out and freed", by_copying},
    {"nudge_get_hint, a prepared context", prepared},
    {"nudge_get_hint, the context as JSON", with_context},
    {"nudge_set_hint", setting},
};
enum { WAYS = sizeof ways / sizeof *ways };

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(void) {
    static double times[WAYS][ROUNDS];
    fill();
    // The first round warms up.
    for (int round = -1; round < ROUNDS; round++) {
        for (int way = 0; way < WAYS; way++) {
            struct timespec start, end;
            unsigned number = 12345;
            clock_gettime(CLOCK_MONOTONIC, &start);
            for (int i = 0; i < BATCH; i++) {
                number = number * 1103515245u + 12345u;
                ways[way].run((int)(number >> 8) % SLOTS);
            }
            clock_gettime(CLOCK_MONOTONIC, &end);
            double spent = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
            if (round >= 0) times[way][round] = spent / BATCH;
        }
    }
    printf("\nfrom C, %d hints\n", SLOTS * VARIANTS);
    for (int way = 0; way < WAYS; way++) qsort(times[way], ROUNDS, sizeof(double), ascending);
    for (int way = 0; way < WAYS; way++)
        printf("  %-52s %7.0f ns   %7.2f x\n", ways[way].name, times[way][ROUNDS / 2],
               times[way][ROUNDS / 2] / times[0][ROUNDS / 2]);
    return 0;
}
