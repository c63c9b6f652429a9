// Eight threads on one store and one context: no update is lost.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "nudge.h"

enum { THREADS = 8, ROUNDS = 200 };

static nudge *store;
static nudge_context *here;

static void *work(void *number) {
    char own[128], build[] = "{\"component\":\"api\",\"key\":\"build\"}";
    snprintf(own, sizeof own, "{\"component\":\"api\",\"key\":\"own-%d\",\"value\":\"make\"}", *(int *)number);
    for (int round = 0; round < ROUNDS; round++) {
        char *result;
        done(nudge_bump(store, NULL, build, NULL));
        done(nudge_set_hint(store, NULL, own, NULL));
        done(nudge_get_hint(store, here, build, &result));
        expect(strstr(result, "\"value\":\"make\""));
        nudge_string_free(result);
        refused(nudge_get_hint(store, NULL, "{\"component\":\"api\",\"key\":\"none\"}", NULL), NUDGE_E_NOT_FOUND);
        done(nudge_query(store, here, "{\"regex\":\"mak\"}", NULL));
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    char *result, expected[64];
    done(nudge_new(NULL, &store));
    done(nudge_context_new("{\"branch\":\"dev\"}", &here));
    done(nudge_set_hint(store, NULL,
                        "{\"component\":\"api\",\"key\":\"build\",\"value\":\"make\","
                        "\"meta\":{\"scope\":{\"branch\":\"dev\"}}}",
                        NULL));
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        expect(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) expect(pthread_join(threads[i], NULL) == 0);
    done(nudge_get_hint(store, here, "{\"component\":\"api\",\"key\":\"build\"}", &result));
    snprintf(expected, sizeof expected, "\"use_count\":%d", THREADS * ROUNDS);
    expect(strstr(result, expected));
    nudge_string_free(result);
    nudge_context_free(here);
    nudge_free(store);
    return 0;
}
