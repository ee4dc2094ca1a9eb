import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { MailLocale, MailTemplate } from '#foundation/server/mail/mail-template.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames, findAccountByProvenEmail } from '#features/profile/server/profile.ts'
import { accessEnded, helperInvitation, invitationAccepted } from './mail-templates.ts'
import type { GrantRow } from './queries.ts'

/** Mails the invitation, in the owner's language (`locale`) if nobody has proven the invited address. */
export async function mailInvitation(app: App, tx: Tx, grant: GrantRow, locale: MailLocale): Promise<void> {
  const { email: to, owner_id, role, expires_at } = grant
  const account = await findAccountByProvenEmail(tx, to)
  const user = account && (await findUser(tx, account.user_id))
  const names = await displayNames(app, tx, [owner_id])
  const values = { email: to, owner: names.of(owner_id).name, role, expires_at }
  await enqueueMail(app, tx, {
    user_id: null,
    to,
    locale: user?.locale ?? locale,
    template: helperInvitation,
    values,
  })
}

/** Tells the owner that the helper has accepted. */
export async function mailAccepted(app: App, tx: Tx, { owner_id, grantee_id }: GrantRow): Promise<void> {
  const names = await displayNames(app, tx, [grantee_id])
  await mail(app, tx, owner_id, invitationAccepted, { grantee: names.of(must(grantee_id)).name })
}

/** Tells the owner and the helper that the access has ended. */
export async function mailEnded(app: App, tx: Tx, { owner_id, grantee_id }: GrantRow): Promise<void> {
  const left = must(grantee_id)
  const names = await displayNames(app, tx, [owner_id, left])
  const values = { owner: names.of(owner_id).name, grantee: names.of(left).name }
  await mail(app, tx, owner_id, accessEnded, { ...values, is_owner: true })
  await mail(app, tx, left, accessEnded, { ...values, is_owner: false })
}

async function mail<Values>(
  app: App,
  tx: Tx,
  user_id: string,
  template: MailTemplate<Values>,
  values: Values,
): Promise<void> {
  const user = await findUser(tx, user_id)
  if (user?.is_active)
    await enqueueMail(app, tx, { user_id, to: user.email, locale: user.locale, template, values })
}
