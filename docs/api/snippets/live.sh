curl -sSN "$HOSTDESK_URL/api/events/" -H "authorization: Bearer $HOSTDESK_TOKEN"
