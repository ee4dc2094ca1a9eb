import base64
import hashlib
import hmac
import os
import sys
import time


def is_genuine(secret, headers, body):
    """headers: a mapping with webhook-id, webhook-timestamp and webhook-signature; body: the bytes as they came."""
    number, moment = headers['webhook-id'], headers['webhook-timestamp']
    if not moment.isdigit() or abs(time.time() - int(moment)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix('whsec_'))
    signed = f'{number}.{moment}.'.encode() + body
    expected = 'v1,' + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers['webhook-signature'].split(' ')
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


if __name__ == '__main__':
    names = ('webhook-id', 'webhook-timestamp', 'webhook-signature')
    sent = {name: os.environ[name.upper().replace('-', '_')] for name in names}
    genuine = is_genuine(os.environ['WEBHOOK_SECRET'], sent, open(sys.argv[1], 'rb').read())
    print('genuine' if genuine else 'refused')
    sys.exit(0 if genuine else 1)
