import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { descriptionText } from '#features/finance/texts.ts'
import { listWithdrawals, type WaitingWithdrawal } from '#features/sales/contract.ts'
import { getStaffMe } from '#features/team/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { relativeTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { WaitingSection } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'

const Refund = lazyPart(() => import('./refund.tsx').then((file) => file.Refund))

/** The orders that consumers withdrew from, each with the proposed refund; shows nothing if no order waits for its refund. */
export function Withdrawals() {
  const mayRead = useMay('finance.read')
  const mayRefund = useMay('finance.refund')
  const pages = useInfiniteQuery({ ...pagedQueryFor(listWithdrawals, { query: {} }), enabled: mayRead })
  const refund = useLazyDialog(Refund)
  const [chosen, setChosen] = useState<WaitingWithdrawal>()
  const choose = (withdrawal: WaitingWithdrawal) => {
    setChosen(withdrawal)
    refund.show()
  }
  const close = () => {
    refund.dialog.onClose()
    for (const route of [listWithdrawals, getStaffMe]) refreshQueries(route)
  }
  return (
    <>
      <WaitingSection pages={pages} title={m.customers_withdrawals()} text={m.customers_withdrawals_text()}>
        {(waiting) => (
          <List label={m.customers_withdrawals()}>
            {waiting.map((withdrawal) => (
              <Row
                key={withdrawal.order_id}
                withdrawal={withdrawal}
                onRefund={mayRefund ? () => choose(withdrawal) : undefined}
              />
            ))}
          </List>
        )}
      </WaitingSection>
      {chosen && refund.open ? (
        <Refund
          card={{ ...chosen.customer, email: '' }}
          transaction={chosen.transaction}
          proposed={chosen.proposed_refund}
          order_id={chosen.order_id}
          open
          onClose={close}
        />
      ) : null}
    </>
  )
}

type Props = { withdrawal: WaitingWithdrawal; onRefund: (() => void) | undefined }

function Row({ withdrawal, onRefund }: Props) {
  const { customer, declared_at, proposed_refund, transaction } = withdrawal
  const { amount, description } = transaction
  return (
    <ListRow
      title={
        <TextLink to={paths.customer(customer.id, { tab: 'money' })}>
          <bdi>{customer.name}</bdi>
        </TextLink>
      }
      detail={m.customers_withdrawal_detail({
        what: descriptionText(description),
        time: relativeTime(declared_at),
        amount: formatMoney(toMoney(-amountOf(amount), amount.currency)),
      })}
      actions={
        onRefund ? (
          <Button size="small" onClick={onRefund}>
            {m.customers_withdrawal_refund({ amount: formatMoney(proposed_refund) })}
          </Button>
        ) : (
          <p className="text-sm font-medium">{formatMoney(proposed_refund)}</p>
        )
      }
    />
  )
}
