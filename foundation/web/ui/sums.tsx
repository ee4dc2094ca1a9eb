import type { Money } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { classNames } from './class-names.ts'

type Props = { sums: readonly (readonly [term: string, amount: Money])[]; className: string }

/** Named sums beside each other. `className` says in how many columns. */
export const Sums = ({ sums, className }: Props) => (
  <dl className={classNames('grid gap-3 text-sm', className)}>
    {sums.map(([term, amount]) => (
      <div key={term}>
        <dt className="text-muted">{term}</dt>
        <dd className="mt-0.5 text-base font-semibold">{formatMoney(amount)}</dd>
      </div>
    ))}
  </dl>
)
