import type { Answer } from '#foundation/web/api/answer.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import type { ignoreBankLine, reverseBankLine } from '#features/banking/contract.ts'
import { refreshLines } from './hooks.ts'
import { toastWaiting } from './line-texts.ts'

type Props = DialogProps & {
  /** The id of the line. */
  about: string
  title: string
  description: string
  hint: string
  /** The name of the act, on its button. */
  act: string
  send: (
    body: { reason: string },
    headers: { 'idempotency-key': string },
  ) => Promise<Answer<typeof ignoreBankLine> | Answer<typeof reverseBankLine>>
  /** The notice that is shown once the act is done. */
  done: string
}

/** Asks why a payment is put aside or taken back. */
export function ReasonDialog({ hint, send, done, ...dialog }: Props) {
  return (
    <ActDialog
      {...dialog}
      submit={async (fields, sending) => {
        const body = { reason: fields.text('reason') }
        const answer = await sending(body, (headers) => send(body, headers))
        if (!answer) return undefined
        if (answer.status === 202) toastWaiting(answer.body.approval)
        else if (answer.status === 200 || answer.status === 201) toastSuccess(() => done)
        else return answer
        refreshLines()
        return dialog.onClose()
      }}
    >
      <TextField
        name="reason"
        label={m.banking_reason()}
        hint={hint}
        most={200}
        autoComplete="off"
        required
      />
    </ActDialog>
  )
}
