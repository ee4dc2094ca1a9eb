import type { Host } from '#features/hosts/contract.ts'
import { renewLicenceKey } from '#features/hosts/key-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { putHost } from './hooks.ts'
import { KeyEnd } from './key-end.tsx'

type Props = DialogProps & { host: Pick<Host, 'id' | 'name'>; onRenewed?: () => void }

/** Renews the licence key of a server; the old one stops now, or after a day in which somebody gives software the new one. */
export function RenewKey({ host, open, onClose, onRenewed }: Props) {
  const form = useForm(async (fields) => {
    const body = { at_once: fields.text('end') === 'now' }
    const answer = await call(renewLicenceKey, { params: { hostId: host.id }, body })
    if (answer.status !== 200) return answer
    putHost(answer, answer.body)
    toastSuccess(() => m.hosts_key_renewed({ name: host.name }))
    onRenewed?.()
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.hosts_key_renew_title({ name: host.name })}
      description={m.hosts_key_renew_text()}
      form={form}
      act={m.hosts_key_renew()}
    >
      <KeyEnd />
    </FormDialog>
  )
}
