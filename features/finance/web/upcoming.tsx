import { paths } from '#features/paths.ts'
import { useState } from 'react'
import { amountOf, toMoney } from '#foundation/money.ts'
import { formatDate, relativeTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import type { Finances } from './hooks.ts'

/** Upcoming charges, earliest first, and which of them the balance will not cover. */
export function Upcoming({ finances: { balance, upcoming } }: { finances: Finances }) {
  const [all, setAll] = useState(false)
  if (upcoming.length === 0) return null
  const sum = upcoming.reduce((total, charge) => total + amountOf(charge.total), 0n)
  const covered = coveredOf(amountOf(balance), upcoming)
  const shown = all ? upcoming : upcoming.slice(0, SHOWN)
  return (
    <div className="border-t border-line px-5 pt-4 pb-3 sm:px-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 pb-2 text-sm">
        <h3 className="font-medium">{m.finance_upcoming()}</h3>
        <p className="text-muted">
          {m.finance_upcoming_total({ total: formatMoney(toMoney(sum, balance.currency)) })}
        </p>
      </div>
      <ul className="ruled">
        {shown.map((charge, index) => (
          <li
            key={charge.host_id}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 py-2.5 text-sm sm:grid-cols-[1fr_auto_7rem]"
          >
            <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
              <Link
                to={paths.host(charge.host_id)}
                className="rounded-sm py-0.5 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
              >
                {charge.host_name}
              </Link>
              {covered[index] ? null : <Badge tone="warning">{m.finance_upcoming_uncovered()}</Badge>}
            </span>
            <time
              dateTime={charge.due_at}
              className="text-muted max-sm:col-start-1 max-sm:row-start-2 sm:text-right sm:whitespace-nowrap"
            >
              {`${formatDate(charge.due_at)} · ${relativeTime(charge.due_at)}`}
            </time>
            <span className="text-right font-medium whitespace-nowrap max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1">
              {formatMoney(charge.total)}
            </span>
          </li>
        ))}
      </ul>
      {upcoming.length > SHOWN ? (
        <div className="-mx-3 pt-1">
          <Button look="quiet" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? m.finance_upcoming_fewer() : m.finance_upcoming_all({ count: String(upcoming.length) })}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

const SHOWN = 4

/**
 * Returns true for each charge that the balance covers. The charges are taken in their order; a later charge may be
 * small enough when an earlier one was not.
 */
function coveredOf(balance: bigint, upcoming: Finances['upcoming']): boolean[] {
  let left = balance
  return upcoming.map(({ total }) => {
    const amount = amountOf(total)
    const isCovered = left >= amount
    if (isCovered) left -= amount
    return isCovered
  })
}
