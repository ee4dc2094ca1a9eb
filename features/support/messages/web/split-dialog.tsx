import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { splitTicket, type Message } from '#features/support/tickets/contract.ts'
import { lengths, oneLine } from '#features/support/tickets/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { newId } from '#foundation/web/new-id.ts'
import { toast } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Props = DialogProps & { message: Message; chat_id: string }

/** The dialog that splits the rest of a conversation off, from a message on, and goes to the new ticket. */
export function SplitDialog({ message, chat_id, open, onClose }: Props) {
  const [client_id] = useState(newId)
  const go = useGo()
  const form = useForm(
    async (fields) => {
      const body = { seq: message.seq, subject: fields.text('subject'), client_id }
      const answer = await call(splitTicket, { params: { chatId: chat_id }, body })
      if (answer.status !== 201 && answer.status !== 200) return answer
      const number = String(answer.body.number)
      toast({ type: 'success', message: () => m.messages_split_toast({ number }) })
      onClose()
      void go(paths.deskTicket(answer.body.id))
      return undefined
    },
    { about: String(message.seq) },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.messages_split_title()}
      description={m.messages_split_text()}
      form={form}
      act={m.messages_split_act()}
    >
      <TextField
        name="subject"
        label={m.messages_split_subject()}
        defaultValue={oneLine(message.text, 80)}
        most={lengths.subject}
        required
      />
    </FormDialog>
  )
}
