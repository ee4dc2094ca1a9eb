import Landmark from 'lucide-react/icons/landmark'
import { useState } from 'react'
import { paths } from '#features/paths.ts'
import type { CustomerTopUp } from '#features/finance/contract.ts'
import { transfersStatements } from '#features/customers/slots.ts'
import { useMay } from '#features/team/web/team.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { TextLink, useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { List, ListRow, TitleAmount } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { m } from '#texts/messages.js'
import { useTransfers } from './hooks.ts'
import { UnbookedEvents } from './unbooked-events.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'

const ConfirmTransfer = lazyPart(() => import('./confirm-transfer.tsx').then((file) => file.ConfirmTransfer))
const RejectTransfer = lazyPart(() => import('./reject-transfer.tsx').then((file) => file.RejectTransfer))

/** The pending bank transfers. A search by reference also finds transfers that were paid, cancelled or given up. */
export function TransfersPage() {
  useTitle(m.customers_transfers())
  const go = useGo()
  const reference = useQueryValue('reference') ?? ''
  const pages = useTransfers(reference)
  const mayBook = useMay('banking.book')
  const confirm = useLazyDialog(ConfirmTransfer)
  const reject = useLazyDialog(RejectTransfer)
  const [chosen, setChosen] = useState<CustomerTopUp>()
  const choose = (transfer: CustomerTopUp, dialog: typeof confirm | typeof reject) => {
    setChosen(transfer)
    dialog.show()
  }
  return (
    <Page title={m.customers_transfers()} description={m.customers_transfers_text()}>
      <UnbookedEvents />
      <Slot of={transfersStatements} props={{}} />
      <SearchField
        label={m.customers_transfers_search()}
        placeholder="HD-KXQM-4711-51"
        value={reference}
        onSearch={(text) =>
          void go(paths.transfers(text ? { reference: text } : {}), { replace: true, resetScroll: false })
        }
      />
      <LoadedList
        query={pages}
        failed={m.customers_transfers_failed()}
        none={
          <EmptyState
            icon={<Landmark size={20} aria-hidden="true" />}
            title={reference === '' ? m.customers_transfers_none() : m.customers_transfers_none_found()}
          >
            {reference === '' ? m.customers_transfers_none_text() : m.customers_transfers_none_found_text()}
          </EmptyState>
        }
      >
        {(transfers) => (
          <List label={m.customers_transfers()}>
            {transfers.map((transfer) => (
              <Transfer
                key={transfer.id}
                transfer={transfer}
                onConfirm={mayBook ? () => choose(transfer, confirm) : undefined}
                onReject={mayBook ? () => choose(transfer, reject) : undefined}
              />
            ))}
          </List>
        )}
      </LoadedList>
      {chosen && confirm.open ? <ConfirmTransfer transfer={chosen} {...confirm.dialog} /> : null}
      {chosen && reject.open ? <RejectTransfer transfer={chosen} {...reject.dialog} /> : null}
    </Page>
  )
}

type TransferProps = {
  transfer: CustomerTopUp
  onConfirm: (() => void) | undefined
  onReject: (() => void) | undefined
}

function Transfer({ transfer, onConfirm, onReject }: TransferProps) {
  const { bank, amount, customer, created_at, status } = transfer
  return (
    <ListRow
      title={
        <>
          <TitleAmount amount={amount} />
          <span className="font-mono font-normal">{bank?.reference}</span>
        </>
      }
      badge={status === 'pending' ? null : <Badge>{STATES[status]()}</Badge>}
      detail={
        <>
          <TextLink to={paths.customer(customer.id, { tab: 'money' })}>
            {customer.name || customer.email}
          </TextLink>{' '}
          <span>{customer.email === customer.name ? '·' : `${customer.email} ·`}</span>{' '}
          <span>{m.customers_transfers_since({ date: formatDate(created_at) })}</span>
        </>
      }
      actions={
        onConfirm && !PAID.includes(status) ? (
          <>
            <Button
              size="small"
              onClick={onConfirm}
              aria-label={m.customers_transfers_confirm_this({ reference: bank?.reference ?? '' })}
            >
              {m.customers_transfers_confirm()}
            </Button>
            {onReject && status === 'pending' ? (
              <Button
                size="small"
                onClick={onReject}
                aria-label={m.customers_transfers_reject_this({ reference: bank?.reference ?? '' })}
              >
                {m.customers_transfers_reject()}
              </Button>
            ) : null}
          </>
        ) : null
      }
    />
  )
}

/** The states of transfers whose money has come, even if it was taken back since. */
const PAID: readonly CustomerTopUp['status'][] = ['paid', 'charged_back', 'corrected']

const STATES = {
  pending: m.customers_transfers,
  paid: m.customers_transfer_paid,
  failed: m.customers_transfer_failed,
  expired: m.customers_transfer_expired,
  cancelled: m.customers_transfer_cancelled,
  charged_back: m.customers_transfer_charged_back,
  corrected: m.customers_transfer_corrected,
} as const
