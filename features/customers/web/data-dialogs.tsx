import { eraseCustomer, exportCustomer } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'

type Props = DialogProps & { card: CustomerCard }

/** Mails a customer a link to all their data. */
export const ExportCustomer = ({ card, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_export_title({ name: card.name || card.email })}
    description={m.customers_export_text({ email: card.email })}
    act={m.customers_export()}
    send={(reason) => call(exportCustomer, { params: { userId: card.id }, body: { reason } })}
    done={() => m.customers_exported({ email: card.email })}
  />
)

/** Deletes an account for its customer, once a second person has confirmed it. */
export const EraseCustomer = ({ card, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_erase_title({ name: card.name || card.email })}
    description={m.customers_erase_text()}
    act={m.customers_erase()}
    look="danger"
    before={
      <EmailField
        name="email"
        label={m.customers_erase_email()}
        hint={m.customers_erase_email_hint()}
        autoComplete="off"
        required
      />
    }
    send={(reason, fields) =>
      call(eraseCustomer, { params: { userId: card.id }, body: { email: fields.text('email'), reason } })
    }
    done={({ status }) => (status === 202 ? m.customers_erase_waits() : m.customers_erased())}
  />
)
