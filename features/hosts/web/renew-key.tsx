import type { Host } from '#features/hosts/contract.ts'
import { renewLicenceKey } from '#features/hosts/key-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
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
    <Dialog
      open={open}
      onClose={onClose}
      title={m.hosts_key_renew_title({ name: host.name })}
      description={m.hosts_key_renew_text()}
    >
      <Form form={form} label={m.hosts_key_renew()}>
        <KeyEnd />
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <SubmitButton>{m.hosts_key_renew()}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
