#!/usr/bin/env bash
# What a maintainer runs on a machine with an NVIDIA GPU before a release: real hardware finds what a
# GPU in software forgives.
#
#   release/check-gpu.sh PROGRAM FOLDER
#
# PROGRAM is the built `equipoise`, with `equipoise-lab` in the same folder; FOLDER keeps what every step printed. A step that is done is not
# run again, so that a check that was stopped goes on where it was; another PROGRAM begins anew. The
# steps:
#
#   1. the self-test as a user runs it, and with large inputs, suite by suite; the conformance suites with large inputs;
#   2. the four tools of compute-sanitizer on every suite, schedule by schedule and strategy by
#      strategy for the suites that take long;
#   3. searches, coloring and a product on graphs of over 2³¹ edges, verified (128 GiB of main memory
#      and 64 GiB of the GPU's are needed);
#   4. all pairs where little of the GPU's memory is free, and ends by SIGTERM in the middle of work.
#
# FOLDER/summary.md says how each step ended; release/h200.md is one of them.
set -uo pipefail

program=$(realpath "$1")
lab=$(dirname "$program")/equipoise-lab
mkdir -p "$2"
folder=$(realpath "$2")
jobs=${JOBS:-12}
patience=${PATIENCE:-420}
toolkit=$(ls -d /usr/local/cuda*/lib64 2>/dev/null | head -n 1)
export LD_LIBRARY_PATH=${toolkit:-}:${LD_LIBRARY_PATH:-}
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda*/bin/compute-sanitizer 2>/dev/null | head -n 1)
export program folder patience sanitizer

built=$(cat "$program" "$lab" | sha256sum | cut -c1-16)
if [ "$(cat "$folder/program" 2>/dev/null)" != "$built" ]; then
    rm -rf "$folder"/*.log "$folder"/*.result "$folder"/cache-*
    echo "$built" > "$folder/program"
fi

# Runs a step, unless it is done: its name, then the command. Its last line of importance is its result.
step() {
    local name=$1 start=$(date +%s) code verdict
    shift
    [ -e "$folder/$name.result" ] && return 0
    EQUIPOISE_CACHE=${CACHE:-$folder/cache-$name} timeout "$patience" "$@" > "$folder/$name.log" 2>&1
    code=$?
    verdict=$(grep -aE 'ERROR SUMMARY|RACECHECK SUMMARY|^total|^verified|^error' "$folder/$name.log" | tr -s ' =' ' ' | paste -sd ';')
    case $name in
        terminated-*) [ $code -eq 143 ] && ! grep -qa 'free()\|corruption\|panicked' "$folder/$name.log"; code=$? ;;
    esac
    echo "$name|$code|$(($(date +%s) - start))|$verdict" > "$folder/$name.result"
    echo "$name: exit code $code after $(($(date +%s) - start)) s; $verdict"
    rm -rf "$folder/cache-$name"
}
export -f step

suites="schedules operators spmv spmm spgemm mttkrp bfs sssp apsp color"

self_tests() {
    step self-test "$program" self-test --device cuda
    CACHE=$folder/cache-large step self-test-warm "$program" self-test --device cuda
    for suite in $suites; do
        echo "self-test-large-$suite $(checker "$suite") --device cuda --size large --suite $suite"
    done | xargs -P 8 -L 1 bash -c 'step "$@"' _
}

# The command that runs a suite.
checker() {
    case $1 in
        schedules | operators) echo "$lab conformance" ;;
        *) echo "$program self-test" ;;
    esac
}

# The parts into which a suite is divided, so that each ends within minutes.
parts() {
    case $1 in
        schedules | operators) echo thread-mapped plane-mapped cube-mapped group-mapped merge-path nonzero-split binned persistent work-stealing ;;
        bfs) echo node topology pull edge edge-topology edge-reverse virtual-warp decompose split hierarchy scan group plane cube merge-path binned direction-optimising auto ;;
        sssp) echo node topology edge edge-topology edge-reverse virtual-warp decompose split hierarchy scan group plane cube merge-path binned two-phase near-far delta auto ;;
        apsp) echo blocked naive sssp ;;
        color) echo speculative jones-plassmann work-stealing hybrid multi-hash ;;
        spgemm) echo auto ;;
        *) echo thread-mapped plane-mapped cube-mapped group-mapped merge-path nonzero-split binned persistent work-stealing auto ;;
    esac
}

# Copies to the host are rounded up to 32 bytes by the runtime: what initcheck says of them is no
# finding, so only what kernels read is checked.
sanitizers() {
    for tool in racecheck memcheck initcheck synccheck; do
        local more=""
        [ $tool = initcheck ] && more="--check-api-memory-access no"
        for suite in $suites; do
            for part in $(parts "$suite"); do
                echo "$tool-$suite-$part $sanitizer --tool $tool --error-exitcode 9 $more $(checker "$suite") --device cuda --suite $suite --only $part"
            done
        done
    done | xargs -P "$jobs" -L 1 bash -c 'step "$@"' _
}

giants() {
    step giant-bfs "$program" bfs er:n=60000000,m=1100000000 --device cuda
    step giant-sssp "$program" sssp er:n=60000000,m=1100000000,weights=1..255 --device cuda
    step giant-color "$program" color er:n=60000000,m=1100000000 --device cuda
    step giant-spmv "$program" spmv er:n=60000000,m=1100000000 --device cuda
}

# Takes all of the GPU's memory but so many megabytes, until it is killed.
hold_all_but() {
    python3 - "$1" << 'PYTHON'
import ctypes, sys, time
cuda = ctypes.CDLL("libcuda.so.1")
def do(code): assert code == 0, code
context, free, total, place = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_void_p()
do(cuda.cuInit(0))
do(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
do(cuda.cuCtxSetCurrent(context))
do(cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
do(cuda.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(free.value - int(sys.argv[1]) * 1_000_000)))
print("held", flush=True)
time.sleep(600)
PYTHON
}

# A GPU's context of the program itself takes about 500 MB of what is left free.
little_memory() {
    for megabytes in 800 1200 2000; do
        [ -e "$folder/little-memory-$megabytes.result" ] && continue
        coproc hold { hold_all_but $megabytes; }
        read -r -t 60 <&"${hold[0]}"
        step "little-memory-$megabytes" "$program" apsp er:n=20000,m=100000 --device cuda
        step "little-memory-search-$megabytes" "$program" sssp er:n=20000,m=100000,weights=1..9 --device cuda
        pkill -P "$hold_PID"; kill "$hold_PID"; wait "$hold_PID" 2>/dev/null
    done
    for tenths in 3 5 6 7 8 9 10 11 12 14; do
        step "terminated-$tenths" timeout --preserve-status "$((tenths / 10)).$((tenths % 10))" "$program" apsp er:n=16000,m=80000 --device cuda --no-validate
    done
}

summary() {
    local passed failed
    passed=$(cat "$folder"/*.result | awk -F'|' '$2 == 0' | wc -l)
    failed=$(cat "$folder"/*.result | awk -F'|' '$2 != 0' | wc -l)
    echo "# Last check on a GPU"
    echo
    echo "$("$program" --version), $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), $(date -u +%Y-%m-%d): $passed steps passed, $failed did not."
    echo
    echo "| step | exit code | seconds | what it said |"
    echo "| --- | --- | --- | --- |"
    cat "$folder"/*.result | sort -t'|' -k1,1V | awk -F'|' '{print "| " $1 " | " $2 " | " $3 " | " $4 " |"}'
    [ "$failed" -eq 0 ]
}

# The wanted groups of steps, or all.
for group in ${STEPS-self_tests little_memory sanitizers giants}; do $group; done
summary > "$folder/summary.md"
code=$?
head -n 3 "$folder/summary.md"
exit $code
