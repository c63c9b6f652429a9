#: a token of a provider
refuses secret user set api note "ghp_""9aB8cD7eF6gH5iJ4kL3mN2oP1qR0sT9uV8wX"
#: in full-width letters
refuses secret user set api note "ＰＡＳＳＷＯＲＤ＝xK92mQp7Lw"
#: with characters that nobody sees
refuses secret user set api note "$(printf 'DB_PASSWORD=xK9\342\200\2132mQp7Lw')"
#: in base64
refuses secret user set api note "$(printf 'DB_PASSWORD=xK92mQp7Lw make' | base64)"
#: in the reason
refuses secret user set api note x --reason 'DB_PASSWORD=xK92mQp7Lw'
#: in a tag
refuses secret user set api note x --tag 'ghp_9aB8cD7eF6gH5iJ4kL3mN2oP1qR0sT9uV8wX'
#: in a condition
refuses secret user set api note x --env 'DB_PASSWORD=xK92mQp7Lw'
#: the refusal does not repeat it
hides xK92mQp7Lw user set api note 'mysql -pxK92mQp7Lw app'
#: an agent is not told how to store it
hides allow-secret agent set api note 'mysql -pxK92mQp7Lw app'
#: in what was recorded
ran 'echo xK92mQp7Lw | sudo -S make'
says sudo user log
hides xK92mQp7Lw user log
hides xK92mQp7Lw user search sudo
#: a file that others could have written turns the guard off
file=$HOME/.config/nudge-hints/config.toml && mkdir -p "${file%/*}" && echo 'secret_guard = false' >"$file"
config() { as NUDGE_RUNTIME_DIR="$HOME/none" "$NUDGE" config; }
says 'secret_guard = false' config
is_unused() { says "is not used: $1" config && says 'secret_guard = true' config && [ "$status" = 0 ]; }
chmod 664 "$file" && is_unused 'others may write to it; `chmod go-w` keeps them out'
chmod 646 "$file" && is_unused 'others may write to it; `chmod go-w` keeps them out'
mv "$file" "$HOME/elsewhere" && ln -s "$HOME/elsewhere" "$file" && is_unused 'it is a link'
rm "$file" && mkdir "$file" && is_unused 'it is not a regular file'
