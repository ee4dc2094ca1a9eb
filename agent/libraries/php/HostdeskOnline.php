<?php

declare(strict_types=1);

/**
 * Asks an installation of Hostdesk by licence key, for software that floats or has no agent. Stands beside HostdeskLicence.php. check()
 * takes a seat of a floating licence, or extends it; release() gives it back. Both throw a RuntimeException where there is no answer.
 */
final class HostdeskOnline
{
    private const LONGEST_S = 10;

    /**
     * With `keys` (the operator's) an answer is valid only if a document with their signature answers this very question; without them HTTPS
     * alone proves it. `fingerprint` is 64 hexadecimal digits that stay the same on this machine. `code` of the answer is `valid`, why not
     * as the installation says it, `unproven`, or a reason of judge(). The seconds of `lease` count from the answer.
     *
     * @param array{server: string, licence_key: string, keys?: list<array>, fingerprint?: string, boot?: string, product?: string, hostname?: string,
     *   ipv4?: string, ipv6?: string, requires?: list<string>} $question
     * @return array{valid: bool, code: string, edition: ?string, entitlements: array, lease: ?array, document: ?string}
     */
    public static function check(array $question): array
    {
        $nonce = rtrim(strtr(base64_encode(random_bytes(16)), '+/', '-_'), '=');
        $named = array_intersect_key($question, array_flip(['licence_key', 'fingerprint', 'boot', 'product', 'hostname', 'ipv4', 'ipv6']));
        $requires = $question['requires'] ?? [];
        $answer = self::send($question['server'], 'validate', [...$named, 'entitlements' => $requires, 'nonce' => $nonce]);
        if (!$answer['valid'] || !isset($question['keys'])) {
            return $answer;
        }
        $payload = explode('.', $answer['document'] ?? '')[1] ?? '';
        $claims = json_decode((string) base64_decode(strtr($payload, '-_', '+/')), true);
        if (($claims['nonce'] ?? null) !== $nonce) {
            return ['valid' => false, 'code' => 'unproven', 'lease' => null] + $answer;
        }
        // The time is that of the document, which is as old as the question: the clock of this machine may be wrong.
        $judged = HostdeskLicence::judge($answer['document'], ['keys' => $question['keys'], 'at' => $claims['iat'],
            'fingerprint' => $question['fingerprint'] ?? null, 'product' => $question['product'] ?? null, 'requires' => $requires]);
        if ($judged['verdict'] !== 'valid') {
            return ['valid' => false, 'code' => $judged['reason'], 'lease' => null] + $answer;
        }
        if ($answer['lease'] !== null) {
            $answer['lease']['lasts_s'] = min($answer['lease']['lasts_s'], $claims['exp'] - $claims['iat']);
        }
        return $answer;
    }

    /** Gives back the seat; true if this machine held one. */
    public static function release(array $question): bool
    {
        $named = array_intersect_key($question, array_flip(['licence_key', 'fingerprint', 'boot']));
        return self::send($question['server'], 'release', $named)['released'];
    }

    private static function send(string $server, string $path, array $body): array
    {
        $context = stream_context_create(['http' => ['method' => 'POST', 'header' => 'content-type: application/json',
            'content' => json_encode($body), 'timeout' => self::LONGEST_S]]);
        $text = @file_get_contents("$server/api/licences/$path/", false, $context);
        $answer = $text === false ? null : json_decode($text, true);
        return is_array($answer) ? $answer : throw new RuntimeException('the installation gave no answer');
    }
}
