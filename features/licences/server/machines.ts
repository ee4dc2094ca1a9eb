import type { Host } from '#features/hosts/contract.ts'
import { licenceAt } from '#features/hosts/rules.ts'
import {
  announceHost,
  helpWithHost,
  hostOf,
  lockHost,
  lockHostById,
  namedHosts,
  nameOfHelping,
  type Helping,
  type HostRow,
  type LicensedHost,
} from '#features/hosts/server/hosts.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { machineLimitReached } from '#features/licences/event-contract.ts'
import * as contract from '#features/licences/machines.ts'
import { knownMachine, ownFingerprint, placesOf, sharing } from './clones.ts'
import { tooManyMachines } from './mails.ts'
import * as queries from './machine-queries.ts'

type Seen = {
  fingerprint: string | null
  hostname: string | null
  address: string
  /** The digest of the boot, which tells machines with the same fingerprint apart. */
  boot?: string | undefined
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// Anybody with the licence key can report made-up machines, so no more are kept for a host, unless its licence allows more.
const MOST_KEPT = 50
const SHARED_MS = 20_000

/**
 * True if a machine is one too many for the licence of its host. A new machine is written as the last one; a machine that was not seen for
 * an hour is written as seen; otherwise nothing is written. The lock of the host makes one of two new machines wait for the other.
 */
export async function isTooMany(app: App, host: LicensedHost, asked: Seen): Promise<boolean> {
  // A key of before brings no clone either.
  const seen = host.key_until ? { ...asked, boot: undefined } : asked
  const limit = limitOf(host)
  if (limit === undefined) return false
  const known = await queries.machinesOf(app.db, host.id)
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
    await noteMachine(tx, locked, seen)
    const all = await queries.machinesOf(tx, host.id)
    const machine = knownMachine(all, seen)
    if (!machine) return true
    if (!isOver(all, machine, limit)) return false
    await mailOnceADay(app, tx, locked, { all, machine, limit })
    return true
  })
}

/** Writes that a machine was seen: the one that is known, one that was restarted, or a new one. The caller has locked the host. */
async function noteMachine(tx: Tx, { id: host_id, user_id, now }: HostRow, seen: Seen): Promise<void> {
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

const isOver = (all: readonly queries.MachineRow[], machine: queries.MachineRow, limit: number): boolean =>
  all.indexOf(machine) >= limit

/** The number of machines that a running licence allows, one unless its edition allows more; undefined if the licence does not run. */
function limitOf({ periods, paid_until, now }: LicensedHost): number | undefined {
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

/** Answers `GET /api/hosts/{hostId}/machines/`. */
export const listMachines = handler(contract.listMachines, async ({ app, actor, params }) => {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  const limit = limitOf(host) ?? 1
  const machines = await queries.machinesOf(app.db, host.id)
  const releases_left = Math.max(0, contract.MOST_RELEASES - (await queries.releasesOf(app.db, host.id)))
  const items = machines.map((machine) => ({
    id: machine.id,
    hostname: machine.hostname,
    address: machine.address,
    first_seen: machine.first_seen.toISOString(),
    last_seen: machine.last_seen.toISOString(),
    is_over: isOver(machines, machine, limit),
    shares_id: sharing(machines, machine.clone_of ?? machine.fingerprint).length > 1,
  }))
  return { status: 200, body: { limit, releases_left, items } }
})

/** Answers `POST /api/hosts/{hostId}/machines/{machineId}/release/`. */
export const releaseMachine = handler(contract.releaseMachine, async ({ app, actor, caller, params }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    const machine = (await queries.machinesOf(tx, host.id)).find(({ id }) => id === params.machineId)
    if (!machine) throw notFound()
    if ((await queries.releasesOf(tx, host.id)) >= contract.MOST_RELEASES)
      throw new HttpError(409, [{ code: 'release_limit_reached' }])
    if (!(await queries.release(tx, host.id, machine.id))) throw notFound()
    const detail = { host_id: host.public_id, host: host.name, machine: machine.hostname ?? machine.address }
    await recordAction(tx, {
      user_id: host.user_id,
      act: 'host.machine_released',
      ...originOf(caller),
      detail,
    })
    await announceHost(tx, host)
    return { status: 204 } as const
  })
})

/** Answers `DELETE /api/staff/hosts/{hostId}/releases/`. */
export const resetReleases = handler(
  contract.resetReleases,
  async ({ app, actor, caller, params, query }) => {
    const who = { actor, origin: originOf(caller) }
    return { status: 200, body: await allowReleases(app, who, params.hostId, query.note) }
  },
)

/** Gives the owner of a host all releases of machines again. Throws 404, 403 `own_account`. */
export const allowReleases = (app: App, who: Helping, host_id: string, note: string): Promise<Host> =>
  helpWithHost(app, who, host_id, async (tx, { id, user_id, public_id, name }) => {
    await queries.forgiveReleases(tx, id)
    const detail = { by: nameOfHelping(who), reason: note, host_id: public_id, host: name }
    await recordAction(tx, { user_id, act: 'host.releases_reset', ...who.origin, detail })
  })

/** Returns the machines of an account, each with the name of its server, for the copy of the data of the account. */
export async function machinesFile(app: App, user_id: string): Promise<object[]> {
  const machines = await queries.machinesOfUser(app.db, user_id)
  const hosts = await namedHosts(app.db, [...new Set(machines.map(({ host_id }) => host_id))])
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  return machines.map(({ host_id, ...machine }) => ({ host: names.get(host_id) ?? '', ...machine }))
}
