// The C surface of the conformance tests; ../README.md has the protocol.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nudge.h"

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
        } else if (!strcmp(line, "connect")) {
            nudge_free(store);
            error = nudge_connect(json, &store);
        } else if (!strcmp(line, "as")) {
            // The store lives on in its other handle.
            nudge *before = store;
            error = nudge_as(before, json, &store);
            nudge_free(before);
        } else if (!strcmp(line, "at")) {
            json[strcspn(json + 1, "\"") + 1] = '\0';
            error = nudge_pin_clock(store, json + 1);
        } else {
            error = nudge_call(store, NULL, line, json, &result);
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
