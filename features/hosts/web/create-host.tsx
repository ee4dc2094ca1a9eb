import { createHost, type Host } from '#features/hosts/contract.ts'
import { isIpv4, NAME_LENGTH } from '#features/hosts/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { putHost, refreshLists } from './calls.ts'

/** Adds a server with a free licence; name and IPv4 may come later (row V-04). */
export function CreateHost({ open, onClose, onCreated }: DialogProps & { onCreated: (host: Host) => void }) {
  const send = useIntention()
  const form = useForm(async (fields) => {
    const name = fields.text('name').trim()
    const ipv4 = fields.text('ipv4').trim()
    if (ipv4 !== '' && !isIpv4(ipv4)) return { errors: [{ code: 'invalid_ipv4', param: 'ipv4' }] }
    const body = { ...(name ? { name } : {}), ...(ipv4 ? { ipv4 } : {}) }
    const answer = await send(body, (headers) => call(createHost, { headers, body }))
    if (answer.status !== 201) {
      if (answer.errors.every(({ param }) => param === undefined)) toastError(() => m.hosts_create_failed())
      return answer
    }
    const host = answer.body
    putHost(host)
    refreshLists()
    toastSuccess(() => m.hosts_created({ name: host.name }))
    onClose()
    onCreated(host)
    return undefined
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.hosts_add()} description={m.hosts_add_text()}>
      <Form form={form} label={m.hosts_add()}>
        <TextField
          name="name"
          label={m.hosts_name()}
          hint={m.hosts_name_hint()}
          maxLength={NAME_LENGTH}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          name="ipv4"
          label={m.hosts_ipv4()}
          hint={m.hosts_ipv4_later()}
          mono
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
        />
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <SubmitButton>{m.hosts_add()}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
