import { deleteHost, type Host } from '#features/hosts/contract.ts'
import { isProgram } from '#features/hosts/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate, formatDuration } from '#foundation/web/i18n/format.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'
import { forgetHost } from './hooks.ts'
import { TypedName } from './typed-name.tsx'

type Props = DialogProps & { host: Host; onDeleted?: () => void }

/** Lists what is lost, above all the paid days, and asks for the name (row V-05). */
export function DeleteHost({ host, open, onClose, onDeleted }: Props) {
  const { name } = host
  const form = useForm(async (fields) => {
    const answer = await call(deleteHost, {
      params: { hostId: host.id },
      query: { name: fields.text('name').trim() },
    })
    // 404: the host was deleted already, which counts as success.
    if (answer.status !== 204 && answer.status !== 404) {
      if (answer.errors.every(({ param }) => param === undefined))
        toastError(() => m.hosts_delete_failed(), answer)
      return answer
    }
    toastSuccess(() => m.hosts_deleted({ name }))
    onClose()
    onDeleted?.()
    forgetHost(host.id)
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.hosts_delete_title({ name })}
      form={form}
      act={m.hosts_delete_button()}
      label={isProgram(host) ? m.hosts_delete_licence() : m.hosts_delete()}
      look="danger"
    >
      <PaidTimeLost licence={host.licence} />
      <div className="text-sm">
        <p className="font-medium">{m.hosts_delete_lost()}</p>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-muted">
          <li>{m.hosts_delete_lost_licence()}</li>
          {isProgram(host) ? null : <li>{m.hosts_delete_lost_agent()}</li>}
        </ul>
        <p className="mt-2 text-muted">{m.hosts_delete_kept()}</p>
      </div>
      <TypedName name={name} />
    </FormDialog>
  )
}

function PaidTimeLost({ licence: { status, remaining_s, paid_until } }: Pick<Host, 'licence'>) {
  if (status !== 'active' || paid_until === null) return null
  const time = formatDuration(remaining_s)
  return <Alert tone="danger">{m.hosts_delete_paid({ time, date: formatDate(paid_until) })}</Alert>
}
