import { balanceOf } from '#features/finance/server/finance.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { hostResumed, hostSuspended } from './suspension-mails.ts'

/** Queues the mail to the owner of a host that was suspended a moment ago, or may run again. */
export async function mailSuspension(app: App, tx: Tx, host: HostRow): Promise<void> {
  const user = await findUser(tx, host.user_id)
  if (!user?.is_active) return
  const to = { user_id: user.id, to: user.email, locale: user.locale }
  const named = { host: host.name, host_id: host.public_id }
  if (!host.suspended) {
    await enqueueMail(app, tx, { ...to, template: hostResumed, values: { ...named, at: host.now } })
    return
  }
  const { since, reason, text } = host.suspended
  await enqueueMail(app, tx, {
    ...to,
    template: hostSuspended,
    values: {
      ...named,
      at: new Date(since),
      reason,
      message: text,
      balance: await balanceOf(app, tx, user.id),
      currency: app.config.currency,
    },
  })
}
