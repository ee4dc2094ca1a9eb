import { useState } from 'react'
import type { Endpoint } from '#features/webhooks/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'
import { Secret } from './secret.tsx'

/** Gives an endpoint another secret, and shows it only here. */
export function ReplaceSecret({
  side,
  endpoint,
  open,
  onClose,
}: DialogProps & { side: Side; endpoint: Endpoint }) {
  const [secret, setSecret] = useState<string>()
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async () => {
    const answer = await withProof(() => call(callsOf(side).secret, { params: { endpointId: endpoint.id } }))
    if (!answer) return undefined
    if (answer.status !== 200) return answer
    refreshWebhooks(side)
    return setSecret(answer.body.secret)
  })
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={m.webhooks_secret_replace_title()}
        description={m.webhooks_secret_replace_text()}
        // The secret is shown this once: no stray key or click takes it away.
        dismissible={secret === undefined}
      >
        {secret === undefined ? (
          <DialogForm form={form} act={m.webhooks_secret_replace()} onClose={onClose} />
        ) : (
          <Secret secret={secret} onClose={onClose} />
        )}
      </Dialog>
      {dialog}
    </>
  )
}
