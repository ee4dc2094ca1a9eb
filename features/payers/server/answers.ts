import { must } from '#foundation/must.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { assertRecent } from '#foundation/server/http/assert-recent.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { changedTo } from '#foundation/versions.ts'
import { lockHostsById, lockHostsOf } from '#features/hosts/server/hosts.ts'
import { askToRenewRefused } from '#features/licences/server/licences.ts'
import * as contract from '#features/payers/contract.ts'
import type { Side } from '#features/payers/rules.ts'
import { announceHosts } from './endings.ts'
import { mailAccepted, mailOver, mailServersDeclined } from './mails.ts'
import { assertMayAdd, detailOf, hostHasPayer, limitOf, namedHosts } from './offers.ts'
import { isOfferedTo } from '#features/profile/server/profile.ts'
import { sideOf } from './payers.ts'
import * as endingQueries from './ending-queries.ts'
import * as lockQueries from './lock-queries.ts'
import { publishToBoth } from './publish-changes.ts'
import * as queries from './queries.ts'
import type { AgreementRow } from './queries.ts'
import { agreementReply } from './replies.ts'

/** Answers `POST …/acceptance/`, for an offer and for added servers. `version` names the terms that the account was shown. */
export const accept = handler(contract.acceptAgreement, async ({ app, actor, params, body, caller }) => {
  const { user_id } = actor
  return transaction(app, { systemFor: user_id }, async (tx) => {
    const { row: seen, side } = await waitingFor(tx, params.agreementId, user_id)
    assertRecent(app, actor)
    const owner_id = side === 'owner' ? user_id : must(seen.owner_id)
    if (seen.state === 'offered') await assertMayAdd(tx, user_id, side)
    // Servers are locked before the agreement.
    const hosts = await hostsToPay(tx, seen, { owner_id, side, host_ids: body.host_ids })
    const row = must(await lockQueries.lockAgreement(tx, seen.id))
    if (row.version !== body.version) return changedTo(await agreementReply(app, tx, row, side))
    if (!(await isWaiting(row, side))) throw over()
    if (row.state === 'offered') {
      const limit = side === 'payer' ? limitOf(body.month_limit) : undefined
      await begin(tx, row, user_id, limit === undefined ? row.month_limit : limit)
    }
    await queries.dropRequests(tx, row.id)
    const paid = await queries.payHosts(tx, { id: row.id, owner_id }, hosts)
    if (!row.all_hosts && paid < hosts.length) throw hostHasPayer('host_ids')
    await askToRenewRefused(tx, hosts)
    if (row.state === 'active') await queries.change(tx, row.id, row.month_limit)
    const accepted = must(await queries.findAgreement(tx, row.id))
    const detail = { ...detailOf(accepted), by: user_id, hosts: paid }
    await recordAction(tx, { user_id: owner_id, act: 'agreement.accepted', ...originOf(caller), detail })
    await mailAccepted(app, tx, accepted, side)
    await publishToBoth(tx, accepted)
    await announceHosts(tx, owner_id, hosts)
    return { status: 200, body: await agreementReply(app, tx, accepted, side) } as const
  })
})

/** Answers `POST …/refusal/`, for an offer and for servers that were added to an agreement. */
export const decline = handler(
  contract.declineAgreement,
  async ({ app, actor: { user_id }, params, caller }) => {
    return transaction(app, { systemFor: user_id }, async (tx) => {
      const { side } = await waitingFor(tx, params.agreementId, user_id)
      const row = must(await lockQueries.lockAgreement(tx, params.agreementId))
      if (!(await isWaiting(row, side))) throw over()
      if (row.state === 'offered') {
        await endingQueries.endAgreement(tx, row.id, { state: 'declined', side, keeps: true })
        await mailOver(app, tx, row, 'declined')
      } else {
        await queries.dropRequests(tx, row.id)
        await queries.change(tx, row.id, row.month_limit)
        await mailServersDeclined(app, tx, row)
      }
      const other = must(row.asked_by === 'owner' ? row.owner_id : row.payer_id)
      const detail = { ...detailOf(row), by: user_id }
      await recordAction(tx, { user_id: other, act: 'agreement.declined', ...originOf(caller), detail })
      await publishToBoth(tx, row)
      return { status: 204 } as const
    })
  },
)

/**
 * Returns the agreement that waits for this person's answer. Throws 404 for an agreement of others, and 409 `invitation_over` for
 * an offer that is over.
 */
async function waitingFor(tx: Tx, id: string, user_id: string): Promise<{ row: AgreementRow; side: Side }> {
  const row = await queries.findAgreement(tx, id)
  if (!row) throw notFound()
  const side = await sideOf(tx, row, user_id)
  if (side && (await isWaiting(row, side))) return { row, side }
  const wasAsked = await isOfferedTo(tx, user_id, row.email)
  if (wasAsked && ![row.owner_id, row.payer_id].includes(user_id)) throw over()
  throw side ? over() : notFound()
}

const over = () => new HttpError(409, [{ code: 'invitation_over' }])

/** True if this side has to answer: an offer waits for the side that was asked, and added servers wait for the payer. */
const isWaiting = async (row: AgreementRow, side: Side): Promise<boolean> =>
  row.is_open &&
  (row.state === 'offered' ? row.asked_by !== side : side === 'payer' && row.requested_hosts > 0)

/** Locks and returns the servers that the agreement pays for from now on. */
async function hostsToPay(
  tx: Tx,
  row: AgreementRow,
  { owner_id, side, host_ids }: { owner_id: string; side: Side; host_ids: readonly string[] | undefined },
): Promise<bigint[]> {
  if (row.all_hosts && row.state === 'offered') return (await lockHostsOf(tx, owner_id)).map(({ id }) => id)
  const wanted =
    side === 'owner'
      ? await namedHosts(tx, owner_id, host_ids)
      : (await queries.hostsOf(tx, row.id)).filter(({ requested }) => requested).map(({ host_id }) => host_id)
  const locked = await lockHostsById(tx, wanted)
  return locked.flatMap((host) => (host.user_id === owner_id ? [host.id] : []))
}

/** Activates an offer; throws 409 if the two have an agreement already, or if somebody pays for all servers of this owner. */
async function begin(tx: Tx, row: AgreementRow, user_id: string, month_limit: bigint | null): Promise<void> {
  const clash = await lockQueries.clashOf(tx, row, user_id)
  if (clash === 'pair') throw new HttpError(409, [{ code: 'agreement_open' }])
  if (clash === 'all') throw hostHasPayer('all_hosts')
  await queries.activate(tx, row, user_id, month_limit)
}
