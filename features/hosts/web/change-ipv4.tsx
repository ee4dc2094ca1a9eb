import type { Host } from '#features/hosts/contract.ts'
import { FREE_IPV4_CHANGES, hostCan, IPV4_CHANGES_DAYS, isIpv4 } from '#features/hosts/rules.ts'
import { EditForm } from '#foundation/web/form/edit-form.tsx'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { saveHost, toastUpdateFailed } from './hooks.ts'

/**
 * Another address for the host: the limit is shown beforehand (three changes in 30 days while a licence is
 * paid).
 */
export function ChangeIpv4({ host, open, onClose }: DialogProps & { host: Host }) {
  const mayLose = hostCan.loseIpv4(host)
  const form = useEditForm({
    saved: host,
    save: async ({ ipv4 = '' }, version) => {
      const typed = ipv4.trim()
      if (typed !== '' && !isIpv4(typed)) return refused({ code: 'invalid_ipv4', param: 'ipv4' })
      const answer = await saveHost(host.id, { ipv4: typed === '' ? null : typed, version })
      const [error] = answer.errors
      // A taken address is an error of that field, at whatever point the server found it.
      if (answer.status === 409 && error && error.code !== 'changed')
        return refused({ code: error.code, param: 'ipv4' })
      if (answer.status !== 200) toastUpdateFailed(answer)
      return answer
    },
    onDone: (saved) => {
      if (saved) toastSuccess(() => m.hosts_ipv4_changed())
      onClose()
    },
  })
  const title = host.ipv4 === null ? m.hosts_ipv4_set() : m.hosts_ipv4_change()
  return (
    <Dialog open={open} onClose={onClose} title={title} description={m.hosts_ipv4_text({ name: host.name })}>
      <EditForm form={form} label={title}>
        <ChangesLeft left={host.ipv4_changes_left} />
        <TextField
          name="ipv4"
          label={m.hosts_ipv4()}
          hint={mayLose ? m.hosts_ipv4_optional() : undefined}
          defaultValue={host.ipv4 ?? ''}
          required={!mayLose}
          mono
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
        />
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <SubmitButton disabled={!hostCan.changeIpv4(host)}>{m.ui_save()}</SubmitButton>
        </DialogActions>
      </EditForm>
    </Dialog>
  )
}

const refused = (error: DisplayedError) => ({ status: 400, body: undefined, errors: [error] })

function ChangesLeft({ left }: { left: number | null }) {
  if (left === null) return null
  const rule = { count: String(FREE_IPV4_CHANGES), days: String(IPV4_CHANGES_DAYS) }
  return (
    <Alert tone={left === 0 ? 'warning' : 'neutral'}>
      <p>{m.hosts_ipv4_rule(rule)}</p>
      <p className="mt-1 font-medium">
        {left === 0 ? m.hosts_ipv4_none_left() : m.hosts_ipv4_left({ left: String(left) })}
      </p>
    </Alert>
  )
}
