#: a folder of 5,000 bytes
long=$(printf '%5000s' '' | tr ' ' a)
says E_INVALID rpc get_hint "{\"component\":\"api\",\"key\":\"build\",\"context\":{\"cwd\":\"/$long\"}}"
#: a thousand and one variables
many=$(seq 1 1001 | sed 's/.*/"V&":"x"/' | paste -sd, -)
says E_INVALID rpc get_hint "{\"component\":\"api\",\"key\":\"build\",\"context\":{\"env\":{$many}}}"
#: a regex that takes minutes
agent set api build make
says E_INVALID rpc query '{"regex":"((((a{1,50}){1,50}){1,50}){1,50}){1,50}"}'
#: a value of 9,000 bytes
refuses '' agent set api build "$(printf '%9000s' '' | tr ' ' a)"
#: a glob that climbs
says E_SCOPE_INVALID rpc set_hint '{"component":"api","key":"build","value":"x","meta":{"scope":{"cwd_glob":["/a/../../etc/**"]}}}'
#: 65 patterns
many=$(seq 1 65 | sed 's/.*/"\/a&\/**"/' | paste -sd, -)
says E_INVALID rpc set_hint "{\"component\":\"api\",\"key\":\"build\",\"value\":\"x\",\"meta\":{\"scope\":{\"cwd_glob\":[$many]}}}"
#: a name of 129 bytes
refuses '' agent set "$(printf '%129s' '' | tr ' ' a)" build make
#: a duration of a thousand years
refuses '' agent set api build make --ttl P365000D
