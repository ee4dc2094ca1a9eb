cursor=
while :; do
  page=$(curl -sS --fail-with-body --get "$HOSTDESK_URL/api/hosts/" \
    -H "authorization: Bearer $HOSTDESK_TOKEN" \
    -d limit=2 ${cursor:+--data-urlencode "cursor=$cursor"}) || exit 1
  printf '%s\n' "$page"
  cursor=$(printf '%s' "$page" | sed -n 's/.*"next_cursor":"\([^"]*\)".*/\1/p')
  [ -n "$cursor" ] || break
done
