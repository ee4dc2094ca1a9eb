import type { Host } from '#features/hosts/contract.ts'
import { NAME_LENGTH } from '#features/hosts/rules.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { saveHost, toastUpdateFailed } from './hooks.ts'

export function RenameHost({ host, open, onClose }: DialogProps & { host: Host }) {
  const form = useEditForm({
    saved: host,
    save: async ({ name }, version) => {
      const answer = await saveHost(host.id, { name, version })
      if (answer.status !== 200) toastUpdateFailed(answer)
      return answer
    },
    onDone: (saved) => {
      if (saved) toastSuccess(() => m.hosts_renamed({ name: saved.name }))
      onClose()
    },
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.hosts_rename_title({ name: host.name })}
      form={form}
      act={m.ui_save()}
      label={m.hosts_rename()}
    >
      <TextField
        name="name"
        label={m.hosts_name()}
        defaultValue={host.name}
        required
        most={NAME_LENGTH}
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  )
}
