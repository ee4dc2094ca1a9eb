import { useId } from 'react'
import type { Plan } from '#features/licences/contract.ts'
import { terms } from '#features/licences/rules.ts'
import { useFieldError } from '#foundation/web/form/form-context.ts'
import { formatPercent, formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { NoneForSale } from './none-for-sale.tsx'
import { EditionTable, FeatureList } from './edition-table.tsx'

type Props = {
  plans: { data: { items: Plan[] } | undefined; error: unknown; refetch: () => Promise<unknown> }
  chosen: Plan | undefined
  onChoose: (slug: string) => void
}

/** The choice of a term and of a plan with that term. Each plan has its price for this customer; a table shows how they differ. */
export function PlanChoice({ plans, chosen, onChoose }: Props) {
  const id = useId()
  const refused = useFieldError('plan')
  return (
    <LoadedList query={plans} failed={m.sales_plans_failed()} waiting="h-72 sm:h-50" none={<NoneForSale />}>
      {(items) => {
        const shown = items.filter(({ term }) => term === chosen?.term)
        return (
          <div className="flex flex-col gap-4">
            <TermChoice plans={items} chosen={chosen} onChoose={onChoose} />
            <fieldset aria-describedby={refused ? `${id}-error` : undefined}>
              <legend className="mb-1.5 text-sm font-medium">{m.sales_plan()}</legend>
              <div className="grid gap-2 sm:auto-cols-fr sm:grid-cols-3">
                {shown.map((plan) => (
                  <PlanCard key={plan.slug} plan={plan} checked={plan === chosen} onChoose={onChoose} />
                ))}
              </div>
              <EditionTable plans={shown} />
              {refused ? (
                <p id={`${id}-error`} className="mt-1.5 text-sm text-danger-text">
                  {refused}
                </p>
              ) : null}
            </fieldset>
          </div>
        )
      }}
    </LoadedList>
  )
}

type ChoiceProps = { plans: readonly Plan[]; chosen: Plan | undefined; onChoose: (slug: string) => void }

/** The terms on offer, with the saving of the longer ones. With another term the same edition stays chosen, if it has that term. */
function TermChoice({ plans, chosen, onChoose }: ChoiceProps) {
  const offered = terms.filter((term) => plans.some((plan) => plan.term === term))
  if (offered.length < 2) return null
  const planFor = (wanted: Plan['term']) => {
    const [first, ...others] = plans.filter(({ term }) => term === wanted)
    return [first, ...others].find((each) => each?.edition.slug === chosen?.edition.slug) ?? first
  }
  return (
    <Segments
      name="term"
      label={m.sales_duration()}
      options={offered.map((term) => {
        const saving = planFor(term)?.saving
        return {
          value: term,
          text: formatTerm(term),
          note: saving ? `−${formatPercent(saving.percent)}` : undefined,
        }
      })}
      chosen={chosen?.term}
      onChoose={(term) => {
        const plan = planFor(term)
        if (plan) onChoose(plan.slug)
      }}
    />
  )
}

type CardProps = { plan: Plan; checked: boolean; onChoose: (slug: string) => void }

function PlanCard({ plan, checked, onChoose }: CardProps) {
  const locale = useLocale()
  const id = useId()
  const { slug, name, edition, description, term, price_total, per_month, saving, trial_days } = plan
  const isNamedApart = edition.name[locale] !== name[locale]
  return (
    <label className={cardClass}>
      <input
        type="radio"
        name="plan"
        value={slug}
        checked={checked}
        onChange={() => onChoose(slug)}
        aria-labelledby={`${id}-name ${id}-price`}
        aria-describedby={`${id}-about`}
        className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
      />
      <span id={`${id}-name`} className="font-medium [overflow-wrap:anywhere]">
        <span>{name[locale]}</span>
        {isNamedApart ? <span className="block text-xs text-muted">{edition.name[locale]}</span> : null}
      </span>
      <span id={`${id}-price`} className="text-right sm:col-span-2 sm:mt-2 sm:text-left">
        <span className="block">
          <strong className="text-lg font-semibold tracking-tight">{formatMoney(per_month)}</strong>{' '}
          <span className="text-muted">{m.sales_per_month()}</span>
        </span>
        <span className={classNames('block text-xs text-muted', term === 'P1M' && 'hidden')}>
          {m.hosts_price_for({ price: formatMoney(price_total), term: formatTerm(term) })}
        </span>
      </span>
      <span
        id={`${id}-about`}
        className="col-span-full mt-2 flex flex-col gap-1.5 text-xs [overflow-wrap:anywhere]"
      >
        {saving ? (
          <span className="text-success-text">
            {m.sales_saving({
              amount: formatMoney(saving.amount),
              percent: formatPercent(saving.percent),
            })}
          </span>
        ) : null}
        {trial_days > 0 ? (
          <span className="font-medium">{m.sales_trial_offer({ count: trial_days })}</span>
        ) : null}
        <span className="text-muted empty:hidden">{description[locale]}</span>
        <FeatureList plan={plan} />
      </span>
    </label>
  )
}

const cardClass =
  'grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] content-start items-start gap-x-2.5 rounded-md border ' +
  'border-line p-3 text-sm transition-colors duration-150 hover:bg-hover has-checked:border-accent ' +
  'has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ' +
  'has-focus-visible:outline-accent-text sm:grid-cols-[auto_minmax(0,1fr)]'
