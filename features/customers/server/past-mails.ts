import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { count } from '#foundation/server/limits/limits.ts'
import * as mail from '#foundation/server/mail/history.ts'
import { pageFrom, placeIn, placeKinds } from '#foundation/server/paging/paging.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { wantsNews } from '#features/profile/server/profile.ts'
import { invoicesGoTo } from '#features/invoices/server/invoices.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import * as contract from '#features/customers/mail-contract.ts'
import type { MailState } from '#features/customers/rules.ts'
import { must } from '#foundation/must.ts'
import { customerOf } from './customer-of.ts'
import { lockCustomer } from './lock-customer.ts'
import { COMMAND_LINE, memberOf, nameOf, type Who } from './who.ts'

/** Answers `GET …/mails/`. */
export const listCustomerMails = handler(
  contract.listCustomerMails,
  async ({ app, params: { userId }, query }) => {
    await customerOf(app.db, userId)
    return { status: 200, body: await pageOfMails(app, userId, query) }
  },
)

/** The mails to a customer, newest first, without their texts. */
export async function pageOfMails(
  app: App,
  user_id: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
) {
  const [at_us, id] = placeIn(cursor, [placeKinds.number, placeKinds.uuid]) ?? []
  const before = at_us !== undefined && id !== undefined ? ([at_us, id] as const) : undefined
  const rows = await mail.mailsOf(app.db, user_id, { before, limit: limit + 1 })
  const addresses = await addressesToday(app, app.db, user_id)
  const suspended = await suspendedAmong(app, app.db, new Set(rows.map(({ letter }) => addresses(letter))))
  const news = await wantsNews(app.db, user_id)
  return pageFrom(
    rows,
    limit,
    (row) => [row.at_us, row.id],
    (row): contract.CustomerMail => {
      const hindrance =
        mail.hindranceOf(row) ??
        (isUnwanted(app, row, news) ? 'unwanted' : null) ??
        (suspended.has(addresses(row.letter)) ? 'suspended' : null)
      return {
        id: row.id,
        created_at: row.created_at.toISOString(),
        kind: row.letter,
        subject: mail.wordsOf(app, row).subject ?? '',
        to: row.to_address,
        state: stateOf(row),
        attempts: row.attempts,
        answer: row.last_error ?? '',
        sent_at: row.sent_at?.toISOString() ?? null,
        again_to: hindrance === null ? addresses(row.letter) : null,
        hindrance,
      }
    },
  )
}

/** Returns the addresses among these to which no mail goes, because one came back. */
async function suspendedAmong(app: App, db: App['db'], addresses: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>()
  for (const address of addresses) if (await app.isSuspended?.(db, address)) found.add(address)
  return found
}

/** True for a letter with news to somebody who wants none: it needs their consent at the time at which it goes out. */
const isUnwanted = (app: App, past: mail.PastMail, wanted: boolean): boolean =>
  !wanted && mail.isStoppable(app, past)

const stateOf = ({ state, last_error }: mail.PastMail): MailState =>
  ({
    owed: last_error === null ? ('waiting' as const) : ('refused' as const),
    sending: 'waiting' as const,
    sent: 'sent' as const,
    dead: 'given_up' as const,
    kept: 'kept' as const,
  })[state]

/** Returns how to find the address that a kind of mail goes to today: invoices may have one of their own. */
async function addressesToday(app: App, db: App['db'], user_id: string): Promise<(letter: string) => string> {
  const { email } = must(await findUser(db, user_id))
  const invoices = await invoicesGoTo(db, { id: user_id, email })
  return (letter) => (letter.startsWith('invoice_') ? invoices : email)
}

/** Answers `POST …/mails/{mailId}/again/`. */
export const sendMailAgain = handler(contract.sendMailAgain, async (call) => {
  const { app, params } = call
  const sent = await sendAgain(app, memberOf(call), params.mailId, params.userId)
  return { status: 200, body: { to: sent.to } }
})

/** Sends a mail once more for the command line. Throws as the call does. */
export const sendAgainByCommand = (app: App, mail_id: string) => sendAgain(app, COMMAND_LINE, mail_id)

async function sendAgain(
  app: App,
  who: Who,
  mail_id: string,
  of?: string,
): Promise<{ to: string; kind: string }> {
  return transaction(app, 'system', async (tx) => {
    const found = await mail.findMail(tx, mail_id)
    if (!found || (of !== undefined && found.user_id !== of)) throw notFound()
    const { id: user_id } = await lockCustomer(tx, who, found.user_id, { ownersMay: true })
    const { content, letter: kind } = found
    const isNoMore = isUnwanted(app, found, await wantsNews(tx, user_id))
    const hindrance = mail.hindranceOf(found) ?? (isNoMore ? 'unwanted' : undefined)
    if (hindrance !== undefined || content === null)
      throw new HttpError(409, [{ code: `mail_${hindrance ?? 'forgotten'}` }])
    const to = (await addressesToday(app, tx, user_id))(kind)
    if ((await suspendedAmong(app, tx, new Set([to]))).size > 0)
      throw new HttpError(409, [{ code: 'mail_suspended' }])
    // The attack is a member of staff who fills the mailbox of a customer.
    const { allowed, retry_after_s } = await count(app, tx, 'mail_again', user_id)
    if (!allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], retry_after_s)
    await mail.sendAgain(app, tx, { ...found, content }, to)
    const detail = { by: nameOf(who), mail_id, letter: kind, to }
    await recordAction(tx, { user_id, act: 'mail.sent_again', ...who.origin, detail })
    await publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id }, { hidden_from: user_id })
    return { to, kind }
  })
}

/** All that is kept of the mails to an account, for the copy of all data about it. */
export async function copyOfMails(app: App, user_id: string): Promise<object[]> {
  const rows = await mail.mailsOf(app.db, user_id, { limit: 10_000 })
  return rows.map((row) => {
    const { created_at: at, sent_at, letter: kind, to_address: to } = row
    return { at, sent_at, kind, to, ...mail.wordsOf(app, row) }
  })
}
