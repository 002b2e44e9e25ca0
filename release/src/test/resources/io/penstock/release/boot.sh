#!/bin/bash
# Boots systemd on a copy of this machine, in its own namespaces, and runs trial.sh there as root. No files of the copy remain afterwards.
# arguments: an empty folder; a folder with trial.sh and its files, which becomes /trial on the copy
set -euo pipefail
root="$1/root"
mount -t tmpfs tmpfs "$1"
mkdir "$1"/{changes,work,root}
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" "$root"
cp -r "$2" "$root/trial"
# Units do not wait for a network. Packages can start services. Each machine has its own id.
rm -rf "$root/etc/systemd/system/network-online.target.wants" "$root/usr/sbin/policy-rc.d"
tr -d - < /proc/sys/kernel/random/uuid > "$root/etc/machine-id"
cat > "$root/etc/systemd/system/trial.service" <<'UNIT'
[Unit]
Description=What is tried on this machine
DefaultDependencies=no
Requires=sysinit.target dbus.socket
After=sysinit.target dbus.socket
[Service]
Type=oneshot
ExecStart=/bin/bash /trial/trial.sh
ExecStopPost=/bin/sh -c 'echo "$EXIT_STATUS" > /trial/code; systemctl --no-block exit'
WorkingDirectory=/trial
StandardOutput=file:/trial/report
StandardError=file:/trial/report
Environment=LC_ALL=C.UTF-8
UNIT
systemd-nspawn --quiet --directory="$root" --register=no --keep-unit --private-network --link-journal=no --console=pipe --boot -- --unit=trial.service < /dev/null || true
cat "$root/trial/report"
exit "$(cat "$root/trial/code")"
