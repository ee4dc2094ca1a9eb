import Download from 'lucide-react/icons/download'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { useState } from 'react'
import { downloadTransactions, type Transaction } from '#features/finance/contract.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { download } from '#foundation/web/api/download.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatMonth } from '#foundation/web/i18n/format.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { isEmpty } from '#foundation/web/url-filter.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { timesOf } from '#foundation/web/i18n/days.ts'
import { m } from '#texts/messages.js'
import { useTransactions, type TransactionFilter as Query } from './hooks.ts'
import { TransactionDetail } from './transaction-detail.tsx'
import { TransactionFilter, useFilter } from './transaction-filter.tsx'
import { TransactionRow } from './transaction-row.tsx'

/** The list of transactions, newest first, filtered by type and time, each leading to its document. */
export function Transactions({ onTopUp }: { onTopUp: () => void }) {
  const [filter, change, clear] = useFilter()
  const query: Query = { ...(filter.type ? { type: filter.type } : {}), ...timesOf(filter) }
  const pages = useTransactions(query)
  const [opened, setOpened] = useState<Transaction>()
  if (isEmpty(filter) && !pages.isPlaceholderData && itemsOf(pages)?.length === 0)
    return <NoneYet onTopUp={onTopUp} />
  return (
    <>
      <div className="flex flex-col justify-between gap-3 sm:flex-row sm:flex-wrap sm:items-end">
        <TransactionFilter filter={filter} onChange={change} />
        <CsvButton query={query} />
      </div>
      <LoadedList
        query={pages}
        failed={m.finance_transactions_failed()}
        waiting={<Waiting />}
        none={<NoneFits onClear={clear} />}
      >
        {(items) => <List items={items} isOld={pages.isPlaceholderData} onOpen={setOpened} />}
      </LoadedList>
      <TransactionDetail transaction={opened} onClose={() => setOpened(undefined)} />
    </>
  )
}

type ListProps = { items: readonly Transaction[]; isOld: boolean; onOpen: (transaction: Transaction) => void }

function List({ items, isOld, onOpen }: ListProps) {
  return (
    <div
      aria-busy={isOld}
      className="overflow-hidden rounded-lg border border-line bg-surface aria-busy:opacity-60"
    >
      <div
        aria-hidden="true"
        className="hidden grid-cols-[1fr_7rem_6.5rem_6.5rem] gap-3 border-b border-line px-5 py-2 text-xs font-medium text-muted md:grid lg:grid-cols-[1fr_7rem_7.5rem_7.5rem] lg:gap-4"
      >
        <span>{m.finance_column_description()}</span>
        <span>{m.finance_column_date()}</span>
        <span className="text-right">{m.finance_column_amount()}</span>
        <span className="text-right">{m.finance_column_balance()}</span>
      </div>
      <div className="ruled">
        {byMonth(items).map(({ month, some }) => (
          <section key={month}>
            <h3
              id={`month-${some[0]?.id}`}
              className="border-b border-line bg-sunken px-5 py-2 text-xs font-semibold"
            >
              {month}
            </h3>
            <ul
              aria-label={m.finance_transactions()}
              aria-describedby={`month-${some[0]?.id}`}
              className="ruled"
            >
              {some.map((transaction) => (
                <TransactionRow key={transaction.id} transaction={transaction} onOpen={onOpen} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}

/** Groups transactions, which come newest first, by their month in the reader's time zone. */
function byMonth(items: readonly Transaction[]): { month: string; some: Transaction[] }[] {
  const months: { month: string; some: Transaction[] }[] = []
  for (const item of items) {
    const month = formatMonth(item.created_at)
    const last = months.at(-1)
    if (last?.month === month) last.some.push(item)
    else months.push({ month, some: [item] })
  }
  return months
}

function CsvButton({ query }: { query: Query }) {
  const save = useAct(async () => {
    const answer = await download(downloadTransactions, { query }, 'transactions.csv')
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
  })
  return (
    <Button icon={<Download size={16} aria-hidden="true" />} pending={save.pending} onClick={save.run}>
      {m.finance_download_csv()}
    </Button>
  )
}

const NoneYet = ({ onTopUp }: { onTopUp: () => void }) => (
  <EmptyState
    icon={<ReceiptText size={20} aria-hidden="true" />}
    title={m.finance_none_title()}
    action={onlyReads() ? null : <Button onClick={onTopUp}>{m.finance_top_up()}</Button>}
  >
    {m.finance_none_text()}
  </EmptyState>
)

const NoneFits = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    title={m.finance_none_fits_title()}
    action={<Button onClick={onClear}>{m.finance_filter_clear()}</Button>}
  >
    {m.finance_none_fits_text()}
  </EmptyState>
)

const Waiting = () => (
  <div className="flex flex-col ruled rounded-lg border border-line">
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <div key={row} className="flex items-center gap-4 px-5 py-4">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="h-4 w-20" />
      </div>
    ))}
  </div>
)
