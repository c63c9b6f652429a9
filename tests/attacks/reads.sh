#: a get from another project
another 'make secret-deploy'
hides secret-deploy agent get web deploy
hides acme/web agent get web deploy
#: a query for another project
another 'make secret-deploy'
hides secret-deploy agent query deploy
hides acme/web agent query deploy --include-ineligible
#: a stated place beyond one's own
another 'make secret-deploy'
hides secret-deploy agent get web deploy --repo git:github.com/acme/web
hides secret-deploy agent query deploy --repo git:github.com/acme/web
#: an export of everything
another 'make secret-deploy'
hides secret-deploy agent export
hides acme/web agent export
#: the list of components
another 'make secret-deploy'
hides deploy agent ls --all
says web user ls --all
#: why tells of another place
another 'make secret-deploy'
hides secret-deploy agent why web deploy
hides acme/web agent why web deploy
#: a program exports without a place
another 'make secret-deploy'
hides secret-deploy rpc export '{"format":"json"}'
hides acme/web rpc export '{"format":"json"}'
#: a program asks with a wildcard
another 'make secret-deploy'
hides secret-deploy rpc query '{"text":"deploy","include_ineligible":true}'
hides acme/web rpc query '{"text":"deploy","include_ineligible":true}'
#: another agent's proposals
user set api build make
codex set api build 'make codex'
hides 'make codex' agent proposals
#: a folder that only names a remote
agent set api test 'make learned'
cd "$HOME" && clone unpacked acme/api && cd unpacked
hides 'make learned' agent get api test
#: a set over what stands in another project
another 'make secret-deploy'
hides secret-deploy agent set web deploy x --scope-repo git:github.com/acme/web --json
hides '"current_version":1' agent set web deploy y --scope-repo git:github.com/acme/web --if-match-version 7 --json
#: a pattern of names
another 'make secret-deploy'
hides '`web`' agent rm 'w*' '*' -y
hides '`web`' agent rm '*' 'dep*' -y
#: a stop counts what is kept elsewhere
another 'make secret-deploy'
user set api build make
says '"kept":1,' agent --json stop -y
