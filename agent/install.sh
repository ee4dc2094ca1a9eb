#!/bin/sh
# Installs the Hostdesk agent as a systemd service, or brings it up to date:
#   script=$(curl -fsSL @PUBLIC_ORIGIN@/agent/install.sh) && printf %s TOKEN | sudo sh -c "$script"
# The token stands on the page of the host. It is read from the input, or from HOSTDESK_TOKEN, and never from the command
# line, which everybody on the machine may read in the list of processes.
#   script=$(curl -fsSL @PUBLIC_ORIGIN@/agent/install.sh) && sudo sh -c "$script" sh --update
# leaves the settings that are there as they are, `--remove` takes all of it away again. DESTDIR installs into another root
# and starts nothing.
set -eu

origin='@PUBLIC_ORIGIN@'
files='hostdesk-agent.mjs run.mjs settings.mjs figures.mjs check-in.mjs ask.mjs keep-file.mjs keys.mjs licence.mjs
  judge.mjs machine.mjs online.mjs published.mjs revocations.mjs verify.mjs hostdesk-agent.service README.md'
root=${DESTDIR:-}
folder=$root/usr/local/lib/hostdesk-agent
settings=$root/etc/hostdesk-agent.json
unit=$root/etc/systemd/system/hostdesk-agent.service

fail() {
  echo "hostdesk-agent: $1" >&2
  exit 1
}

remove() {
  if [ -z "$root" ]; then systemctl disable --now hostdesk-agent 2>/dev/null || true; fi
  rm -rf "$folder" "$settings" "$unit" "$root/var/lib/hostdesk-agent" "$root/var/lib/private/hostdesk-agent"
  if [ -z "$root" ]; then
    systemctl daemon-reload
    userdel hostdesk-agent 2>/dev/null || true
  fi
  echo 'hostdesk-agent: removed'
}

# The service runs as a user that sees no home: a Node from there would not start.
find_node() {
  node=$(command -v node || true)
  [ -n "$node" ] || fail 'Node.js 20 or newer is needed: install it, for example from https://nodejs.org/en/download.'
  major=$("$node" -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 20 ] || fail "Node.js 20 or newer is needed; $node is $("$node" -v)."
  node=$(readlink -f "$node")
  case $node in
    /root/* | /home/*) fail "$node lies in somebody's home, where a service may not look: install Node.js for all." ;;
  esac
}

make_user() {
  id hostdesk-agent >/dev/null 2>&1 && return
  useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin hostdesk-agent ||
    fail 'cannot make the user hostdesk-agent.'
}

fetch_files() {
  for file in $files; do
    curl -fsSL --proto "=${origin%%:*}" --retry 3 -o "$staging/$file" "$origin/agent/$file" ||
      fail "cannot fetch $origin/agent/$file."
  done
}

install_files() {
  mkdir -p "$folder" "$(dirname "$settings")" "$(dirname "$unit")"
  for file in $files; do install -m 644 "$staging/$file" "$folder/$file"; done
  sed "s|^ExecStart=/usr/bin/node |ExecStart=$node |" "$staging/hostdesk-agent.service" >"$unit"
  chmod 644 "$unit"
  [ -z "$token" ] && return
  (umask 077 && printf '{"url": "%s", "token": "%s"}\n' "$origin" "$token" >"$settings.new")
  mv "$settings.new" "$settings"
}

main() {
  [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail 'run it as root: script=$(curl …) && printf %s TOKEN | sudo sh -c "$script"'
  token=${HOSTDESK_TOKEN:-}
  case ${1:-} in
    --remove) remove && return ;;
    --update) token='' ;;
    '') if [ -z "$token" ] && [ ! -t 0 ]; then IFS= read -r token || true; fi ;;
    *) fail 'a token does not belong on the command line, where others can read it: script=$(curl …) && printf %s TOKEN | sudo sh -c "$script"' ;;
  esac
  case $token in
    '') [ -f "$settings" ] || fail 'say the token: script=$(curl …) && printf %s TOKEN | sudo sh -c "$script". It stands on the page of the host.' ;;
    *[!A-Za-z0-9_-]*) fail 'that is no agent token.' ;;
    hda_*) ;;
    *) fail 'that is no agent token: one begins with hda_.' ;;
  esac
  find_node
  staging=$(mktemp -d)
  trap 'rm -rf "$staging"' EXIT
  fetch_files
  install_files
  [ -n "$root" ] && return
  make_user
  systemctl daemon-reload
  systemctl enable --quiet hostdesk-agent
  systemctl restart hostdesk-agent
  echo 'hostdesk-agent: installed and started. See what it does: journalctl -u hostdesk-agent'
}

# Last, so that a download that was cut off runs nothing.
main "$@"
