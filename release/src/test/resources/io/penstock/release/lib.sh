# Functions for the scripts that run on the booted machine.
set -Eeuo pipefail

wrong() {
  echo "WRONG: $*"
  journalctl --no-pager -u penstock.service -u penstock.socket
  exit 1
}
trap 'wrong "line $LINENO"' ERR

# answers [-now] [--unix-socket FILE] URL TEXT: checks that the response contains the text. With -now, there is only one try.
answers() {
  local options=(--retry 30 --retry-all-errors --retry-delay 1)
  if [ "$1" = -now ]; then options=(); shift; fi
  if [ "$1" = --unix-socket ]; then options+=("$1" "$2"); shift 2; fi
  curl -s --fail "${options[@]}" -o answer "$1" || wrong "no answer at $1"
  grep -q "$2" answer || wrong "$1 serves something else: $(cat answer)"
}
# journal_has TEXT: waits until the journal has a line with the text.
journal_has() {
  timeout 60 grep -q -m 1 "$1" < <(journalctl -f -n all -u penstock.service) || wrong "not in the journal: $1"
}
pid() { systemctl show -p MainPID --value penstock.service; }
runs() {
  systemctl is-active --quiet penstock.service || wrong "it does not run"
  [ "$(stat -c %U "/proc/$(pid)")" = penstock ] || wrong "it runs as another user"
}
# socket_holds TEXT: checks that no client is refused while the service restarts, and that a client starts a stopped service.
socket_holds() {
  runs
  systemctl --no-block restart penstock.service
  for _ in $(seq 50); do answers -now http://localhost/ "$1"; done
  systemctl stop penstock.service
  answers -now http://localhost/ "$1"
  runs
}
