/**
 * The content of a licence document (docs/decisions/016-licence-document.md). Times are seconds since 1970 but for
 * `paid_until`, which is RFC 3339; `ipv4`, `plan` and `paid_until` are null where there is none.
 * `plan`, `edition` and `entitlements` count when the document was issued; `next` has what begins while it may be used. Documents of
 * operators that have not upgraded yet have no `ver`, and say by `plans` which plan counts from when to when.
 * @typedef {Readonly<Record<string, boolean | number | string>>} Entitlements what a licence allows, by key
 *
 * @typedef {{
 *   iss: string, sub: string, licence_key: string, ipv4: string | null, status: string, plan: string | null,
 *   plans?: readonly { plan: string, from: string, until: string }[],
 *   ver?: number, edition?: string | null, entitlements?: Entitlements,
 *   next?: readonly { from: string, plan: string, edition: string, entitlements: Entitlements }[],
 *   paid_until: string | null, iat: number, exp: number, grace_s: number,
 * }} Claims
 *
 * The operator's list of void documents: those of the host `sub` with an earlier `iat` than `before`. `seq` rises with each change.
 * @typedef {{
 *   seq: number, iat: number, exp: number, revoked: readonly (readonly [sub: string, before: number])[], withdrawn_keys: readonly string[],
 * }} Revocations
 */

/**
 * @param {object | undefined} given
 * @returns {given is Claims}
 */
export function areClaims(given) {
  const claims = isRecord(given) ? given : undefined
  const isText = (/** @type {string} */ name) => typeof claims?.[name] === 'string'
  const isTextOrNull = (/** @type {string} */ name) => isText(name) || claims?.[name] === null
  const isTime = (/** @type {string} */ name) => Number.isSafeInteger(claims?.[name])
  const fits =
    ['iss', 'sub', 'licence_key', 'status'].every(isText) &&
    ['ipv4', 'plan', 'paid_until'].every(isTextOrNull) &&
    ['iat', 'exp', 'grace_s'].every(isTime) &&
    (claims?.['plans'] === undefined || areSpans(claims['plans'], ['plan', 'from', 'until'])) &&
    (claims?.['ver'] === undefined || isSecond(claims))
  return fits
}

/**
 * @param {object | undefined} given
 * @returns {given is Revocations}
 */
export function areRevocations(given) {
  const list = isRecord(given) ? given : undefined
  const { revoked, withdrawn_keys } = list ?? {}
  const isEntry = (/** @type {unknown} */ entry) =>
    Array.isArray(entry) && typeof entry[0] === 'string' && Number.isSafeInteger(entry[1])
  const fits =
    ['seq', 'iat', 'exp'].every((name) => Number.isSafeInteger(list?.[name])) &&
    Array.isArray(revoked) &&
    revoked.every(isEntry) &&
    Array.isArray(withdrawn_keys)
  return fits
}

/**
 * Later versions only add to the second one.
 * @param {Record<string, unknown>} claims
 */
const isSecond = ({ ver, edition, entitlements, next }) =>
  Number.isSafeInteger(ver) &&
  Number(ver) >= 2 &&
  (typeof edition === 'string' || edition === null) &&
  isRecord(entitlements) &&
  areSpans(next, ['from', 'plan', 'edition']) &&
  next.every((one) => isRecord(one['entitlements']))

/**
 * @param {unknown} spans
 * @param {readonly string[]} texts the names of their texts
 * @returns {spans is Record<string, unknown>[]}
 */
const areSpans = (spans, texts) =>
  Array.isArray(spans) &&
  spans.every((span) => isRecord(span) && texts.every((name) => typeof span[name] === 'string'))

/**
 * The plan that counts at a time, and what it allows. A document outlives the beginning of another plan on a machine without a network.
 * @param {Claims} claims
 * @param {number} now in seconds
 * @returns {{ plan: string | null, entitlements: Entitlements }}
 */
export function inForceAt(claims, now) {
  const { plan, entitlements = {}, next } = claims
  if (next === undefined) return { plan: planAt(claims, now), entitlements }
  return next.findLast(({ from }) => Date.parse(from) / 1000 <= now) ?? { plan, entitlements }
}

/**
 * The plan by a document of the first version; one that names no times promises its plan throughout.
 * @param {Claims} claims
 * @param {number} now in seconds
 * @returns {string | null}
 */
function planAt({ plan, plans }, now) {
  if (plans === undefined) return plan
  const inForce = plans.findLast(({ from }) => Date.parse(from) / 1000 <= now)
  // A clock that is a little behind the operator's sees nothing begun yet.
  return (inForce ?? plans[0])?.plan ?? plan
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
