"""Asks an installation of Hostdesk by licence key, for software that floats or has no agent. Stands beside hostdesk_licence.py.

check() takes a seat of a floating licence, or extends it; release() gives it back. Both raise OSError where there is no answer.
"""
import json
import secrets
import urllib.request

from hostdesk_licence import _object_in, judge

LONGEST_S = 10


def check(server, licence_key, keys=None, fingerprint=None, boot=None, hostname=None, ipv4=None, ipv6=None, product=None,
          requires=()):
    """Returns {'valid', 'code', 'edition', 'entitlements', 'lease', 'document'}.

    keys: the operator's keys; with them an answer is valid only if a document with their signature answers this very question,
    without them HTTPS alone proves it. fingerprint: 64 hexadecimal digits that stay the same on this machine. code: 'valid', why not
    as the installation says it, 'unproven', or a reason of judge(). The seconds of lease count from the answer: lasts_s, renew_in_s.
    """
    nonce = secrets.token_urlsafe(16)
    answer = _send(server, 'validate', {'licence_key': licence_key, 'fingerprint': fingerprint, 'boot': boot, 'hostname': hostname,
                                        'ipv4': ipv4, 'ipv6': ipv6, 'product': product, 'entitlements': list(requires), 'nonce': nonce})
    if not answer['valid'] or keys is None:
        return answer
    document = answer['document'] or ''
    claims = _object_in(document.split('.')[1]) if document.count('.') == 2 else None
    if not claims or claims.get('nonce') != nonce:
        return {**answer, 'valid': False, 'code': 'unproven', 'lease': None}
    # The time is that of the document, which is as old as the question: the clock of this machine may be wrong.
    judged = judge(document, keys, at=claims['iat'], fingerprint=fingerprint, product=product, requires=requires)
    if judged['verdict'] != 'valid':
        return {**answer, 'valid': False, 'code': judged['reason'], 'lease': None}
    if answer['lease']:
        answer['lease']['lasts_s'] = min(answer['lease']['lasts_s'], claims['exp'] - claims['iat'])
    return answer


def release(server, licence_key, fingerprint, boot=None):
    """Gives back the seat; True if this machine held one."""
    return _send(server, 'release', {'licence_key': licence_key, 'fingerprint': fingerprint, 'boot': boot})['released']


def _send(server, path, body):
    text = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
    request = urllib.request.Request(f'{server}/api/licences/{path}/', text, {'content-type': 'application/json'})
    with urllib.request.urlopen(request, timeout=LONGEST_S) as answer:
        return json.load(answer)
