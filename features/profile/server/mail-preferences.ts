import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { keepUser, type Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/profile/contract.ts'
import type { MailKind } from '#features/profile/rules.ts'
import { preferencesOf, setPreferences, whoDeclined } from './mail-preference-queries.ts'
import { readerOf } from './news-key.ts'

export const getMailPreferences = handler(contract.getMailPreferences, async ({ app, actor }) => {
  return { status: 200, body: await toPreferencesReply(app.db, actor) }
})

/**
 * Switches kinds of mail on or off. Mails about the security of the account are always sent and have no
 * switch. The audit holds when somebody asked for news, which an operator may have to show.
 */
export const changeMailPreferences = handler(
  contract.changeMailPreferences,
  async ({ app, actor, body, caller }) => {
    if (body.new_tickets !== undefined && actor.staff_roles.length === 0)
      throw new HttpError(403, [{ code: 'not_allowed' }])
    const { user_id } = actor
    return transaction(app, { userId: user_id }, async (tx) => {
      if (body.news !== undefined) await chooseNews(tx, user_id, body.news, caller)
      await setPreferences(tx, user_id, body)
      return { status: 200, body: await toPreferencesReply(tx, actor) } as const
    })
  },
)

/** Answers `POST /api/news/stop/`, by the key of a letter, which says what it stops. The key alone is enough, as it takes nothing from anybody. */
export const stopNews = handler(contract.stopNews, async ({ app, query, caller }) => {
  const reader = readerOf(app.keys, query.key)
  if (!reader) throw badRequest('invalid_or_expired_key', 'key')
  const { user_id, kind } = reader
  await transaction(app, 'system', async (tx) => {
    if (!(await keepUser(tx, user_id))?.is_active) return
    if (kind === 'news') await chooseNews(tx, user_id, false, caller)
    else await setPreferences(tx, user_id, { [kind]: false })
  })
  return { status: 204 }
})

async function chooseNews(tx: Tx, user_id: string, news: boolean, caller: Caller): Promise<void> {
  if ((await wantsNews(tx, user_id)) === news) return
  await setPreferences(tx, user_id, { news })
  await recordAction(tx, { user_id, act: news ? 'news.asked_for' : 'news.stopped', ...originOf(caller) })
}

async function toPreferencesReply(
  db: App['db'],
  { user_id, staff_roles }: Actor,
): Promise<contract.MailPreferences> {
  const { ticket_replies, ticket_closing, new_tickets, news } = (await preferencesOf(db, user_id)) ?? all
  return { ticket_replies, ticket_closing, news, ...(staff_roles.length > 0 ? { new_tickets } : {}) }
}

const all = { ticket_replies: true, ticket_closing: true, new_tickets: true, news: false }

/** True if an account has turned news by mail on. */
export const wantsNews = async (db: App['db'], user_id: string): Promise<boolean> =>
  ((await preferencesOf(db, user_id)) ?? all).news

/** The users who want mails of this kind: all who did not switch it off. */
export async function whoWantsMail(
  db: App['db'],
  user_ids: readonly string[],
  kind: Exclude<MailKind, 'news'>,
): Promise<string[]> {
  const declined = new Set(await whoDeclined(db, user_ids, kind))
  return user_ids.filter((user_id) => !declined.has(user_id))
}
