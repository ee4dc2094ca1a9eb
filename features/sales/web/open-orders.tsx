import { useState } from 'react'
import { BankDetails } from '#features/finance/web/finance.ts'
import type { Checkout } from '#features/sales/checkouts.ts'
import { checkoutName } from '#features/sales/texts.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { CancelCheckout } from './cancel-checkout.tsx'
import { useOpenCheckouts } from './checkout-hooks.ts'
import { ContinuePayment } from './continue-payment.tsx'

/** The orders that wait for their money, to go on paying them or to cancel them. `besides` is the order that the page shows already. */
export function OpenOrders({ besides }: { besides: string | undefined }) {
  const pages = useOpenCheckouts()
  const [cancelled, setCancelled] = useState<Checkout>()
  return (
    <>
      <Loaded query={pages} failed={m.sales_checkouts_failed()} waiting={null}>
        {() => {
          const orders = itemsOf(pages)?.filter(({ id }) => id !== besides) ?? []
          return orders.length === 0 ? null : (
            <Card title={m.sales_checkouts()}>
              <LoadedList query={pages} failed={m.sales_checkouts_failed()} none={null}>
                {() => (
                  <ul className="-my-2 divide-y divide-line">
                    {orders.map((order) => (
                      <OpenOrder key={order.id} order={order} onCancel={() => setCancelled(order)} />
                    ))}
                  </ul>
                )}
              </LoadedList>
            </Card>
          )
        }}
      </Loaded>
      <CancelCheckout checkout={cancelled} onClose={() => setCancelled(undefined)} />
    </>
  )
}

function OpenOrder({ order, onCancel }: { order: Checkout; onCancel: () => void }) {
  const locale = useLocale()
  const [open, setOpen] = useState(false)
  const { top_up, expires_at } = order
  return (
    <li className="py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          <span className="font-medium">{checkoutName(order, { locale })}</span>
          <span className="block text-muted">
            {m.sales_checkouts_due({ amount: formatMoney(top_up.amount), until: formatDateTime(expires_at) })}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          {top_up.bank ? (
            <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? m.finance_waiting_hide() : m.finance_waiting_show()}
            </Button>
          ) : null}
          {onlyReads() ? null : (
            <>
              <ContinuePayment checkout={order} />
              <Button size="small" onClick={onCancel}>
                {m.sales_checkout_cancel()}
              </Button>
            </>
          )}
        </div>
      </div>
      {open && top_up.bank ? <BankDetails bank={top_up.bank} amount={top_up.amount} /> : null}
    </li>
  )
}
