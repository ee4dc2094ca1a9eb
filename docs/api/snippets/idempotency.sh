key=$(cat /proc/sys/kernel/random/uuid)
for try in 1 2; do
  curl -sS --fail-with-body "$HOSTDESK_URL/api/hosts/" \
    -H "authorization: Bearer $HOSTDESK_TOKEN" \
    -H "idempotency-key: $key" \
    -H 'content-type: application/json' \
    -d '{"name": "made-once", "ipv4": "203.0.113.7"}'
  echo
done
