import { paths } from '#features/paths.ts'
import type { Endpoint } from '#features/webhooks/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'
import { hostOf } from './endpoint-text.ts'

export function DeleteWebhook({
  side,
  endpoint,
  ...dialog
}: DialogProps & { side: Side; endpoint: Endpoint }) {
  const go = useGo()
  const form = useForm(async () => {
    const answer = await call(callsOf(side).remove, { params: { endpointId: endpoint.id } })
    // A 404 means that it is gone already.
    if (answer.status !== 204 && answer.status !== 404) return answer
    toastSuccess(m.webhooks_deleted)
    dialog.onClose()
    await go(side === 'own' ? paths.api() : paths.operatorWebhooks())
    return refreshWebhooks(side)
  })
  return (
    <FormDialog
      {...dialog}
      title={m.webhooks_delete_title()}
      description={m.webhooks_delete_text({ host: hostOf(endpoint.url) })}
      form={form}
      act={m.webhooks_delete()}
      look="danger"
    />
  )
}
