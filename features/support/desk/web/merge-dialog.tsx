import { paths } from '#features/paths.ts'
import { mergeTicket, type Ticket } from '#features/support/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { toast } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { putTicket } from './hooks.ts'

/** The dialog that merges a ticket into another one of its customer, and goes there. */
export function MergeDialog({ ticket, open, onClose }: DialogProps & { ticket: Ticket }) {
  const go = useGo()
  const form = useForm(async (fields) => {
    const number = Number(fields.text('number').replace('#', ''))
    const answer = await call(mergeTicket, { params: { chatId: ticket.id }, body: { number } })
    if (answer.status !== 200) return answer
    putTicket(answer, answer.body)
    toast({ type: 'success', message: m.desk_merged_toast })
    onClose()
    const { merged_into } = answer.body
    if (merged_into) void go(paths.deskTicket(merged_into.id))
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.desk_merge_title({ number: String(ticket.number) })}
      description={m.desk_merge_text()}
      form={form}
      act={m.desk_merge_act()}
    >
      <TextField
        name="number"
        label={m.desk_merge_number()}
        hint={m.desk_merge_number_hint()}
        inputMode="numeric"
        placeholder="#1042"
        required
      />
    </FormDialog>
  )
}
