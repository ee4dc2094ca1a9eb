import { paths } from '#features/paths.ts'
import { useState } from 'react'
import {
  financesAutoTopUp,
  financesInvoices,
  financesMethods,
  financesOrders,
  financesPaidFor,
  financesPayouts,
  financesStatement,
} from '#features/finance/slots.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { Link, useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { CardSkeleton, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { BalanceCard } from './balance-card.tsx'
import { useFinances } from './hooks.ts'
import { TopUpDialog } from './top-up-dialog.tsx'
import { TopUpState } from './top-up-state.tsx'
import { Transactions } from './transactions.tsx'
import { VoucherDialog } from './voucher-dialog.tsx'
import { WaitingTransfers } from './waiting-transfers.tsx'

/**
 * The balance, upcoming charges, and past transactions (row F-01). The address keeps the view and its filter; `?missing=` (minor units)
 * opens the top-up with the amount an order lacked, `?top_up=` follows a top-up that was begun, `?checkout=` an order that waits for its payment, `?method=` a payment method.
 */
export function FinancesPage() {
  const query = useFinances()
  const topUp = useQueryValue('top_up')
  const checkout = useQueryValue('checkout')
  const view = useQueryValue('view')
  const shown = views.find((name) => name === view) ?? 'transactions'
  const dialog = useDialogs()
  return (
    <Page title={m.shell_finances()}>
      {topUp ? <TopUpState id={topUp} onRetry={dialog.topUp} /> : null}
      <Slot of={financesOrders} props={{ shown: checkout }} />
      <Loaded
        query={query}
        failed={m.finance_fetch_failed()}
        waiting={<CardSkeleton phone={387} wide={243} />}
      >
        {(finances) => (
          <>
            <BalanceCard finances={finances} onTopUp={dialog.topUp} onVoucher={dialog.voucher} />
            <TopUpDialog
              finances={finances}
              missing={dialog.missing}
              open={dialog.open === 'top up' && !onlyReads()}
              onClose={dialog.close}
            />
          </>
        )}
      </Loaded>
      <WaitingTransfers besides={topUp} />
      <Slot of={financesAutoTopUp} props={{}} waiting={null} />
      <Slot of={financesPayouts} props={{}} waiting={null} />
      <Slot of={financesMethods} props={{}} waiting={null} />
      <VoucherDialog open={dialog.open === 'voucher'} onClose={dialog.close} />
      <section className="flex flex-col gap-5">
        <Views view={shown} />
        {shown === 'transactions' ? (
          <Transactions onTopUp={dialog.topUp} />
        ) : (
          <Slot of={slotOf[shown]} props={{}} waiting={<Skeleton className="h-64 rounded-lg" />} />
        )}
      </section>
    </Page>
  )
}

/** Returns the dialog that is open, and functions to change it. An address with `?missing=` opens the top-up until it is closed. */
function useDialogs() {
  const go = useGo()
  const missing = useQueryValue('missing')
  const [chosen, setChosen] = useState<'top up' | 'voucher'>()
  return {
    missing: missing && /^\d{1,15}$/u.test(missing) ? BigInt(missing) : undefined,
    open: missing === undefined ? chosen : ('top up' as const),
    topUp: () => setChosen('top up'),
    voucher: () => setChosen('voucher'),
    close: () => {
      setChosen(undefined)
      if (missing !== undefined) void go(paths.finances(), { replace: true, resetScroll: false })
    },
  }
}

const views = ['transactions', 'invoices', 'statement', 'paid-for'] as const
type View = (typeof views)[number]

const slotOf = {
  invoices: financesInvoices,
  statement: financesStatement,
  'paid-for': financesPaidFor,
} as const

/** Links to the parts of the page; each has its own address. */
function Views({ view }: { view: View }) {
  const tabs = [
    { name: 'transactions', text: m.finance_transactions() },
    { name: 'invoices', text: m.finance_invoices() },
    { name: 'statement', text: m.finance_statements() },
    ...(isViewing() ? [] : [{ name: 'paid-for', text: m.finance_paid_for() } as const]),
  ] as const
  return (
    <nav aria-label={m.finance_views()} className="flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map(({ name, text }) => (
        <Link
          key={name}
          to={paths.finances({ view: name })}
          replace
          resetScroll={false}
          aria-current={view === name ? 'page' : undefined}
          className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-muted outline-offset-[-2px] hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
