import { useQuery } from '@tanstack/react-query'
import { getCustomerAutoTopUp, type AutoTopUp } from '#features/auto-top-ups/contract.ts'
import { reasonText, stateText } from '#features/auto-top-ups/texts.ts'
import { methodName } from '#features/methods/texts.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'

const PauseAutoTopUp = lazyPart(() => import('./pause-auto-top-up.tsx').then((file) => file.PauseAutoTopUp))

/** One line about the automatic top-up of a customer, with the button that pauses it; nothing where it is off. */
export function CustomerAutoTopUp({ card }: { card: CustomerCard }) {
  const query = useQuery(queryFor(getCustomerAutoTopUp, { params: { userId: card.id } }))
  const mayPause = useMay('auto_top_ups.pause')
  const pause = useLazyDialog(PauseAutoTopUp)
  return (
    <Loaded query={query} failed={m.auto_top_ups_fetch_failed()} waiting={null}>
      {(standing) =>
        standing.state === 'off' ? null : (
          <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
            <p className="text-muted">{lineFor(standing)}</p>
            {mayPause && standing.state === 'active' ? (
              <Button size="small" {...pause.opener}>
                {m.auto_top_ups_staff_pause()}
              </Button>
            ) : null}
            {pause.open ? <PauseAutoTopUp card={card} {...pause.dialog} /> : null}
          </div>
        )
      }
    </Loaded>
  )
}

function lineFor({ state, reason, method, used, month_limit }: AutoTopUp): string {
  const parts = [
    `${m.auto_top_ups_title()}: ${stateText(state)}`,
    ...(method ? [methodName(method)] : []),
    ...(month_limit
      ? [m.auto_top_ups_used({ used: formatMoney(used), limit: formatMoney(month_limit) })]
      : []),
  ].join(' · ')
  return reason === null ? parts : `${parts}. ${reasonText(reason)}`
}
