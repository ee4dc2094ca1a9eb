import { useId } from 'react'
import type { Plan } from '#features/licences/contract.ts'
import { perMonth, savedPercent, terms } from '#features/licences/rules.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { useFieldError } from '#foundation/web/form/form-context.ts'
import { formatPercent, formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'

type Props = {
  plans: { data: { items: Plan[] } | undefined; error: unknown; refetch: () => Promise<unknown> }
  chosen: Plan | undefined
  onChoose: (slug: string) => void
}

/** The term, and the plans with that term: each with its price for this customer. */
export function PlanChoice({ plans: { data, error, refetch }, chosen, onChoose }: Props) {
  const id = useId()
  const refused = useFieldError('plan')
  if (!data) {
    return error ? (
      <ErrorState title={m.licences_plans_failed()} error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading>
        <Skeleton className="h-72 rounded-md sm:h-50" />
      </Loading>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <TermChoice plans={data.items} chosen={chosen} onChoose={onChoose} />
      <fieldset aria-describedby={refused ? `${id}-error` : undefined}>
        <legend className="mb-1.5 text-sm font-medium">{m.licences_plan()}</legend>
        <div className="grid gap-2 sm:auto-cols-fr sm:grid-cols-3">
          {data.items
            .filter(({ term }) => term === chosen?.term)
            .map((plan) => (
              <PlanCard key={plan.slug} plan={plan} checked={plan === chosen} onChoose={onChoose} />
            ))}
        </div>
        {refused ? (
          <p id={`${id}-error`} className="mt-1.5 text-sm text-danger-text">
            {refused}
          </p>
        ) : null}
      </fieldset>
    </div>
  )
}

type ChoiceProps = { plans: readonly Plan[]; chosen: Plan | undefined; onChoose: (slug: string) => void }

/**
 * The terms on offer, with the saving of the longer ones. With another term the plan of the same name stays
 * chosen, if there is one.
 */
function TermChoice({ plans, chosen, onChoose }: ChoiceProps) {
  const offered = terms.filter((term) => plans.some((plan) => plan.term === term))
  if (offered.length < 2) return null
  const planFor = (wanted: Plan['term']) => {
    const [first, ...others] = plans.filter(({ term }) => term === wanted)
    return [first, ...others].find((each) => each?.name === chosen?.name) ?? first
  }
  return (
    <Segments
      name="term"
      label={m.licences_duration()}
      options={offered.map((term) => {
        const saved = savedBy(planFor(term), plans)
        return {
          value: term,
          text: formatTerm(term),
          note: saved > 0n ? `−${formatPercent(saved)}` : undefined,
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

/** In percent, compared with the plan of the same name that is paid by the month. */
function savedBy(plan: Plan | undefined, plans: readonly Plan[]): bigint {
  const monthly = plans.find(({ name, term }) => name.en === plan?.name.en && term === 'P1M')
  if (!plan || !monthly) return 0n
  return savedPercent(amountOf(plan.price_total), plan.term, amountOf(monthly.price_total))
}

type CardProps = { plan: Plan; checked: boolean; onChoose: (slug: string) => void }

function PlanCard({ plan: { slug, name, term, price_total }, checked, onChoose }: CardProps) {
  const locale = useLocale()
  const monthly = toMoney(perMonth(amountOf(price_total), term), price_total.currency)
  return (
    <label className={cardClass}>
      <input
        type="radio"
        name="plan"
        value={slug}
        checked={checked}
        onChange={() => onChoose(slug)}
        className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
      />
      <span className="font-medium [overflow-wrap:anywhere]">{name[locale]}</span>
      <span className="text-right tabular-nums sm:col-span-2 sm:mt-2 sm:text-left">
        <span className="block">
          <strong className="text-lg font-semibold tracking-tight">{formatMoney(monthly)}</strong>{' '}
          <span className="text-muted">{m.licences_per_month()}</span>
        </span>
        <span className={classNames('block text-xs text-muted', term === 'P1M' && 'hidden')}>
          {m.hosts_price_for({ price: formatMoney(price_total), term: formatTerm(term) })}
        </span>
      </span>
    </label>
  )
}

const cardClass =
  'grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] content-start items-start gap-x-2.5 rounded-md border ' +
  'border-line p-3 text-sm transition-colors duration-150 hover:bg-hover has-checked:border-accent ' +
  'has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ' +
  'has-focus-visible:outline-accent-text sm:grid-cols-[auto_minmax(0,1fr)]'
