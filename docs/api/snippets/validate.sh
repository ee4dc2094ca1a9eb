curl -sS --fail-with-body "$HOSTDESK_URL/api/licences/validate/" \
  -H 'content-type: application/json' \
  -d '{"licence_key": "'"$LICENCE_KEY"'", "ipv4": "203.0.113.7"}'
