#!/bin/sh
# Runs a command, with all that it starts, in so much memory: inside.sh 2G COMMAND...
# Linux, as root; control groups of either version. Fails where the kernel had to kill.
set -eu
limit=$1
shift
groups=/sys/fs/cgroup
if [ -f "$groups/cgroup.controllers" ]; then
	dir=$groups/small.$$ max=memory.max kills=memory.events
else
	dir=$groups/memory/small.$$ max=memory.limit_in_bytes kills=memory.oom_control
fi
mkdir "$dir"
trap 'rmdir "$dir"' EXIT
echo "$limit" >"$dir/$max"
[ ! -f "$dir/memory.swap.max" ] || echo 0 >"$dir/memory.swap.max"
code=0
sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$dir" "$@" || code=$?
killed=$(sed -n 's/^oom_kill //p' "$dir/$kills")
echo "in $limit: ${killed:-0} processes killed for want of memory"
[ "${killed:-0}" = 0 ] && exit "$code"
exit 1
