import type { Host } from '#features/hosts/contract.ts'
import {
  announceHost,
  helpWithHost,
  hostOf,
  lockHost,
  namedHosts,
  nameOfHelping,
  type Helping,
} from '#features/hosts/server/hosts.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { count } from '#foundation/server/limits/limits.ts'
import * as contract from '#features/licences/machines.ts'
import { sharing } from './clones.ts'
import { freeSeat } from './lease-queries.ts'
import { holdsSeat, leaseOf } from './leases.ts'
import { isOver, placesFor } from './machines.ts'
import * as queries from './machine-queries.ts'

/** Answers `GET /api/hosts/{hostId}/machines/`. */
export const listMachines = handler(contract.listMachines, async ({ app, actor, params }) => {
  const host = await hostOf(app.db, actor.user_id, params.hostId)
  const limit = placesFor(host) ?? 1
  const lease_s = leaseOf(host)
  const all = await queries.machinesOf(app.db, host.id)
  // The machines of a floating licence are those that hold a seat.
  const machines = lease_s === undefined ? all : all.filter((machine) => holdsSeat(machine, host.now))
  const releases_left = Math.max(0, contract.MOST_RELEASES - (await queries.releasesOf(app.db, host.id)))
  const items = machines.map((machine) => ({
    id: machine.id,
    hostname: machine.hostname,
    address: machine.address,
    first_seen: machine.first_seen.toISOString(),
    last_seen: machine.last_seen.toISOString(),
    is_over: isOver(machines, machine, limit),
    lease_until: holdsSeat(machine, host.now) ? (machine.lease_until?.toISOString() ?? null) : null,
    shares_id: sharing(all, machine.clone_of ?? machine.fingerprint).length > 1,
  }))
  return { status: 200, body: { limit, lease_s: lease_s ?? null, releases_left, items } }
})

/** Answers `POST /api/hosts/{hostId}/machines/{machineId}/release/`. */
export const releaseMachine = handler(contract.releaseMachine, async ({ app, actor, caller, params }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    const machine = (await queries.machinesOf(tx, host.id)).find(({ id }) => id === params.machineId)
    if (!machine) throw notFound()
    if (leaseOf(host) === undefined) await release(tx, host.id, machine.id)
    else await freeOneSeat(app, tx, host.id, machine.id)
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

async function release(tx: Tx, host_id: bigint, id: string): Promise<void> {
  if ((await queries.releasesOf(tx, host_id)) >= contract.MOST_RELEASES)
    throw new HttpError(409, [{ code: 'release_limit_reached' }])
  if (!(await queries.release(tx, host_id, id))) throw notFound()
}

/**
 * The document of the machine counts until the end of its lease, as nothing revokes it: the others go on undisturbed. The attack is to free seats
 * over and over, so that each machine runs on to the end of a lease beside its successor; a limit a day leaves nothing to win.
 */
async function freeOneSeat(app: App, tx: Tx, host_id: bigint, id: string): Promise<void> {
  const { allowed, retry_after_s } = await count(app, tx, 'free_seat', host_id.toString())
  if (!allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], retry_after_s)
  if (!(await freeSeat(tx, id))) throw notFound()
}

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
