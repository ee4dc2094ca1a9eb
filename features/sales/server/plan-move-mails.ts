import { paths } from '#features/paths.ts'
import type { Note } from '#features/invoices/contract.ts'
import { noteText } from '#features/invoices/texts.ts'
import { toMoney } from '#foundation/money.ts'
import { mailTemplate, type Examples, type MailContext } from '#foundation/server/mail/mail-template.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import * as m from '#texts/messages.js'

/** Amounts in minor units with the customer's VAT; the plans in the language of the reader. */
type Values = {
  host: string
  host_id: string
  plan: string
  next_plan: string
  before: bigint
  after: bigint
  from: Date
  currency: string
  vat_note: Note | undefined
}

const examples: Examples<Values> = [
  {
    host: 'web-1',
    host_id: 'web-1',
    plan: 'Starter',
    next_plan: 'Business',
    before: 19_00n,
    after: 24_00n,
    from: EXAMPLE.until,
    currency: 'EUR',
    vat_note: undefined,
  },
]

const saidIn = (values: Values, { money, time }: MailContext) => ({
  host: values.host,
  plan: values.plan,
  next: values.next_plan,
  before: money(toMoney(values.before, values.currency)),
  after: money(toMoney(values.after, values.currency)),
  date: time(values.from),
})

/** Says to the owner of a server whose plan is not sold any more with which plan, and for how much at most, it renews. */
export const planMoves = mailTemplate<Values>('plan_moves', 'money', examples, (values, context) => {
  const { locale, link } = context
  const said = saidIn(values, context)
  return {
    subject: m.sales_mail_moves_subject(said, { locale }),
    own: [said.host, said.plan, said.next],
    paragraphs: [
      m.sales_mail_moves_text(said, { locale }),
      m.sales_mail_moves_price(said, { locale }),
      ...(values.vat_note ? [noteText(values.vat_note, () => '', locale)] : []),
    ],
    action: { label: m.sales_mail_moves_action({}, { locale }), url: link(paths.host(values.host_id)) },
    closing: [m.sales_mail_moves_closing({}, { locale })],
  }
})

/** Says that a plan that was announced to change stays. */
export const planStays = mailTemplate<Values>('plan_stays', 'money', examples, (values, context) => {
  const { locale, link } = context
  const said = saidIn(values, context)
  return {
    subject: m.sales_mail_stays_subject(said, { locale }),
    own: [said.host, said.plan, said.next],
    paragraphs: [m.sales_mail_stays_text(said, { locale })],
    action: { label: m.sales_mail_moves_action({}, { locale }), url: link(paths.host(values.host_id)) },
  }
})
