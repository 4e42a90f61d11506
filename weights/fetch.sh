#!/bin/sh
# Fetches a checkpoint, checks it and packs it for the page. See usage below.
set -eu

usage() {
	cat <<'EOF'
usage: weights/fetch.sh [options] [MODEL]

Fetches the checkpoint of MODEL (gpt2) at its pinned revision, checks its
sha256 and packs it into weights/models/MODEL, where `make site` finds it.
A download that was cut goes on where it stopped when the script is run again.

  --bits N      bits of a weight, 4 to 8 (8)
  --group N     weights that share a scale (64)
  --from DIR    take the files from this folder instead of the hub
  --out DIR     folder to put the model folder into (weights/models)
  --keep        keep the checkpoint that was fetched
  --list        list the models
  --help        this text

Environment:
  HF_ENDPOINT   the hub, or a mirror of it (https://huggingface.co)
  HF_TOKEN      token for the hub, if it asks for one; needs curl
  SOURCES       another table of models (weights/sources)
  PACK          another packer (go run ./weights/pack)
  TRIES, WAIT   tries of a file (6) and seconds before the second one (2),
                doubled each time

Needs curl or wget, sha256sum or shasum, and Go.
EOF
}

say() { printf '%s\n' "$*" >&2; }
die() { say "fetch.sh: $*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

root=$(cd "$(dirname "$0")/.." && pwd)
endpoint=${HF_ENDPOINT:-https://huggingface.co}
endpoint=${endpoint%/}
sources=${SOURCES:-$root/weights/sources}
tries=${TRIES:-6}
wait=${WAIT:-2}
out=$root/weights/models
bits=8 group=64 from='' keep=no model=''

while [ $# -gt 0 ]; do
	case $1 in
	--bits | --group | --from | --out)
		[ $# -ge 2 ] || die "$1: want a value"
		case $1 in
		--bits) bits=$2 ;;
		--group) group=$2 ;;
		--from) from=$2 ;;
		--out) out=$2 ;;
		esac
		shift 2
		;;
	--keep) keep=yes; shift ;;
	--list) sed -n 's/^model *\([^ ]*\) .* \(.*\)/\1/p' "$sources"; exit ;;
	--help | -h) usage; exit ;;
	-*) die "$1: no such option (--help lists them)" ;;
	*)
		[ -z "$model" ] || die "$1: one model at a time"
		model=$1
		shift
		;;
	esac
done
model=${model:-gpt2}

# size and sum of a file.
size() { [ -f "$1" ] && wc -c <"$1" | tr -d ' ' || echo 0; }
if has sha256sum; then
	sum() { sha256sum "$1" | cut -d' ' -f1; }
elif has shasum; then
	sum() { shasum -a 256 "$1" | cut -d' ' -f1; }
else
	die "neither sha256sum nor shasum is installed"
fi

# download URL FILE: appends what FILE lacks. Sets status to the HTTP status,
# 000 where there was none; returns 0 when the answer came whole.
if has curl; then
	download() {
		status=$(
			if [ -n "${HF_TOKEN:-}" ]; then printf 'header = "Authorization: Bearer %s"\n' "$HF_TOKEN"; fi |
				curl --config - --fail --location --silent --show-error --connect-timeout 20 \
					--speed-limit 1000 --speed-time 60 --continue-at - \
					--write-out '%{http_code}' --output "$2" "$1"
		) && return 0
		code=$?
		status=${status:-000}
		# 33: the host knows no ranges.
		if [ "$code" = 33 ]; then rm -f "$2"; fi
		return 1
	}
elif has wget; then
	[ -z "${HF_TOKEN:-}" ] || die "HF_TOKEN needs curl: wget would send the token on to wherever the hub redirects"
	download() {
		wget --continue --tries=1 --timeout=60 --server-response --output-document="$2" "$1" 2>"$2.log" && code=0 || code=$?
		status=$(sed -n 's|^ *HTTP/[0-9.]* \([0-9]*\).*|\1|p' "$2.log" | tail -n 1)
		status=${status:-000}
		rm -f "$2.log"
		return "$code"
	}
else
	die "neither curl nor wget is installed"
fi

# fetch FILE BYTES SHA256: FILE of the model into $work, checked.
fetch() {
	if [ -f "$work/$1" ] && [ "$(sum "$work/$1")" = "$3" ]; then
		say "$1: already here"
		return
	fi
	part=$work/$1.part
	url=$endpoint/$repository/resolve/$revision/$1
	pause=$wait
	try=1
	while :; do
		before=$(size "$part")
		reason=''
		if [ "$before" != "$2" ]; then
			say "$1: fetching from byte $before (try $try of $tries)"
			if ! download "$url" "$part"; then
				case $status in
				401 | 403) die "$url: the host answered $status; set HF_TOKEN to a token that may read it" ;;
				404) die "$url: the host answered 404: no such file" ;;
				416) reason="the host has no byte $before" && rm -f "$part" ;;
				000 | 2??) reason="the connection broke at byte $(size "$part")" ;;
				*) reason="the host answered $status" ;;
				esac
			fi
		fi
		if [ -z "$reason" ]; then
			got=$(sum "$part")
			if [ "$got" = "$3" ]; then
				mv "$part" "$work/$1"
				say "$1: $(size "$work/$1") bytes, sha256 as expected"
				return
			fi
			reason="sha256 $got, want $3"
			if [ "$2" != - ] && [ "$(size "$part")" -lt "$2" ]; then
				reason="only $(size "$part") bytes of $2 came"
			else
				rm -f "$part"
			fi
		fi
		[ "$try" -lt "$tries" ] || die "$1: $reason"
		say "$1: $reason; again in $pause s"
		sleep "$pause"
		pause=$((pause * 2))
		try=$((try + 1))
	done
}

# room BYTES: is there space for that much in $work?
room() {
	free=$(df -Pk "$work" | awk 'NR == 2 { print $4 }')
	[ "$((free))" -ge "$(($1 / 1024))" ] ||
		die "$work: $((free / 1024)) MB are free, $(($1 / 1048576)) MB are needed"
}

[ -r "$sources" ] || die "$sources: no such table of models"
line=$(awk -v m="$model" '$1 == "model" && $2 == m' "$sources")
[ -n "$line" ] || die "$model: no such model (--list lists them)"
# shellcheck disable=SC2086
set -- $line
repository=$3 revision=$4 licence=$5
shift 5
title=$*

mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$out/.$model-$revision
mkdir -p "$work"
files=$(awk -v m="$model" '$1 == "file" && $2 == m { print $3, $4, $5 }' "$sources")
[ -n "$files" ] || die "$sources: no files for $model"
total=$(printf '%s\n' "$files" | awk '{ s += $2 } END { printf "%.0f", s }')

if [ -n "$from" ]; then
	checkpoint=$(cd "$from" && pwd) || die "$from: no such folder"
	printf '%s\n' "$files" | while read -r name _ want; do
		[ -f "$checkpoint/$name" ] || die "$checkpoint/$name: no such file"
		got=$(sum "$checkpoint/$name")
		[ "$got" = "$want" ] || die "$checkpoint/$name: sha256 $got, want $want"
	done
else
	checkpoint=$work
	room $((total + total / 3))
	printf '%s\n' "$files" | while read -r name bytes want; do fetch "$name" "$bytes" "$want"; done
fi

say "packing $title at $bits bits"
cd "$root"
GOTOOLCHAIN=go$(sed -n 's/^go //p' go.mod)
export GOTOOLCHAIN
${PACK:-go run ./weights/pack} -bits "$bits" -group "$group" -id "$model" -name "$title" -licence "$licence" \
	-source "$repository" -revision "$revision" "$checkpoint" "$out/$model"
if [ "$keep" = no ]; then rm -rf "$work"; fi
say "$out/$model is ready; make site puts it beside the others"
