import { Fragment } from 'react'
import type { Plan } from '#features/licences/contract.ts'
import type { UpgradePreview } from '#features/sales/upgrade-preview.ts'
import { amountOf, toMoney, type Money } from '#foundation/money.ts'
import { formatDate, formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'
import { Line } from './price-summary.tsx'

type ChoiceProps = { plans: readonly Plan[]; chosen: Plan | undefined; onChoose: (slug: string) => void }

/** The choice between the plans that are higher than the present plan. */
export function UpgradeChoice({ plans, chosen, onChoose }: ChoiceProps) {
  const locale = useLocale()
  if (plans.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{m.sales_plan()}</legend>
      <div className="flex flex-col gap-2">
        {plans.map((plan) => (
          <label key={plan.slug} className={choiceClass}>
            <input
              type="radio"
              name="plan"
              value={plan.slug}
              checked={plan === chosen}
              onChange={() => onChoose(plan.slug)}
              className="size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{plan.name[locale]}</span>
            <span className="text-muted">
              {m.hosts_price_for({ price: formatMoney(plan.price_total), term: formatTerm(plan.term) })}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

const choiceClass =
  'flex cursor-pointer flex-wrap items-center gap-x-2.5 rounded-md border border-line p-3 text-sm hover:bg-hover ' +
  'has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 ' +
  'has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text'

type Shown = { shown: UpgradePreview; before: Money | undefined; plan: Plan | undefined }

/** Each period with its credit and its price, and the amount to pay now. */
export function UpgradeSummary({ shown, before, plan }: Shown) {
  const locale = useLocale()
  const { periods, extras = [], pay_now, balance_after, renewal } = shown
  return (
    <dl aria-live="polite" className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
      {periods.map(({ plan: old, starts_at, ends_at, credit, credited_apart, price }, place) => {
        const time = { from: formatDate(starts_at), until: formatDate(ends_at) }
        const given = formatMoney(toMoney(-amountOf(credit), credit.currency))
        return (
          <Fragment key={starts_at}>
            <Line name={m.sales_upgrade_period({ plan: shown.plan.name[locale], ...time })} apart={place > 0}>
              {formatMoney(price)}
            </Line>
            {amountOf(credit) === 0n ? null : credited_apart ? (
              <Line name={m.sales_upgrade_credit_apart({ plan: old[locale] })}>{formatMoney(credit)}</Line>
            ) : (
              <Line name={m.sales_upgrade_credit({ plan: old[locale] })}>{given}</Line>
            )}
          </Fragment>
        )
      })}
      {extras.map(({ name, quantity, net }) => (
        <Line key={name.en} name={m.sales_upgrade_extra({ name: name[locale], count: quantity })}>
          {formatMoney(net)}
        </Line>
      ))}
      {before && before.amount !== pay_now.amount ? (
        <Line name={m.sales_price_before()}>
          <s>{formatMoney(before)}</s>
        </Line>
      ) : null}
      <Line name={m.sales_upgrade_now()} strong apart>
        {formatMoney(pay_now)}
      </Line>
      <Line name={m.sales_balance_after()} tone={amountOf(balance_after) < 0n ? 'danger' : undefined}>
        {formatMoney(balance_after)}
      </Line>
      <Line name={m.sales_upgrade_renewal()}>
        {plan ? m.hosts_price_for({ price: formatMoney(renewal), term: formatTerm(plan.term) }) : null}
      </Line>
    </dl>
  )
}
