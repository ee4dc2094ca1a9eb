import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { HOST_CHANGED, HOST_DELETED, hostTransferred } from '#features/hosts/contract.ts'
import { applySettings } from './alert-queries.ts'
import { recordAlerts } from './alert-reply.ts'
import { countHosts, hostsById, lockHostsOf, type HostRow } from './queries.ts'
import { recordTransfer } from './record-events.ts'
import { changeOwner } from './transfer-queries.ts'
import { endOffersOf } from './transfers.ts'

/** The most servers that are given to another account at once, as all are one transaction, and that this one may then have. */
const MOST_AT_ONCE = 500
const MOST_THEN = 5000

/** Locks all hosts of an account that go to another one. Throws 409 `merge_suspended`,
 * and `merge_too_many` for more than that one may have. */
export async function lockAllToGive(tx: Tx, { from, to }: { from: string; to: string }): Promise<HostRow[]> {
  const locked = await lockHostsOf(tx, from)
  const hosts = await hostsById(
    tx,
    locked.map(({ id }) => id),
  )
  if (hosts.some(({ suspended }) => suspended)) throw new HttpError(409, [{ code: 'merge_suspended' }])
  if (hosts.length > MOST_AT_ONCE || hosts.length + (await countHosts(tx, to)) > MOST_THEN)
    throw new HttpError(409, [{ code: 'merge_too_many' }])
  return hosts
}

/**
 * Gives locked hosts to another account of the same person, with their paid time. Agents, keys, machines, the automatic renewal and what is
 * chosen for it stay, unlike with a transfer to somebody else; what is the account's ends: grants, a payer, offers.
 */
export async function giveToOwnAccount(
  app: App,
  tx: Tx,
  hosts: readonly HostRow[],
  to: string,
): Promise<void> {
  await endOffersOf(app, tx, hosts)
  for (const host of hosts) {
    const { id, user_id, public_id: host_id } = host
    await emit(app, tx, hostTransferred, { user_id, id, host_id, to, same_person: true })
    await changeOwner(tx, id, to)
    recordTransfer(tx, host, to)
    // Its alerts and values of its own go along; else those of the other account count from now on.
    recordAlerts(tx, await applySettings(tx, { user_id: to, host_id: id }))
    await publish(tx, user_id, { type: HOST_DELETED, host_id })
    await publish(tx, to, { type: HOST_CHANGED, host_id })
  }
}
