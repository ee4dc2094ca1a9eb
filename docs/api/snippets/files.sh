echo 'It stops after an hour.' > report.txt
file=$(curl -sS --fail-with-body "$HOSTDESK_URL/api/attachments/" \
  -H "authorization: Bearer $HOSTDESK_TOKEN" -F file=@report.txt | sed 's/.*"id":"\([^"]*\)".*/\1/')
curl -sS --fail-with-body "$HOSTDESK_URL/api/tickets/" \
  -H "authorization: Bearer $HOSTDESK_TOKEN" -H 'content-type: application/json' \
  -d '{"topic": "technical", "subject": "A report", "message": "It is in the file.", "attachment_ids": ["'"$file"'"]}'
