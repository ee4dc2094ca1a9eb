import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { assertRecent } from '#foundation/server/http/assert-recent.ts'
import { badRequest, HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { changedTo } from '#foundation/versions.ts'
import { lockHostsById, setAutoRenew, type HostRow } from '#features/hosts/server/hosts.ts'
import { askToRenewRefused } from '#features/licences/server/licences.ts'
import * as contract from '#features/payers/contract.ts'
import { announceHosts, ownSide, paidBy, switchedOff } from './endings.ts'
import { publishToBoth } from './publish-changes.ts'
import { mailOffer } from './mails.ts'
import { assertFree, detailOf, hostHasPayer, limitOf, namedHosts } from './offers.ts'
import * as lockQueries from './lock-queries.ts'
import * as queries from './queries.ts'
import type { AgreementRow } from './queries.ts'
import { agreementReply } from './replies.ts'

/** Answers `PATCH …/{agreementId}/`: the payer sets the limit, the owner the servers. */
export const update = handler(contract.updateAgreement, async ({ app, actor, params, body, caller }) => {
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    const seen = await queries.findAgreement(tx, params.agreementId)
    const side = ownSide(seen, user_id)
    if (!seen || !side || !seen.is_open) throw notFound()
    const { add_host_ids = [], remove_host_ids = [], month_limit } = body
    const isAboutHosts = add_host_ids.length + remove_host_ids.length > 0
    if (side === 'owner' ? month_limit !== undefined : isAboutHosts)
      throw new HttpError(403, [{ code: 'not_your_side' }])
    if (add_host_ids.length > 0) assertRecent(app, actor)
    const named = {
      added: await rowsOf(tx, user_id, add_host_ids, 'add_host_ids'),
      removed: await rowsOf(tx, user_id, remove_host_ids, 'remove_host_ids'),
    }
    const locked = isAboutHosts ? await lockHostsById(tx, [...named.added, ...named.removed]) : []
    const added = locked.filter(({ id }) => named.added.includes(id))
    const removed = locked.filter(({ id }) => named.removed.includes(id))
    const row = must(await lockQueries.lockAgreement(tx, seen.id))
    if (!row.is_open) throw notFound()
    if (row.version !== body.version) return changedTo(await agreementReply(app, tx, row, side))
    if (removed.length > 0) await removeHosts(app, tx, row, removed)
    if (added.length > 0) await addHosts(tx, row, added)
    const limit = limitOf(month_limit)
    // Paying less than was agreed needs no proof.
    if (isMore(limit, row.month_limit)) {
      assertRecent(app, actor)
      await askToRenewRefused(tx, await paidBy(tx, row.id))
    }
    await queries.change(tx, row.id, limit === undefined ? row.month_limit : limit)
    const changed = must(await queries.findAgreement(tx, row.id))
    if (isAboutHosts && changed.hosts + changed.requested_hosts === 0)
      throw badRequest('host_required', 'remove_host_ids')
    const detail = { ...detailOf(changed), by: user_id, added: add_host_ids, removed: remove_host_ids }
    const audited = changed.owner_id ?? user_id
    await recordAction(tx, { user_id: audited, act: 'agreement.changed', ...originOf(caller), detail })
    if (changed.state === 'active' && changed.requested_hosts > row.requested_hosts)
      await mailOffer(app, tx, changed, actor.locale)
    await publishToBoth(tx, changed)
    await announceHosts(
      tx,
      changed.owner_id,
      [...added, ...removed].map(({ id }) => id),
    )
    return { status: 200, body: await agreementReply(app, tx, changed, side) } as const
  })
})

/** True if the new limit lets the payer pay more than before. Null is no limit, undefined is no change. */
const isMore = (limit: bigint | null | undefined, before: bigint | null): boolean =>
  limit !== undefined && before !== null && (limit === null || limit > before)

const rowsOf = async (
  tx: Tx,
  owner_id: string,
  host_ids: readonly string[],
  param: string,
): Promise<bigint[]> => (host_ids.length === 0 ? [] : namedHosts(tx, owner_id, host_ids, param))

/**
 * Removes servers from an agreement. The automatic renewal of the servers that it paid for is switched off, so that nobody is
 * charged without having asked for it.
 */
async function removeHosts(app: App, tx: Tx, row: AgreementRow, hosts: readonly HostRow[]): Promise<void> {
  const ids = hosts.map(({ id }) => id)
  await queries.dropRequests(tx, row.id, ids)
  const stopped = await queries.stopPaying(tx, row.id, ids)
  const off = hosts.filter(({ id, auto_renew }) => auto_renew && stopped.includes(id))
  for (const host of off) await setAutoRenew(tx, host, false)
  await switchedOff(app, tx, off)
}

/**
 * Adds servers to an agreement. An active agreement for all servers pays for them at once; otherwise they wait for the payer's
 * consent. Throws 409 `host_has_payer`.
 */
async function addHosts(tx: Tx, row: AgreementRow, hosts: readonly HostRow[]): Promise<void> {
  const ids = hosts.map(({ id }) => id)
  await assertFree(tx, ids, 'add_host_ids')
  const of = { id: row.id, owner_id: must(row.owner_id) }
  if (row.state === 'offered' || !row.all_hosts) await queries.requestHosts(tx, of, ids)
  else if ((await queries.payHosts(tx, of, ids)) < ids.length) throw hostHasPayer('add_host_ids')
  else await askToRenewRefused(tx, ids)
}
