import json
import os
import uuid
from urllib.request import Request, urlopen

# Keep the key with the order in your own database, before the first try.
key = str(uuid.uuid4())


def make():
    request = Request(
        os.environ['HOSTDESK_URL'] + '/api/hosts/',
        data=json.dumps({'name': 'made-once', 'ipv4': '203.0.113.7'}).encode(),
        headers={
            'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN'],
            'content-type': 'application/json',
            'idempotency-key': key,
        },
    )
    return json.load(urlopen(request))


print(make()['id'] == make()['id'])
