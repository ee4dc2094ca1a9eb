import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ['HOSTDESK_URL'] + '/api/licences/validate/',
    data=json.dumps({'licence_key': os.environ['LICENCE_KEY'], 'ipv4': '203.0.113.7'}).encode(),
    headers={'content-type': 'application/json'},
)
answer = json.load(urlopen(request))
print(answer['valid'], answer['code'])
