// The header is C++ as well, and an error can be owned as C++ owns things.
#include <memory>
#include <string>

#include "nudge.h"

struct Free {
    void operator()(nudge *store) const { nudge_free(store); }
    void operator()(nudge_error *error) const { nudge_error_free(error); }
};

int main() {
    nudge *made = nullptr;
    std::unique_ptr<nudge_error, Free> error(nudge_new(nullptr, &made));
    std::unique_ptr<nudge, Free> store(made);
    if (error || !store) return 1;
    error.reset(nudge_get_hint(store.get(), nullptr, R"({"component": "api", "key": "build"})", nullptr));
    return std::string(nudge_error_reason(error.get())) == "E_NOT_FOUND" ? 0 : 1;
}
