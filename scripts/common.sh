# SPDX-License-Identifier: MIT
# Shared by scripts/run, scripts/test and scripts/bench-peers: installs what is missing and builds. Sourced, not run.

# What the build needs: a command, header or Python module (python3:NAME) that shows it is there, and the Debian package
# that brings it.
needs='
cc gcc
c++ g++
meson meson
ninja ninja-build
pkg-config pkg-config
python3 python3
simde/x86/avx2.h libsimde-dev
cmocka.h libcmocka-dev
jansson.h libjansson-dev
gmp.h libgmp-dev
benchmark/benchmark.h libbenchmark-dev
'

have() {
  case $1 in
    *.h) compgen -G "/usr/include/$1" || compgen -G "/usr/include/*-linux-*/$1" || [ -e "/usr/local/include/$1" ] ;;
    python3:*) /usr/bin/python3 -c "import ${1#*:}" 2>/dev/null ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

missing_packages() {
  echo "$needs" | while read -r thing package; do
    [ -z "$thing" ] || have "$thing" >/dev/null || echo "$package"
  done
}

install_missing() {
  local missing as_root=
  missing=$(missing_packages | tr '\n' ' ')
  [ -n "${missing// /}" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then
      as_root='sudo -n env'
    else
      echo "These packages are missing; please install them and try again:" >&2
      echo "    sudo apt-get install $missing" >&2
      exit 4
    fi
  fi
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "These Debian packages, or what your system calls them, are missing: $missing" >&2
    exit 4
  fi
  echo "Installing $missing" >&2
  $as_root apt-get update -qq >&2
  ${as_root:-env} DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}

# build DIR [meson options]: configures once and compiles.
build() {
  local dir=$1
  shift
  if [ ! -f "$dir/build.ninja" ]; then
    rm -rf "$dir"
    meson setup "$dir" "$@" >"$dir.log" 2>&1 || { cat "$dir.log" >&2; exit 1; }
  fi
  ninja -C "$dir" >"$dir.log" 2>&1 || { tail -n 60 "$dir.log" >&2; exit 1; }
}
