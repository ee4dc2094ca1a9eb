import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'
import { useEndpointFields } from './endpoint-fields.tsx'
import { SecretDialog } from './secret-dialog.tsx'

/** Makes an endpoint. */
export function NewWebhook({ side, ...dialog }: DialogProps & { side: Side }) {
  const { fields, wishIn } = useEndpointFields(side)
  return (
    <SecretDialog
      {...dialog}
      title={m.webhooks_new()}
      act={m.webhooks_make()}
      make={async (withProof, typed) => {
        const { body, errors } = wishIn(typed)
        if (errors.length > 0) return { errors }
        const answer = await withProof(() => call(callsOf(side).create, { body }))
        if (answer?.status !== 201) return answer
        refreshWebhooks(side)
        return answer.body
      }}
    >
      {fields}
    </SecretDialog>
  )
}
