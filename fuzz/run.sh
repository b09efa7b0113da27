#!/usr/bin/env bash
# Runs every target for so many seconds, JOBS of them at a time, and says how far each came:
#
#   fuzz/run.sh SECONDS [JOBS] [PROGRAM]
#
# What was found to be new is kept in `corpus`, so that a later run goes on from there; inputs that
# fail are kept as `failed-TARGET-…`. PROGRAM needs neither Rust nor this repository, only `seeds`.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
seconds=$1
jobs=${2:-$(nproc)}
program=${3:-$here/target/x86_64-unknown-linux-gnu/release/fuzz}
export here seconds program
# Targets that read files read them from memory.
[ -d /dev/shm ] && export TMPDIR=/dev/shm

target() {
    local log=$here/corpus/$1.log
    mkdir -p "$here/corpus/$1"
    TARGET=$1 "$program" -max_total_time="$seconds" -rss_limit_mb=2048 -malloc_limit_mb=1024 -timeout=10 \
        -max_len=4096 -print_final_stats=1 -artifact_prefix="$here/failed-$1-" \
        "$here/corpus/$1" "$here/seeds/$1" > "$log" 2>&1
    local code=$? runs covered
    runs=$(grep -a 'number_of_executed_units' "$log" | grep -oE '[0-9]+$')
    covered=$(grep -aoE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -n 1)
    echo "$1: exit code $code, ${runs:-no} inputs, $covered, last new: $(grep -aE '^#[0-9]+\s+(NEW|REDUCE)' "$log" | tail -n 1 | grep -oE '^#[0-9]+')"
}
export -f target
mkdir -p "$here/corpus"
ls "$here/seeds" | xargs -P "$jobs" -I {} bash -c 'target {}'
