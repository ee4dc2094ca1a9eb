curl -sS --fail-with-body "$HOSTDESK_URL/api/events/history/?after=0&limit=100" \
  -H "authorization: Bearer $HOSTDESK_TOKEN"
