import { paths } from '#features/paths.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import type { Translated } from '#foundation/locale.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate } from '#foundation/server/mail/mail-template.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import type { DatedPrice } from '#features/licences/rules.ts'
import type { Note } from '#features/invoices/contract.ts'
import { noteText } from '#features/invoices/texts.ts'
import * as m from '#texts/messages.js'
import { renewingByPlan, type PlanRow } from './plan-queries.ts'

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
  for (const { id, staff_roles } of await staffMembers(tx))
    if (staff_roles.includes('owner')) await mailTo(app, tx, id, planChanged, values)
}

/**
 * The values of the mail to the owners among the staff about a changed price. Amounts in minor units; `by` is null for the command line,
 * `from` is null for a price that counts at once.
 */
type PriceChange = {
  name: Translated
  slug: string
  before: bigint
  after: bigint
  from: Date | null
  /** The time from which renewals pay the price; null if it is the time for orders. */
  renewals_from: Date | null
  /** The number of servers that renew this plan automatically. */
  hosts: number
  by: string | null
  currency: string
}

const planChanged = mailTemplate<PriceChange>('plan_changed', 'rest', (change, context) => {
  const { locale, money, time, link } = context
  const { name, before, after, from, renewals_from, hosts, by, currency } = change
  const said = {
    plan: name[locale],
    before: money(toMoney(before, currency)),
    after: money(toMoney(after, currency)),
  }
  return {
    subject: m.licences_mail_price_subject(said, { locale }),
    own: [said.plan],
    paragraphs: [
      from === null
        ? m.licences_mail_price_now(said, { locale })
        : m.licences_mail_price_from({ ...said, date: time(from) }, { locale }),
      ...(renewals_from === null
        ? []
        : [m.licences_mail_price_renewals({ date: time(renewals_from) }, { locale })]),
      m.licences_mail_price_hosts({ count: hosts }, { locale }),
      by === null
        ? m.licences_mail_price_cli({}, { locale })
        : m.licences_mail_price_by({ name: by }, { locale }),
    ],
    action: { label: m.licences_mail_price_action({}, { locale }), url: link(paths.catalogue()) },
  }
})

/** The values of the mail about a price rise to the owner of a server with auto-renewal. Amounts in minor units with the customer's VAT. */
type PriceRise = {
  host: string
  host_id: string
  plan: string
  currency: string
  before: bigint
  after: bigint
  from: Date
  /** True if the amounts include VAT. */
  hasVat: boolean
  vat_note: Note | undefined
}

export const priceRises = mailTemplate<PriceRise>('price_rises', 'money', (values, context) => {
  const { locale, money, time, link } = context
  const { host, host_id, plan, from, currency, hasVat, vat_note } = values
  const said = {
    host,
    plan,
    before: money(toMoney(values.before, currency)),
    after: money(toMoney(values.after, currency)),
    date: time(from),
  }
  return {
    subject: m.licences_mail_rise_subject(said, { locale }),
    own: [host, plan],
    paragraphs: [
      hasVat
        ? m.licences_mail_rise_text(said, { locale })
        : m.licences_mail_rise_text_no_vat(said, { locale }),
      ...(vat_note ? [noteText(vat_note, () => '', locale)] : []),
    ],
    action: { label: m.licences_mail_open({}, { locale }), url: link(paths.host(host_id)) },
    closing: [m.licences_mail_rise_closing({}, { locale })],
  }
})
