import { displayNames } from '#features/profile/server/profile.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import type { DatedPrice } from '#features/licences/rules.ts'
import { renewingByPlan, type PlanRow } from './plan-queries.ts'
import { planChanged } from './price-mail-templates.ts'

export type SetPrice = DatedPrice & { id: bigint; isRise: boolean; atOnce: boolean }

/** Queues a mail to the owners among the staff about a new price. `by` is the id of the member who set it, or 'command line'. */
export async function mailOwners(
  app: App,
  tx: Tx,
  { before, after, price }: { before: PlanRow; after: PlanRow; price: SetPrice },
  by: string,
): Promise<void> {
  const isMember = by !== 'command line'
  const names = await displayNames(app, tx, isMember ? [by] : [])
  const hosts = (await renewingByPlan(tx)).get(after.slug) ?? 0
  const { net, from_at, renewals_from_at, atOnce } = price
  const values = {
    name: after.name,
    slug: after.slug,
    before: before.price_net,
    after: net,
    from: atOnce ? null : from_at,
    renewals_from: renewals_from_at > from_at ? renewals_from_at : null,
    hosts,
    by: isMember ? names.of(by).name : null,
    currency: app.config.currency,
  }
  for (const { id, email, locale, staff_roles } of await staffMembers(tx))
    if (staff_roles.includes('owner'))
      await enqueueMail(app, tx, { user_id: id, to: email, locale, template: planChanged, values })
}
