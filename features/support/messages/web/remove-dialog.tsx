import { redactMessage } from '#features/support/messages/contract.ts'
import type { Message } from '#features/support/tickets/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toast } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import type { Conversation } from './conversation.ts'

type Props = DialogProps & { message: Message; conversation: Conversation }

/** The dialog that removes a message, or one of its files, for good. */
export function RemoveDialog({ message, conversation, open, onClose }: Props) {
  const { attachments, seq } = message
  const form = useForm(
    async (fields) => {
      const what = attachments.length > 0 ? fields.text('what') : WHOLE
      const answer = await call(redactMessage, {
        params: { chatId: conversation.chat_id, seq: String(seq) },
        body: what === WHOLE ? {} : { attachment_id: what },
      })
      if (answer.status !== 200) return answer
      conversation.replace(answer.body)
      toast({ type: 'success', message: m.messages_removed_toast })
      onClose()
      return undefined
    },
    { about: String(message.seq) },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.messages_remove_title()}
      form={form}
      act={m.messages_remove_for_good()}
      look="danger"
    >
      {attachments.length > 0 ? (
        <SelectField
          name="what"
          label={m.messages_remove_what()}
          options={[
            { value: WHOLE, label: m.messages_remove_whole() },
            ...attachments.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      ) : null}
      <Alert tone="warning">{m.messages_remove_text()}</Alert>
    </FormDialog>
  )
}

const WHOLE = 'whole'
