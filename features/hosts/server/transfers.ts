import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { assertRecent } from '#foundation/server/http/assert-recent.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import type { MailLocale } from '#foundation/server/mail/mail-template.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { assertForeign, displayNames, peopleOf, provenAddresses } from '#features/profile/server/profile.ts'
import * as contract from '#features/hosts/transfer-contract.ts'
import { assertConfirmed, lockHost } from './own-host.ts'
import * as queries from './queries.ts'
import type { HostRow } from './queries.ts'
import { hostReply } from './reply.ts'
import { mailOffered, mailOver } from './mails.ts'
import * as transfers from './transfer-queries.ts'
import type { TransferRow } from './transfer-queries.ts'

/** Answers `GET /api/hosts/transfers/`. */
export const list = handler(
  contract.listTransfers,
  async ({ app, actor: { user_id }, query: { side, host_id } }) => {
    const all =
      side === 'given'
        ? await transfers.transfersBy(app.db, user_id)
        : await transfers.transfersTo(app.db, user_id, await provenAddresses(app.db, user_id))
    const open = all.filter(({ is_open }) => is_open)
    const items = await transferReplies(app, app.db, open, side)
    const wanted = host_id === undefined ? items : items.filter(({ host }) => host.id === host_id)
    return { status: 200, body: { items: wanted } }
  },
)

/** Returns the transfers as one side sees them, without the transfers of deleted hosts. */
async function transferReplies(
  app: App,
  db: App['db'],
  rows: readonly TransferRow[],
  side: contract.Transfer['side'],
): Promise<contract.Transfer[]> {
  const hosts = new Map(
    (
      await queries.hostsById(
        db,
        rows.map(({ host_id }) => host_id),
      )
    ).map((host) => [host.id, host]),
  )
  const names = await displayNames(
    app,
    db,
    rows.map(({ user_id }) => user_id),
  )
  return rows.flatMap((row): contract.Transfer[] => {
    const host = hosts.get(row.host_id)
    if (!host || row.email === null) return []
    const { id, name, licence } = hostReply(host)
    return [
      {
        id: row.id,
        side,
        host: { id, name, plan: licence.plan?.name ?? null, paid_until: licence.paid_until },
        account: side === 'given' ? null : names.of(row.user_id),
        email: row.email,
        created_at: row.created_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
      },
    ]
  })
}

/** All transfers that the installation still knows, for the copy of an account's data. */
export async function transfersFile(app: App, user_id: string): Promise<object> {
  const given = await transfers.transfersBy(app.db, user_id)
  const received = await transfers.transfersTo(app.db, user_id, await provenAddresses(app.db, user_id))
  const ids = [...given, ...received].map(({ host_id }) => host_id)
  const hosts = new Map((await queries.hostsById(app.db, ids)).map((host) => [host.id, host]))
  // The present name of another account's server is private once the offer is over.
  const nameOf = ({ host_id, is_open }: TransferRow) => {
    const host = hosts.get(host_id)
    return host && (is_open || host.user_id === user_id) ? host.name : null
  }
  const file = (rows: readonly TransferRow[]) =>
    rows.map((row) => {
      const { email, state, created_at, expires_at, ended_at } = row
      return { host: nameOf(row), email, state, created_at, expires_at, ended_at }
    })
  return { given: file(given), received: file(received) }
}

export const EXPIRE_TRANSFER = jobKind('expire_host_transfer', 'rest')

/** Answers `POST /api/hosts/{hostId}/transfer/`, in the same way for an address with an account and for one without. */
export const offer = handler(contract.offerTransfer, async (call) => {
  const { app, actor, body, params, caller } = call
  const { user_id } = actor
  return withIdempotencyKey(contract.offerTransfer, call, async (tx) => {
    assertRecent(app, actor)
    const host = await lockHost(tx, user_id, params.hostId)
    await assertForeign(tx, user_id, body.email)
    assertConfirmed(host, body.name)
    const row = await offerHost(app, tx, host, body.email, actor.locale)
    const detail = detailOf(row, host)
    await recordAction(tx, { user_id, act: 'host.transfer_offered', ...originOf(caller), detail })
    return { status: 201, body: must((await transferReplies(app, tx, [row], 'given'))[0]) } as const
  })
})

/** Offers a locked host to an address, which is mailed in the language of its account, or else in this one. Throws 409. */
export async function offerHost(
  app: App,
  tx: Tx,
  host: HostRow,
  email: string,
  locale: MailLocale,
): Promise<TransferRow> {
  await assertMayLeave(app, tx, host)
  for (const row of await transfers.lockOffersOf(tx, [host.id])) if (!row.is_open) await expire(app, tx, row)
  const id = await transfers.insertTransfer(tx, { host_id: host.id, user_id: host.user_id, email })
  if (id === undefined) throw new HttpError(409, [{ code: 'transfer_open' }])
  const row = must(await transfers.findTransfer(tx, id))
  enqueue(tx, EXPIRE_TRANSFER, { id }, { key: `transfer:${id}`, run_at: row.expires_at })
  await mailOffered(app, tx, row, host, locale)
  await publishToBoth(tx, row)
  return row
}

/** Throws 409 for a host that may not leave its owner: a suspension and a negative balance stay with the account. */
async function assertMayLeave(app: App, tx: Tx, host: HostRow): Promise<void> {
  if (host.suspended) throw new HttpError(409, [{ code: 'host_suspended' }])
  if ((await balanceOf(app, tx, host.user_id)) < 0n)
    throw new HttpError(409, [{ code: 'balance_below_zero' }])
}

/** The audit holds no address: the receiver's account is known once it accepts. */
export const detailOf = ({ id }: TransferRow, { public_id, name }: Pick<HostRow, 'public_id' | 'name'>) => ({
  transfer_id: id,
  host_id: public_id,
  host: name,
})

/** Makes the open pages of the owner and of the account with this address, if there is one, load the transfers again. */
export async function publishToBoth(tx: Tx, { user_id, email }: TransferRow): Promise<void> {
  for (const person of await peopleOf(tx, { accounts: [user_id], email }))
    await publish(tx, person, { type: contract.TRANSFER_CHANGED })
}

/** Answers `DELETE /api/hosts/{hostId}/transfer/`. */
export const withdraw = handler(
  contract.withdrawTransfer,
  async ({ app, actor: { user_id }, params, caller }) => {
    return transaction(app, { userId: user_id }, async (tx) => {
      const host = await lockHost(tx, user_id, params.hostId)
      const [row] = await transfers.lockOffersOf(tx, [host.id])
      if (!row?.is_open) throw notFound()
      await transfers.endTransfer(tx, row.id, 'withdrawn')
      const detail = detailOf(row, host)
      await recordAction(tx, { user_id, act: 'host.transfer_withdrawn', ...originOf(caller), detail })
      await mailOver(app, tx, row, { host: host.name, how: 'withdrawn' })
      await publishToBoth(tx, row)
      return { status: 204 } as const
    })
  },
)

/** Ends the offers of hosts that are deleted, and mails the addresses that the hosts were offered to. */
export async function endOffersOf(
  app: App,
  tx: Tx,
  hosts: readonly { id: bigint; name: string }[],
): Promise<void> {
  const names = new Map(hosts.map(({ id, name }) => [id, name]))
  for (const row of await transfers.lockOffersOf(tx, [...names.keys()])) {
    await transfers.endTransfer(tx, row.id, 'ended')
    if (row.is_open) await mailOver(app, tx, row, { host: names.get(row.host_id) ?? '', how: 'withdrawn' })
    await publishToBoth(tx, row)
  }
}

/** Ends the offers to an account that is deleted, with a mail to the person who offered the host, and erases its addresses. */
export async function endOffersTo(app: App, tx: Tx, user_id: string): Promise<void> {
  for (const row of await transfers.leaveTransfers(tx, user_id)) {
    const [host] = await queries.namedHosts(tx, [row.host_id])
    if (host && row.was_open) await mailOver(app, tx, row, { host: host.name, how: 'ended' })
    await publish(tx, row.user_id, { type: contract.TRANSFER_CHANGED })
  }
}

/** Ends an offer whose time is over by the database's clock; does nothing for any other offer. */
export async function expireTransfer(app: App, { id }: { id: string }): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const row = await transfers.lockTransfer(tx, id)
    if (row?.state === 'offered' && !row.is_open) await expire(app, tx, row)
  })
}

async function expire(app: App, tx: Tx, row: TransferRow): Promise<void> {
  await transfers.endTransfer(tx, row.id, 'expired')
  const [host] = await queries.namedHosts(tx, [row.host_id])
  if (host) await mailOver(app, tx, row, { host: host.name, how: 'expired' })
  await publishToBoth(tx, row)
}

const LATE_S = 30

/** Enqueues the job of an expired offer again if it was lost, and deletes offers that ended more than 180 days ago. */
export async function sweepTransfers(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const id of await transfers.lateTransfers(tx, LATE_S))
      enqueue(tx, EXPIRE_TRANSFER, { id }, { key: `transfer:${id}` })
    await transfers.forgetTransfers(tx)
  })
}
