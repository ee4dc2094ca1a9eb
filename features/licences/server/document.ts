import type { App } from '#foundation/server/app.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler, type Call } from '#foundation/server/http/handler.ts'
import { isProgram, licenceAt, licenceStatus } from '#features/hosts/rules.ts'
import { hostOf, type HostRow, type PaidTime } from '#features/hosts/server/hosts.ts'
import * as contract from '#features/licences/contract.ts'
import { DOCUMENT_GRACE_S, DOCUMENT_LIFETIME_S, leaseSeconds } from '#features/licences/rules.ts'
import { leaseOf } from './leases.ts'
import { isTooMany } from './machines.ts'
import { signedJws, signingKey } from './signing-keys.ts'

type Licensed = Pick<
  HostRow,
  'public_id' | 'ipv4' | 'ipv6' | 'licence_key' | 'paid_until' | 'documents_from_s' | 'suspended' | 'now'
> & {
  product?: HostRow['product']
  periods: readonly Pick<PaidTime, 'plan' | 'edition' | 'entitlements' | 'starts_at' | 'ends_at'>[]
  /** The end of the licence key, which was renewed; a document with it ends with it. */
  key_until?: Date | null
}

/**
 * `nonce` shows the caller that the document answers this request. `machine` is the fingerprint of the machine that asks, and `is_over` is
 * true if it is one machine too many. `lease_until` is the end of the seat that it holds: a floating licence licenses no machine without one.
 */
type Asked = {
  nonce?: string | undefined
  machine?: string | null | undefined
  is_over?: boolean
  lease_until?: Date | undefined
}

/**
 * Returns a host's licence document, signed with Ed25519 as a compact JWS, for software on the host to check without asking us
 * (docs/decisions/102-licence-documents.md; agent/licence.mjs reads it). It is made of the row as it is in the database now, and never
 * comes from a cache: a signature costs 30 µs, and a document must not reflect stale data.
 */
export async function licenceDocument(
  app: App,
  host: Licensed,
  { nonce, machine = null, is_over = false, lease_until }: Asked = {},
): Promise<string> {
  const key = await signingKey(app)
  const iat = issuedAt(host)
  const { exp, grace_s } = endOf(host, iat, lease_until)
  const last_s = exp + grace_s
  const present = licenceAt(host.periods, host.now)
  const claims = {
    ver: 2,
    iss: app.config.publicOrigin,
    sub: host.public_id,
    licence_key: host.licence_key,
    ipv4: host.ipv4,
    ipv6: host.ipv6,
    machine,
    status: statusOf(host, is_over || (leaseOf(host) !== undefined && !lease_until)),
    ...(host.product && { product: host.product.slug }),
    plan: present?.plan ?? null,
    edition: present?.edition ?? null,
    entitlements: present?.entitlements ?? {},
    plan_until: present ? planUntil(host.periods, host.now, last_s) : null,
    next: nextIn(host.periods, host.now, last_s),
    paid_until: host.paid_until?.toISOString() ?? null,
    iat,
    exp,
    grace_s,
    ...(nonce !== undefined && { nonce }),
  }
  return signedJws(key, 'hostdesk-licence+jwt', claims)
}

/**
 * The time of a document in seconds: by the clock, or that from which the revocations which were read with the host let documents count. It may
 * lie two seconds ahead of the clock, and more after several revocations in a row; verifiers allow for five minutes.
 */
export const issuedAt = ({ now, documents_from_s }: Pick<Licensed, 'now' | 'documents_from_s'>): number =>
  Math.max(Math.floor(now.getTime() / 1000), documents_from_s)

/** A document ends early with a key that was renewed, with the lease of a seat, and before a licence begins to float. */
function endOf(
  { key_until, periods, now }: Licensed,
  iat: number,
  lease_until: Date | undefined,
): { exp: number; grace_s: number } {
  const floats = periods.find(
    ({ starts_at, entitlements }) => new Date(starts_at) > now && leaseSeconds(entitlements) !== undefined,
  )
  const ends = [key_until, lease_until, floats && new Date(floats.starts_at)].flatMap((end) =>
    end ? [Math.floor(end.getTime() / 1000)] : [],
  )
  const exp = Math.min(iat + DOCUMENT_LIFETIME_S, ...ends)
  return { exp, grace_s: Math.max(0, Math.min(DOCUMENT_GRACE_S, ...ends.map((end) => end - exp))) }
}

function statusOf({ suspended, paid_until, now }: Licensed, is_over: boolean): string {
  if (suspended) return 'suspended'
  const status = licenceStatus(paid_until, now)
  return status === 'active' && is_over ? 'too_many_machines' : status
}

/** The time until which the present plan counts: the end of the last of its periods in a row that begin while the document may count. */
function planUntil(periods: Licensed['periods'], now: Date, last_s: number): string | null {
  const [present, ...later] = periods.filter(
    ({ starts_at, ends_at }) => new Date(ends_at) > now && new Date(starts_at).getTime() <= last_s * 1000,
  )
  const others = later.findIndex(({ plan }) => plan !== present?.plan)
  const last = (others < 0 ? later : later.slice(0, others)).at(-1) ?? present
  return last ? new Date(last.ends_at).toISOString() : null
}

type Next = { from: string } & Pick<PaidTime, 'plan' | 'edition' | 'entitlements'>

/**
 * The periods that begin while the document may count: a reader takes the newest that has begun. A machine without a network may use it for
 * up to ten days, in which another plan may begin: it must promise neither the old plan then nor the new plan now.
 */
function nextIn(periods: Licensed['periods'], now: Date, last_s: number): Next[] {
  return periods
    .map(({ plan, edition, entitlements, starts_at }) => ({
      from: new Date(starts_at),
      plan,
      edition,
      entitlements,
    }))
    .filter(({ from }) => from > now && from.getTime() <= last_s * 1000)
    .map((one) => ({ ...one, from: one.from.toISOString() }))
}

/**
 * Answers `GET /api/hosts/{hostId}/licence/document` with the document as a file, for machines without a network. A document of a program
 * bears no address, so each copy of a file for no machine would be a licence: there is none. Throws 409 `needs_machine`.
 */
export const getDocument = handler(contract.getDocument, async ({ app, actor, params, reply }) => {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  if (leaseOf(host) !== undefined) throw new HttpError(409, [{ code: 'licence_floats' }])
  if (isProgram(host)) throw new HttpError(409, [{ code: 'needs_machine' }])
  return sendFile(reply, host, await licenceDocument(app, host))
})

/** Answers `POST /api/hosts/{hostId}/licence/document` with a document for one machine, which takes a place of the licence. */
export const makeDocument = handler(contract.makeDocument, async (call) => {
  const { app, actor, params, caller, reply } = call
  const { fingerprint, hostname = null } = call.body
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  if (leaseOf(host) !== undefined) throw new HttpError(409, [{ code: 'licence_floats' }])
  const is_over = await isTooMany(app, host, { fingerprint, hostname, address: caller.ip })
  return sendFile(reply, host, await licenceDocument(app, host, { machine: fingerprint, is_over }))
})

type Reply = Call<typeof contract.getDocument>['reply']

/** The file has no line end: libraries take the file as it is, and would read a line end as part of the document. */
function sendFile(reply: Reply, { public_id }: Licensed, document: string): null {
  void reply
    .type('application/jose')
    .header('content-disposition', `attachment; filename="licence-${public_id}.jws"`)
    .send(document)
  return null
}
