import type { Payout } from '#features/payouts/contract.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { usePayouts } from './hooks.ts'
import { StateBadge } from './state-badge.tsx'

/** The payouts of one's own account with their states; nothing where there never was one. */
export function PayoutsCard() {
  const pages = usePayouts()
  if (actedFor()) return null
  return (
    <Loaded query={pages} failed={m.payouts_fetch_failed()} waiting={null}>
      {() =>
        (itemsOf(pages) ?? []).length === 0 ? null : (
          <Card title={m.payouts_title()}>
            <LoadedList query={pages} failed={m.payouts_fetch_failed()} none={null}>
              {(payouts) => (
                <ul className="-my-2 divide-y divide-line">
                  {payouts.map((payout) => (
                    <Line key={payout.id} payout={payout} />
                  ))}
                </ul>
              )}
            </LoadedList>
          </Card>
        )
      }
    </Loaded>
  )
}

function Line({
  payout: { amount, state, iban_end, way, reference, created_at, ended_at, failure },
}: {
  payout: Payout
}) {
  const to =
    way === 'source'
      ? m.payouts_to_source()
      : iban_end === null
        ? m.payouts_to_bank()
        : m.payouts_to_account({ end: iban_end })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3 text-sm">
      <div className="min-w-0">
        <p>
          <span className="font-medium">{formatMoney(amount)}</span> <span className="text-muted">{to}</span>
        </p>
        <p className="text-muted">
          <span className="font-mono">{reference}</span>
          {` · ${formatDate(ended_at ?? created_at)}`}
        </p>
        {failure === '' ? null : <p className="mt-1">{failure}</p>}
      </div>
      <StateBadge state={state} />
    </li>
  )
}
