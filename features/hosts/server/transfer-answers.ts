import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { hardlyWaiting } from '#foundation/server/database/hardly-waiting.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { autoRenewChanged, HOST_CHANGED, HOST_DELETED, hostTransferred } from '#features/hosts/contract.ts'
import * as contract from '#features/hosts/transfer-contract.ts'
import { forgetAlerts } from './alert-queries.ts'
import { recordAlerts } from './alert-reply.ts'
import { assertMayHaveMore } from './hosts.ts'
import { hostOf } from './own-host.ts'
import * as queries from './queries.ts'
import type { HostRow } from './queries.ts'
import { randomLicenceKey } from './random-words.ts'
import { recordTransfer } from './record-events.ts'
import { hostReply } from './reply.ts'
import { mailDone, mailOver } from './mails.ts'
import * as transfers from './transfer-queries.ts'
import type { TransferRow } from './transfer-queries.ts'
import { isOfferedTo } from '#features/profile/server/profile.ts'
import { detailOf, publishToBoth } from './transfers.ts'

/**
 * Answers `POST …/acceptance/`. Locks in this order: the accepting account, which is only kept from being deleted; the host, for which
 * orders, renewals and a withdrawal of the offer wait; the offer.
 */
export const accept = handler(
  contract.acceptTransfer,
  async ({ app, actor: { user_id }, params, caller }) => {
    return transaction(app, { systemFor: user_id }, async (tx) => {
      const { host_id } = await offeredTo(tx, params.transferId, user_id)
      const host = await queries.lockHostById(tx, host_id)
      const row = must(await transfers.lockTransfer(tx, params.transferId))
      if (!host || !row.is_open || host.user_id !== row.user_id) throw over()
      await assertPossible(app, tx, host)
      await assertMayHaveMore(tx, user_id)
      await handOver(app, tx, host, user_id)
      await transfers.endTransfer(tx, row.id, 'accepted', user_id)
      await record(tx, row, host, { to: user_id, origin: originOf(caller) })
      await mailDone(app, tx, host, user_id)
      recordTransfer(tx, host, user_id)
      await publishToBoth(tx, row)
      await publish(tx, row.user_id, { type: HOST_DELETED, host_id: host.public_id })
      await publish(tx, user_id, { type: HOST_CHANGED, host_id: host.public_id })
      return { status: 200, body: hostReply(await hostOf(tx, user_id, host.public_id)) } as const
    })
  },
)

/** Answers `POST …/refusal/`. */
export const decline = handler(
  contract.declineTransfer,
  async ({ app, actor: { user_id }, params, caller }) => {
    return transaction(app, { systemFor: user_id }, async (tx) => {
      await offeredTo(tx, params.transferId, user_id)
      const row = must(await transfers.lockTransfer(tx, params.transferId))
      const [host] = await queries.namedHosts(tx, [row.host_id])
      if (!host || !row.is_open) throw over()
      await transfers.endTransfer(tx, row.id, 'declined', user_id)
      const detail = { ...detailOf(row, host), by: user_id }
      const { user_id: owner } = row
      await recordAction(tx, { user_id: owner, act: 'host.transfer_declined', ...originOf(caller), detail })
      await mailOver(app, tx, row, { host: host.name, how: 'declined' })
      await publishToBoth(tx, row)
      return { status: 204 } as const
    })
  },
)

/** Returns the offer to this account; throws 404 for an offer to somebody else. */
async function offeredTo(tx: Tx, id: string, user_id: string): Promise<TransferRow> {
  const row = await transfers.findTransfer(tx, id)
  if (!row || row.user_id === user_id) throw notFound()
  if (!(await isOfferedTo(tx, user_id, row.email))) throw notFound()
  return row
}

const over = () => new HttpError(409, [{ code: 'transfer_over' }])

/** Throws 409 without a reason: others must not learn why the owner may not give the host away now. */
async function assertPossible(app: App, tx: Tx, host: HostRow): Promise<void> {
  const owner = await findUser(tx, host.user_id)
  const isBound = owner?.access !== 'open' || host.suspended || (await balanceOf(app, tx, host.user_id)) < 0n
  if (isBound) throw new HttpError(409, [{ code: 'transfer_not_possible' }])
}

/** Locks the agent and the software of the former owner out, and switches the automatic renewal off, so that nobody is charged without having asked for it. */
async function handOver(app: App, tx: Tx, host: HostRow, to: string): Promise<void> {
  const { id, user_id, public_id: host_id } = host
  // Agreements and grants of both accounts are locked behind the server, and helpers have locked their grant before it.
  await hardlyWaiting(tx, async () => {
    await emit(app, tx, hostTransferred, { user_id, id, host_id, to, same_person: false })
    recordAlerts(tx, await forgetAlerts(tx, [id]))
    await transfers.giveHost(tx, id, to, randomLicenceKey())
  })
  if (host.auto_renew) await emit(app, tx, autoRenewChanged, { user_id: to, id, host_id, auto_renew: false })
}

type Accepted = { to: string; origin: ReturnType<typeof originOf> }

/** Records the transfer in the activity of both accounts; only the receiver sees the origin of the request. */
async function record(tx: Tx, row: TransferRow, host: HostRow, { to, origin }: Accepted): Promise<void> {
  const act = 'host.transferred'
  const detail = detailOf(row, host)
  await recordAction(tx, { user_id: host.user_id, act, detail: { ...detail, by: to } })
  await recordAction(tx, { user_id: to, act, ...origin, detail: { ...detail, from: host.user_id } })
}
