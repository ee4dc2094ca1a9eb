import { paths } from '#features/paths.ts'
import type { HoldReason, PauseReason } from '#features/auto-top-ups/rules.ts'
import { reasonText } from '#features/auto-top-ups/texts.ts'
import { methodName, type NamedMethod } from '#features/methods/texts.ts'
import { toMoney, type Money } from '#foundation/money.ts'
import { EXAMPLE } from '#foundation/server/mail/example.ts'
import { mailTemplate, type MailContext } from '#foundation/server/mail/mail-template.ts'
import * as m from '#texts/messages.js'

type Charged = { amount: Money; method: NamedMethod }

const charged: Charged = {
  amount: toMoney(37_20n, 'EUR'),
  method: { kind: 'card', brand: 'Visa', last4: '4242' },
}

const toFinances = ({ locale, link }: MailContext) => ({
  label: m.auto_top_ups_mail_action({}, { locale }),
  url: link(paths.finances()),
})

const saidOf = ({ amount, method }: Charged, { locale, money }: MailContext) => ({
  amount: money(amount),
  method: methodName(method, { locale }),
})

type Announced = Charged & { at: Date; mandate: string | null; creditor: string | null }

/** The notice of a direct debit: amount, day, mandate, and the creditor's id. */
export const chargeAnnounced = mailTemplate<Announced>(
  'auto_top_up_announced',
  'money',
  [
    { ...charged, at: EXAMPLE.at, mandate: 'M-2026-1', creditor: 'DE98ZZZ09999999999' },
    { ...charged, at: EXAMPLE.at, mandate: null, creditor: null },
  ],
  (values, context) => {
    const { locale, time } = context
    const said = { ...saidOf(values, context), at: time(values.at) }
    return {
      subject: m.auto_top_ups_mail_announced_subject(said, { locale }),
      paragraphs: [m.auto_top_ups_mail_announced_text(said, { locale })],
      facts: [
        ...fact(m.auto_top_ups_mail_mandate({}, { locale }), values.mandate),
        ...fact(m.auto_top_ups_mail_creditor({}, { locale }), values.creditor),
      ],
      action: toFinances(context),
    }
  },
)

const fact = (name: string, value: string | null): [string, string][] =>
  value === null ? [] : [[name, value]]

/** A bank wants its customer to allow a charge; `run` is the public id. */
export const chargeWaits = mailTemplate<Charged & { run: string; until: Date }>(
  'auto_top_up_waits',
  'money',
  [{ ...charged, run: EXAMPLE.key, until: EXAMPLE.until }],
  (values, context) => {
    const { locale, time, link } = context
    const said = { ...saidOf(values, context), until: time(values.until) }
    return {
      subject: m.auto_top_ups_mail_waits_subject(said, { locale }),
      paragraphs: [m.auto_top_ups_mail_waits_text(said, { locale })],
      action: {
        label: m.auto_top_ups_mail_waits_action({}, { locale }),
        url: link(paths.allowCharge(values.run)),
      },
    }
  },
)

/** A charge was declined, and is tried again at `again_at`. */
export const chargeDeclined = mailTemplate<Charged & { again_at: Date }>(
  'auto_top_up_declined',
  'money',
  [{ ...charged, again_at: EXAMPLE.at }],
  (values, context) => {
    const { locale, time } = context
    const said = { ...saidOf(values, context), again: time(values.again_at) }
    return {
      subject: m.auto_top_ups_mail_declined_subject(said, { locale }),
      paragraphs: [m.auto_top_ups_mail_declined_text(said, { locale })],
      action: toFinances(context),
    }
  },
)

/** Nothing is charged any more until the customer turns it on again. `words` are those of staff. */
export const autoTopUpPaused = mailTemplate<{ reason: PauseReason; words?: string }>(
  'auto_top_up_paused',
  'money',
  [
    { reason: 'declined' },
    { reason: 'disputed' },
    { reason: 'staff', words: 'Your new card is not saved yet.' },
  ],
  ({ reason, words }, context) => {
    const { locale } = context
    return {
      subject: m.auto_top_ups_mail_paused_subject({}, { locale }),
      paragraphs: [
        reasonText(reason, { locale }),
        ...(words === undefined ? [] : [words]),
        m.auto_top_ups_mail_paused_text({}, { locale }),
      ],
      action: toFinances(context),
    }
  },
)

/** A limit holds back a charge that would be due. */
export const chargeHeld = mailTemplate<{ reason: HoldReason }>(
  'auto_top_up_held',
  'money',
  [{ reason: 'month_limit' }, { reason: 'balance_cap' }],
  ({ reason }, context) => {
    const { locale } = context
    return {
      subject: m.auto_top_ups_mail_held_subject({}, { locale }),
      paragraphs: [reasonText(reason, { locale }), m.auto_top_ups_mail_held_text({}, { locale })],
      action: toFinances(context),
    }
  },
)
