import { HOTP, Secret } from 'otpauth'

const PERIOD_S = 30

/** Returns 20 random bytes in base32, as authenticator apps take them. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/**
 * Returns the steps of 30 s (RFC 6238), at most the tolerance away from now, that have this code. `TOTP.validate` names only one of them;
 * a step that was used must not hide another. Each comparison takes the same time, whatever digits are right.
 */
export function stepsOf(
  secret: string,
  code: string,
  { now_s, tolerance }: { now_s: number; tolerance: number },
): bigint[] {
  const now = Math.floor(now_s / PERIOD_S)
  const near = Array.from({ length: 2 * tolerance + 1 }, (_, place) => now - tolerance + place)
  const key = Secret.fromBase32(secret)
  return near
    .filter((counter) => HOTP.validate({ token: code, secret: key, counter, window: 0 }) === 0)
    .map(BigInt)
}
