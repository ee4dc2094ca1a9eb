import { leaveFor } from '#features/finance/web/finance.ts'
import { continueCheckout, type Checkout } from '#features/sales/checkouts.ts'
import { call } from '#foundation/web/api/call.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button, buttonClass } from '#foundation/web/ui/button.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { refreshCheckouts } from './checkout-hooks.ts'

/** The way to the provider's page of an open order. If the provider did not answer when the order was made, it is asked for the page again. */
export function ContinuePayment({ checkout: { id, top_up } }: { checkout: Checkout }) {
  const go = useAct(async () => {
    const answer = await call(continueCheckout, { params: { id } })
    const url = answer.status === 200 ? answer.body.top_up.redirect_url : null
    if (url !== null) return leaveFor(url)
    refreshCheckouts()
    // The page shows a payment that was declined as the end of its order.
    const isDeclined = answer.status !== 200 && answer.errors.some(({ code }) => code === 'charge_declined')
    if (!isDeclined) toastError(() => m.sales_checkout_no_page())
  })
  if (top_up.bank) return null
  return top_up.redirect_url === null ? (
    <Button look="primary" size="small" pending={go.pending} onClick={go.run}>
      {m.sales_checkout_continue()}
    </Button>
  ) : (
    <a href={top_up.redirect_url} className={buttonClass('primary', 'small')}>
      {m.sales_checkout_continue()}
    </a>
  )
}
