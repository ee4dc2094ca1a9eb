import { useState } from 'react'
import { assignBankLine, type BankLine } from '#features/banking/contract.ts'
import { listCustomers } from '#features/customers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshLines } from './hooks.ts'
import { dayText, sameAsText, toastWaiting } from './line-texts.ts'

type Target = { user_id: string; top_up?: string }

/** Books a payment to one of the transfers that it may be for, or to any customer by their email address. */
export function BookLine({ line, open, onClose }: DialogProps & { line: BankLine }) {
  const candidates = line.candidates.filter(({ paid }) => !paid || isReturn(line))
  const [chosen, setChosen] = useState(candidates[0]?.id ?? OTHER)
  const intend = useIntention()
  const { withProof, dialog } = useReauthentication()
  const form = useForm(
    async (fields) => {
      const found = candidates.find(({ id }) => id === chosen)
      const target: Target | undefined = found
        ? { user_id: found.customer.id, top_up: found.id }
        : await customerWith(fields.text('email'))
      if (!target) return { errors: [{ code: 'not_found', param: 'email' }] }
      const body = { ...target, reason: fields.text('reason') }
      const params = { lineId: line.id }
      const answer = await withProof(() =>
        intend(body, (headers) => call(assignBankLine, { params, headers, body })),
      )
      if (!answer) return undefined
      if (answer.status === 202) toastWaiting(answer.body.approval)
      else if (answer.status === 201) {
        const { amount, customer } = answer.body
        toastSuccess(() => m.banking_booked_to({ amount: formatMoney(amount), email: customer?.email ?? '' }))
      } else return answer
      refreshLines()
      return onClose()
    },
    { about: line.id },
  )
  const options = [
    ...candidates.map(({ id, reference, amount, customer }) => ({
      value: id,
      label: `${formatMoney(amount)} · ${reference} · ${customer.email}`,
    })),
    { value: OTHER, label: m.banking_other_customer() },
  ]
  const text = isReturn(line) ? m.banking_book_return_text() : m.banking_book_text()
  const description = line.same_as ? `${sameAsText(line.same_as)}. ${text}` : text
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.banking_book_title({ amount: formatMoney(line.amount), date: dayText(line.booked_on) })}
      description={description}
      form={form}
      act={m.banking_book()}
      proof={dialog}
    >
      <SelectField
        name="transfer"
        label={m.banking_for()}
        options={options}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      />
      {chosen === OTHER ? (
        <TextField
          name="email"
          label={m.banking_email()}
          hint={m.banking_email_hint()}
          type="email"
          required
        />
      ) : null}
      <TextField
        name="reason"
        label={m.banking_reason()}
        hint={isReturn(line) ? m.banking_reason_seen() : m.banking_reason_hint()}
        most={200}
        autoComplete="off"
        required
      />
    </FormDialog>
  )
}

const OTHER = 'other'

const isReturn = ({ amount }: BankLine): boolean => amount.amount.startsWith('-')

/** Returns the customer with exactly this email address. */
async function customerWith(email: string): Promise<Target | undefined> {
  const answer = await call(listCustomers, { query: { q: email } })
  const wanted = email.trim().toLowerCase()
  const found = answer.status === 200 ? answer.body.items.find((item) => item.email === wanted) : undefined
  return found && { user_id: found.id }
}
