import type { Host } from '#features/hosts/contract.ts'
import { NAME_LENGTH } from '#features/hosts/rules.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { saveHost } from './calls.ts'

export function RenameHost({ host, open, onClose }: DialogProps & { host: Host }) {
  const form = useForm(async (fields) => {
    const answer = await saveHost(host.id, { name: fields.text('name').trim() })
    if (answer.status !== 200) {
      if (answer.errors.every(({ param }) => param === undefined)) toastError(() => m.hosts_update_failed())
      return answer
    }
    toastSuccess(() => m.hosts_renamed({ name: answer.body.name }))
    onClose()
    return undefined
  })
  return (
    <Dialog open={open} onClose={onClose} title={m.hosts_rename_title({ name: host.name })}>
      <Form form={form} label={m.hosts_rename()}>
        <TextField
          name="name"
          label={m.hosts_name()}
          defaultValue={host.name}
          required
          maxLength={NAME_LENGTH}
          autoComplete="off"
          spellCheck={false}
        />
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <SubmitButton>{m.ui_save()}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
