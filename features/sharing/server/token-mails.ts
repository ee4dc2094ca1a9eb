import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'
import type { EndedWhy, TokenRow } from './token-queries.ts'

/** Tells the owner that a token ends soon. */
export const mailTokenEnds = (app: App, tx: Tx, { owner_id, name, ends_at }: TokenRow) =>
  mailTo(app, tx, owner_id, tokenEnds, { name, ends_at })

/** Tells the owner that a token has ended, and why. */
export const mailTokenEnded = (app: App, tx: Tx, { owner_id, name }: TokenRow, why: Why) =>
  mailTo(app, tx, owner_id, tokenEnded, { name, why })

type Why = Exclude<EndedWhy, 'owner'>

const tokenEnds = mailTemplate<{ name: string; ends_at: Date }>(
  'token_ends',
  'rest',
  [{ name: 'backup', ends_at: EXAMPLE.until }],
  ({ name, ends_at }, { locale, link, time }) => ({
    subject: m.sharing_mail_token_ends_subject({ name }, { locale }),
    paragraphs: [m.sharing_mail_token_ends({ name, time: time(ends_at) }, { locale })],
    action: { label: m.sharing_mail_tokens({}, { locale }), url: link(paths.api()) },
  }),
)

const reasons: Readonly<Record<Why, typeof m.sharing_mail_token_leak>> = {
  self: m.sharing_mail_token_self,
  staff: m.sharing_mail_token_staff,
  leak: m.sharing_mail_token_leak,
  expired: m.sharing_mail_token_expired,
  transfer: m.sharing_mail_token_transfer,
}

const ended = (why: Why) => ({ name: 'backup', why })

const tokenEnded = mailTemplate<{ name: string; why: Why }>(
  'token_ended',
  'security',
  [ended('self'), ended('staff'), ended('leak'), ended('expired'), ended('transfer')],
  ({ name, why }, { locale, link }) => ({
    subject: m.sharing_mail_token_ended_subject({ name }, { locale }),
    paragraphs: [reasons[why]({ name }, { locale })],
    action: { label: m.sharing_mail_tokens({}, { locale }), url: link(paths.api()) },
  }),
)
