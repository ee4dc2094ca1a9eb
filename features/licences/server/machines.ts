import { licenceAt } from '#features/hosts/rules.ts'
import { announceHost, lockHostById, type HostRow, type LicensedHost } from '#features/hosts/server/hosts.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { machineLimitReached } from '#features/licences/event-contract.ts'
import { knownMachine, ownFingerprint, placesOf, sharing } from './clones.ts'
import { forgetFloating } from './lease-queries.ts'
import { tooManyMachines } from './mails.ts'
import * as queries from './machine-queries.ts'

export type Seen = {
  fingerprint: string | null
  hostname: string | null
  address: string
  /** The digest of the boot, which tells machines with the same fingerprint apart. */
  boot?: string | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// Anybody with the licence key can report made-up machines, so no more are kept for a host, unless its licence allows more.
export const MOST_KEPT = 50
const SHARED_MS = 20_000

/**
 * True if a machine is one too many for the licence of its host. A new machine is written as the last one; a machine that was not seen for
 * an hour is written as seen; otherwise nothing is written. The lock of the host makes one of two new machines wait for the other.
 */
export async function isTooMany(app: App, host: LicensedHost, asked: Seen): Promise<boolean> {
  // A key of before brings no clone either.
  const seen = host.key_until ? { ...asked, boot: undefined } : asked
  const limit = placesFor(host)
  if (limit === undefined) return false
  const all = await queries.machinesOf(app.db, host.id)
  const known = all.filter(({ leased_at }) => leased_at === null)
  const family = sharing(known, seen.fingerprint)
  const mine = knownMachine(known, seen)
  // The time at which each of several machines with one id was last seen shows which of them was restarted.
  const fresh_ms = family.length > 1 ? SHARED_MS : HOUR_MS
  if (mine && host.now.getTime() - mine.last_seen.getTime() < fresh_ms) return isOver(known, mine, limit)
  // With a key of before somebody may have kept it who has lost the server: it brings no machine that is not there yet.
  if (family.length === 0 && host.key_until) return true
  if (family.length === 0 && known.length >= Math.max(MOST_KEPT, limit)) return true
  return transaction(app, 'system', async (tx) => {
    const locked = await lockHostById(tx, host.id)
    if (!locked) return false
    if (known.length < all.length) await forgetFloating(tx, host.id)
    await noteMachine(tx, locked, seen)
    const present = await queries.machinesOf(tx, host.id)
    const machine = knownMachine(present, seen)
    if (!machine) return true
    if (!isOver(present, machine, limit)) return false
    await mailOnceADay(app, tx, locked, { all: present, machine, limit })
    return true
  })
}

/** Writes that a machine was seen: the one that is known, one that was restarted, or a new one. The caller has locked the host. */
export async function noteMachine(tx: Tx, { id: host_id, user_id, now }: HostRow, seen: Seen): Promise<void> {
  const { fingerprint, boot } = seen
  const all = await queries.machinesOf(tx, host_id)
  const family = sharing(all, fingerprint)
  const mine = knownMachine(all, seen)
  if (mine) return queries.noteSeen(tx, mine.id, seen.hostname)
  if (family.length === 0 || boot === undefined || fingerprint === null)
    return queries.putMachine(tx, { ...seen, host_id, user_id })
  for (const { id, boot: placed } of placesOf(family, { boot, now })) {
    if (id !== undefined) await queries.setBoot(tx, id, placed)
    else if (all.length < MOST_KEPT)
      await queries.putMachine(tx, {
        ...seen,
        host_id,
        user_id,
        fingerprint: ownFingerprint(fingerprint, placed),
        boot: placed,
        clone_of: fingerprint,
      })
  }
}

export const isOver = (
  all: readonly queries.MachineRow[],
  machine: queries.MachineRow,
  limit: number,
): boolean => all.indexOf(machine) >= limit

/** The number of machines that a running licence allows, one unless its edition allows more; undefined if the licence does not run. */
export function placesFor({ periods, paid_until, now }: LicensedHost): number | undefined {
  if (paid_until === null || paid_until <= now) return undefined
  const machines = licenceAt(periods, now)?.entitlements['machines']
  return typeof machines === 'number' && machines > 1 ? Math.floor(machines) : 1
}

async function mailOnceADay(
  app: App,
  tx: Tx,
  host: HostRow,
  { all, machine, limit }: { all: readonly queries.MachineRow[]; machine: queries.MachineRow; limit: number },
): Promise<void> {
  const last = Math.max(0, ...all.map(({ mailed_at }) => mailed_at?.getTime() ?? 0))
  const user = await findUser(tx, host.user_id)
  if (!user?.is_active || host.now.getTime() - last < DAY_MS) return
  await queries.noteMail(tx, machine.id)
  const { hostname, address } = machine
  const named = { id: host.public_id, name: host.name }
  const reached = { host: named, limit, machine: { hostname, address } }
  record(tx, host.user_id, machineLimitReached, reached, { host: host.public_id })
  const values = {
    host: host.name,
    host_id: host.public_id,
    hostname: machine.hostname ?? '',
    address: machine.address,
    limit,
  }
  await mailTo(app, tx, user.id, tooManyMachines, values)
  await announceHost(tx, host)
}
