import type { ReactNode } from 'react'
import { noteText, reductionText } from '#features/invoices/texts.ts'
import type { Plan } from '#features/licences/contract.ts'
import type { ExtraLine, Period } from '#features/licences/rules.ts'
import { vatIdNotice } from '#features/profile/slots.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { formatDate, formatDay, formatPercent } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { missingFor } from './missing-amount.ts'

type Props = {
  /** The plan at its price with the extras. */
  plan: Plan | undefined
  /** The plan at its own price. */
  base: Plan | undefined
  extras: readonly ExtraLine[]
  /** Returns the total of the plan that was shown before, if it has changed since (rule 46). */
  before: (plan: Plan) => Money | undefined
  /** Undefined while it is not known. */
  balance: Money | undefined
  /** The period that the order pays for; left out for a host that is still to be made. */
  period?: Pick<Period, 'starts_at' | 'ends_at'> | undefined
}

/** The cost of an order and the balance after it, before the button. */
export function PriceSummary({ plan, base, extras, before: priceBefore, balance, period }: Props) {
  const locale = useLocale()
  if (!plan || !base) return null
  const before = priceBefore(base)
  const after = balance && toMoney(amountOf(balance) - amountOf(plan.price_total), balance.currency)
  const short = missingFor(plan, balance) !== undefined
  return (
    <>
      <Slot of={vatIdNotice} props={{}} />
      <dl aria-live="polite" className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
        {period ? (
          <Line name={m.sales_period()}>
            {formatDate(period.starts_at)} – {formatDate(period.ends_at)}
          </Line>
        ) : null}
        {base.promo ? <Lowered promo={base.promo} net={base.price_net} /> : null}
        {extras.length > 0 ? <Line name={plan.name[locale]}>{formatMoney(base.price_net)}</Line> : null}
        {extras.map(({ slug, name, quantity, net }) => (
          <Line key={slug} name={m.sales_extra_line({ name: name[locale], count: quantity })}>
            {formatMoney(net)}
          </Line>
        ))}
        <NetAndVat of={plan} net={plan.price_net} />
        {before && extras.length === 0 ? (
          <Line name={m.sales_price_before()}>
            <s>{formatMoney(before)}</s>
          </Line>
        ) : null}
        {plan.promo && !before && extras.length === 0 ? (
          <Line name={m.sales_promo_before()}>
            <s>{formatMoney(plan.promo.total_before)}</s>
          </Line>
        ) : null}
        <Line name={m.sales_total()} strong>
          {formatMoney(plan.price_total)}
        </Line>
        {balance && after ? (
          <>
            <Line name={m.sales_balance_now()} apart>
              {formatMoney(balance)}
            </Line>
            <Line name={m.sales_balance_after()} tone={short ? 'danger' : undefined}>
              {formatMoney(after)}
            </Line>
          </>
        ) : null}
      </dl>
    </>
  )
}

/** The price of the list, what a promo code takes off it, and the renewals for which it goes on to hold. */
function Lowered({ promo, net }: { promo: NonNullable<Plan['promo']>; net: Money }) {
  const { code, percent, renewals, net_before } = promo
  const params = { code, ...(percent !== null && { percent: String(percent) }) }
  const off = toMoney(amountOf(net) - amountOf(net_before), net.currency)
  return (
    <>
      <Line name={m.sales_promo_list()}>{formatMoney(net_before)}</Line>
      <Line name={reductionText({ code: 'promo_code', params })}>{formatMoney(off)}</Line>
      <Line name={renewals === 0 ? m.sales_promo_once() : m.sales_promo_renewals({ count: renewals })} />
    </>
  )
}

type Taxed = Pick<Plan, 'vat' | 'vat_rate' | 'vat_note'>

/** The sum before VAT, and the VAT; a small business states neither, not even 0 %, but says why. */
export function NetAndVat({ net, of: { vat, vat_rate, vat_note } }: { net: Money; of: Taxed }) {
  if (vat_note) return <Line name={noteText(vat_note, formatDay)} />
  return (
    <>
      <Line name={m.sales_net()}>{formatMoney(net)}</Line>
      <Line name={m.sales_vat({ rate: formatPercent(vat_rate) })}>{formatMoney(vat)}</Line>
    </>
  )
}

type LineProps = {
  name: string
  strong?: boolean
  /** True for a line that begins another group. */
  apart?: boolean
  tone?: 'danger' | undefined
  children?: ReactNode
}

/** One amount with its name. */
export function Line({ name, strong, apart, tone, children }: LineProps) {
  return (
    <div
      className={classNames(
        'flex flex-wrap justify-between gap-x-4 py-0.5',
        strong && 'font-semibold',
        apart && 'mt-2 border-t border-line pt-2',
        tone === 'danger' && 'text-danger-text',
      )}
    >
      <dt className={classNames(!strong && tone !== 'danger' && 'text-muted')}>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
