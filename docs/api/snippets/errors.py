import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    os.environ['HOSTDESK_URL'] + '/api/hosts/',
    data=json.dumps({'name': 'web-1', 'ipv4': '192.0.2.300'}).encode(),
    headers={
        'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN'],
        'content-type': 'application/json',
    },
)
try:
    urlopen(request)
except HTTPError as refused:
    for error in json.load(refused)['errors']:
        print(refused.code, error['code'], error.get('param', ''), error['message'])
