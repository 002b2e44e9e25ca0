#!/usr/bin/env bash
# Compares two servers, for example two settings, versions or JVMs. They run in turns, so other programs affect both servers.
# Usage: loadtest/side-by-side.sh [-n PAIRS] [-d SECONDS] [-w SECONDS] [-c CONNECTIONS] [-b BYTES] PATH COMMAND COMMAND
#   -n  pairs of turns (6)   -d  length of a turn (1)   -w  warm-up of each server (5)   -c  connections of wrk (256)
#   -b  POST a body of this size, instead of GET
#   COMMAND starts a server in the foreground on the loopback address. The script replaces the word PORT by the port.
# Prints for each pair the requests per second, their ratio, and the processor time per request in µs; then the medians.
# The script needs Linux and wrk.
set -euo pipefail
export LC_ALL=C

pairs=6 seconds=1 warm_up=5 connections=256 bytes=
while getopts n:d:w:c:b: option; do
  case $option in
    n) pairs=$OPTARG ;; d) seconds=$OPTARG ;; w) warm_up=$OPTARG ;; c) connections=$OPTARG ;; b) bytes=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# -ne 3 ]; then
  sed -n '2,8s/^# //p' "$0" >&2
  exit 2
fi
path=$1
folder=$(mktemp -d)
pids=()
end() {
  local status=$?
  kill "${pids[@]}" 2>/dev/null || true
  wait
  rm -r "$folder"
  exit "$status"
}
trap end EXIT
# Peers of the load test end when their standard input is closed. This pipe stays open while the script runs.
mkfifo "$folder/input"
script=()
if [ -n "$bytes" ]; then
  echo "wrk.method = 'POST' wrk.body = string.rep('x', $bytes)" >"$folder/post.lua"
  script=(-s "$folder/post.lua")
fi
exec 3<>"$folder/input"

start() { # server COMMAND
  local port=$((18080 + $1))
  if (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    echo "Port $port is in use" >&2
    exit 3
  fi
  bash -c "exec ${2//PORT/$port}" <"$folder/input" 3>&- >"$folder/output$1" 2>&1 &
  pids[$1]=$!
  for ((i = 0; i < 300; i++)); do
    kill -0 "${pids[$1]}" 2>/dev/null || break
    curl -sf -o /dev/null ${bytes:+-d x} "http://127.0.0.1:$port$path" && return
    sleep 0.1
  done
  echo "Does not answer http://127.0.0.1:$port$path: $2" >&2
  cat "$folder/output$1" >&2
  exit 3
}

ticks() { # server
  awk '{ print $14 + $15 }' "/proc/${pids[$1]}/stat"
}

turn() { # server SECONDS: prints the requests per second, and the server's processor time per request in µs
  local before after
  before=$(ticks "$1")
  wrk -t1 "-c$connections" "-d${2}s" "${script[@]}" "http://127.0.0.1:$((18080 + $1))$path" >"$folder/wrk"
  after=$(ticks "$1")
  if grep -E 'Non-2xx|Socket errors' "$folder/wrk" >&2; then exit 3; fi
  awk -v ticks=$((after - before)) -v hz="$(getconf CLK_TCK)" \
    '/requests in/ { requests = $1 } /^Requests\/sec:/ { print $2, ticks / hz * 1e6 / requests }' "$folder/wrk"
}

start 0 "$2"
start 1 "$3"
turn 0 "$warm_up" >/dev/null
turn 1 "$warm_up" >/dev/null
format='%-10s %10.0f %10.0f %7.1f %% %9.2f %9.2f\n'
printf '%-10s %10s %10s %9s %9s %9s\n' pair first/s second/s ratio 'first µs' 'second µs'
for ((pair = 1; pair <= pairs; pair++)); do
  # Each pair starts with the other server.
  if ((pair % 2)); then first=$(turn 0 "$seconds"); fi
  second=$(turn 1 "$seconds")
  if ((pair % 2 == 0)); then first=$(turn 0 "$seconds"); fi
  # shellcheck disable=SC2086
  set -- $first $second
  awk -v a="$1" -v b="$3" -v c="$2" -v d="$4" 'BEGIN { print a, b, 100 * b / a, c, d }' >>"$folder/pairs"
  # shellcheck disable=SC2046
  printf "$format" "$pair" $(tail -n 1 "$folder/pairs")
done
median() { # column
  sort -n -k "$1,$1" "$folder/pairs" | awk -v c="$1" '{ v[NR] = $c } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}
printf "$format" median "$(median 1)" "$(median 2)" "$(median 3)" "$(median 4)" "$(median 5)"
