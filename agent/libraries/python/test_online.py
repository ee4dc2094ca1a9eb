"""Takes, extends and gives back a seat at SERVER with LICENCE_KEY, and prints what it hears."""
import json
import os
from pathlib import Path

from hostdesk_online import check, release

server, key = os.environ['SERVER'], os.environ['LICENCE_KEY']
keys = json.loads(Path(os.environ['JWKS']).read_text(encoding='utf-8'))['keys']
one, other = 'a' * 64, 'b' * 64
answer = check(server, key, keys=keys, fingerprint=one, requires=['größe'])
print(answer['code'], answer['lease']['lasts_s'], answer['lease']['renew_in_s'])
print(check(server, key, keys=keys, fingerprint=other)['code'])
print(release(server, key, one), check(server, key, keys=keys, fingerprint=other)['code'])
print(check(server, key, keys=[], fingerprint=other)['code'])
print(release(server, key, other), release(server, key, other))
