import Landmark from 'lucide-react/icons/landmark'
import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { listTopUps, type CustomerTopUp } from '#features/finance/contract.ts'
import { transfersStatements } from '#features/customers/slots.ts'
import { useMay } from '#features/team/web/team.ts'
import { chosenOrders } from '#foundation/paging.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { anyText, oneOf, useUrlFilter } from '#foundation/web/url-filter.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { m } from '#texts/messages.js'
import { transferColumns } from './transfer-columns.tsx'
import { UnbookedEvents } from './unbooked-events.tsx'

const ConfirmTransfer = lazyPart(() => import('./confirm-transfer.tsx').then((file) => file.ConfirmTransfer))
const RejectTransfer = lazyPart(() => import('./reject-transfer.tsx').then((file) => file.RejectTransfer))

/** Money by bank transfer: what has arrived, and what customers announced. */
export function TransfersPage() {
  useTitle(m.customers_transfers())
  return (
    <Page title={m.customers_transfers()} description={m.customers_transfers_page_text()}>
      <Slot of={transfersStatements} props={{}} />
      <UnbookedEvents />
      <AnnouncedTransfers />
    </Page>
  )
}

// The payments on statements, on the same page, have `sort`.
const shape = { reference: anyText, announced: oneOf(chosenOrders) }

/** The pending transfers. A search by reference also finds transfers that were paid, cancelled or given up. */
function AnnouncedTransfers() {
  const [{ reference = '', announced: sort = '' }, change] = useUrlFilter(shape, paths.transfers)
  const wanted = reference === '' ? { status: 'pending' as const } : { reference }
  const mayBook = useMay('banking.book')
  const confirm = useLazyDialog(ConfirmTransfer)
  const reject = useLazyDialog(RejectTransfer)
  const [chosen, setChosen] = useState<CustomerTopUp>()
  const choose = (dialog: typeof confirm | typeof reject) => (transfer: CustomerTopUp) => {
    setChosen(transfer)
    dialog.show()
  }
  const none = (
    <EmptyState
      icon={<Landmark size={20} aria-hidden="true" />}
      title={reference === '' ? m.customers_transfers_none() : m.customers_transfers_none_found()}
    >
      {reference === '' ? m.customers_transfers_none_text() : m.customers_transfers_none_found_text()}
    </EmptyState>
  )
  return (
    <Card title={m.customers_transfers_announced()} description={m.customers_transfers_text()}>
      <div className="flex flex-col gap-4">
        <SearchField
          label={m.customers_transfers_search()}
          placeholder="HD-KXQM-4711-51"
          value={reference}
          onSearch={(text) => change({ reference: text })}
        />
        <DataTable
          name="transfers"
          label={m.customers_transfers_announced()}
          list={useList(listTopUps, { query: { provider: 'bank', ...wanted, ...(sort ? { sort } : {}) } })}
          failed={m.customers_transfers_failed()}
          none={none}
          idOf={({ id }) => id}
          columns={transferColumns(
            mayBook ? { confirm: choose(confirm), reject: choose(reject) } : undefined,
          )}
          sorted={sort}
          onSort={(order) => change({ announced: order })}
        />
      </div>
      {chosen && confirm.open ? <ConfirmTransfer transfer={chosen} {...confirm.dialog} /> : null}
      {chosen && reject.open ? <RejectTransfer transfer={chosen} {...reject.dialog} /> : null}
    </Card>
  )
}
