import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ['HOSTDESK_URL'] + '/api/hosts/?limit=5',
    headers={'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN']},
)
for host in json.load(urlopen(request))['items']:
    print(host['name'], host['ipv4'])
