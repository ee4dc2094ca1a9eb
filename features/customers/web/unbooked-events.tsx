import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { listUnbookedEvents, type UnbookedEvent } from '#features/finance/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { relativeTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { WaitingSection } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'

const SettleEvent = lazyPart(() => import('./settle-event.tsx').then((file) => file.SettleEvent))

/** The events about money that are not booked, for staff to settle by hand; shows nothing if nothing waits. */
export function UnbookedEvents() {
  const mayRead = useMay('banking.read')
  const pages = useInfiniteQuery({ ...pagedQueryFor(listUnbookedEvents, { query: {} }), enabled: mayRead })
  const mayBook = useMay('banking.book')
  const settle = useLazyDialog(SettleEvent)
  const [chosen, setChosen] = useState<UnbookedEvent>()
  const choose = (event: UnbookedEvent) => {
    setChosen(event)
    settle.show()
  }
  return (
    <>
      <WaitingSection pages={pages} title={m.customers_unbooked()} text={m.customers_unbooked_text()}>
        {(waiting) => (
          <List label={m.customers_unbooked()}>
            {waiting.map((event) => (
              <Row key={event.id} event={event} onSettle={mayBook ? () => choose(event) : undefined} />
            ))}
          </List>
        )}
      </WaitingSection>
      {chosen && settle.open ? <SettleEvent event={chosen} {...settle.dialog} /> : null}
    </>
  )
}

type Props = { event: UnbookedEvent; onSettle: (() => void) | undefined }

function Row({ event, onSettle }: Props) {
  const { amount, customer, payment_reference, reference, event_id, reason } = event
  return (
    <ListRow
      title={
        <span className="flex flex-wrap gap-2">
          <span>{amount ? formatMoney(amount) : m.customers_unbooked_whole()}</span>
          <span className="font-mono text-sm font-normal break-all">
            {payment_reference ?? reference ?? event_id}
          </span>
        </span>
      }
      detail={
        <>
          {customer ? (
            <>
              <TextLink to={paths.customer(customer.id, { tab: 'money' })}>
                <bdi>{customer.name}</bdi>
              </TextLink>
              <span> · </span>
            </>
          ) : null}
          <span>
            {m.customers_unbooked_detail({
              kind: KINDS[event.kind](),
              cause: CAUSES[event.cause](),
              provider: event.provider,
              time: relativeTime(event.created_at),
            })}
          </span>
          {reason === '' ? null : <bdi> · {reason}</bdi>}
        </>
      }
      actions={
        onSettle ? (
          <Button size="small" onClick={onSettle}>
            {m.customers_unbooked_settle()}
          </Button>
        ) : null
      }
    />
  )
}

const KINDS = {
  paid: m.customers_unbooked_paid,
  failed: m.customers_unbooked_failed,
  charged_back: m.customers_unbooked_charged_back,
  reinstated: m.customers_unbooked_reinstated,
} as const satisfies Record<UnbookedEvent['kind'], () => string>

const CAUSES = {
  other_currency: m.customers_unbooked_other_currency,
  other_amount: m.customers_unbooked_other_amount,
  unknown_payment: m.customers_unbooked_unknown_payment,
  waits: m.customers_unbooked_waits,
  paid_twice: m.customers_unbooked_paid_twice,
  more_than_left: m.customers_unbooked_more_than_left,
  more_than_taken: m.customers_unbooked_more_than_taken,
  refund_under_way: m.customers_unbooked_refund_under_way,
  account_closed: m.customers_unbooked_account_closed,
  unreadable: m.customers_unbooked_unreadable,
} as const satisfies Record<UnbookedEvent['cause'], () => string>
