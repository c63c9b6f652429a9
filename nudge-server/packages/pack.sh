# Packs what has the binary into $dist, by way of $stage: for each of TARGETS an archive, a package for
# npm, a bundle for MCPB, on Linux a .deb, on Windows a .zip with what scoop and winget need; and once the packages for hosts, the Homebrew formula,
# install.sh, a Dockerfile, and server.json with all of them. Sourced by dist.sh and tests/dist/try.
# TARGETS are those of `rustc`, one a platform, this machine's without it; others are at target/TARGET/release, where
# `cargo build --release --target` puts them. NUDGE_BINARY is another binary for this machine.
built=${CARGO_TARGET_DIR:-target}/release
value() { sed -n "s/^$1 = \"\(.*\)\"$/\1/p" Cargo.toml | head -n 1; }
version=$(value version)
# Whoever publishes sets the repository in Cargo.toml.
repository=$(value repository)
release=$repository/releases/download/v$version
target=$(rustc -vV | sed -n 's/^host: //p')
TARGETS=${TARGETS:-$target}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

# pack FOLDER FILE: a folder of the stage as an archive. The same sources give the same bytes: every
# file is of the time of the commit and of the same mode whatever the umask, and a list is sorted.
pack() {
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=u+rw,go=rX \
        -C "$stage" -cf - "$1" | gzip -9n >"$dist/$2"
}
# What npm takes is an archive of a folder of this name.
pack_npm() {
    mv "$1" "$stage/package"
    pack package "$2"
    rm -rf "$stage/package"
}
# example NAME FOLDER: the flags of a release would build everything once more.
example() { env -u RUSTFLAGS cargo run --quiet --locked --package nudge-hints-server --example "$1" -- "$2"; }

# platform TARGET: the system and the processor as npm calls them, and the processor as Debian does.
platform() {
    case $1 in
    x86_64-*-linux-*) echo linux x64 amd64 ;;
    aarch64-*-linux-*) echo linux arm64 arm64 ;;
    x86_64-apple-*) echo darwin x64 - ;;
    aarch64-apple-*) echo darwin arm64 - ;;
    x86_64-pc-windows-*) echo win32 x64 - ;;
    *) echo "dist: no package is made for $1" >&2; exit 1 ;;
    esac
}

# The binary of this machine, by which the completions are printed too.
nudge=$stage/nudge
strip -o "$nudge" "${NUDGE_BINARY:-$built/nudge}"
mkdir "$stage/completions"
for shell in bash zsh fish powershell; do
    "$nudge" completions "$shell" >"$stage/completions/nudge.$shell"
done
made=$stage/made
example man "$stage/man"
example plugins "$made"

# The binary, with its pages and completions.
pack_archive() {
    name=nudge-$version-$1
    mkdir -p "$stage/$name/docs"
    cp "$binary" "$stage/$name/"
    cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$stage/$name"
    cp docs/*.md docs/*.json docs/*.svg "$stage/$name/docs"
    cp -r "$stage/man" "$stage/completions" "$stage/$name"
    pack "$name" "$name.tar.gz"
}

# pack_bundle TARGET SYSTEM: a zip, whose times are those of the files.
pack_bundle() {
    bundle=$stage/bundle-$1
    mkdir -p "$bundle/server"
    cp "$made/mcpb/$2/manifest.json" "$bundle"
    cp "$binary" "$bundle/server"
    chmod -R u+rw,go=rX "$bundle"
    find "$bundle" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$bundle" && TZ=UTC zip -q -X -9 "$dist/nudge-$version-$1.mcpb" manifest.json "server/${binary##*/}")
}

# pack_deb PROCESSOR: where Debian has things.
pack_deb() {
    deb=$stage/deb-$1
    share=$deb/usr/share
    mkdir -p "$deb/DEBIAN" "$deb/usr/bin" "$share/man" "$share/doc/nudge-hints" "$share/bash-completion/completions" \
        "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
    cp "$binary" "$deb/usr/bin/nudge"
    cp -r "$stage/man" "$share/man/man1"
    gzip -9n "$share"/man/man1/*
    cp "$stage/completions/nudge.bash" "$share/bash-completion/completions/nudge"
    cp "$stage/completions/nudge.zsh" "$share/zsh/vendor-completions/_nudge"
    cp "$stage/completions/nudge.fish" "$share/fish/vendor_completions.d/nudge.fish"
    cat LICENSE-MIT LICENSE-APACHE >"$share/doc/nudge-hints/copyright"
    gzip -9nc CHANGELOG.md >"$share/doc/nudge-hints/changelog.gz"
    cat >"$deb/DEBIAN/control" <<CONTROL
Package: nudge-hints
Version: $version
Architecture: $1
Maintainer: Nudge <$repository>
Homepage: $repository
Section: devel
Priority: optional
Description: $(value description)
CONTROL
    # It is static where the C library can be had so.
    ! readelf -d "$binary" | grep -q NEEDED || echo "Depends: libc6" >>"$deb/DEBIAN/control"
    chmod -R u+rw,go=rX "$deb"
    dpkg-deb --root-owner-group -Zxz --build "$deb" "$dist/nudge-hints_${version}_$1.deb" >/dev/null
}

for each in $TARGETS; do
    set -- $(platform "$each")
    mkdir -p "$stage/binary-$each"
    binary=$stage/binary-$each/nudge
    if [ "$each" = "$target" ]; then
        cp "$nudge" "$binary"
    else
        # Its own linker stripped it.
        [ "$1" != win32 ] || binary=$binary.exe
        cp "${built%/release}/$each/release/${binary##*/}" "$binary"
    fi
    chmod 755 "$binary"
    pack_archive "$each"
    pack_bundle "$each" "$1"
    cp "$binary" LICENSE-MIT LICENSE-APACHE "$made/npm/$1-$2"
    pack_npm "$made/npm/$1-$2" "nudge-hints-$1-$2-$version.tgz"
    if [ "$3" != - ]; then
        if command -v dpkg-deb >/dev/null; then pack_deb "$3"; else echo "NOT BUILT: the .deb; it needs dpkg-deb" >&2; fi
    fi
    # Windows opens this without another program, and its packagers ask for it.
    if [ "$1" = win32 ]; then
        windows=nudge-$version-$each
        find "$stage/$windows" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
        (cd "$stage" && find "$windows" | sort | TZ=UTC zip -q -X -9 -@ "$dist/$windows.zip")
        for file in nudge-hints.json winget.yaml; do
            sed -e "s|@WINDOWS@|$windows|g" -e "s|@WINDOWS_SHA256@|$(sha256sum "$dist/$windows.zip" | cut -d' ' -f1)|g" \
                -e "s|@VERSION@|$version|g" -e "s|@RELEASE@|$release|g" -e "s|@REPOSITORY@|$repository|g" \
                "nudge-server/packages/$file" >"$dist/$file"
        done
    fi
    case $1-$2 in linux-arm64 | darwin-arm64) processor=arm ;; *) processor=intel ;; esac
    case $1 in linux) system=linux image=${image:-$each} ;; darwin) system=macos ;; win32) continue ;; esac
    cat >>"$stage/archives.rb" <<FORMULA
  on_$system do
    on_$processor do
      url "$release/nudge-$version-$each.tar.gz"
      sha256 "$(sha256sum "$dist/nudge-$version-$each.tar.gz" | cut -d' ' -f1)"
    end
  end

FORMULA
done

# What is the same on every system.
cp LICENSE-MIT LICENSE-APACHE "$made/npm/nudge-hints"
cp LICENSE-MIT LICENSE-APACHE "$made/README.md" "$made/opencode"
pack_npm "$made/npm/nudge-hints" "nudge-hints-$version.tgz"
pack_npm "$made/opencode" "nudge-hints-opencode-$version.tgz"
rm -rf "$made/npm" "$made/mcpb"
mv "$made" "$stage/nudge-plugins"
pack nudge-plugins "nudge-plugins-$version.tar.gz"
fill() {
    sed -e "/@ARCHIVES@/{r $stage/archives.rb" -e 'd}' -e "s|@VERSION@|$version|g" -e "s|@RELEASE@|$release|g" \
        -e "s|@REPOSITORY@|$repository|g" -e "s|@TARGET@|${image:-}|g" "nudge-server/packages/$1" >"$dist/$1"
}
for file in install.sh nudge-hints.rb Dockerfile; do fill "$file"; done
# The registry wants the checksum of a bundle, which nobody knows before.
python3 - "$dist" "$release" <<'PYTHON'
import hashlib, json, pathlib, sys
dist, release = pathlib.Path(sys.argv[1]), sys.argv[2]
server = json.loads(pathlib.Path("server.json").read_text())
settings = server["packages"][0]["environmentVariables"]
server["packages"] += [
    {
        "registryType": "mcpb",
        "identifier": f"{release}/{bundle.name}",
        "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
        "transport": {"type": "stdio"},
        "environmentVariables": settings,
    }
    for bundle in sorted(dist.glob("*.mcpb"))
]
(dist / "server.json").write_text(json.dumps(server, indent=2) + "\n")
PYTHON
