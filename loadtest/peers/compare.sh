#!/usr/bin/env bash
# Compares the same small servlet on Penstock and on Tomcat: starts both, warms both up, then lets wrk load them in turns.
# usage: loadtest/peers/compare.sh [connections [seconds [rounds]]]     needs wrk; JAVA names another java
set -euo pipefail
cd "$(dirname "$0")"
connections=${1:-256} seconds=${2:-10} rounds=${3:-3}
java=${JAVA:-java}

declare -A port=([penstock]=18081 [tomcat]=18082) pid
for server in penstock tomcat; do
  "$java" -Xms512m -Xmx512m -XX:+UseParallelGC -jar "$server/target/$server-hello.jar" "${port[$server]}" >"$server/target/hello.log" 2>&1 &
  pid[$server]=$!
done
trap 'kill ${pid[*]}; wait' EXIT

load() { # load SERVER SECONDS
  wrk -t1 "-c$connections" "-d${2}s" --latency "http://127.0.0.1:${port[$1]}/hello"
}
ticks() { # CPU time of a process so far, in hundredths of a second
  awk '{print $14 + $15}' "/proc/${pid[$1]}/stat"
}

"$java" -version 2>&1 | sed -n 2p
for server in penstock tomcat; do
  curl -s --retry 20 --retry-connrefused --retry-delay 1 "http://127.0.0.1:${port[$server]}/hello" >/dev/null
  load "$server" "$seconds" >/dev/null
done
for ((round = 1; round <= rounds; round++)); do
  for server in penstock tomcat; do
    before=$(ticks "$server")
    result=$(load "$server" "$seconds")
    after=$(ticks "$server")
    awk -v server="$server" -v ticks=$((after - before)) '
      /requests in/ {requests = $1}  /Requests\/sec/ {rate = $2}  /99%/ {p99 = $2}
      /Socket errors|Non-2xx/ {errors = errors " " $0}
      END {printf "%-9s %8.0f req/s  %5.2f us CPU a request  p99 %s %s\n", server, rate, ticks * 10000 / requests, p99, errors}' <<<"$result"
  done
done
