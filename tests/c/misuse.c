// What only C can do wrong: NULL everywhere, texts that are no UTF-8, answers
// that nobody wants. Every call must come back, and with the right error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "nudge.h"

typedef nudge_error *method(const nudge *, const char *, char **);
typedef nudge_error *method_in(const nudge *, const nudge_context *, const char *, char **);

static method *const methods[] = {nudge_export, nudge_import,  nudge_propose, nudge_list_proposals,
                                  nudge_accept, nudge_reject, nudge_stats};
static method_in *const methods_in[] = {nudge_set_hint,    nudge_get_hint,    nudge_query,
                                        nudge_delete_hint, nudge_list_components, nudge_bump,
                                        nudge_set_context, nudge_get_context, nudge_prompt_block,
                                        nudge_on_event};
enum { METHODS = sizeof methods / sizeof *methods };
enum { METHODS_IN = sizeof methods_in / sizeof *methods_in };

// Values of `char *` that no function may leave as they are.
static char rubbish[] = "rubbish";

static void null_is_never_undefined(void) {
    nudge_free(NULL);
    nudge_string_free(NULL);
    nudge_error_free(NULL);
    nudge_context_free(NULL);
    expect(nudge_error_code(NULL) == 0);
    expect(*nudge_error_reason(NULL) == '\0' && *nudge_error_message(NULL) == '\0');
    expect(*nudge_error_data(NULL) == '\0' && *nudge_error_json(NULL) == '\0');

    for (int i = 0; i < METHODS; i++) {
        char *result = rubbish;
        refused(methods[i](NULL, NULL, NULL), NUDGE_E_INVALID);
        refused(methods[i](NULL, "{}", &result), NUDGE_E_INVALID);
        expect(result == NULL);
    }
    for (int i = 0; i < METHODS_IN; i++) {
        char *result = rubbish;
        refused(methods_in[i](NULL, NULL, NULL, &result), NUDGE_E_INVALID);
        expect(result == NULL);
    }
    size_t swept = 7;
    refused(nudge_sweep(NULL, NULL), NUDGE_E_INVALID);
    refused(nudge_sweep(NULL, &swept), NUDGE_E_INVALID);
    refused(nudge_pin_clock(NULL, NULL), NUDGE_E_INVALID);
    nudge *as = (nudge *)rubbish;
    refused(nudge_as(NULL, NULL, NULL), NUDGE_E_INVALID);
    refused(nudge_as(NULL, "{}", &as), NUDGE_E_INVALID);
    expect(as == NULL);
    refused(nudge_context_json(NULL, NULL), NUDGE_E_INVALID);
    char *json = rubbish;
    refused(nudge_context_json(NULL, &json), NUDGE_E_INVALID);
    expect(json == NULL);

    done(nudge_new(NULL, NULL));
    done(nudge_context_new(NULL, NULL));
    done(nudge_here(NULL, NULL, NULL));
}

static void a_store_lives_as_long_as_its_last_handle(void) {
    nudge *store, *agent = (nudge *)rubbish;
    char *result;
    done(nudge_new(NULL, &store));
    done(nudge_as(store, NULL, NULL));
    refused(nudge_as(store, "{\"actor\":\"boss\"}", &agent), NUDGE_E_INVALID);
    expect(agent == NULL);
    done(nudge_as(store, "{\"actor\":\"agent\"}", &agent));
    done(nudge_set_hint(store, NULL, "{\"component\":\"api\",\"key\":\"build\",\"value\":\"make\"}", NULL));
    nudge_free(store);
    done(nudge_get_hint(agent, NULL, "{\"component\":\"api\",\"key\":\"build\"}", &result));
    expect(strstr(result, "\"make\""));
    nudge_string_free(result);
    refused(nudge_export(agent, "{\"include_secrets\":true}", NULL), NUDGE_E_FORBIDDEN);
    nudge_free(agent);
}

static void a_store_takes_null_where_the_header_says_so(void) {
    nudge *store;
    nudge_context *nowhere;
    char *result;
    done(nudge_new(NULL, &store));
    done(nudge_context_new(NULL, &nowhere));
    done(nudge_set_hint(store, NULL, "{\"component\":\"api\",\"key\":\"build\",\"value\":\"make\"}", NULL));
    done(nudge_list_components(store, NULL, NULL, &result));
    expect(strstr(result, "\"api\""));
    nudge_string_free(result);
    done(nudge_query(store, NULL, NULL, NULL));
    done(nudge_query(store, nowhere, NULL, NULL));
    refused(nudge_get_hint(store, NULL, NULL, NULL), NUDGE_E_INVALID);
    done(nudge_call(store, nowhere, "query", NULL, NULL));
    done(nudge_call(store, NULL, "nudge.query", NULL, NULL));
    refused(nudge_call(store, NULL, "nudge.nope", NULL, NULL), NUDGE_E_INVALID);
    refused(nudge_call(store, NULL, NULL, NULL, NULL), NUDGE_E_INVALID);
    refused(nudge_call(NULL, NULL, "query", NULL, NULL), NUDGE_E_INVALID);
    done(nudge_sweep(store, NULL));
    done(nudge_pin_clock(store, NULL));
    nudge_context_free(nowhere);
    nudge_free(store);
}

static void what_is_no_json_is_refused_and_nothing_is_stored(void) {
    static const char *const texts[] = {
        "",
        " ",
        "{",
        "[]",
        "null",
        "\"text\"",
        "{\"component\":\"a\",\"key\":\"\xff\xfe\",\"value\":\"x\"}",
        "{\"component\":\"a\xc3\",\"key\":\"k\",\"value\":\"x\"}",
        "\xef\xbb\xbf{\"component\":\"a\",\"key\":\"k\",\"value\":\"x\"}",
        "{\"component\":\"a\",\"key\":\"\\ud800\",\"value\":\"x\"}",
        "{\"component\":\"a\",\"key\":\"k\",\"value\":\"x\",\"meta\":{\"confidence\":NaN}}",
        "{\"component\":\"a\",\"key\":\"k\",\"value\":\"x\",\"meta\":{\"priority\":1e999}}",
        "{\"component\":\"a\",\"key\":\"k\\u0000\",\"value\":\"x\"}",
    };
    nudge *store;
    char *result;
    done(nudge_new(NULL, &store));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        result = rubbish;
        refused(nudge_set_hint(store, NULL, texts[i], &result), NUDGE_E_INVALID);
        expect(result == NULL);
    }
    done(nudge_list_components(store, NULL, "{}", &result));
    expect(!strcmp(result, "{\"components\":[]}"));
    nudge_string_free(result);

    nudge *none = (nudge *)rubbish;
    refused(nudge_new("{\"limits\":7}", &none), NUDGE_E_INVALID);
    expect(none == NULL);
    nudge_context *nowhere = (nudge_context *)rubbish;
    refused(nudge_context_new("{\"cwd\":\"\xff\"}", &nowhere), NUDGE_E_INVALID);
    expect(nowhere == NULL);
    refused(nudge_here(store, "{\"cdw\":\"/\"}", &nowhere), NUDGE_E_INVALID);
    refused(nudge_pin_clock(store, "\xff"), NUDGE_E_INVALID);
    refused(nudge_pin_clock(store, "noon"), NUDGE_E_INVALID);
    nudge_free(store);
}

static void deep_nesting_does_not_exhaust_the_stack(void) {
    enum { DEPTH = 1000000 };
    static const char start[] = "{\"component\":\"a\",\"key\":\"k\",\"value\":{\"type\":\"json\",\"data\":";
    char *text = malloc(sizeof start + DEPTH);
    expect(text);
    strcpy(text, start);
    memset(text + sizeof start - 1, '[', DEPTH);
    text[sizeof start - 1 + DEPTH] = '\0';
    nudge *store;
    done(nudge_new(NULL, &store));
    refused(nudge_set_hint(store, NULL, text, NULL), NUDGE_E_INVALID);
    nudge_free(store);
    free(text);
}

static void an_error_tells_all_it_knows(void) {
    nudge *store;
    done(nudge_new("{\"limits\":{\"hints\":1}}", &store));
    done(nudge_set_hint(store, NULL, "{\"component\":\"api\",\"key\":\"build\",\"value\":\"make\"}", NULL));
    nudge_error *error = nudge_get_hint(store, NULL, "{\"component\":\"api\",\"key\":\"biuld\"}", NULL);
    expect(nudge_error_code(error) == NUDGE_E_NOT_FOUND);
    expect(!strcmp(nudge_error_reason(error), "E_NOT_FOUND"));
    expect(!strcmp(nudge_error_message(error), "`api` has no `biuld`; it has `build`"));
    expect(strstr(nudge_error_data(error), "\"detail\":\"no_slot\""));
    expect(strstr(nudge_error_json(error), "\"code\":40401"));
    expect(nudge_error_message(error) == nudge_error_message(error));
    nudge_error_free(error);
    refused(nudge_set_hint(store, NULL, "{\"component\":\"api\",\"key\":\"test\",\"value\":\"x\"}", NULL),
            NUDGE_E_QUOTA);
    nudge_free(store);
}

static void an_answer_outlives_its_store(void) {
    nudge *store;
    nudge_context *here;
    char *result;
    done(nudge_new(NULL, &store));
    done(nudge_here(store, "{\"cwd\":\"/work/api/\",\"repo\":\"https://github.com/acme/api.git\"}", &here));
    done(nudge_set_hint(store, NULL, "{\"component\":\"api\",\"key\":\"build\",\"value\":\"make\"}", &result));
    nudge_free(store);
    expect(strstr(result, "\"created\":true"));
    nudge_string_free(result);
    done(nudge_context_json(here, &result));
    expect(strstr(result, "\"cwd\":\"/work/api\"") && strstr(result, "git:github.com/acme/api"));
    nudge_string_free(result);
    nudge_context_free(here);
}

static void a_pinned_clock_ends_a_hint(void) {
    nudge *store;
    size_t swept;
    done(nudge_new(NULL, &store));
    done(nudge_pin_clock(store, "2025-11-04T10:00:00Z"));
    done(nudge_set_hint(
        store, NULL, "{\"component\":\"api\",\"key\":\"x\",\"value\":\"1\",\"meta\":{\"ttl\":\"PT2H\"}}", NULL));
    done(nudge_sweep(store, &swept));
    expect(swept == 0);
    done(nudge_pin_clock(store, "2025-11-04T12:00:00Z"));
    refused(nudge_get_hint(store, NULL, "{\"component\":\"api\",\"key\":\"x\"}", NULL), NUDGE_E_NOT_FOUND);
    done(nudge_sweep(store, &swept));
    expect(swept == 1);
    nudge_free(store);
}

int main(void) {
    null_is_never_undefined();
    a_store_lives_as_long_as_its_last_handle();
    a_store_takes_null_where_the_header_says_so();
    what_is_no_json_is_refused_and_nothing_is_stored();
    deep_nesting_does_not_exhaust_the_stack();
    an_error_tells_all_it_knows();
    an_answer_outlives_its_store();
    a_pinned_clock_ends_a_hint();
    expect(!strcmp(nudge_version(), NUDGE_VERSION));
    return 0;
}
