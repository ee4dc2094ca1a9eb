import { useRef } from 'react'
import { paths } from '#features/paths.ts'
import { call } from '#foundation/web/api/call.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'
import { useEndpointFields } from './endpoint-fields.tsx'
import { SecretDialog } from './secret-dialog.tsx'

/** Makes an endpoint, and leads to its page, where a test is sent. */
export function NewWebhook({ side, onClose, ...dialog }: DialogProps & { side: Side }) {
  const { fields, wishIn } = useEndpointFields(side)
  const go = useGo()
  const made = useRef<string>(undefined)
  const close = () => {
    onClose()
    if (made.current === undefined) return
    void go(side === 'own' ? paths.webhook(made.current) : paths.operatorWebhook(made.current))
  }
  return (
    <SecretDialog
      {...dialog}
      onClose={close}
      title={m.webhooks_new()}
      act={m.webhooks_make()}
      make={async (withProof, typed) => {
        const { body, errors } = wishIn(typed)
        if (errors.length > 0) return { errors }
        const answer = await withProof(() => call(callsOf(side).create, { body }))
        if (answer?.status !== 201) return answer
        refreshWebhooks(side)
        made.current = answer.body.id
        return answer.body
      }}
    >
      {fields}
    </SecretDialog>
  )
}
