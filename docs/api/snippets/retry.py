import os
import random
import time
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen


def patiently(path, tries=5):
    """Sends a request that may be repeated: a GET, or one with an idempotency key."""
    headers = {'authorization': 'Bearer ' + os.environ['HOSTDESK_TOKEN']}
    for attempt in range(tries):
        try:
            return urlopen(Request(os.environ['HOSTDESK_URL'] + path, headers=headers))
        except HTTPError as refused:
            if refused.code != 429 and refused.code < 500:
                raise
            wait_s = float(refused.headers.get('retry-after') or 2 ** attempt)
        except URLError:
            wait_s = 2 ** attempt
        time.sleep(wait_s + random.random() / 2)
    raise TimeoutError(path)


print(patiently('/api/hosts/?limit=1').status)
