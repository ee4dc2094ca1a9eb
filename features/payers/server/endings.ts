import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { TryAgain } from '#foundation/server/database/try-again.ts'
import { emit } from '#foundation/server/events.ts'
import { notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { autoRenewChanged } from '#features/hosts/contract.ts'
import {
  announceHost,
  hostsById,
  lockHostsById,
  recordUpdated,
  type HostRow,
} from '#features/hosts/server/hosts.ts'
import { askToRenewRefused } from '#features/licences/server/licences.ts'
import * as contract from '#features/payers/contract.ts'
import type { Side } from '#features/payers/rules.ts'
import { must } from '#foundation/must.ts'
import { mailEnded } from './ended-mails.ts'
import { mailOver } from './mails.ts'
import { detailOf } from './offers.ts'
import * as endingQueries from './ending-queries.ts'
import * as lockQueries from './lock-queries.ts'
import * as queries from './queries.ts'
import type { AgreementRow } from './queries.ts'
import { publishToBoth } from './publish-changes.ts'

/**
 * Answers `DELETE …/{agreementId}/`: either side ends an agreement, or the asking side withdraws its offer. A running charge
 * finishes first; the next one is refused.
 */
export const remove = handler(
  contract.deleteAgreement,
  async ({ app, actor: { user_id }, params, query, caller }) => {
    return transaction(app, { systemFor: user_id }, async (tx) => {
      const { row, hosts } = await lockWithHosts(tx, params.agreementId)
      const side = ownSide(row, user_id)
      if (!row || !row.is_open || !side) throw notFound()
      const keeps = side === 'owner' && query.renewals === 'own_balance'
      await end(app, tx, row, hosts, { side, keeps })
      const detail = { ...detailOf(row), by: user_id, ...(keeps && { renewals: 'own_balance' }) }
      const user = row.owner_id ?? user_id
      await recordAction(tx, { user_id: user, act: 'agreement.ended', ...originOf(caller), detail })
      return { status: 204 } as const
    })
  },
)

export const ownSide = (
  row: Pick<AgreementRow, 'owner_id' | 'payer_id'> | undefined,
  user_id: string,
): Side | undefined => (row?.owner_id === user_id ? 'owner' : row?.payer_id === user_id ? 'payer' : undefined)

/** Locks the servers, then the agreement. If a server has joined meanwhile, the transaction is tried again. */
async function lockWithHosts(
  tx: Tx,
  id: string,
): Promise<{ row: AgreementRow | undefined; hosts: HostRow[] }> {
  const seen = await paidBy(tx, id)
  await lockHostsById(tx, seen)
  const row = await lockQueries.lockAgreement(tx, id)
  const ids = await paidBy(tx, id)
  if (ids.some((host) => !seen.includes(host))) throw new TryAgain()
  return { row, hosts: await hostsById(tx, ids) }
}

export const paidBy = async (tx: Tx, id: string): Promise<bigint[]> =>
  (await queries.hostsOf(tx, id)).flatMap(({ host_id, requested }) => (requested ? [] : [host_id]))

type Ending = { side: Side | 'system'; keeps: boolean; only?: string }

/**
 * Ends an agreement whose row and servers are locked. The end of an active agreement is mailed to both sides, or to the account
 * `only` alone.
 */
async function end(
  app: App,
  tx: Tx,
  row: AgreementRow,
  hosts: readonly HostRow[],
  { side, keeps, only }: Ending,
): Promise<void> {
  await endingQueries.endAgreement(tx, row.id, { state: 'ended', side, keeps })
  // The list of an owner who is being deleted gets nothing more.
  const isRead = !keeps && (only === undefined || only === row.owner_id)
  for (const host of hosts) if (isRead && host.auto_renew) recordUpdated(tx, host)
  if (row.state === 'active') await mailEnded(app, tx, row, { hosts, keeps, only })
  await publishToBoth(tx, row)
  // The agreements of a deleted account end as `system`. Its transaction may not write the owner's licences, as the reactions to
  // `autoRenewChanged` do.
  if (!keeps && side !== 'system') await switchedOff(app, tx, hosts)
  // A renewal that the payer could not pay is tried again from the owner's balance.
  if (keeps)
    await askToRenewRefused(
      tx,
      hosts.map(({ id }) => id),
    )
  await announceHosts(
    tx,
    row.owner_id,
    hosts.map(({ id }) => id),
  )
}

/** Ends all agreements and offers of an account that is deleted or merged. The other side is mailed. Needs `hardlyWaiting`. */
export async function endAgreementsOf(app: App, tx: Tx, user_id: string): Promise<void> {
  for (const id of await lockQueries.lockAgreementsOf(tx, user_id)) {
    const { row, hosts } = await lockWithHosts(tx, id)
    if (!row || !['offered', 'active'].includes(row.state)) continue
    const only = (row.owner_id === user_id ? row.payer_id : row.owner_id) ?? user_id
    await end(app, tx, row, hosts, { side: 'system', keeps: false, only })
  }
}

/** Emits an event for each of these servers whose automatic renewal went off. */
export async function switchedOff(app: App, tx: Tx, hosts: readonly HostRow[]): Promise<void> {
  for (const { id, user_id, public_id, auto_renew } of hosts)
    if (auto_renew)
      await emit(app, tx, autoRenewChanged, { user_id, id, host_id: public_id, auto_renew: false })
}

/** Tells the owner's open pages to reload these servers. */
export async function announceHosts(tx: Tx, owner_id: string | null, ids: readonly bigint[]): Promise<void> {
  if (owner_id === null || ids.length === 0) return
  for (const host of await hostsById(tx, ids)) await announceHost(tx, host)
}

/** Ends the offers whose time is over, and tells who made them. */
export async function expireOffers(app: App, tx: Tx): Promise<void> {
  for (const id of await endingQueries.expireOffers(tx)) {
    const row = must(await queries.findAgreement(tx, id))
    await mailOver(app, tx, row, 'expired')
    await publishToBoth(tx, row)
  }
  await endingQueries.forgetEnded(tx)
}
