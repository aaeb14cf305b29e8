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

# Programs with Debian's packages of them, each as program:package.
need_tools() {
    local tool package
    for tool in "$@"; do
        package=${tool#*:} tool=${tool%:*}
        command -v "$tool" >/dev/null || install_packages "$package"
        command -v "$tool" >/dev/null || die "$tool is needed; install it as root: apt-get install $package"
    done
}

need_python() {
    if python3 -c 'import ensurepip, venv' 2>/dev/null; then return; fi
    install_packages python3 python3-venv
    python3 -c 'import ensurepip, venv' 2>/dev/null ||
        die "Python with venv is needed; install it as root: apt-get install python3 python3-venv"
}

# A virtual environment in the folder $1 with the packages that the file $2 lists, and no others.
need_python_packages() {
    need_python
    if "$1/bin/python" -c '' 2>/dev/null && cmp -s "$2" "$1/installed.txt"; then return; fi
    say "installing Python packages into $1"
    rm -rf "$1"
    python3 -m venv "$1" || die "no virtual environment could be made in $1"
    "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$2" ||
        die "pip could not install what $2 lists: a package index that it can reach is needed"
    cp "$2" "$1/installed.txt"
}

# The JavaScript of the folder $1 in the folder $2, with the packages that its lock file lists, and no others.
need_node_packages() {
    if cmp -s "$1/package-lock.json" "$2/installed.json"; then
        cp "$1"/* "$2"
        return
    fi
    if ! { command -v node && command -v npm; } >/dev/null; then
        install_packages nodejs npm
        { command -v node && command -v npm; } >/dev/null ||
            die "Node.js and npm are needed; install them as root: apt-get install nodejs npm"
    fi
    say "installing JavaScript packages into $2"
    rm -rf "$2"
    mkdir -p "$2"
    cp "$1"/* "$2"
    npm ci --prefix "$2" --no-fund --no-audit --ignore-scripts --loglevel error ||
        die "npm could not install what $1/package-lock.json lists: a registry that it can reach is needed"
    cp "$1/package-lock.json" "$2/installed.json"
}

# Chromium, whose path is in KASSA_CHROMIUM from then on. Where it cannot be had, that is empty, and tests with a browser
# say that they were skipped; continuous integration fails.
need_chromium() {
    if ! command -v chromium >/dev/null; then install_packages chromium; fi
    KASSA_CHROMIUM=$(command -v chromium) || {
        if [ "${CI-}" = true ]; then die "Chromium is needed; install it as root: apt-get install chromium"; fi
        say "tests with a browser are skipped: they need Chromium; install it as root: apt-get install chromium"
    }
    export KASSA_CHROMIUM
}
