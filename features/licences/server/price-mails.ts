import { paths } from '#features/paths.ts'
import type { Translated } from '#foundation/locale.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate, type Examples } from '#foundation/server/mail/mail-template.ts'
import type { Note } from '#features/invoices/contract.ts'
import { noteText } from '#features/invoices/texts.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

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

const change: PriceChange = {
  name: { en: 'Business', de: 'Business', ru: 'Business' },
  slug: 'business',
  before: 19_00n,
  after: 24_00n,
  from: EXAMPLE.until,
  renewals_from: EXAMPLE.until,
  hosts: 12,
  by: EXAMPLE.other,
  currency: 'EUR',
}
const changes: Examples<PriceChange> = [change, { ...change, from: null, by: null, hosts: 1 }]

export const planChanged = mailTemplate<PriceChange>('plan_changed', 'rest', changes, (change, context) => {
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
  /** The add-ons of a term, whose price stays. */
  addons: bigint
  from: Date
  /** True if the amounts include VAT. */
  hasVat: boolean
  vat_note: Note | undefined
}

const rise: PriceRise = {
  host: 'web-1',
  host_id: 'web-1',
  plan: 'Business',
  currency: 'EUR',
  before: 19_00n,
  after: 24_00n,
  addons: 0n,
  from: EXAMPLE.until,
  hasVat: true,
  vat_note: undefined,
}

export const priceRises = mailTemplate<PriceRise>(
  'price_rises',
  'money',
  [rise, { ...rise, hasVat: false }, { ...rise, addons: 12_00n }],
  (values, context) => {
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
        ...(values.addons > 0n
          ? [
              m.licences_mail_rise_addons(
                { host, amount: money(toMoney(values.addons, currency)) },
                { locale },
              ),
            ]
          : []),
        ...(vat_note ? [noteText(vat_note, () => '', locale)] : []),
      ],
      action: { label: m.licences_mail_open({}, { locale }), url: link(paths.host(host_id)) },
      closing: [m.licences_mail_rise_closing({}, { locale })],
    }
  },
)
