import { isWithin } from '#foundation/ipv6.ts'
import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { INTERVAL_S, isProgram, licenceAt, licenceStatus } from '#features/hosts/rules.ts'
import { findHostByKey, recordCheckIn, type LicensedHost } from '#features/hosts/server/hosts.ts'
import * as contract from '#features/licences/contract.ts'
import { FIRST_PRODUCT } from '#features/licences/rules.ts'
import type { Validation } from '#features/licences/validation.ts'
import { licenceDocument } from './document.ts'
import { leaseOf, placeOf, leaseReply, type Place } from './leases.ts'
import { countQuestion, countUnknownKey } from './limits.ts'
import { keyNews } from './signing-keys.ts'

/** Answers `POST /api/agent/check-in/`: a machine reports that it is running, with its metrics, and gets its licence. */
export const checkIn = handler(contract.checkIn, async ({ app, agent, body, caller }) => {
  assertPatient(app, agent.id)
  // The load is rounded to two decimals: the smallest numbers that JSON can hold are out of range for the column, a `real`.
  const { fingerprint, boot, ...reported } = body
  const figures = { ...reported, load_1m: Math.round(body.load_1m * 100) / 100 }
  const host = await recordCheckIn(app, { host_id: agent.id, address: caller.ip, figures })
  // The host was deleted, or its token renewed, after the token was checked.
  if (!host) throw new HttpError(401, [{ code: 'not_authenticated' }])
  const machine =
    fingerprint === undefined ? undefined : { fingerprint, boot, hostname: body.hostname, address: caller.ip }
  const { is_over, lease } = await placeOf(app, host, machine)
  const licence = await licenceDocument(app, host, {
    machine: fingerprint,
    is_over,
    lease_until: lease?.until,
  })
  // An agent keeps its seat by its check-ins, so two of them belong into a lease.
  const interval_s = Math.min(host.interval_s ?? INTERVAL_S, (leaseOf(host) ?? Infinity) / 2)
  return { status: 200, body: { interval_s, licence, ...(await keyNews(app)) } }
})

// A machine that restarts its agent over and over stays far below this limit, which keeps a flood of check-ins out of the tables.
const MOST = 20
const WINDOW_MS = 10_000

type Window = { from_ms: number; counts: Map<bigint, number> }
const windows = new WeakMap<App['pool'], Window>()

/**
 * Throws 429 for the twenty-first check-in of a host in a window of ten seconds. The check-ins are counted in memory, unlike attempts to
 * sign in: nothing can be guessed here, so several processes may let through several times as many, and a row for each check-in would
 * cost as much as the check-in.
 */
function assertPatient(app: App, host_id: bigint): void {
  const now_ms = performance.now()
  let window = windows.get(app.pool)
  if (!window || now_ms - window.from_ms >= WINDOW_MS)
    windows.set(app.pool, (window = { from_ms: now_ms, counts: new Map() }))
  const count = (window.counts.get(host_id) ?? 0) + 1
  window.counts.set(host_id, count)
  if (count <= MOST) return
  const wait_s = Math.ceil((window.from_ms + WINDOW_MS - now_ms) / 1000)
  throw new HttpError(429, [{ code: 'too_many_requests' }], wait_s)
}

type Entitlements = Validation['entitlements']
type Named = { ipv4?: string | undefined; ipv6?: string | undefined }
type Asked = Named & Machine & { product?: string | undefined; entitlements?: string[] | undefined }

/**
 * Answers software that asks, instead of reading a document, if the licence of this key counts now (docs/decisions/102).
 * An unknown key gets an answer too, but each address only a few such answers a minute.
 */
export const validateLicence = handler(contract.validateLicence, async ({ app, body, caller }) => {
  const { licence_key, fingerprint, nonce = null } = body
  const host = await findHostByKey(app.db, licence_key)
  if (!host) {
    await countUnknownKey(app, caller.ip)
    const nothing = {
      valid: false,
      code: 'not_found',
      edition: null,
      entitlements: {},
      paid_until: null,
      lease: null,
    } as const
    return { status: 200, body: { ...nothing, document: null, nonce } }
  }
  const lease_s = leaseOf(host)
  await countQuestion(app, licence_key, lease_s === undefined ? undefined : fingerprint)
  const present = licenceAt(host.periods, host.now)
  const entitlements = present?.entitlements ?? {}
  const judged = validationCode(host, body, entitlements)
  const { is_over, lease } = await placeIfCounted(app, host, { ...body, code: judged, address: caller.ip })
  const code = !is_over ? judged : fingerprint === undefined ? 'machine_unnamed' : 'too_many_machines'
  const document =
    code !== 'other_product' && mayReadDocument(host, body)
      ? await licenceDocument(app, host, {
          nonce: body.nonce,
          machine: fingerprint,
          is_over,
          lease_until: lease?.until,
        })
      : null
  return {
    status: 200,
    body: {
      valid: code === 'valid',
      code,
      ...(host.product && { product: host.product.slug }),
      edition: present?.edition ?? null,
      entitlements,
      paid_until: host.paid_until?.toISOString() ?? null,
      lease: lease && lease_s !== undefined ? leaseReply(lease, host.now, lease_s) : null,
      document,
      nonce,
    },
  }
})

type Machine = { fingerprint?: string | undefined; boot?: string | undefined; hostname?: string | undefined }

/** Counts the machine only if its licence is valid otherwise. A licence that floats has seats for software that may run. */
async function placeIfCounted(
  app: App,
  host: LicensedHost,
  { code, fingerprint, boot, hostname, address }: Machine & { code: Validation['code']; address: string },
): Promise<Place> {
  const seen =
    fingerprint === undefined ? undefined : { fingerprint, boot, hostname: hostname ?? null, address }
  const isCounted = code === 'valid' || (code === 'entitlement_missing' && leaseOf(host) === undefined)
  return isCounted ? placeOf(app, host, seen) : { is_over: false }
}

function validationCode(host: LicensedHost, asked: Asked, entitlements: Entitlements): Validation['code'] {
  if (asked.product !== undefined && asked.product !== (host.product?.slug ?? FIRST_PRODUCT))
    return 'other_product'
  if (host.suspended) return 'suspended'
  const status = licenceStatus(host.paid_until, host.now)
  if (status !== 'active') return status
  const isNamed = asked.ipv4 !== undefined || asked.ipv6 !== undefined
  if (isNamed && !isProgram(host) && !isLicensedFor(host, asked)) return 'address_mismatch'
  if (asked.entitlements?.some((key) => !isAllowed(entitlements, key))) return 'entitlement_missing'
  return 'valid'
}

/** One matching address of the machine is enough, as in the libraries (decision 102). */
const isLicensedFor = (host: LicensedHost, { ipv4, ipv6 }: Named): boolean =>
  (ipv4 !== undefined && ipv4 === host.ipv4) ||
  (ipv6 !== undefined && host.ipv6 !== null && isWithin(ipv6, host.ipv6))

/**
 * The document bears the addresses of the host, so it is for those who know one. The document of a program bears none: it is for the machine that
 * names itself, for without one each copy would be a licence.
 */
const mayReadDocument = (host: LicensedHost, asked: Named & Machine): boolean =>
  isProgram(host)
    ? asked.fingerprint !== undefined
    : isLicensedFor(host, asked) || (host.ipv4 === null && host.ipv6 === null)

/** True if the entitlements allow what the key names; a number that is not above zero allows nothing. */
function isAllowed(entitlements: Entitlements, key: string): boolean {
  const value = Object.hasOwn(entitlements, key) ? entitlements[key] : undefined
  return typeof value === 'number' ? value > 0 : Boolean(value)
}
