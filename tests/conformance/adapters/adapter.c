// The C surface of the conformance tests; ../README.md has the protocol.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nudge.h"

typedef nudge_error *method(const nudge *, const char *, char **);

static const struct {
    const char *word;
    method *call;
} methods[] = {
    {"set_hint", nudge_set_hint},       {"get_hint", nudge_get_hint},
    {"query", nudge_query},             {"delete_hint", nudge_delete_hint},
    {"bump", nudge_bump},               {"list_components", nudge_list_components},
    {"export", nudge_export},           {"import", nudge_import},
    {"set_context", nudge_set_context}, {"get_context", nudge_get_context},
    {"propose", nudge_propose},         {"list_proposals", nudge_list_proposals},
    {"accept", nudge_accept},           {"reject", nudge_reject},
};

int main(void) {
    nudge *store = NULL;
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        line[strcspn(line, "\n")] = '\0';
        char *json = strchr(line, '\t');
        if (!json) return 2;
        *json++ = '\0';

        nudge_error *error = NULL;
        char *result = NULL;
        if (!strcmp(line, "open")) {
            nudge_free(store);
            error = nudge_new(json, &store);
        } else if (!strcmp(line, "at")) {
            json[strcspn(json + 1, "\"") + 1] = '\0';
            error = nudge_pin_clock(store, json + 1);
        } else {
            for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
                if (!strcmp(line, methods[i].word)) error = methods[i].call(store, json, &result);
        }
        if (error) printf("error\t%s\n", nudge_error_json(error));
        if (result) printf("ok\t%s\n", result);
        fflush(stdout);
        nudge_string_free(result);
        nudge_error_free(error);
    }
    nudge_free(store);
    free(line);
    return 0;
}
