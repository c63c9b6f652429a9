// The five lines that every quickstart shows, and what they print.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nudge.h"

// A program of yours has a JSON library; this one only looks for a text or a
// number behind a name.
static const char *after(const char *json, const char *name) {
    const char *found = strstr(json, name);
    return found ? found + strlen(name) : "";
}

static void check(nudge_error *error) {
    if (!error) return;
    fprintf(stderr, "%s\n", nudge_error_message(error));
    exit(1);
}

int main(void) {
    nudge *store;
    nudge_context *here;
    char *answer;

    check(nudge_new(NULL, &store));
    check(nudge_set_hint(store, NULL,
                         "{\"component\": \"http-proxy\", \"key\": \"build\","
                         " \"value\": \"docker compose build router\","
                         " \"meta\": {\"tags\": [\"build\", \"docker\"], \"priority\": 7,"
                         " \"scope\": {\"cwd_glob\": \"**/http-proxy*\", \"branch\": \"dev\"}}}",
                         NULL));

    check(nudge_context_new("{\"cwd\": \"/work/http-proxy\", \"branch\": \"dev\"}", &here));
    const char *build = "{\"component\": \"http-proxy\", \"key\": \"build\"}";
    check(nudge_get_hint(store, here, build, &answer));
    const char *value = after(answer, "\"value\":\"");
    printf("value: %.*s\n", (int)strcspn(value, "\""), value);
    const char *reason = after(answer, "\"reasons\":[");
    while (*reason == '"' || *reason == ',') {
        reason += strspn(reason, ",\"");
        printf("  %.*s\n", (int)strcspn(reason, "\""), reason);
        reason += strcspn(reason, "\"") + 1;
    }
    nudge_string_free(answer);

    check(nudge_bump(store, NULL, build, &answer));
    printf("used: %d\n", atoi(after(answer, "\"use_count\":")));
    nudge_string_free(answer);

    check(nudge_query(store, here, "{\"tags\": [\"build\"]}", &answer));
    printf("hints about building: %d\n", atoi(after(answer, "\"total\":")));
    nudge_string_free(answer);

    nudge_error *error =
        nudge_get_hint(store, NULL,
                       "{\"component\": \"http-proxy\", \"key\": \"build\","
                       " \"context\": {\"cwd\": \"/work/http-proxy/src\", \"branch\": \"dev\"}}",
                       NULL);
    if (error) printf("elsewhere: %s\n", nudge_error_message(error));

    nudge_error_free(error);
    nudge_context_free(here);
    nudge_free(store);
    return 0;
}
