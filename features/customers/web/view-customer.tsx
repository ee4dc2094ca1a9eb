import { startView } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'
import { enterView } from './stored-view.ts'

/** Makes this tab show the account as its customer sees it. */
export function ViewCustomer({ card, ...dialog }: DialogProps & { card: CustomerCard }) {
  const name = card.name || card.email
  return (
    <CustomerActDialog
      {...dialog}
      title={m.customers_view_title({ name })}
      description={m.customers_view_text()}
      act={m.customers_view()}
      send={async (reason) => {
        const answer = await call(startView, { params: { userId: card.id }, body: { reason } })
        if (answer.status === 201) enterView({ ...answer.body, user_id: card.id, name })
        return answer
      }}
      done={() => m.customers_view_of({ name })}
    />
  )
}
