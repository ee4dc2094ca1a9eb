import { useState } from 'react'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { waitingOrder } from './interrupted-order.ts'

/** The link from a top-up that has arrived back to the order that waits for the money. */
export function ContinueOrder() {
  const [order] = useState(waitingOrder)
  return order ? (
    <div className="mt-3">
      <ButtonLink look="primary" to={order.to}>
        {m.sales_go_on()}
      </ButtonLink>
    </div>
  ) : null
}
