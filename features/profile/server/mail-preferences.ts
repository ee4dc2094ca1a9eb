import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/profile/contract.ts'
import type { MailKind } from '#features/profile/rules.ts'
import { preferencesOf, setPreferences, whoDeclined } from './mail-preference-queries.ts'

export const getMailPreferences = handler(contract.getMailPreferences, async ({ app, actor }) => {
  return { status: 200, body: await toPreferencesReply(app.db, actor) }
})

/**
 * Switches kinds of mail on or off. Mails about the security of the account are always sent and have no
 * switch.
 */
export const changeMailPreferences = handler(contract.changeMailPreferences, async ({ app, actor, body }) => {
  if (body.new_tickets !== undefined && actor.staff_roles.length === 0)
    throw new HttpError(403, [{ code: 'not_allowed' }])
  const { user_id } = actor
  return transaction(app, { userId: user_id }, async (tx) => {
    await setPreferences(tx, user_id, body)
    return { status: 200, body: await toPreferencesReply(tx, actor) } as const
  })
})

async function toPreferencesReply(
  db: App['db'],
  { user_id, staff_roles }: Actor,
): Promise<contract.MailPreferences> {
  const { ticket_replies, ticket_closing, new_tickets } = (await preferencesOf(db, user_id)) ?? all
  return { ticket_replies, ticket_closing, ...(staff_roles.length > 0 ? { new_tickets } : {}) }
}

const all = { ticket_replies: true, ticket_closing: true, new_tickets: true }

/** The users who want mails of this kind: all who did not switch it off. */
export async function whoWantsMail(
  db: App['db'],
  user_ids: readonly string[],
  kind: MailKind,
): Promise<string[]> {
  const declined = new Set(await whoDeclined(db, user_ids, kind))
  return user_ids.filter((user_id) => !declined.has(user_id))
}
