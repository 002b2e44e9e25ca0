#!/bin/bash
# Tests the archive as a service on a machine that systemd has booted. The commands are those of docs/release.md and docs/production.md.
. /trial/lib.sh

echo "== service"
. ./service.sh
# The server is still starting. The reload must not end it.
systemctl reload penstock
runs
. ./samples.sh
answers http://localhost:8080/ 'Penstock sample'
answers http://localhost:8080/chat/ '<title>Chat'
# The sample application reads the URL of the flow board by JMX, which is ready only at the end of the start.
journal_has 'flow board at http://127.0.0.1:9090/'
answers -now http://localhost:8080/board '"http://127.0.0.1:9090/"'
answers -now http://127.0.0.1:9090/ '<title>Flow board'
systemctl reload penstock
journal_has 'Reloaded. Changed settings: none'
# The service has its own /tmp, which contains the attach socket of the JVM.
. ./attach.sh > attached
grep -q ' workers busy, ' attached || wrong "no dump: $(cat attached)"
grep -q 'Full thread dump' attached || wrong "no threads: $(cat attached)"
/opt/penstock/bin/penstock --dump "$(pid)" > dumped 2>&1 || grep -q "nsenter --target $(pid) --mount --" dumped || wrong "no hint: $(cat dumped)"
[ "$(systemctl show -p NRestarts --value penstock)" = 0 ] || wrong "it was restarted"

echo "== socket"
cp /opt/penstock/systemd/penstock.socket /etc/systemd/system/
mkdir /etc/systemd/system/penstock.service.d
cp /opt/penstock/systemd/socket.conf /etc/systemd/system/penstock.service.d/
. ./socket.sh
socket_holds 'Penstock sample'

echo "== update"
former="$(pid)"
cp -r /opt/penstock-*/ /opt/penstock-newer
ln -sfn penstock-newer /opt/penstock && systemctl restart penstock
answers -now http://localhost/ 'Penstock sample'
tr '\0' '\n' < "/proc/$(pid)/cmdline" | grep -q '^/opt/penstock-newer/' || wrong "it is the former one"
[ "$(pid)" != "$former" ] || wrong "it was not restarted"
echo "== done"
