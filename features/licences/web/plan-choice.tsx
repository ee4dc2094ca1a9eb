import { useId } from 'react'
import type { Plan } from '#features/licences/contract.ts'
import { terms } from '#features/licences/rules.ts'
import { useFieldError } from '#foundation/web/form/form-context.ts'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'

type Props = {
  plans: { data: { items: Plan[] } | undefined; error: unknown; refetch: () => Promise<unknown> }
  chosen: Plan | undefined
  onChoose: (slug: string) => void
}

/** For how long, and which of the plans with that term: each with what it costs this customer. */
export function PlanChoice({ plans: { data, error, refetch }, chosen, onChoose }: Props) {
  const id = useId()
  const refused = useFieldError('plan')
  if (!data) {
    return error ? (
      <ErrorState title={m.licences_plans_failed()} error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading>
        <Skeleton className="h-64 rounded-md sm:h-42" />
      </Loading>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <TermChoice plans={data.items} chosen={chosen} onChoose={onChoose} />
      <fieldset aria-describedby={refused ? `${id}-error` : undefined}>
        <legend className="mb-1.5 text-sm font-medium">{m.licences_plan()}</legend>
        <div className="grid gap-2 sm:grid-cols-3">
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

/** The terms on offer. With another term the plan of the same name stays chosen, where there is one. */
function TermChoice({ plans, chosen, onChoose }: ChoiceProps) {
  const offered = terms.filter((term) => plans.some((plan) => plan.term === term))
  if (offered.length < 2) return null
  const choose = (wanted: Plan['term']) => {
    const [first, ...others] = plans.filter(({ term }) => term === wanted)
    const plan = [first, ...others].find((each) => each?.name === chosen?.name) ?? first
    if (plan) onChoose(plan.slug)
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{m.licences_duration()}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-md bg-sunken p-1">
        {offered.map((term) => (
          <label key={term} className={termClass}>
            <input
              type="radio"
              name="term"
              value={term}
              checked={term === chosen?.term}
              onChange={() => choose(term)}
              className="sr-only"
            />
            {formatTerm(term)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type CardProps = { plan: Plan; checked: boolean; onChoose: (slug: string) => void }

function PlanCard({ plan: { slug, name, price_total }, checked, onChoose }: CardProps) {
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
      <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
      <span className="tabular-nums sm:col-start-2">{formatMoney(price_total)}</span>
    </label>
  )
}

const focusClass = 'has-focus-visible:outline-2 has-focus-visible:outline-accent-text '

const cardClass =
  focusClass +
  'grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] content-start items-start gap-x-2.5 rounded-md border ' +
  'border-line p-3 text-sm transition-colors duration-150 has-focus-visible:outline-offset-2 hover:bg-hover ' +
  'has-checked:border-accent has-checked:bg-accent-soft sm:grid-cols-[auto_minmax(0,1fr)]'

const termClass =
  focusClass +
  'relative flex min-h-8 cursor-pointer items-center justify-center rounded-sm border border-transparent px-2 py-1 ' +
  'text-center text-sm text-muted transition-colors duration-150 hover:text-text has-checked:border-line ' +
  'has-checked:bg-surface has-checked:font-medium has-checked:text-text'
