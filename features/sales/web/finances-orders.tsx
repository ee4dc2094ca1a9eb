import { CheckoutState } from './checkout-state.tsx'
import { OpenOrders } from './open-orders.tsx'

/** Orders that wait for their money, on the finances page: the one that the address names, and the others that are open. */
export function FinancesOrders({ shown }: { shown: string | undefined }) {
  return (
    <>
      {shown === undefined ? null : <CheckoutState key={shown} id={shown} />}
      <OpenOrders besides={shown} />
    </>
  )
}
