# What the trials of all packages share.
#
# A trial says how things are done with its package:
#   server             the command that runs the server
#   inside COMMAND…    runs `kassa COMMAND…` where it is installed, as the user of the server
#   upgrade            puts the new package in place of the old one, and starts the server anew
# shellcheck shell=bash

ship=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# What is waited for comes in this many tenths of a second, or never.
tries_max=600

say() { printf '%s\n' "ship: $*"; }

die() {
    say "FAILED: $*" >&2
    [ -z "${folder-}" ] || [ ! -s "$folder/log" ] || tail -n 40 "$folder/log" >&2
    exit 1
}

# Waits until a command succeeds.
wait_until() {
    local tries=$tries_max
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || die "this did not come: $*"
        sleep 0.1
    done
}

is_free() { ! (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# A port that nobody has.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 12000))
        if is_free "$port"; then
            printf '%s\n' "$port"
            return
        fi
    done
}

# Begins a trial, whose notes are in the folder $1.
begin() {
    folder=$1
    mkdir -p "$folder"
    port=$(free_port)
    # shellcheck disable=SC2034 # Trials have the server listen there.
    ops=$(free_port)
    url=http://127.0.0.1:$port
    supervisor=
    loader=
    trap give_up EXIT
}

# Nothing runs on after a failure.
give_up() {
    touch "$folder/stop" "$folder/enough" 2>/dev/null || true
    if [ -n "$loader" ]; then kill "$loader" 2>/dev/null || true; fi
    if [ -n "$supervisor" ]; then
        kill "$(server_number)" "$supervisor" 2>/dev/null || true
    fi
}

# The number of the server: what runs it may be a program around it.
server_number() {
    local number
    number=$(cat "$folder/pid" 2>/dev/null) || return 0
    while [ "$(cat "/proc/$number/comm" 2>/dev/null)" != kassa ]; do
        number=$(cut -d ' ' -f 1 "/proc/$number/task/$number/children" 2>/dev/null)
        [ -n "$number" ] || return 0
    done
    printf '%s\n' "$number"
}

# Starts the server with a socket that stays, and waits until it is ready.
start() {
    rm -f "$folder/stop" "$folder/pid"
    # shellcheck disable=SC2154 # The trial has said it.
    systemd-socket-activate --listen="127.0.0.1:$port" --fdname=http "$ship/supervise" "$folder" \
        "${server[@]}" >>"$folder/log" 2>&1 &
    supervisor=$!
    # The first client starts it.
    wait_until curl --silent --output /dev/null "$url/"
    wait_until inside health
}

stop() {
    touch "$folder/stop"
    kill -TERM "$(server_number)"
    wait "$supervisor" || die "the server did not end in order"
    supervisor=
    rm -f "$folder/pid"
}

# Starts the server anew where its package does not, as an operator does.
restart() {
    local before
    before=$(cat "$folder/pid")
    kill -TERM "$(server_number)"
    wait_until is_another "$before"
    wait_until inside health
}

is_another() { [ "$(cat "$folder/pid")" != "$1" ]; }

client() { python3 "$ship/client.py" "$1" "$url" "$folder/state.json" "${@:2}"; }

# An upgrade while clients ask and sell.
upgrade_under_load() {
    local before after
    rm -f "$folder/enough"
    client load "$folder/enough" >"$folder/load" 2>&1 &
    loader=$!
    before=$(server_number)
    # Sales are under way.
    wait_until at_least 30
    upgrade
    after=$(server_number)
    { [ -n "$after" ] && [ "$after" != "$before" ]; } || die "no new server runs after the upgrade"
    inside health >/dev/null || die "the new server is not ready"
    client sell >"$folder/sold" || die "the new server does not sell"
    touch "$folder/enough"
    wait "$loader" || die "clients were refused: $(cat "$folder/load")"
    loader=
    say "upgraded under load, nobody was refused: $(cat "$folder/load")"
}

# Whether so many tickets are sold, with two more.
at_least() { [ "$(client sell)" -ge "$1" ]; }

# The server's own backup, in place of its data, which is in the folder $1. The user of the server may write to /backup.
restore_from_backup() {
    local data=$1 before after
    before=$(client sell)
    inside backup /backup/kassa.tar >/dev/null || die "no backup could be made"
    stop
    find "$data" -mindepth 1 -maxdepth 1 ! -name secret -exec rm -rf {} +
    inside restore /backup/kassa.tar --data /var/lib/kassa >/dev/null || die "the backup could not be restored"
    inside verify >"$folder/verified" || die "what was restored does not agree: $(cat "$folder/verified")"
    start
    after=$(client sell)
    [ "$after" -eq $((before + 2)) ] || die "$before tickets were sold before the backup, $after after one more order"
    say "restored from its own backup: $before tickets, and one order more; $(tail -n 1 "$folder/verified")"
}

# All paths below the folder $1, but for what is gone when a machine starts anew.
listing() {
    find "$1" -mindepth 1 \( -path "$1/proc" -o -path "$1/dev" -o -path "$1/run" \) -prune -o -printf '%P\n' | sort
}
