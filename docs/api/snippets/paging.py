import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen


def every(path):
    cursor = ''
    while cursor is not None:
        query = urlencode({'limit': 2, **({'cursor': cursor} if cursor else {})})
        request = Request(
            f"{os.environ['HOSTDESK_URL']}{path}?{query}",
            headers={'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN']},
        )
        page = json.load(urlopen(request))
        yield from page['items']
        cursor = page['next_cursor']


for host in every('/api/hosts/'):
    print(host['name'])
