# For scripts that need something of the machine; they say what they do with a `say` of their own.
# shellcheck shell=bash

# Runs a command as root, when that can be had.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        return 1
    elif { : </dev/tty; } 2>/dev/null; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

# Installs packages of Debian where that is possible. Whether it helped is for the caller to see.
install_packages() {
    say "installing $*"
    if command -v apt-get >/dev/null; then
        {
            as_root apt-get update &&
                as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
        } || say "apt-get did not succeed"
    fi
}
