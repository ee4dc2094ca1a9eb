import { must } from '#foundation/must.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { assertRecent } from '#foundation/server/http/assert-recent.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { ownHosts } from '#features/hosts/server/hosts.ts'
import { assertForeign } from '#features/profile/server/profile.ts'
import * as contract from '#features/payers/contract.ts'
import { MOST_AGREEMENTS, type Side } from '#features/payers/rules.ts'
import { mailOffer } from './mails.ts'
import * as lockQueries from './lock-queries.ts'
import { publishToBoth } from './publish-changes.ts'
import * as queries from './queries.ts'
import { agreementReply } from './replies.ts'

/** Answers `POST /api/payment-agreements/`, in the same way for an address with an account and for one without. */
export const create = handler(contract.createAgreement, async (call) => {
  const { app, actor, caller, body } = call
  const { user_id } = actor
  return withIdempotencyKey(contract.createAgreement, call, async (tx) => {
    const { email, side, all_hosts, pays } = body
    assertRecent(app, actor)
    await assertForeign(tx, user_id, email)
    const hosts = side === 'owner' && !all_hosts ? await namedHosts(tx, user_id, body.host_ids) : []
    await assertFree(tx, hosts)
    await assertMayAdd(tx, user_id, side)
    const month_limit = limitOf(body.month_limit) ?? null
    const wanted = { user_id, asked_by: side, email, all_hosts, pays, month_limit }
    const id = await queries.insertAgreement(tx, wanted)
    if (id === undefined) throw new HttpError(409, [{ code: 'agreement_open', param: 'email' }])
    if (side === 'owner') await queries.requestHosts(tx, { id, owner_id: user_id }, hosts)
    const row = must(await lockQueries.lockAgreement(tx, id))
    const detail = detailOf(row)
    await recordAction(tx, { user_id, act: 'agreement.offered', ...originOf(caller), detail })
    await mailOffer(app, tx, row, actor.locale)
    await publishToBoth(tx, row)
    return { status: 201, body: await agreementReply(app, tx, row, side) } as const
  })
})

/** Returns the limit in minor units, null for no limit; undefined if the request does not name it. */
export const limitOf = (limit: string | null | undefined): bigint | null | undefined =>
  typeof limit === 'string' ? BigInt(limit) : limit

/** Returns the row ids of the named servers; throws 400 `host_required` if none is named, `unknown_host` if one is not the owner's. */
export async function namedHosts(
  tx: Tx,
  owner_id: string,
  host_ids: readonly string[] = [],
  param = 'host_ids',
): Promise<bigint[]> {
  const wanted = [...new Set(host_ids)]
  if (wanted.length === 0) throw badRequest('host_required', param)
  const hosts = await ownHosts(tx, owner_id, wanted)
  if (hosts.length < wanted.length) throw badRequest('unknown_host', param)
  return hosts.map(({ id }) => id)
}

/** Throws 409 `host_has_payer` if somebody pays for one of these servers already. */
export async function assertFree(tx: Tx, hosts: readonly bigint[], param = 'host_ids'): Promise<void> {
  if ((await queries.paidAmong(tx, hosts)).length > 0) throw hostHasPayer(param)
}

export const hostHasPayer = (param: string) => new HttpError(409, [{ code: 'host_has_payer', param }])

/**
 * Throws 409 `too_many_agreements` at the limit. The lock makes counting and adding one step; without it several requests at once
 * could exceed the limit.
 */
export async function assertMayAdd(tx: Tx, user_id: string, side: Side): Promise<void> {
  await lockByName(tx, `agreements of ${user_id}`)
  if ((await queries.countOpen(tx, user_id, side)) >= MOST_AGREEMENTS[side])
    throw new HttpError(409, [{ code: 'too_many_agreements' }])
}

/** Returns the details of an agreement for the audit. They hold no address: the asked account is named once it accepts. */
export const detailOf = ({ id, asked_by, pays, all_hosts, month_limit }: queries.AgreementRow) => ({
  agreement_id: id,
  asked_by,
  pays,
  ...(all_hosts && { all_hosts }),
  ...(month_limit === null ? {} : { month_limit: month_limit.toString() }),
})
