import type { Ticket } from '#features/support/tickets/contract.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { snoozeTicket } from './acts.ts'
import { SnoozeFields, snoozeOf } from './snooze-fields.tsx'

/** The dialog that takes a ticket off the lists for a while. */
export function SnoozeDialog({ ticket, open, onClose }: DialogProps & { ticket: Ticket }) {
  const form = useForm(async (fields) => {
    const answer = await snoozeTicket(ticket, snoozeOf(fields))
    if (answer.status !== 200) return answer
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.desk_snooze_title({ number: String(ticket.number) })}
      form={form}
      act={m.desk_snooze()}
    >
      <SnoozeFields />
    </FormDialog>
  )
}
