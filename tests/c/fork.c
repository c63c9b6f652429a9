// Forks beside busy threads: each child has a copy of the store that it can use, and so can
// its own child.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

enum { THREADS = 4, FORKS = 200, DEADLINE_SECONDS = 20 };

static nudge *store;
static volatile sig_atomic_t is_over;

static void use(const char *name) {
    char set[128], get[128], *result;
    snprintf(set, sizeof set, "{\"component\":\"api\",\"key\":\"%s\",\"value\":\"make\"}", name);
    snprintf(get, sizeof get, "{\"component\":\"api\",\"key\":\"%s\"}", name);
    done(nudge_set_hint(store, NULL, set, NULL));
    done(nudge_bump(store, NULL, get, NULL));
    done(nudge_query(store, NULL, "{\"regex\":\"mak\"}", NULL));
    done(nudge_get_hint(store, NULL, get, &result));
    expect(strstr(result, "\"value\":\"make\""));
    nudge_string_free(result);
}

static void *work(void *name) {
    while (!is_over) {
        nudge *other;
        use(name);
        done(nudge_as(store, "{\"actor\":\"agent\"}", &other));
        nudge_free(other);
    }
    return NULL;
}

// Whether a child ends well; the alarm kills one that hangs.
static int ends_well(pid_t child) {
    int status;
    expect(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void) {
    static char names[THREADS][8];
    pthread_t threads[THREADS];
    done(nudge_new(NULL, &store));
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof names[i], "own-%d", i);
        expect(pthread_create(&threads[i], NULL, work, names[i]) == 0);
    }
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        expect(child >= 0);
        if (child == 0) {
            pid_t grandchild = i % 10 == 0 ? fork() : 1;
            alarm(DEADLINE_SECONDS);
            use("child");
            _exit(grandchild > 1 && !ends_well(grandchild));
        }
        if (!ends_well(child)) {
            fprintf(stderr, "%s: the child of fork %d did not answer\n", __FILE__, i);
            _exit(1); // The threads are still at work.
        }
    }
    is_over = 1;
    for (int i = 0; i < THREADS; i++) expect(pthread_join(threads[i], NULL) == 0);
    refused(nudge_get_hint(store, NULL, "{\"component\":\"api\",\"key\":\"child\"}", NULL), NUDGE_E_NOT_FOUND);
    nudge_free(store);
    return 0;
}
