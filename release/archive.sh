#!/usr/bin/env bash
# Packs the archive of a release: the program, its licences, manual pages and completions.
#
#   release/archive.sh PROGRAM TARGET FOLDER
#
# PROGRAM is the built `equipoise`, which has to run here, TARGET the triple that it is built for. The archive
# is FOLDER/equipoise-VERSION-TARGET.tar.gz, or .zip for Windows, where Explorer opens no other.
set -euo pipefail

mkdir -p "$3"
program=$(realpath "$1")
target=$2
folder=$(realpath "$3")
cd "$(dirname "$0")/.."

version=$("$program" --version | tr -d '\r' | cut -d ' ' -f 2)
name=equipoise-$version-$target
packed=$folder/$name
rm -rf "$packed"
mkdir -p "$packed/completions" "$packed/licences"

cp "$program" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$packed"
python3 release/licences.py "$target" > "$packed/licences/crates.txt"
"$program" man "$packed/man/man1"
"$program" completions bash > "$packed/completions/equipoise.bash"
"$program" completions elvish > "$packed/completions/equipoise.elv"
"$program" completions fish > "$packed/completions/equipoise.fish"
"$program" completions powershell > "$packed/completions/_equipoise.ps1"
"$program" completions zsh > "$packed/completions/_equipoise"

cd "$folder"
case $target in
    *-windows-*) 7z a -bso0 "$name.zip" "$name" ;;
    *) tar czf "$name.tar.gz" "$name" ;;
esac
rm -rf "$name"
