import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { licenceAt } from '#features/hosts/rules.ts'
import {
  findHostByKey,
  lockHostById,
  type HostRow,
  type LicensedHost,
  type PaidTime,
} from '#features/hosts/server/hosts.ts'
import { leaseSeconds } from '#features/licences/rules.ts'
import * as contract from '#features/licences/seats.ts'
import { knownMachine, sharing } from './clones.ts'
import { countQuestion, countUnknownKey } from './limits.ts'
import * as leases from './lease-queries.ts'
import { machinesOf, type MachineRow } from './machine-queries.ts'
import { isTooMany, MOST_KEPT, noteMachine, placesFor, type Seen } from './machines.ts'

/** `is_over` is true if the machine has no place; `lease` is set if it holds a floating seat. */
export type Place = { is_over: boolean; lease?: leases.LeaseTimes | undefined }

/**
 * Takes or keeps the place of a machine, or tells that there is none for it: of a bound licence a place, of a floating one a seat, which
 * needs the name of a machine.
 */
export async function placeOf(app: App, host: LicensedHost, seen: Seen | undefined): Promise<Place> {
  const lease_s = leaseOf(host)
  if (lease_s === undefined) return { is_over: seen !== undefined && (await isTooMany(app, host, seen)) }
  const limit = placesFor(host)
  if (limit === undefined) return { is_over: false }
  const lease = seen && (await leaseSeat(app, host, seen, { limit, lease_s }))
  return { is_over: !lease, lease }
}

/** The seconds of the leases of a licence that floats now, or undefined. */
export const leaseOf = ({ periods, now }: Dated): number | undefined =>
  leaseSeconds(licenceAt(periods, now)?.entitlements)

type Dated = {
  periods: readonly Pick<PaidTime, 'plan' | 'starts_at' | 'ends_at' | 'entitlements'>[]
  now: Date
}

/** The lease as it is told to software; `now` is the time of the answer. */
export function leaseReply({ until }: leases.LeaseTimes, now: Date, lease_s: number): contract.Lease {
  const renew_at = new Date(until.getTime() - (lease_s * 1000) / 2)
  const inSeconds = (time: Date) => Math.max(0, Math.floor((time.getTime() - now.getTime()) / 1000))
  return {
    until: until.toISOString(),
    renew_at: renew_at.toISOString(),
    lasts_s: inSeconds(until),
    renew_in_s: inSeconds(renew_at),
  }
}

type Terms = { limit: number; lease_s: number }

async function leaseSeat(
  app: App,
  host: LicensedHost,
  asked: Seen,
  terms: Terms,
): Promise<leases.LeaseTimes | undefined> {
  // A key of before tells no machines apart, as it may bring none.
  const seen = host.key_until ? { ...asked, boot: undefined } : asked
  const known = await machinesOf(app.db, host.id)
  const mine = knownMachine(known, seen)
  if (!mine && host.key_until) return undefined
  const place = mine ? known.filter((one) => holdsSeat(one, host.now)).indexOf(mine) : -1
  // A smaller plan has fewer seats than are held: those that were known first keep theirs.
  if (place >= terms.limit) return undefined
  const kept = mine && place >= 0 && (await keepSeat(app, mine, host.now, { ...seen, ...terms }))
  if (kept) return kept
  return transaction(app, 'system', async (tx) => {
    const locked = await lockHostById(tx, host.id)
    return locked && takeFreeSeat(tx, locked, seen, terms)
  })
}

export const holdsSeat = ({ lease_until }: Pick<MachineRow, 'lease_until'>, now: Date): boolean =>
  lease_until !== null && lease_until > now

/**
 * Extends the lease of a machine by one statement and without a lock of its host; one that asks again within a tenth of its lease costs no write.
 * Any other machine waits for the lock, so that machines that ask at once for the last seat are judged one by one.
 */
async function keepSeat(
  app: App,
  { id, leased_at: at, lease_until: until }: MachineRow,
  now: Date,
  { hostname, lease_s }: Seen & Terms,
): Promise<leases.LeaseTimes | undefined> {
  const lease_ms = lease_s * 1000
  const isFresh = at && until && until.getTime() - at.getTime() === lease_ms
  if (isFresh && (now.getTime() - at.getTime()) * 10 < lease_ms) return { at, until }
  return transaction(app, 'system', (tx) => leases.extendLease(tx, { id, hostname, lease_s }))
}

/** The caller has locked the host. A machine that gets no seat is not written, unless its id is known: then its boot may be news. */
async function takeFreeSeat(
  tx: Tx,
  host: HostRow,
  seen: Seen,
  { limit, lease_s }: Terms,
): Promise<leases.LeaseTimes | undefined> {
  await leases.freeExpiredSeats(tx, host.id)
  const before = await machinesOf(tx, host.id)
  const holders = before.filter(({ lease_until }) => lease_until !== null)
  if (sharing(before, seen.fingerprint).length === 0) {
    if (holders.length >= limit) return undefined
    await leases.forgetOldest(tx, host.id, Math.max(MOST_KEPT, limit) - 1)
  }
  await noteMachine(tx, host, seen)
  const mine = knownMachine(await machinesOf(tx, host.id), seen)
  return mine && leases.takeSeat(tx, mine, { limit, lease_s })
}

/** Answers `POST /api/licences/release/`. An unknown key is told nothing, and counted as in `validateLicence`. */
export const releaseSeat = handler(contract.releaseSeat, async ({ app, body, caller }) => {
  const { licence_key, ...named } = body
  const host = await findHostByKey(app.db, licence_key)
  if (!host) {
    await countUnknownKey(app, caller.ip)
    return { status: 200, body: { released: false } }
  }
  await countQuestion(app, licence_key, named.fingerprint)
  const mine = knownMachine(await machinesOf(app.db, host.id), named)
  const released =
    mine !== undefined && (await transaction(app, 'system', (tx) => leases.freeSeat(tx, mine.id)))
  return { status: 200, body: { released } }
})
