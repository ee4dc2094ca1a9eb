import { mayActAs, type Capability, spendMoney } from '#foundation/capability.ts'
import { record } from '#foundation/server/account-events/record.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { blocked, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { changedTo } from '#foundation/versions.ts'
import { randomId } from '#foundation/server/random-id.ts'
import * as contract from '#features/hosts/contract.ts'
import * as events from '#features/hosts/event-contract.ts'
import { changeAddresses, isMoved } from './addresses.ts'
import { forgetAlerts } from './alert-queries.ts'
import { recordAlerts } from './alert-reply.ts'
import type { AlertRow } from './alert-turn-queries.ts'
import { rename, setAutoRenew } from './changes.ts'
import { assertConfirmed, findHost, hostOf, lockHost } from './own-host.ts'
import { hostAudience, publishHostChanged } from './publish.ts'
import * as queries from './queries.ts'
import type { HostRow, NamedHost } from './queries.ts'
import { randomLicenceKey, randomName } from './random-words.ts'
import { keepRead, recordHost } from './record-events.ts'
import { hostReplyTo } from './reply.ts'
import { endOffersOf } from './transfers.ts'

export { countOfflineHosts } from './agent-queries.ts'
export { ownersByAddress, ownersByHostName, ownersOfAddress, ownersOfNamed } from './owner-queries.ts'
export {
  everNamedHosts,
  firstHostsOf,
  hostsById,
  lockFreeHosts,
  lockHostById,
  lockHostsById,
  lockHostsOf,
  namedHosts,
  ownHosts,
  renewingHosts,
  setPaidUntil,
  type HostRow,
  type NamedHost,
  type KeptExtra,
  type PaidTime,
} from './queries.ts'
export { setAutoRenew } from './changes.ts'
export { findHostByKey, type LicensedHost, noteKeyChecked } from './key-queries.ts'
export { giveToOwnAccount, lockAllToGive } from './merge-hosts.ts'
export { newestHosts, pageOfHosts } from './list.ts'
export { publishHostChanged } from './publish.ts'
export { reading, recordHost, recordUpdated } from './record-events.ts'
export { hostReply, hostReplyTo, hostSummary } from './reply.ts'
export { offerByStaff } from './staff-transfer.ts'
export { allowMoves, helpWithHost, moveHost, nameOfHelping, type Helping } from './staff.ts'
export { findByAgentToken, storeToken, recordCheckIn } from './agents.ts'
export { addPointsAlone, pointOf } from './figures.ts'
export { hostNames } from './list-queries.ts'
export { listAnyHosts, ownersOfAny, type AnyHosts } from './all-hosts-queries.ts'
export { holdHost } from './transfer-queries.ts'
export { findHost, hostOf, lockHost }

// The limit of hosts per account is more than any customer needs; without it one customer could fill the disk with free hosts.
const MOST_HOSTS = 5_000

type NewHost = {
  user_id: string
  name?: string | undefined
  ipv4?: string | null | undefined
  ipv6?: string | null | undefined
  /** The plan that is ordered for the host, which becomes one of the plan's product. */
  plan?: string | undefined
}

/** Makes a host with a free licence; without a name (or with an empty one) it gets a random one. Throws 409 `too_many_hosts`. */
export async function createHost(
  tx: Tx,
  { user_id, name, ipv4 = null, ipv6 = null, plan }: NewHost,
): Promise<HostRow> {
  await assertMayHaveMore(tx, user_id)
  const public_id = randomId()
  const licence_key = randomLicenceKey()
  const row = { public_id, user_id, name: name || randomName(), ipv4, ipv6, licence_key }
  await queries.insertHost(tx, row, plan)
  const host = await hostOf(tx, user_id, public_id)
  recordHost(tx, events.hostCreated, host)
  return host
}

/** Throws 409 `too_many_hosts` if the account has as many hosts as it may have. */
export async function assertMayHaveMore(tx: Tx, user_id: string): Promise<void> {
  if ((await queries.countHosts(tx, user_id)) >= MOST_HOSTS)
    throw new HttpError(409, [{ code: 'too_many_hosts' }])
}

/**
 * Publishes a changed host to the owner's open pages, after the commit and by a job: for transactions that
 * move money, which must not publish themselves (rule 29).
 */
export async function announceHost(
  tx: Tx,
  { user_id, public_id }: Pick<HostRow, 'user_id' | 'public_id'>,
): Promise<void> {
  enqueue(tx, ANNOUNCE_HOST, { user_id, host_id: public_id })
}

export const ANNOUNCE_HOST = jobKind('announce_host', 'rest')
export const FORGET_METRICS = jobKind('forget_host_metrics', 'rest')

export const create = handler(contract.createHost, async (call) => {
  const { app, actor, body } = call
  assertMayAdd(app)
  return withIdempotencyKey(contract.createHost, call, async (tx) => {
    const { name, ipv4 = null, ipv6 } = body
    const host = await createHost(tx, { user_id: actor.user_id, name, ipv4, ipv6 })
    await app.acting?.note(tx, 'host_added', { host_id: host.public_id })
    await publishChange(tx, host)
    return { status: 201, body: hostReplyTo(app.acting)(host) } as const
  })
})

export const get = handler(contract.getHost, async ({ app, actor, params }) => {
  return { status: 200, body: hostReplyTo(app.acting)(await hostOf(app.db, actor.user_id, params.hostId)) }
})

/** Throws 403 for a helper whose role lacks a capability: all roles may make the call, but not change every field. */
function assertRole({ acting }: App, needed: Capability): void {
  if (acting && !mayActAs(acting.role, needed)) throw notAllowed()
}

/** Auto-renewal spends the owner's balance, month after month: a helper with a limit may only switch it off. */
function assertMaySwitch(app: App, isOn: boolean): void {
  assertRole(app, spendMoney)
  if (isOn && app.acting?.isLimited) throw notAllowed()
}

/** Throws for a helper who acts for some servers only: a new server would not be among them. */
export function assertMayAdd({ acting }: App): void {
  if (acting && !acting.all_hosts) throw notAllowed()
}

const notAllowed = () => new HttpError(403, [{ code: 'not_allowed_for_role' }])

/** Changes the named fields that differ; an unchanged field costs nothing and publishes nothing. */
export const update = handler(contract.updateHost, async ({ app, actor, params, body, caller }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    if (body.version !== undefined && body.version !== host.version)
      return changedTo(hostReplyTo(app.acting)(host))
    const { name = host.name, ipv4 = host.ipv4, ipv6 = host.ipv6, auto_renew = host.auto_renew } = body
    const moves = isMoved(host, { ipv4, ipv6 })
    if (name !== host.name || moves) assertRole(app, contract.changeHosts)
    if (name !== host.name) await rename(tx, host, name)
    if (moves && actor.access !== 'open') throw blocked(actor)
    const origin = originOf(caller)
    if (moves) await changeAddresses(app, tx, host, { addresses: { ipv4, ipv6 }, beyond: false, origin })
    if (auto_renew !== host.auto_renew) {
      assertMaySwitch(app, auto_renew)
      await setAutoRenew(tx, host, auto_renew)
      await emit(app, tx, contract.autoRenewChanged, { ...named(host), auto_renew })
    }
    const changed = await hostOf(tx, actor.user_id, params.hostId)
    if (name !== host.name || moves || auto_renew !== host.auto_renew) {
      keepRead(tx, changed)
      await publishChange(tx, changed)
    }
    if (app.acting && name !== host.name) {
      const detail = { host_id: changed.public_id }
      await recordAction(tx, { user_id: host.user_id, act: 'host.changed_by_helper', ...origin, detail })
    }
    return { status: 200, body: hostReplyTo(app.acting)(changed) } as const
  })
})

/** Deletes a host whose name was typed (row V-05). Paid time is lost; invoices and audit stay. */
export const remove = handler(contract.deleteHost, async ({ app, actor, params, query, caller }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    assertConfirmed(host, query.name)
    recordAlerts(tx, await deleteHosts(app, tx, host.user_id, [host]))
    const removed = { id: host.public_id, name: host.name }
    record(tx, host.user_id, events.hostRemoved, removed, { host: host.public_id })
    const { ip, user_agent } = caller
    const detail = { host_id: host.public_id }
    await recordAction(tx, { user_id: host.user_id, act: 'host.deleted', ip, user_agent, detail })
    await publish(
      tx,
      host.user_id,
      { type: contract.HOST_DELETED, host_id: host.public_id },
      hostAudience(host.public_id),
    )
    return { status: 204 } as const
  })
})

/** Deletes all hosts of an account that is being deleted, and erases their names and addresses. */
export async function deleteHostsOf(app: App, tx: Tx, user_id: string): Promise<void> {
  await deleteHosts(app, tx, user_id, await queries.lockHostsOf(tx, user_id))
  await queries.anonymize(tx, user_id)
}

/** Returns the alerts that were open. A deleted account has none of them recorded: nothing may keep the names of its servers. */
async function deleteHosts(
  app: App,
  tx: Tx,
  user_id: string,
  hosts: readonly NamedHost[],
): Promise<AlertRow[]> {
  await endOffersOf(app, tx, hosts)
  const closed = await forgetAlerts(
    tx,
    hosts.map(({ id }) => id),
  )
  for (const host of hosts) {
    await queries.markDeleted(tx, host.id)
    await emit(app, tx, contract.hostDeleted, named({ ...host, user_id }))
  }
  if (hosts.length === 0) return closed
  const ids = hosts.map(({ id }) => id.toString())
  enqueue(tx, FORGET_METRICS, { ids })
  // Another process may be writing figures of such a host at this moment.
  enqueue(tx, FORGET_METRICS, { ids }, { after_s: 600 })
  return closed
}

const named = ({ user_id, id, public_id }: Pick<HostRow, 'user_id' | 'id' | 'public_id'>) => ({
  user_id,
  id,
  host_id: public_id,
})

async function publishChange(tx: Tx, { user_id, public_id }: HostRow): Promise<void> {
  await publishHostChanged(tx, user_id, public_id)
}
