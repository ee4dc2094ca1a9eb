import json
import os
from urllib.request import Request, urlopen

# Keep this number in your own database.
after = 0
more = True
while more:
    request = Request(
        f"{os.environ['HOSTDESK_URL']}/api/events/history/?after={after}&limit=100",
        headers={'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN']},
    )
    page = json.load(urlopen(request))
    for event in page['items']:
        print(event['seq'], event['type'], event['data'].get('id'))
    after, more = page['next_after'], page['has_more']
