<?php

declare(strict_types=1);

/**
 * Judges a licence document of Hostdesk without asking anybody. Needs PHP 8.1 with its extension sodium.
 * judge() answers the same as the libraries in other languages; all of them are tested with the cases of vectors.json.
 *
 * Verdicts: 'valid' and 'in_grace' are licensed; 'not_licensed' is a true document that does not license this machine now;
 * 'not_genuine' proves nothing, because anybody may have written it.
 */
final class HostdeskLicence
{
    private const DOCUMENT = ['hostdesk-licence+jwt', 65_536];
    private const LIST = ['hostdesk-revocations+jwt', 2_000_000];
    // A clock may be a little off. One that is further back was perhaps set so, to keep an old document young.
    private const CLOCK_LEEWAY_S = 300;

    /**
     * Of $expected only `keys` is needed: the list `keys` of the operator's /.well-known/jwks.json, decoded to arrays. `revocations` is
     * the text of /.well-known/licence-revocations, `least_seq` the highest `seq` seen so far, `at` in seconds since 1970 (now unless
     * given). `ipv4` and `ipv6` are lists of this machine's addresses, of which one must fit; `fingerprint`, `licence_key`, `issuer` and `product`
     * must be the document's; `requires` lists entitlements that the licence must allow.
     *
     * @param array{keys: list<array>, revocations?: ?string, least_seq?: int, at?: int|float, ipv4?: ?list<string>, ipv6?: ?list<string>,
     *   fingerprint?: ?string, licence_key?: ?string, issuer?: ?string, product?: ?string, requires?: list<string>} $expected
     * @return array{verdict: string, reason: string, plan: ?string, entitlements: object} what counts at the time
     */
    public static function judge(string $document, array $expected): array
    {
        $at = $expected['at'] ?? microtime(true);
        $list = null;
        try {
            [$kid, $claims] = self::readSigned($document, $expected['keys'], self::DOCUMENT);
            if (!self::areClaims($claims)) {
                throw new DomainException('unknown_claims');
            }
            if (isset($expected['revocations'])) {
                $list = self::listOf($expected['revocations'], $expected['keys'], $expected['least_seq'] ?? 0);
                if (in_array($kid, $list->withdrawn_keys, true)) {
                    throw new DomainException('withdrawn_key');
                }
            }
        } catch (DomainException $error) {
            return self::judgement('not_genuine', $error->getMessage());
        }
        $refusal = self::refusalOf($claims, $expected, $list, $at);
        if ($refusal !== null) {
            return self::judgement('not_licensed', $refusal);
        }
        $verdict = $at < $claims->exp ? 'valid' : 'in_grace';
        $reason = $list !== null && $at >= $list->exp ? 'list_expired' : $verdict;
        return self::judgement($verdict, $reason, ...self::inForceAt($claims, $at));
    }

    /** The operator's list of void documents, with its `seq` to keep; a DomainException says why it is not genuine. */
    public static function readRevocations(string $text, array $keys): stdClass
    {
        $claims = self::readSigned($text, $keys, self::LIST)[1];
        $fits = $claims !== null && is_array($claims->revoked ?? null) && is_array($claims->withdrawn_keys ?? null)
            && self::areAll(['seq', 'iat', 'exp'], fn ($name) => self::isWhole($claims->$name ?? null))
            && self::areAll($claims->revoked, fn ($entry) => is_array($entry) && is_string($entry[0] ?? null)
                && self::isWhole($entry[1] ?? null));
        return $fits ? $claims : throw new DomainException('unknown_claims');
    }

    private static function judgement(string $verdict, string $reason, ?string $plan = null, ?object $entitlements = null): array
    {
        return ['verdict' => $verdict, 'reason' => $reason, 'plan' => $plan, 'entitlements' => $entitlements ?? new stdClass()];
    }

    private static function listOf(string $text, array $keys, int $leastSeq): stdClass
    {
        try {
            $list = self::readRevocations($text, $keys);
        } catch (DomainException) {
            throw new DomainException('list_not_genuine');
        }
        return $list->seq >= $leastSeq ? $list : throw new DomainException('list_rolled_back');
    }

    private static function refusalOf(stdClass $claims, array $expected, ?stdClass $list, int|float $at): ?string
    {
        $revoked = array_filter($list->revoked ?? [], fn ($entry) => $entry[0] === $claims->sub && $claims->iat < $entry[1]);
        $machine = $claims->machine ?? null;
        // A document without a product is of the one that was there before there were several.
        $product = is_string($claims->product ?? null) ? $claims->product : 'server';
        return match (true) {
            ($expected['issuer'] ?? $claims->iss) !== $claims->iss => 'other_issuer',
            ($expected['licence_key'] ?? $claims->licence_key) !== $claims->licence_key => 'other_licence_key',
            ($expected['product'] ?? $product) !== $product => 'other_product',
            $claims->iat > $at + self::CLOCK_LEEWAY_S => 'not_yet_issued',
            !self::fitsAddress($claims, $expected['ipv4'] ?? null, $expected['ipv6'] ?? null) => 'address_mismatch',
            is_string($machine) && ($expected['fingerprint'] ?? $machine) !== $machine => 'other_machine',
            $revoked !== [] => 'revoked',
            in_array($claims->status, ['free', 'suspended', 'too_many_machines'], true) => $claims->status,
            // A paid period ends at its end: the grace below covers a network that is down, not an unpaid bill.
            $claims->status !== 'active' || !($at < self::secondsOf($claims->paid_until)) => 'expired',
            $at >= $claims->exp + $claims->grace_s => 'document_expired',
            !self::allows(self::inForceAt($claims, $at)[1], $expected['requires'] ?? []) => 'entitlement_missing',
            default => null,
        };
    }

    private static function fitsAddress(stdClass $claims, ?array $ipv4, ?array $ipv6): bool
    {
        if ($ipv4 === null && $ipv6 === null) {
            return true;
        }
        if ($claims->ipv4 !== null && in_array($claims->ipv4, $ipv4 ?? [], true)) {
            return true;
        }
        $licensed = is_string($claims->ipv6 ?? null) ? explode('/', $claims->ipv6, 2) : [''];
        $bits = $licensed[1] ?? '128';
        $network = self::addressBits($licensed[0]);
        if ($network === null || preg_match('/^(0|[1-9]\d{0,2})$/D', $bits) !== 1 || (int) $bits > 128) {
            return false;
        }
        foreach ($ipv6 ?? [] as $one) {
            if (strncmp(self::addressBits($one) ?? '', $network, (int) $bits) === 0 && self::addressBits($one) !== null) {
                return true;
            }
        }
        return false;
    }

    /** The 128 bits as a text of digits; null for what is no IPv6 address. */
    private static function addressBits(string $text): ?string
    {
        if (filter_var($text, FILTER_VALIDATE_IP, FILTER_FLAG_IPV6) === false) {
            return null;
        }
        return implode('', array_map(fn ($byte) => sprintf('%08b', $byte), unpack('C*', inet_pton($text))));
    }

    /** The plan that counts at a time, and what it allows. */
    private static function inForceAt(stdClass $claims, int|float $at): array
    {
        $present = self::newest($claims->next, $at) ?? $claims;
        return [$present->plan, $present->entitlements];
    }

    private static function newest(array $spans, int|float $at): ?stdClass
    {
        $begun = array_filter($spans, fn ($span) => self::secondsOf($span->from) <= $at);
        return $begun === [] ? null : end($begun);
    }

    private static function allows(stdClass $entitlements, array $requires): bool
    {
        return self::areAll($requires, function ($key) use ($entitlements) {
            $value = $entitlements->$key ?? null;
            return is_int($value) || is_float($value) ? $value > 0 : $value === true || (is_string($value) && $value !== '');
        });
    }

    /** The kid and the claims. The header chooses among our keys and nothing more: the way of signing is fixed (RFC 8725). */
    private static function readSigned(string $document, array $keys, array $kind): array
    {
        [$type, $longest] = $kind;
        $text = trim($document, " \t\r\n");
        $parts = explode('.', $text);
        $fits = count($parts) === 3 && strlen($text) <= $longest && self::areAll($parts, self::isPart(...));
        $header = $fits ? self::objectIn($parts[0]) : null;
        $kid = $header->kid ?? null;
        $key = array_values(array_filter($keys, fn ($one) => is_string($kid) && ($one['kid'] ?? null) === $kid))[0] ?? null;
        $refusal = match (true) {
            $header === null => 'malformed',
            ($header->alg ?? null) !== 'EdDSA' => 'wrong_algorithm',
            ($header->typ ?? null) !== $type || property_exists($header, 'crit') => 'wrong_type',
            $key === null => 'unknown_key',
            (bool) ($key['withdrawn'] ?? false) => 'withdrawn_key',
            default => null,
        };
        if ($refusal !== null) {
            throw new DomainException($refusal);
        }
        $signature = self::decoded($parts[2]);
        // Decoding forgives stray bits; a signature has one spelling only.
        $straight = strlen($signature) === 64 && rtrim(strtr(base64_encode($signature), '+/', '-_'), '=') === $parts[2];
        if (!$straight || !sodium_crypto_sign_verify_detached($signature, "$parts[0].$parts[1]", self::publicKey($key))) {
            throw new DomainException('wrong_signature');
        }
        return [$kid, self::objectIn($parts[1])];
    }

    private static function publicKey(array $key): string
    {
        $bytes = is_string($key['x'] ?? null) ? self::decoded($key['x']) : '';
        $fits = ($key['kty'] ?? null) === 'OKP' && ($key['crv'] ?? null) === 'Ed25519' && strlen($bytes) === 32;
        return $fits ? $bytes : throw new DomainException('unusable_key');
    }

    private static function areClaims(?stdClass $claims): bool
    {
        return $claims !== null
            && self::areAll(['iss', 'sub', 'licence_key', 'status'], fn ($name) => is_string($claims->$name ?? null))
            && self::areAll(['ipv4', 'plan', 'paid_until'], fn ($name) => self::isTextOrNull($claims, $name))
            && self::areAll(['iat', 'exp', 'grace_s'], fn ($name) => self::isWhole($claims->$name ?? null))
            // Later versions only add claims to those of version 2.
            && self::isWhole($claims->ver ?? null) && $claims->ver >= 2 && self::isTextOrNull($claims, 'edition')
            && ($claims->entitlements ?? null) instanceof stdClass
            && is_array($claims->next ?? null) && self::areAll($claims->next, fn ($one) => $one instanceof stdClass
                && self::areAll(['from', 'plan', 'edition'], fn ($name) => is_string($one->$name ?? null))
                && ($one->entitlements ?? null) instanceof stdClass);
    }

    private static function isTextOrNull(stdClass $claims, string $name): bool
    {
        return property_exists($claims, $name) && ($claims->$name === null || is_string($claims->$name));
    }

    private static function isWhole(mixed $value): bool
    {
        return (is_int($value) || is_float($value)) && abs($value) <= 2 ** 53 - 1 && floor($value) == $value;
    }

    /** A time in UTC as seconds; what cannot be read is neither before nor after another. */
    private static function secondsOf(?string $text): float
    {
        if ($text === null || !preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/D', $text)) {
            return NAN;
        }
        $whole = DateTimeImmutable::createFromFormat('!Y-m-d\TH:i:s', substr($text, 0, 19), new DateTimeZone('UTC'));
        $isReal = $whole !== false && $whole->format('Y-m-d\TH:i:s') === substr($text, 0, 19);
        return $isReal ? $whole->getTimestamp() + (float) ('0' . substr($text, 19, -1)) : NAN;
    }

    private static function areAll(array $values, callable $fits): bool
    {
        return count(array_filter($values, $fits)) === count($values);
    }

    private static function isPart(string $part): bool
    {
        return preg_match('/^[A-Za-z0-9_-]+$/D', $part) === 1 && strlen($part) % 4 !== 1;
    }

    private static function decoded(string $part): string
    {
        return (string) base64_decode(strtr($part, '-_', '+/'));
    }

    private static function objectIn(string $part): ?stdClass
    {
        $value = json_decode(self::decoded($part));
        return $value instanceof stdClass ? $value : null;
    }
}
