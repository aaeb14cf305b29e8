# What a machine has that a test lacks: systemd with its journal. RUN has the number and the log of the server.
set -euo pipefail

systemctl() {
    local pid
    case "$*" in
    "stop kassa")
        pid=$(cat "$RUN/pid")
        kill -TERM "$pid"
        # Also while nobody has asked how it ended.
        while readlink "/proc/$pid/exe" >"$RUN/exe" 2>&1; do sleep 0.05; done
        ;;
    "start kassa")
        setsid kassa serve </dev/null >/dev/null 2>>"$RUN/log" &
        pid=$!
        echo "$pid" >"$RUN/pid"
        until kassa health >"$RUN/health" 2>&1; do
            if ! readlink "/proc/$pid/exe" >"$RUN/exe" 2>&1; then
                cat "$RUN/log" >&2
                return 1
            fi
            sleep 0.05
        done
        ;;
    *)
        echo "systemctl $*: no test plays this" >&2
        return 1
        ;;
    esac
}

journalctl() { cat "$RUN/log"; }
