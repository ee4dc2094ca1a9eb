import { refundPermission } from '#features/finance/contract.ts'
import type { HostRow } from '#features/hosts/server/hosts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import { mayDo } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { withdrawalWaits } from './withdrawal-mail.ts'

type Declared = { declared_at: Date; proposed_refund: bigint; currency: string }

/** Queues a mail about a proposed refund to the members of billing, or, if there are none, to all members who may refund. */
export async function mailBilling(
  app: App,
  tx: Tx,
  { user_id, name: host }: Pick<HostRow, 'user_id' | 'name'>,
  declared: Declared,
): Promise<void> {
  const names = await displayNames(app, tx, [user_id])
  const values = { customer: names.of(user_id).name, host, ...declared }
  const members = (await staffMembers(tx)).filter(
    ({ id, staff_roles }) => id !== user_id && mayDo(staff_roles, refundPermission),
  )
  const billing = members.filter(({ staff_roles }) => staff_roles.includes('billing'))
  for (const { id, email: to, locale } of billing.length > 0 ? billing : members)
    await enqueueMail(app, tx, { user_id: id, to, locale, template: withdrawalWaits, values })
}
