#!/bin/sh
# Fetches a checkpoint, checks it and packs it for the page. See usage below.
set -eu

usage() {
	cat <<'EOF'
usage: weights/fetch.sh [options] [MODEL]

Fetches the checkpoint of MODEL (gpt2), checks it, packs it into
weights/models/MODEL, where `make site` finds it, and lets it speak. Revision
and sha256 are pinned for gpt2; for others the hub is asked for them, and the
script says so; wherever the files come from, they have to be those. A download
that was cut goes on where it stopped when the script is run again.

  --bits N      bits of a weight, 4 to 8 (8)
  --group N     weights that share a scale (64)
  --from WHERE  take the files from this folder, or from below this web address
                (a mirror of the files), instead of the hub
  --out DIR     folder to put the model folder into (weights/models)
  --keep        keep the checkpoint that was fetched
  --list        list the models
  --help        this text

Environment:
  HF_ENDPOINT   the hub, or a mirror of it (https://huggingface.co)
  HF_TOKEN      token for the hub, if it asks for one; needs curl
  SOURCES       another table of models (weights/sources)
  PACK, CHECK   another packer and checker (go run ./weights/pack, ./weights/check)
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
# Refused before hundreds of megabytes come, as the packer would after.
case $bits in [4-8]) ;; *) die "--bits: $bits, want 4 to 8" ;; esac
case $group in 32 | 64 | 96 | 128 | 160 | 192 | 224 | 256) ;; *) die "--group: $group, want a multiple of 32, up to 256" ;; esac

# Whole numbers: [ and $(( )) fail at others, the latter at a leading 0, too.
whole() {
	case $2 in 0[0-9]* | *[!0-9]* | '') die "$1: $2, want a whole number" ;; esac
}
whole TRIES "$tries"
whole WAIT "$wait"

# size of a file; sha of a stream; sum of FILE, of the kind that WANT is: its
# sha256, or what git calls it (40 digits), which is all that the hub knows of
# small files.
size() { [ -f "$1" ] && wc -c <"$1" | tr -d ' ' || echo 0; }
if has sha256sum; then
	sha() { "sha${1}sum" | cut -d' ' -f1; }
elif has shasum; then
	sha() { shasum -a "$1" | cut -d' ' -f1; }
else
	die "neither sha256sum nor shasum is installed"
fi
sum() {
	if [ ${#2} = 40 ]; then
		{ printf 'blob %s\0' "$(size "$1")" && cat "$1"; } | sha 1
	else
		sha 256 <"$1"
	fi
}

# headers URL prints the header fields of the first answer, not of what it
# redirects to. download URL FILE appends what FILE lacks, sets status to the
# HTTP status, 000 where there was none, and returns 0 when all came, 2 when
# FILE could not be written.
if has curl; then
	token() { if [ -n "${HF_TOKEN:-}" ]; then printf 'header = "Authorization: Bearer %s"\n' "$HF_TOKEN"; fi; }
	headers() { token | curl --config - --head --silent --show-error --connect-timeout 20 "$1"; }
	download() {
		status=$(
			{ [ -n "$mirror" ] || token; } | # which is not a mirror's business
				curl --config - --fail --location --silent --show-error --connect-timeout 20 \
					--speed-limit 1000 --speed-time 60 --continue-at - \
					--write-out '%{http_code}' --output "$2" "$1"
		) && return 0
		code=$?
		status=${status:-000}
		# 33: the host knows no ranges.
		if [ "$code" = 33 ]; then rm -f "$2"; fi
		[ "$code" != 23 ] || return 2
		return 1
	}
elif has wget; then
	[ -z "${HF_TOKEN:-}" ] || die "HF_TOKEN needs curl: wget would send the token on to wherever the hub redirects"
	headers() { wget --spider --tries=1 --timeout=20 --max-redirect=0 --server-response "$1" 2>&1 | sed 's/^  *//'; }
	download() {
		wget --continue --tries=1 --timeout=60 --server-response --output-document="$2" "$1" 2>"$2.log" && code=0 || code=$?
		status=$(sed -n 's|^ *HTTP/[0-9.]* \([0-9]*\).*|\1|p' "$2.log" | tail -n 1)
		status=${status:-000}
		rm -f "$2.log"
		[ "$code" != 3 ] || return 2
		[ "$code" = 0 ]
	}
else
	die "neither curl nor wget is installed"
fi

# watch FILE BYTES NAME HAD tells how far a download is that began at HAD bytes,
# until it is killed: each second in a terminal, elsewhere at each tenth.
watch() {
	first=$4 seconds=0 tenth=$(($4 * 10 / $2))
	while sleep 1 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
		seconds=$((seconds + 1))
		here=$(size "$1")
		line="$3: $((here / 1000000)) of $(($2 / 1000000)) MB, $((here * 100 / $2)) %, $(((here - first) / seconds / 1000)) kB/s"
		if [ -t 2 ]; then
			printf '\r%s   ' "$line" >&2
		elif [ "$((here * 10 / $2))" != "$tenth" ]; then
			tenth=$((here * 10 / $2))
			say "$line"
		fi
	done
}

# ask FILE: sets commit, bytes and want to what the hub says of a file.
ask() {
	url=$endpoint/$repository/resolve/$revision/$1
	try=1
	pause=$wait
	while :; do
		answer=$(headers "$url" | tr -d '\r') || true
		status=$(printf '%s\n' "$answer" | sed -n 's|^HTTP/[0-9.]* \([0-9]*\).*|\1|p' | head -n 1)
		case $status in
		2?? | 3??) break ;;
		401 | 403) die "$url: the host answered $status; set HF_TOKEN to a token that may read it" ;;
		404) return 1 ;;
		esac
		heard="the host answered $status"
		[ -n "$status" ] || heard="the host does not answer"
		[ "$try" -lt "$tries" ] || die "$url: $heard"
		say "$1: $heard; again in $pause s"
		sleep "$pause"
		pause=$((pause * 2))
		try=$((try + 1))
	done
	commit=$(field x-repo-commit)
	bytes=$(field x-linked-size)
	want=$(field x-linked-etag)
	[ -n "$want" ] || want=$(field etag)
	bytes=${bytes:--}
	printf '%s\n' "$want" | grep -Eq '^([0-9a-f]{40}|[0-9a-f]{64})$' || die "$url: the host says no hash of it"
}

# field NAME of $answer, without quotes.
field() {
	printf '%s\n' "$answer" | awk -v n="$1:" 'tolower($1) == n { v = $2 } END { sub(/^W\//, "", v); gsub(/"/, "", v); print v }'
}

# lookup: the files of a model whose hashes are not pinned, as lines of the
# table; the revision becomes the one that the hub names. A folder's own files
# prove nothing: it may be called what it likes.
lookup() {
	say "$model: its hashes are not pinned here; asking $endpoint${folder:+ (go run ./weights/pack takes a folder as it is, under a name of your own)}"
	ask config.json || die "$url: the host answered 404: no such file"
	[ -n "$commit" ] || die "$url: the host says no revision (X-Repo-Commit)"
	revision=$commit
	files="config.json $bytes $want"
	if ask model.safetensors; then
		files="$files
model.safetensors $bytes $want"
	else
		ask model.safetensors.index.json || die "$url: the host answered 404: neither model.safetensors nor its index"
		settle
		have model.safetensors.index.json "$bytes" "$want"
		files="$files
model.safetensors.index.json $bytes $want"
		for shard in $(grep -o '"[^"/]*\.safetensors"' "$checkpoint/model.safetensors.index.json" | tr -d '"' | sort -u); do
			ask "$shard" || die "$url: the host answered 404: no such file"
			files="$files
$shard $bytes $want"
		done
	fi
	say "$model: revision $revision and these hashes are what the hub says:"
	say "$files"
}

# settle: where the checkpoint lies, $work being what is fetched.
settle() {
	work=$out/.$model-$revision
	checkpoint=${folder:-$work}
	[ -n "$folder" ] || mkdir -p "$work"
}

# have FILE BYTES HASH: FILE of the checkpoint, checked: the folder's, or fetched.
have() {
	if [ -z "$folder" ]; then
		fetch "$@"
		return
	fi
	[ -f "$folder/$1" ] || die "$folder/$1: no such file"
	got=$(sum "$folder/$1" "$3")
	[ "$got" = "$3" ] || die "$folder/$1: hash $got, want $3 of $repository at $revision (go run ./weights/pack takes it as it is, under a name of your own)"
}

# fetch FILE BYTES HASH: FILE of the model into $work, checked.
fetch() {
	if [ -f "$work/$1" ] && [ "$(sum "$work/$1" "$3")" = "$3" ]; then
		say "$1: already here"
		return
	fi
	part=$work/$1.part
	url=$mirror/$1
	[ -n "$mirror" ] || url=$endpoint/$repository/resolve/$revision/$1
	pause=$wait
	try=1
	while :; do
		before=$(size "$part")
		reason=''
		if [ "$before" != "$2" ]; then
			say "$1: fetching from byte $before (try $try of $tries)"
			watcher=''
			if [ "$2" != - ]; then
				watch "$part" "$2" "$1" "$before" & # it may begin late
				watcher=$!
			fi
			came=0
			download "$url" "$part" || came=$?
			if [ -n "$watcher" ]; then
				kill "$watcher" 2>/dev/null || true
				wait "$watcher" 2>/dev/null || true
				if [ -t 2 ]; then printf '\n' >&2; fi
			fi
			[ "$came" != 2 ] || die "$part: can't be written after $(size "$part") bytes: no room left on $out?"
			if [ "$came" != 0 ]; then
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
			got=$(sum "$part" "$3")
			if [ "$got" = "$3" ]; then
				mv "$part" "$work/$1"
				say "$1: $(size "$work/$1") bytes, hash as expected"
				return
			fi
			reason="hash $got, want $3"
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

# room BYTES: is there space for that much in $out?
room() {
	free=$(df -Pk "$out" | awk 'NR == 2 { print $4 }')
	[ "$((free))" -ge "$(($1 / 1024))" ] ||
		die "$out: $((free / 1024)) MB are free, $(($1 / 1048576)) MB are needed"
}

[ -r "$sources" ] || die "$sources: no such table of models"
line=$(awk -v m="$model" '$1 == "model" && $2 == m' "$sources")
[ -n "$line" ] || die "$model: no such model (--list lists them)"
# shellcheck disable=SC2086
set -- $line
repository=$3 revision=$4 licence=$5
shift 5
title=$*
truth=$(awk -v m="$model" '$1 == "true" && $2 == m { print $3 }' "$sources")
files=$(awk -v m="$model" '$1 == "file" && $2 == m { print $3, $4, $5 }' "$sources")

mkdir -p "$out"
out=$(cd "$out" && pwd)
mirror='' folder=''
case $from in
http://* | https://*) mirror=${from%/} ;;
?*) folder=$(cd "$from" 2>/dev/null && pwd) || die "$from: no such folder" ;;
esac
[ -n "$files" ] || lookup
settle

# What is still to come, and a third of it all for what is packed.
need=$(printf '%s\n' "$files" | awk -v folder="$folder" '{ s += $2 } END { printf "%.0f", folder == "" ? s * 4 / 3 : s / 3 }')
if [ -z "$folder" ]; then
	for name in "$work"/*; do need=$((need - $(size "$name"))); done
fi
room "$need"
printf '%s\n' "$files" | while read -r name bytes want; do have "$name" "$bytes" "$want"; done

say "packing $title at $bits bits"
cd "$root"
GOTOOLCHAIN=go$(sed -n 's/^go //p' go.mod)
export GOTOOLCHAIN
${PACK:-go run ./weights/pack} -bits "$bits" -group "$group" -id "$model" -name "$title" -licence "$licence" \
	-source "$repository" -revision "$revision" "$checkpoint" "$out/$model.unchecked"
if ${CHECK:-go run ./weights/check} ${truth:+-true "$truth"} "$out/$model.unchecked"; then
	rm -rf "$out/$model"
	mv "$out/$model.unchecked" "$out/$model"
else
	rm -rf "$out/$model.unchecked"
	die "$model: the packed model does not speak as it should"
fi
if [ "$keep" = no ]; then rm -rf "$work"; fi
say "$out/$model is ready; make site puts it beside the others"
