import type { ReactNode } from 'react'
import type { CataloguePlan } from '#features/catalogue/contract.ts'
import { formatDate, formatTerm } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

type Props = {
  plan: CataloguePlan
  /** The name of its edition, which the plan does not repeat. */
  edition: string
  menu: ReactNode
}

/** A plan of an edition: its term, the servers that renew it, and its prices. */
export function PlanRow({ plan, edition, menu }: Props) {
  const { slug, term, price_net, renewal_price_net, next_prices, is_active, renewing, moves } = plan
  const name = plan.name[currentLocale()]
  const later = [
    ...(renewal_price_net.amount === price_net.amount
      ? []
      : [m.catalogue_renewals_pay({ price: formatMoney(renewal_price_net) })]),
    ...next_prices.flatMap(nextTexts),
  ]
  return (
    <li className="flex items-center gap-x-4 px-5 py-3 text-sm">
      <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
          <span className="font-medium">
            {name === edition ? formatTerm(term) : `${name} · ${formatTerm(term)}`}
          </span>
          <span className="text-muted">{slug}</span>
          {is_active ? null : <Badge>{m.catalogue_retired()}</Badge>}
        </div>
        <div className="text-muted">
          {renewing > 0 ? <p>{m.catalogue_renewing({ count: renewing })}</p> : null}
          {moves ? <p>{m.catalogue_moves({ plan: moves.to, date: formatDate(moves.from) })}</p> : null}
        </div>
        <div className="sm:text-right">
          <p className="font-medium">{m.catalogue_net({ price: formatMoney(price_net) })}</p>
          {later.map((text) => (
            <p key={text} className="text-muted">
              {text}
            </p>
          ))}
        </div>
      </div>
      {menu}
    </li>
  )
}

/** Returns the sentences about a price: the day from which orders pay it, if it is ahead, and that of renewals, if it is another day. */
function nextTexts({ price_net, from, renewals_from }: CataloguePlan['next_prices'][number]): string[] {
  const price = formatMoney(price_net)
  return [
    ...(Date.parse(from) > Date.now() ? [m.catalogue_next({ price, date: formatDate(from) })] : []),
    ...(renewals_from === from
      ? []
      : [m.catalogue_next_renewals({ price, date: formatDate(renewals_from) })]),
  ]
}
