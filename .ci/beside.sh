# To be sourced: steps side by side. `beside NAME COMMAND ...` starts one; `all_ended` waits for
# all of them, shows what each said, and fails if any of them failed.
beside_names=()
beside_pids=()
beside_said=$(mktemp -d)

# Each has a process group of its own, which ends as a whole.
end_beside() {
    local pid
    for pid in ${beside_pids[@]+"${beside_pids[@]}"}; do
        kill -- "-$pid" 2>/dev/null || true
    done
    rm -rf "$beside_said"
}
trap end_beside EXIT

beside() {
    local name=$1
    shift
    set -m
    "$@" >"$beside_said/$name" 2>&1 </dev/null &
    set +m
    beside_names+=("$name")
    beside_pids+=("$!")
}

all_ended() {
    local at failed=()
    for at in "${!beside_pids[@]}"; do
        wait "${beside_pids[at]}" || failed+=("${beside_names[at]}")
        echo "+ ${beside_names[at]}"
        cat "$beside_said/${beside_names[at]}"
    done
    beside_names=()
    beside_pids=()
    if [ "${#failed[@]}" -gt 0 ]; then
        echo "failed: ${failed[*]}" >&2
        return 1
    fi
}
