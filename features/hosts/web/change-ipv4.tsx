import type { Host } from '#features/hosts/contract.ts'
import { FREE_IPV4_CHANGES, hostCan, IPV4_CHANGES_DAYS, isIpv4 } from '#features/hosts/rules.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { saveHost } from './calls.ts'

/** Another address for the host: the rule is told before it bites (three changes in 30 days while a licence is paid). */
export function ChangeIpv4({ host, open, onClose }: DialogProps & { host: Host }) {
  const mayLose = hostCan.loseIpv4(host)
  const form = useForm(async (fields) => {
    const typed = fields.text('ipv4').trim()
    if (typed !== '' && !isIpv4(typed)) return { errors: [{ code: 'invalid_ipv4', param: 'ipv4' }] }
    const answer = await saveHost(host.id, { ipv4: typed === '' ? null : typed })
    if (answer.status !== 200) {
      // That the address is taken is a fault of the address, wherever the server saw it.
      if (answer.status === 409)
        return { errors: answer.errors.map((error) => ({ ...error, param: 'ipv4' })) }
      if (answer.errors.every(({ param }) => param === undefined)) toastError(() => m.hosts_update_failed())
      return answer
    }
    toastSuccess(() => m.hosts_ipv4_changed())
    onClose()
    return undefined
  })
  const title = host.ipv4 === null ? m.hosts_ipv4_set() : m.hosts_ipv4_change()
  return (
    <Dialog open={open} onClose={onClose} title={title} description={m.hosts_ipv4_text({ name: host.name })}>
      <Form form={form} label={title}>
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
      </Form>
    </Dialog>
  )
}

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
