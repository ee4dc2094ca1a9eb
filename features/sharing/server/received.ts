import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/sharing/contract.ts'
import { MOST_RECEIVED } from '#features/sharing/rules.ts'
import { isOfferedTo } from '#features/profile/server/profile.ts'
import { detailOf } from './given.ts'
import { mailAccepted, mailEnded, mailOver } from './mails.ts'
import { publishToBoth } from './publish-changes.ts'
import * as formerQueries from './former-queries.ts'
import * as queries from './queries.ts'
import { grantReply } from './replies.ts'

/** Answers `POST …/acceptance/`. */
export const accept = handler(contract.acceptGrant, async ({ app, actor: { user_id }, params, caller }) => {
  return transaction(app, { systemFor: user_id }, async (tx) => {
    // Two acceptances by one person take turns: one owner may have invited two addresses of that person.
    await lockByName(tx, `grants to ${user_id}`)
    const grant = await lockInvitation(tx, params.grantId, user_id)
    const received = await queries.grantsTo(tx, user_id, [])
    if (received.some(({ owner_id }) => owner_id === grant.owner_id))
      throw new HttpError(409, [{ code: 'already_shared' }])
    if (received.length >= MOST_RECEIVED) throw new HttpError(409, [{ code: 'too_many_grants' }])
    await queries.activate(tx, grant.id, user_id)
    const accepted = must(await queries.lockGrant(tx, grant.id))
    const detail = { ...detailOf(accepted), by: user_id }
    await recordAction(tx, { user_id: grant.owner_id, act: 'grant.accepted', ...originOf(caller), detail })
    await mailAccepted(app, tx, accepted)
    await publishToBoth(tx, accepted)
    return { status: 200, body: await grantReply(app, tx, accepted, 'received') } as const
  })
})

/** Answers `POST …/refusal/`. */
export const decline = handler(contract.declineGrant, async ({ app, actor: { user_id }, params, caller }) => {
  return transaction(app, { systemFor: user_id }, async (tx) => {
    const grant = await lockInvitation(tx, params.grantId, user_id)
    await queries.end(tx, grant.id, 'declined')
    const detail = { ...detailOf(grant), by: user_id }
    await recordAction(tx, { user_id: grant.owner_id, act: 'grant.declined', ...originOf(caller), detail })
    await mailOver(app, tx, grant, 'declined')
    await publishToBoth(tx, { ...grant, grantee_id: user_id })
    return { status: 204 } as const
  })
})

/** Ends the invitations whose time is over, and tells the owners who sent them. */
export async function expireInvitations(app: App, tx: Tx): Promise<void> {
  for (const id of await formerQueries.expireInvitations(tx)) {
    const grant = must(await queries.lockGrant(tx, id))
    await mailOver(app, tx, grant, 'expired')
    await publishToBoth(tx, grant)
  }
}

/** Locks an open invitation. Throws 404 if it invites somebody else, 409 `invitation_over` if it is over. */
async function lockInvitation(tx: Tx, id: string, user_id: string): Promise<queries.GrantRow> {
  const grant = await queries.lockGrant(tx, id)
  if (!grant || grant.owner_id === user_id) throw notFound()
  if (!(await isOfferedTo(tx, user_id, grant.email))) throw notFound()
  if (grant.state !== 'invited' || !grant.is_open) throw new HttpError(409, [{ code: 'invitation_over' }])
  return grant
}

/**
 * Answers `DELETE …/{grantId}/`: the owner ends a grant or an invitation, or the helper leaves. Running actions of the helper finish first.
 */
export const remove = handler(contract.deleteGrant, async ({ app, actor: { user_id }, params, caller }) => {
  return transaction(app, { systemFor: user_id }, async (tx) => {
    const grant = await queries.lockGrant(tx, params.grantId)
    const isOwner = grant?.owner_id === user_id
    const isHelper = grant?.state === 'active' && grant.grantee_id === user_id
    if (!grant || !grant.is_open || !(isOwner || isHelper)) throw notFound()
    await endGrant(app, tx, grant, isOwner ? 'revoked' : 'left')
    const detail = { ...detailOf(grant), ...(isOwner ? { grantee_id: grant.grantee_id } : { by: user_id }) }
    const act = isOwner ? 'grant.revoked' : 'grant.left'
    await recordAction(tx, { user_id: grant.owner_id, act, ...originOf(caller), detail })
    return { status: 204 } as const
  })
})

/** Ends a grant whose row the caller has locked. Both sides get a mail if the grant was active. */
export async function endGrant(
  app: App,
  tx: Tx,
  grant: queries.GrantRow,
  how: 'revoked' | 'left',
): Promise<void> {
  await queries.end(tx, grant.id, how)
  if (grant.state === 'active') await mailEnded(app, tx, grant)
  await publishToBoth(tx, grant)
}

/** Ends all grants and invitations, given and received, of an account that is deleted or merged. */
export async function endGrantsOf(app: App, tx: Tx, user_id: string): Promise<void> {
  for (const grant of await queries.lockGrantsWith(tx, user_id))
    await endGrant(app, tx, grant, grant.owner_id === user_id ? 'revoked' : 'left')
}
