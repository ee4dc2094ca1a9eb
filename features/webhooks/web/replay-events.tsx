import type { Endpoint } from '#features/webhooks/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'

const HOUR_ms = 3_600_000

/** Sends all events again from a moment on. */
export function ReplayEvents({
  side,
  endpoint,
  ...dialog
}: DialogProps & { side: Side; endpoint: Endpoint }) {
  const form = useForm(
    async (fields) => {
      const from = new Date(Date.now() - Number(fields.text('hours')) * HOUR_ms).toISOString()
      const answer = await call(callsOf(side).replay, { params: { endpointId: endpoint.id }, body: { from } })
      if (answer.status !== 200) return answer
      refreshWebhooks(side)
      toastSuccess(m.webhooks_replayed)
      return dialog.onClose()
    },
    { about: endpoint.id },
  )
  return (
    <FormDialog
      {...dialog}
      title={m.webhooks_replay_title()}
      description={m.webhooks_replay_text()}
      form={form}
      act={m.webhooks_replay()}
    >
      <SelectField
        name="hours"
        label={m.webhooks_replay_from()}
        defaultValue="24"
        options={[
          { value: '1', label: m.webhooks_replay_1() },
          { value: '24', label: m.webhooks_replay_24() },
          { value: '168', label: m.webhooks_replay_168() },
          { value: '720', label: m.webhooks_replay_720() },
        ]}
      />
    </FormDialog>
  )
}
