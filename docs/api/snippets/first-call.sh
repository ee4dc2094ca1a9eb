curl -sS --fail-with-body "$HOSTDESK_URL/api/hosts/?limit=5" \
  -H "authorization: Bearer $HOSTDESK_TOKEN"
