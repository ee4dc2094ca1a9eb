import { useState } from 'react'
import { call } from '#foundation/web/api/call.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'
import { useEndpointFields } from './endpoint-fields.tsx'
import { Secret } from './secret.tsx'

/** Makes an endpoint, and shows its secret only here. */
export function NewWebhook({ side, open, onClose }: DialogProps & { side: Side }) {
  const [secret, setSecret] = useState<string>()
  const { withProof, dialog } = useReauthentication()
  const { fields, wishIn } = useEndpointFields(side)
  const form = useForm(async (typed) => {
    const { body, errors } = wishIn(typed)
    if (errors.length > 0) return { errors }
    const answer = await withProof(() => call(callsOf(side).create, { body }))
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    refreshWebhooks(side)
    return setSecret(answer.body.secret)
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={m.webhooks_new()}
        // The secret is shown this once: no stray key or click takes it away.
        dismissible={secret === undefined}
      >
        {secret === undefined ? (
          <DialogForm form={form} act={m.webhooks_make()} onClose={onClose}>
            {fields}
          </DialogForm>
        ) : (
          <Secret secret={secret} onClose={onClose} />
        )}
      </Dialog>
      {dialog}
    </>
  )
}
