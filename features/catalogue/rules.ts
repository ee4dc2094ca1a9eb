import { MOST_LEASE_MIN, type Entitlements } from '#features/licences/rules.ts'

/** The states of a voucher: only a live one can be redeemed, and the others say why nobody can. */
export const voucherStates = ['live', 'used_up', 'expired', 'void'] as const
type VoucherState = (typeof voucherStates)[number]

type Facts = { uses: number; used: number; is_expired: boolean; voided_at: Date | null }

export function stateOf({ uses, used, is_expired, voided_at }: Facts): VoucherState {
  if (voided_at !== null) return 'void'
  if (used >= uses) return 'used_up'
  return is_expired ? 'expired' : 'live'
}

/** The states of a promo code: only a live one can be used, and the others say why nobody can. */
export const promoStates = ['live', 'used_up', 'expired', 'ended'] as const
type PromoState = (typeof promoStates)[number]

export function promoStateOf({
  uses,
  used,
  is_expired,
  ended_at,
}: Omit<Facts, 'voided_at'> & { ended_at: Date | null }): PromoState {
  if (ended_at !== null) return 'ended'
  if (used >= uses) return 'used_up'
  return is_expired ? 'expired' : 'live'
}

/** A promo code: 3 to 32 letters, digits and hyphens. It is advertised, and stored in capitals. */
export const PROMO_CODE = /^[A-Za-z0-9][A-Za-z0-9-]{2,31}$/
export const MOST_PROMO_RENEWALS = 120

export const DESCRIPTION_LENGTH = 400
export const FEATURE_LENGTH = 200
export const MOST_FEATURES = 12
export const MOST_TRIAL_DAYS = 60
/** The largest whole number in an entitlement: fifteen digits, as many as the table keeps. */
export const MOST_OF_INT = 999_999_999_999_999

/** True if there are at most 50 keys, each like `backups.nightly`. */
export const areKeys = (keys: readonly string[]): boolean =>
  keys.length <= 50 && keys.every((key) => /^[a-z][a-z0-9_.]{0,62}$/.test(key))

/** True for no lease, and for whole minutes of at most a day. */
export const isLease = (minutes: Entitlements[string] | undefined): boolean =>
  minutes === undefined || (typeof minutes === 'number' && minutes >= 1 && minutes <= MOST_LEASE_MIN)

/** Entitlements as a person types them, one a line: `machines = 3`, `backups.nightly = true`, `support.tier = "named"`. */
export const entitlementLines = (entitlements: Entitlements): string =>
  Object.entries(entitlements)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join('\n')

/**
 * Reads typed entitlements. A text needs quotes only if it looks like a number or a boolean. Returns undefined if a line is not
 * `key = value`, if a key is malformed or repeated, or if there are more than 50.
 */
export function parseEntitlements(typed: string): Record<string, boolean | number | string> | undefined {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const pairs = lines.map((line) => /^\s*([^\s=]+)\s*=\s*(.*?)\s*$/.exec(line))
  const keys = pairs.map((pair) => pair?.[1] ?? '')
  if (new Set(keys).size < keys.length || !areKeys(keys)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', valueOf(pair?.[2] ?? '')]))
}

function valueOf(typed: string): boolean | number | string {
  if (typed === 'true' || typed === 'false') return typed === 'true'
  if (/^-?\d{1,15}$/.test(typed)) return Number(typed)
  const quoted = /^"(.*)"$/.exec(typed)?.[1]
  return quoted === undefined ? typed : quoted.replaceAll(/\\(["\\])/g, '$1')
}
