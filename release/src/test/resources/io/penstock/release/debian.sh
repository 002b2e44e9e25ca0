#!/bin/bash
# The life of the package on a copy of this machine, in namespaces of its own: nothing of it stays.
# arguments: an empty folder, the package, a newer one
set -euo pipefail

if [ "$1" != inside ]; then
  mount -t tmpfs tmpfs "$1"
  mkdir "$1"/{changes,work,root}
  mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$1/root"
  mount --rbind /dev "$1/root/dev"
  mount -t proc proc "$1/root/proc"
  mount -t tmpfs tmpfs "$1/root/run"
  mount -t tmpfs tmpfs "$1/root/tmp"
  cp "$2" "$1/root/tmp/package.deb"
  cp "$3" "$1/root/tmp/newer.deb"
  cp "$0" "$1/root/tmp/debian.sh"
  ip link set lo up
  exec chroot "$1/root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 bash /tmp/debian.sh inside
fi

cd /tmp
wrong() { echo "WRONG: $*"; exit 1; }
# What dpkg, useradd and systemd keep of all packages and users is left out.
files() {
  find /etc /usr /var -xdev \( -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/log -o -path /var/cache \) -prune -o -print |
    grep -v -e '^/etc/[a-z]*-$' -e '^/etc/.pwd.lock$' | sort
}

# The server as its unit starts it: its user, its environment, its command.
start() {
  unit=/usr/lib/systemd/system/penstock.service
  command="$(sed -n 's/^ExecStart=//p' "$unit")"
  variables="$(sed -n '/^[A-Z]/p' /etc/default/penstock)"
  (cd /var/lib/penstock && exec setpriv --reuid penstock --regid penstock --init-groups env $variables $command > /tmp/log 2>&1) &
  server=$!
  curl -s --fail --retry-all-errors --retry 100 --retry-connrefused --retry-delay 1 -o /tmp/answer http://127.0.0.1:8080/ || { cat /tmp/log; wrong "no answer"; }
}
stop() {
  [ "$(stat -c %U "/proc/$server")" = penstock ] || wrong "it runs as another user"
  kill -TERM "$server"
  code=0
  wait "$server" || code=$?
  [ "$code" = 143 ] || { cat /tmp/log; wrong "exit code $code"; }
}

echo "== install"
files > before
dpkg -i package.deb
start
grep -q 'Penstock sample' answer || wrong "no sample"
stop
for unit in penstock.service penstock.socket; do
  if [ $unit = penstock.socket ]; then
    mkdir /etc/systemd/system/penstock.service.d
    cp /usr/share/doc/penstock/examples/socket.conf /etc/systemd/system/penstock.service.d
  fi
  said="$(systemd-analyze verify --man=no /usr/lib/systemd/system/$unit 2>&1)" || wrong "$said"
  case "$said" in *penstock*) wrong "$said" ;; esac
done
rm -r /etc/systemd/system/penstock.service.d
systemd-analyze security --offline=true --no-pager --threshold=20 /usr/lib/systemd/system/penstock.service > exposed || wrong "$(cat exposed)"

echo "== use"
echo 'workers = 3' >> /etc/penstock/penstock.properties
rm /var/lib/penstock/webapps/ROOT.war
mkdir -p /var/lib/penstock/webapps/ROOT/WEB-INF
echo 'my own' > /var/lib/penstock/webapps/ROOT/index.html
setpriv --reuid penstock --regid penstock --init-groups env JAVA_CDS=/var/lib/penstock/penstock penstock --train --config /etc/penstock/penstock.properties
ls /var/lib/penstock/penstock.* > archives || wrong "no archive of classes"
start
grep -q 'my own' answer || wrong "another application"
tr '\0' '\n' < "/proc/$server/cmdline" | grep -q /var/lib/penstock/penstock || wrong "the archive of classes is not used"
stop

echo "== upgrade"
dpkg --force-confdef -i newer.deb < /dev/null
penstock --version | grep -q . || wrong "no version"
dpkg -s penstock | grep -q 'Version: 999' || wrong "not the newer one"
grep -q 'workers = 3' /etc/penstock/penstock.properties || wrong "the configuration is lost"
grep -q 'a new default' /etc/penstock/penstock.properties.dpkg-dist || wrong "the new configuration is not beside it"
[ ! -e /var/lib/penstock/webapps/ROOT.war ] || wrong "the sample has come back"
start
grep -q 'my own' answer || wrong "another application"
stop

echo "== remove"
dpkg -r penstock
[ ! -e /usr/bin/penstock ] || wrong "the command is still there"
grep -q 'workers = 3' /etc/penstock/penstock.properties || wrong "the configuration is gone"

echo "== purge"
dpkg -P penstock
files > after
diff before after || wrong "not the same files as before"
left="$(find /etc /usr /var -xdev -name '*penstock*')"
[ -z "$left" ] || wrong "left behind: $left"
! getent passwd penstock || wrong "the user is still there"
echo "== done"
