import { useState } from 'react'
import { lengths } from '#features/support/tickets/rules.ts'
import { postSecret } from '#features/support/messages/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { newId } from '#foundation/web/new-id.ts'
import { toast } from '#foundation/web/toasts/toasts.ts'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Props = DialogProps & {
  chat_id: string
  /** The text in the field of the message, and the part of it that looks like a secret. */
  text: string
  secret: string | undefined
  onSent: () => void
}

/**
 * The dialog that sends a secret with some words around it. It sends by itself and not by the outbox, which keeps messages in the storage
 * of the browser.
 */
export function SecretDialog({ chat_id, text, secret, onSent, open, onClose }: Props) {
  const [client_id] = useState(newId)
  const [given] = useState({ secret, text: secret === undefined ? text : text.replace(secret, '…').trim() })
  const form = useForm(async (fields) => {
    const answer = await call(postSecret, {
      params: { chatId: chat_id },
      body: { client_id, text: fields.text('text'), secret: fields.text('secret') },
    })
    if (answer.status !== 201 && answer.status !== 200) return answer
    onSent()
    toast({ type: 'success', message: m.messages_secret_sent })
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.messages_secret_title()}
      description={m.messages_secret_text()}
      form={form}
      act={m.messages_secret_act()}
    >
      <TextAreaField
        name="secret"
        label={m.messages_secret_field()}
        defaultValue={given.secret}
        most={lengths.secret}
        rows={3}
        required
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
      />
      <TextAreaField
        name="text"
        label={m.messages_secret_beside()}
        hint={m.messages_secret_beside_hint()}
        defaultValue={given.text}
        most={lengths.message}
        rows={2}
      />
    </FormDialog>
  )
}
