#!/bin/bash
# Installs, uses, updates, removes and purges the package, and installs it again, on a machine that systemd has booted. The commands are those of docs/release.md.
. /trial/lib.sh

# Prints all files, except those in which dpkg, useradd and systemd keep data about all packages and users.
files() {
  find /etc /usr /var -xdev \( -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/lib/apt -o -path /var/lib/PackageKit -o -path /var/log -o -path /var/cache \) -prune -o -print |
    grep -v -e '^/etc/[a-z]*-$' -e '^/etc/.pwd.lock$' -e '^/var/tmp/' -e '^/etc/resolv.conf$' | sort
}

echo "== install"
files > before
. ./install.sh
answers http://localhost:8080/ 'Penstock sample'
answers -now http://localhost:8080/chat/ '<title>Chat'
# The sample application reads the URL of the flow board by JMX, which is ready only at the end of the start.
journal_has 'flow board at http://127.0.0.1:9090/'
answers -now http://localhost:8080/board '"http://127.0.0.1:9090/"'
answers -now http://127.0.0.1:9090/ '<title>Flow board'
runs
dpkg -L penstock | grep -qx /usr/share/man/man1/penstock.1.gz || wrong "no manual page"
systemctl status --no-pager penstock > /dev/null
[ "$(stat -c '%U %G %a' /etc/penstock/penstock.properties)" = 'root penstock 640' ] || wrong "others can read the configuration"
systemctl reload penstock
journal_has 'Reloaded. Changed settings: none'
systemd-analyze security --offline=true --no-pager --threshold=20 /usr/lib/systemd/system/penstock.service > exposed || wrong "$(cat exposed)"

echo "== use"
echo 'workers = 3' >> /etc/penstock/penstock.properties
rm /var/lib/penstock/webapps/*.war
mkdir -p /var/lib/penstock/webapps/ROOT/WEB-INF
echo 'my own' > /var/lib/penstock/webapps/ROOT/index.html
. ./train.sh
systemctl restart penstock
answers http://localhost:8080/ 'my own'
tr '\0' '\n' < "/proc/$(pid)/cmdline" | grep -q '^-XX:.*=/var/lib/penstock/penstock\.' || wrong "the archive of classes is not used"
kill -KILL "$(pid)"
answers http://localhost:8080/ 'my own'
runs
nsenter --target "$(pid)" --mount -- penstock --dump "$(pid)" > dumped
grep -q ' workers busy, ' dumped || wrong "no dump: $(cat dumped)"
# No number of restarts is too many.
for _ in $(seq 12); do systemctl restart penstock; done
answers http://localhost:8080/ 'my own'

echo "== Unix domain socket"
checked_restart() {
  runuser -u penstock -- penstock --check --config /etc/penstock/penstock.properties && systemctl restart penstock
}
echo 'listen = unix:/run/penstock/http.sock' >> /etc/penstock/penstock.properties
checked_restart
answers --unix-socket /run/penstock/http.sock http://localhost/ 'my own'
runs
systemctl stop penstock
checked_restart
sed -i '/^listen/d' /etc/penstock/penstock.properties
checked_restart
answers http://localhost:8080/ 'my own'

echo "== socket"
# A slow machine may need more than a minute for the starts that reach the limit of the socket.
mkdir -p /etc/systemd/system/penstock.socket.d
printf '[Socket]\nTriggerLimitIntervalSec=10min\n' > /etc/systemd/system/penstock.socket.d/interval.conf
systemctl daemon-reload
. ./socket.sh
socket_holds 'my own'
# With a wrong configuration, a waiting client starts the server again and again, and systemd limits these starts.
echo 'no-such-key = 1' >> /etc/penstock/penstock.properties
systemctl restart penstock
! curl -s -m 540 http://localhost/ || wrong "a server with a wrong configuration answers"
[ "$(systemctl show -p Result --value penstock.socket)" = trigger-limit-hit ] || wrong "the starts had no limit"
sed -i '/^no-such-key/d' /etc/penstock/penstock.properties
rm -r /etc/systemd/system/penstock.socket.d
systemctl daemon-reload
systemctl restart penstock
answers -now http://localhost/ 'my own'
runs
for unit in penstock.service penstock.socket; do
  said="$(systemd-analyze verify --man=no /usr/lib/systemd/system/$unit 2>&1)" || wrong "$said"
  case "$said" in *penstock*) wrong "$said" ;; esac
done
systemctl stop penstock.service penstock.socket
. ./port.sh
. ./socket.sh
answers -now http://localhost:8080/ 'my own'
! curl -s http://localhost/ || wrong "port 80 is open"
runs

echo "== update"
former="$(pid)"
apt-get install -y -o Dpkg::Options::=--force-confdef ./newer.deb < /dev/null
dpkg -s penstock | grep -q 'Version: 999' || wrong "not the newer one"
grep -q 'workers = 3' /etc/penstock/penstock.properties || wrong "the configuration is lost"
[ "$(stat -c '%U %G %a' /etc/penstock/penstock.properties)" = 'root penstock 640' ] || wrong "the rights of the configuration are lost"
grep -q 'a new default' /etc/penstock/penstock.properties.dpkg-dist || wrong "the new configuration is not beside it"
[ -z "$(find /var/lib/penstock/webapps -name '*.war')" ] || wrong "the sample has come back"
answers -now http://localhost:8080/ 'my own'
runs
[ "$(pid)" != "$former" ] || wrong "it was not restarted"

echo "== remove"
apt-get remove -y penstock
[ ! -e /usr/bin/penstock ] || wrong "the command is still there"
for unit in penstock.service penstock.socket; do
  ! systemctl is-active --quiet $unit || wrong "$unit is still active"
done
grep -q 'workers = 3' /etc/penstock/penstock.properties || wrong "the configuration is gone"

echo "== purge"
useradd --system --no-create-home proxy-of-penstock
usermod -aG penstock proxy-of-penstock
apt-get purge -y penstock
rm -r /etc/systemd/system/penstock.service.d /etc/systemd/system/penstock.socket.d # created by the administrator
systemctl daemon-reload
files > after
diff before after || wrong "not the same files as before"
left="$(find /etc /usr /var -xdev -name '*penstock*')"
[ -z "$left" ] || wrong "left behind: $left"
[ ! -e /run/penstock ] || wrong "the runtime folder is left behind"
! getent passwd penstock || wrong "the user is still there"
[ "$(getent group penstock | cut -d : -f 4)" = proxy-of-penstock ] || wrong "the group has lost its member"
! systemctl list-units --all --no-legend | grep penstock || wrong "systemd knows it still"

echo "== install again"
. ./install.sh
answers http://localhost:8080/ 'Penstock sample'
runs
userdel proxy-of-penstock
apt-get purge -y penstock
! getent passwd penstock || wrong "the user is still there"
! getent group penstock || wrong "the group is still there"
echo "== done"
