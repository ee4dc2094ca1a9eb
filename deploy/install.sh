#!/bin/sh
# Installs this release for systemd, or upgrades to it:
#   sudo ./deploy/install.sh            from the unpacked archive
# It makes the user hostdesk, /opt/hostdesk/VERSION, the link /opt/hostdesk/current, /etc/hostdesk/settings.env (only where
# there is none), /var/backups/hostdesk for backups, the units and the command hostdesk. Releases that are there stay: the way back is
#   sudo ./deploy/install.sh --use VERSION
# It starts nothing. DESTDIR installs into another root.
set -eu

root=${DESTDIR:-}
source=$(dirname "$(readlink -f "$0")")/..
releases=$root/opt/hostdesk

fail() {
  echo "hostdesk: $1" >&2
  exit 1
}

use() {
  [ -x "$releases/$1/bin/node" ] || fail "there is no release $1 in $releases."
  ln -sfn "$1" "$releases/.next"
  mv -T "$releases/.next" "$releases/current"
  folder=$releases/$1
  install -D -m 644 -t "$root/etc/systemd/system" "$folder"/deploy/systemd/*.service "$folder"/deploy/systemd/*.target
  install -D -m 755 "$folder/deploy/systemd/hostdesk" "$root/usr/local/bin/hostdesk"
  if [ -z "$root" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
  echo "hostdesk: /opt/hostdesk/current is $1"
}

# Copied aside and renamed, so that an installation that is broken off leaves nothing that looks complete.
copy() {
  [ -e "$releases/$version" ] && return
  mkdir -p "$releases"
  rm -rf "$releases/.copying"
  cp -R "$source" "$releases/.copying"
  chown -R 0:0 "$releases/.copying"
  chmod -R u=rwX,go=rX "$releases/.copying"
  mv "$releases/.copying" "$releases/$version"
}

make_user() {
  id hostdesk >/dev/null 2>&1 && return
  useradd --system --user-group --no-create-home --home-dir /var/lib/hostdesk --shell /usr/sbin/nologin hostdesk ||
    fail 'cannot make the user hostdesk.'
}

[ "$(id -u)" = 0 ] || fail 'run it as root: sudo ./deploy/install.sh'
case ${1:-} in
  --use) use "${2:?say the version}" && exit ;;
  '') ;;
  *) fail 'usage: install.sh [--use VERSION]' ;;
esac
version=$("$source/bin/node" -p 'require(process.argv[1]).version' "$source/release.json")
copy
if [ -z "$root" ]; then make_user; fi
settings=$root/etc/hostdesk/settings.env
if [ ! -e "$settings" ]; then
  install -D -m 640 "$source/deploy/systemd/settings.env" "$settings"
  if [ -z "$root" ]; then chgrp hostdesk "$settings"; fi
fi
if [ -z "$root" ]; then
  install -d -m 755 -o hostdesk -g hostdesk /var/lib/hostdesk
  install -d -m 700 -o hostdesk -g hostdesk /var/backups/hostdesk
fi
use "$version"
cat <<'TEXT'
hostdesk: next, as root, after a first installation:
  1. write the settings:  editor /etc/hostdesk/settings.env
  2. see what is missing: hostdesk doctor
  3. start:               systemctl enable --now hostdesk.target hostdesk-web@3000 hostdesk-worker@3010
     or all in one:       systemctl enable --now hostdesk.target hostdesk@3000
  after an upgrade, one process after the other:
                          systemctl restart hostdesk-web@3000; systemctl restart hostdesk-worker@3010
TEXT
