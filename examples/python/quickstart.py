"""The five lines that every quickstart shows, and what they print."""

from nudge import Context, NotFoundError, Nudge

store = Nudge()
store.set_hint(
    "http-proxy",
    "build",
    "docker compose build router",
    tags=["build", "docker"],
    priority=7,
    cwd_glob="**/http-proxy*",
    branch="dev",
)

here = Context(cwd="/work/http-proxy", branch="dev")
found = store.get_hint("http-proxy", "build", context=here)
print("value:", found.text)
for reason in found.match_explain.reasons:
    print(" ", reason)

used = store.bump("http-proxy", "build")
print("used:", used.hint.use_count)

known = store.query(tags=["build"], context=here)
print("hints about building:", known.total)

elsewhere = Context(cwd="/work/http-proxy/src", branch="dev")
try:
    store.get_hint("http-proxy", "build", context=elsewhere)
except NotFoundError as error:
    print("elsewhere:", error)
