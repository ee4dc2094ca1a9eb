import { useState } from 'react'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { waitingOrder } from './interrupted-order.ts'

/** Shown below a top-up that has arrived: back to the order that the money was for. */
export function ContinueOrder() {
  const [order] = useState(waitingOrder)
  return order ? (
    <div className="mt-3">
      <ButtonLink look="primary" to={order.to}>
        {m.licences_go_on()}
      </ButtonLink>
    </div>
  ) : null
}
