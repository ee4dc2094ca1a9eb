"""Judges a licence document of Hostdesk without asking anybody. Needs Python 3.9 and the package cryptography.

judge() answers the same as the libraries in other languages; all of them are tested with the cases of vectors.json.
Verdicts: 'valid' and 'in_grace' are licensed; 'not_licensed' is a true document that does not license this machine now;
'not_genuine' proves nothing, because anybody may have written it.
"""
import base64
import ipaddress
import json
import re
import time
from datetime import datetime, timezone

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

DOCUMENT = ('hostdesk-licence+jwt', 65_536)
LIST = ('hostdesk-revocations+jwt', 2_000_000)
# A clock may be a little off. One that is further back was perhaps set so, to keep an old document young.
CLOCK_LEEWAY_S = 300


class NotGenuine(Exception):
    """Its argument is the reason."""


def judge(document, keys, revocations=None, least_seq=0, at=None, ipv4=None, ipv6=None, fingerprint=None,
          licence_key=None, issuer=None, product=None, requires=()):
    """Returns {'verdict', 'reason', 'plan', 'entitlements'}; the last two say what counts at `at`.

    keys: the list `keys` of the operator's /.well-known/jwks.json. revocations: the text of /.well-known/licence-revocations,
    least_seq: the highest `seq` seen so far. at: seconds since 1970, now unless given. ipv4, ipv6: lists of this machine's
    addresses, of which one must fit. requires: entitlements that the licence must allow. Arguments of another type raise TypeError.
    """
    at = time.time() if at is None else at
    expected = {'issuer': issuer, 'licence_key': licence_key, 'ipv4': ipv4, 'ipv6': ipv6, 'fingerprint': fingerprint,
                'product': product, 'requires': requires}
    try:
        kid, claims = _read_signed(document, keys, DOCUMENT)
        if not _are_claims(claims):
            raise NotGenuine('unknown_claims')
        revoked = None if revocations is None else _list_of(revocations, keys, least_seq)
        if revoked and kid in revoked['withdrawn_keys']:
            raise NotGenuine('withdrawn_key')
    except NotGenuine as error:
        return {'verdict': 'not_genuine', 'reason': str(error), 'plan': None, 'entitlements': {}}
    refusal = _refusal_of(claims, expected, revoked, at)
    if refusal:
        return {'verdict': 'not_licensed', 'reason': refusal, 'plan': None, 'entitlements': {}}
    verdict = 'valid' if at < claims['exp'] else 'in_grace'
    plan, entitlements = _in_force_at(claims, at)
    reason = 'list_expired' if revoked and at >= revoked['exp'] else verdict
    return {'verdict': verdict, 'reason': reason, 'plan': plan, 'entitlements': entitlements}


def read_revocations(text, keys):
    """The operator's list of void documents, with its `seq` to keep; raises NotGenuine."""
    claims = _read_signed(text, keys, LIST)[1]
    if not _are_revocations(claims):
        raise NotGenuine('unknown_claims')
    return claims


def _list_of(text, keys, least_seq):
    try:
        revoked = read_revocations(text, keys)
    except NotGenuine:
        raise NotGenuine('list_not_genuine') from None
    if revoked['seq'] < least_seq:
        raise NotGenuine('list_rolled_back')
    return revoked


def _refusal_of(claims, expected, revoked, at):
    for name, reason in (('iss', 'other_issuer'), ('licence_key', 'other_licence_key')):
        wanted = expected['issuer' if name == 'iss' else name]
        if wanted is not None and wanted != claims[name]:
            return reason
    # A document without a product is of the one that was there before there were several.
    licensed = claims.get('product')
    if expected['product'] not in (None, licensed if isinstance(licensed, str) else 'server'):
        return 'other_product'
    if claims['iat'] > at + CLOCK_LEEWAY_S:
        return 'not_yet_issued'
    if not _fits_address(claims, expected['ipv4'], expected['ipv6']):
        return 'address_mismatch'
    machine, fingerprint = claims.get('machine'), expected['fingerprint']
    if fingerprint is not None and isinstance(machine, str) and machine != fingerprint:
        return 'other_machine'
    if revoked and any(sub == claims['sub'] and claims['iat'] < before for sub, before in
                       (entry[:2] for entry in revoked['revoked'])):
        return 'revoked'
    if claims['status'] in ('free', 'suspended', 'too_many_machines'):
        return claims['status']
    # A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
    paid_until = _seconds_of(claims['paid_until'])
    if claims['status'] != 'active' or paid_until is None or at >= paid_until:
        return 'expired'
    if at >= claims['exp'] + claims['grace_s']:
        return 'document_expired'
    entitlements = _in_force_at(claims, at)[1]
    return None if all(_is_allowed(entitlements.get(key)) for key in expected['requires']) else 'entitlement_missing'


def _fits_address(claims, ipv4, ipv6):
    if ipv4 is None and ipv6 is None:
        return True
    if claims['ipv4'] is not None and claims['ipv4'] in (ipv4 or ()):
        return True
    licensed = claims.get('ipv6')
    if not isinstance(licensed, str) or not re.fullmatch(r'[^%/]*(/(0|[1-9]\d{0,2}))?', licensed):
        return False
    try:
        network = ipaddress.IPv6Network(licensed, strict=False)
    except ValueError:
        return False
    return any(_address(one) in network for one in ipv6 or () if _address(one))


def _address(text):
    try:
        return None if '%' in text else ipaddress.IPv6Address(text)
    except ValueError:
        return None


def _in_force_at(claims, at):
    """The plan that counts at a time, and what it allows."""
    present = _newest(claims['next'], at) or claims
    return present['plan'], present['entitlements']


def _newest(spans, at):
    begun = [span for span in spans if (_seconds_of(span['from']) or float('inf')) <= at]
    return begun[-1] if begun else None


def _is_allowed(value):
    if _is_number(value):
        return value > 0
    return value is True or (isinstance(value, str) and value != '')


def _read_signed(document, keys, kind):
    """The kid and the claims. The header chooses among our keys and nothing more: the way of signing is fixed (RFC 8725)."""
    expected_type, longest = kind
    text = document.strip(' \t\r\n')
    parts = text.split('.')
    header = _object_in(parts[0]) if len(parts) == 3 and len(text) <= longest and all(map(_is_part, parts)) else None
    if header is None:
        raise NotGenuine('malformed')
    if header.get('alg') != 'EdDSA':
        raise NotGenuine('wrong_algorithm')
    if header.get('typ') != expected_type or 'crit' in header:
        raise NotGenuine('wrong_type')
    key = next((one for one in keys if isinstance(header.get('kid'), str) and one.get('kid') == header['kid']), None)
    if key is None:
        raise NotGenuine('unknown_key')
    if key.get('withdrawn'):
        raise NotGenuine('withdrawn_key')
    signature = _decoded(parts[2])
    # Decoding forgives stray bits; a signature has one spelling only.
    straight = base64.urlsafe_b64encode(signature).rstrip(b'=').decode() == parts[2]
    try:
        if len(signature) != 64 or not straight:
            raise InvalidSignature
        _public_key(key).verify(signature, f'{parts[0]}.{parts[1]}'.encode())
    except InvalidSignature:
        raise NotGenuine('wrong_signature') from None
    return header['kid'], _object_in(parts[1])


def _public_key(key):
    try:
        if key.get('kty') == 'OKP' and key.get('crv') == 'Ed25519':
            return Ed25519PublicKey.from_public_bytes(_decoded(key['x']))
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise NotGenuine('unusable_key')


def _are_claims(claims):
    if claims is None:
        return False
    return (all(isinstance(claims.get(name), str) for name in ('iss', 'sub', 'licence_key', 'status'))
            and all(name in claims and isinstance(claims[name], (str, type(None))) for name in ('ipv4', 'plan', 'paid_until'))
            and all(_is_whole(claims.get(name)) for name in ('iat', 'exp', 'grace_s'))
            # Later versions only add claims to those of version 2.
            and _is_whole(claims.get('ver')) and claims['ver'] >= 2 and 'edition' in claims
            and isinstance(claims['edition'], (str, type(None))) and isinstance(claims.get('entitlements'), dict)
            and isinstance(claims.get('next'), list) and all(_is_beginning(one) for one in claims['next']))


def _is_beginning(one):
    return (isinstance(one, dict) and all(isinstance(one.get(name), str) for name in ('from', 'plan', 'edition'))
            and isinstance(one.get('entitlements'), dict))


def _are_revocations(claims):
    return (claims is not None and all(_is_whole(claims.get(name)) for name in ('seq', 'iat', 'exp'))
            and isinstance(claims.get('revoked'), list) and isinstance(claims.get('withdrawn_keys'), list)
            and all(isinstance(entry, list) and len(entry) >= 2 and isinstance(entry[0], str) and _is_whole(entry[1])
                    for entry in claims['revoked']))


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_whole(value):
    return _is_number(value) and abs(value) <= 2**53 - 1 and value == int(value)


def _seconds_of(text):
    """A time in UTC as seconds; None for what cannot be read, which never comes."""
    if text is None or not re.fullmatch(r'[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z', text):
        return None
    try:
        whole = datetime.strptime(text[:19], '%Y-%m-%dT%H:%M:%S').replace(tzinfo=timezone.utc)
    except ValueError:
        return None
    return whole.timestamp() + float('0' + text[19:-1])


def _is_part(part):
    return re.fullmatch(r'[A-Za-z0-9_-]+', part) is not None and len(part) % 4 != 1


def _decoded(part):
    return base64.urlsafe_b64decode(part + '=' * (-len(part) % 4))


def _object_in(part):
    """A part of the document as a dict; None where it is none."""
    try:
        value = json.loads(_decoded(part).decode('utf-8'), parse_constant=_refuse) if _is_part(part) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(name):
    raise ValueError(name)
