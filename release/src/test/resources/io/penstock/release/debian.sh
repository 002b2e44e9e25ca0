#!/bin/bash
# Installs, uses, updates and removes the package with the commands of docs/release.md, on a machine that systemd has booted.
. /trial/lib.sh

# Lists all files, except those that dpkg, useradd and systemd keep for all packages and users.
files() {
  find /etc /usr /var -xdev \( -path /var/lib/dpkg -o -path /var/lib/systemd -o -path /var/lib/apt -o -path /var/lib/PackageKit -o -path /var/log -o -path /var/cache \) -prune -o -print |
    grep -v -e '^/etc/[a-z]*-$' -e '^/etc/.pwd.lock$' -e '^/var/tmp/' -e '^/etc/resolv.conf$' | sort
}

echo "== install"
files > before
. ./install.sh
answers http://localhost:8080/ 'Penstock sample'
answers -now http://localhost:8080/chat/ '<title>Chat'
# The sample reads the URL by JMX. JMX is ready when the start has ended.
journal_has 'flow board at http://127.0.0.1:9090/'
answers -now http://localhost:8080/board '"http://127.0.0.1:9090/"'
answers -now http://127.0.0.1:9090/ '<title>Flow board'
runs
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

echo "== socket"
. ./socket.sh
socket_holds 'my own'
for unit in penstock.service penstock.socket; do
  said="$(systemd-analyze verify --man=no /usr/lib/systemd/system/$unit 2>&1)" || wrong "$said"
  case "$said" in *penstock*) wrong "$said" ;; esac
done

echo "== update"
former="$(pid)"
apt-get install -y -o Dpkg::Options::=--force-confdef ./newer.deb < /dev/null
dpkg -s penstock | grep -q 'Version: 999' || wrong "not the newer one"
grep -q 'workers = 3' /etc/penstock/penstock.properties || wrong "the configuration is lost"
[ "$(stat -c '%U %G %a' /etc/penstock/penstock.properties)" = 'root penstock 640' ] || wrong "the rights of the configuration are lost"
grep -q 'a new default' /etc/penstock/penstock.properties.dpkg-dist || wrong "the new configuration is not beside it"
[ -z "$(find /var/lib/penstock/webapps -name '*.war')" ] || wrong "the sample has come back"
answers -now http://localhost/ 'my own'
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
apt-get purge -y penstock
rm -r /etc/systemd/system/penstock.service.d # made by the administrator, not by the package
systemctl daemon-reload
files > after
diff before after || wrong "not the same files as before"
left="$(find /etc /usr /var -xdev -name '*penstock*')"
[ -z "$left" ] || wrong "left behind: $left"
! getent passwd penstock || wrong "the user is still there"
! systemctl list-units --all --no-legend | grep penstock || wrong "systemd knows it still"
echo "== done"
