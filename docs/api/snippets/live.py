import os
from urllib.request import Request, urlopen

request = Request(
    os.environ['HOSTDESK_URL'] + '/api/events/',
    headers={'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN']},
)
event = {}
with urlopen(request, timeout=60) as stream:
    for line in stream:
        name, _, value = line.decode().rstrip('\n').partition(': ')
        if name:
            event[name] = value
        elif 'event' in event:
            # Keep the id, and send it as Last-Event-ID of the next stream: nothing is missed between two of them.
            print(event.get('id'), event['event'], event['data'])
            break
        else:
            event = {}
