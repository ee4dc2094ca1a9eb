curl -sS -o answer.json -w '%{http_code}\n' "$HOSTDESK_URL/api/hosts/" \
  -H "authorization: Bearer $HOSTDESK_TOKEN" \
  -H 'content-type: application/json' \
  -d '{"name": "web-1", "ipv4": "192.0.2.300"}'
cat answer.json
