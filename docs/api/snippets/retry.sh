curl -sS --fail-with-body --retry 5 "$HOSTDESK_URL/api/hosts/?limit=1" \
  -H "authorization: Bearer $HOSTDESK_TOKEN"
