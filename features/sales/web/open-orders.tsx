import { useState } from 'react'
import { WaitingList, WaitingRow } from '#features/finance/web/finance.ts'
import type { Checkout } from '#features/sales/checkouts.ts'
import { checkoutName } from '#features/sales/texts.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
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
      <WaitingList
        title={m.sales_checkouts()}
        query={pages}
        failed={m.sales_checkouts_failed()}
        besides={besides}
      >
        {(order) => (
          <WaitingRow key={order.id} payment={order.top_up} words={<OrderWords order={order} />}>
            {onlyReads() ? null : (
              <>
                <ContinuePayment checkout={order} />
                <Button size="small" onClick={() => setCancelled(order)}>
                  {m.sales_checkout_cancel()}
                </Button>
              </>
            )}
          </WaitingRow>
        )}
      </WaitingList>
      <CancelCheckout checkout={cancelled} onClose={() => setCancelled(undefined)} />
    </>
  )
}

function OrderWords({ order }: { order: Checkout }) {
  const locale = useLocale()
  const { top_up, expires_at } = order
  return (
    <>
      <span className="font-medium">{checkoutName(order, { locale })}</span>
      <span className="block text-muted">
        {m.sales_checkouts_due({ amount: formatMoney(top_up.amount), until: formatDateTime(expires_at) })}
      </span>
    </>
  )
}
