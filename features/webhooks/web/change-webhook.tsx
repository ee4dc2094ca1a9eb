import type { Endpoint } from '#features/webhooks/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'
import { useEndpointFields } from './endpoint-fields.tsx'

/** Changes the URL, the description and the kinds of an endpoint. */
export function ChangeWebhook({
  side,
  endpoint,
  ...dialog
}: DialogProps & { side: Side; endpoint: Endpoint }) {
  const { fields, wishIn } = useEndpointFields(side, endpoint)
  const { withProof, dialog: proof } = useReauthentication()
  const form = useForm(
    async (typed) => {
      const { body, errors } = wishIn(typed)
      if (errors.length > 0) return { errors }
      const input = { params: { endpointId: endpoint.id }, body: { ...body, version: endpoint.version } }
      const answer = await withProof(() => call(callsOf(side).change, input))
      refreshWebhooks(side)
      if (answer?.status !== 200) return answer
      toastSuccess(m.webhooks_changed)
      return dialog.onClose()
    },
    { about: endpoint.id },
  )
  return (
    <FormDialog
      {...dialog}
      title={m.webhooks_change_title()}
      form={form}
      act={m.webhooks_save()}
      proof={proof}
    >
      {fields}
    </FormDialog>
  )
}
