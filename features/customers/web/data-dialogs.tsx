import { eraseCustomer, exportCustomer } from '#features/customers/contract.ts'
import { moveAccount } from '#features/customers/merge-contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney, parseSum } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { EmailField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { AddressAndIdentity } from './address-and-identity.tsx'
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

/** Moves an account to another address, once a second person has confirmed it and after a waiting time. */
export const MoveAccount = ({ card, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_move_title({ name: card.name || card.email })}
    description={m.customers_move_text()}
    act={m.customers_move()}
    look="danger"
    before={<AddressAndIdentity label={m.customers_move_email()} />}
    send={(reason, fields) =>
      call(moveAccount, {
        params: { userId: card.id },
        body: { email: fields.text('email'), identity: fields.text('identity'), reason },
      })
    }
    done={(answer) =>
      answer.status === 200
        ? m.customers_move_requested({ date: formatDateTime(answer.body.due_at) })
        : m.customers_move_waits()
    }
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
      <>
        <EmailField
          name="email"
          label={m.customers_erase_email()}
          hint={m.customers_erase_email_hint()}
          autoComplete="off"
          required
        />
        {amountOf(card.balance) > 0n ? (
          <TextField
            name="forfeit"
            label={m.customers_erase_forfeit()}
            hint={m.customers_erase_forfeit_hint({ amount: formatMoney(card.balance) })}
            inputMode="decimal"
            autoComplete="off"
          />
        ) : null}
      </>
    }
    send={(reason, fields) => {
      const { currency } = card.balance
      const sum = parseSum(fields.text('forfeit'), currency)
      const forfeit = sum === undefined ? {} : { forfeit: toMoney(sum, currency) }
      const body = { email: fields.text('email'), reason, ...forfeit }
      return call(eraseCustomer, { params: { userId: card.id }, body })
    }}
    done={({ status }) => (status === 202 ? m.customers_erase_waits() : m.customers_erased())}
  />
)
