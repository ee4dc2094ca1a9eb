# The body as it came is in the file $1; the headers are in
# WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE.
key=$(printf '%s' "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -tx1 | tr -d ' \n')
expected=$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat "$1"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
age=$(($(date +%s) - WEBHOOK_TIMESTAMP))
[ "${age#-}" -le 300 ] || { echo 'refused: too old' >&2; exit 1; }
case " $WEBHOOK_SIGNATURE " in *" v1,$expected "*) echo genuine ;; *) echo 'refused: another signature' >&2; exit 1 ;; esac
