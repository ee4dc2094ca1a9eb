import { paths } from '#features/paths.ts'
import {
  acceptTransfer,
  declineTransfer,
  listTransfers,
  type Transfer,
} from '#features/hosts/transfer-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { toast, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { putHost, reloadHost } from './hooks.ts'

type Props = DialogProps & { transfer: Transfer }

/** The dialog that lists what comes with an offered server and what to do next, and accepts or declines the offer. */
export function OfferedDialog({ transfer, open, onClose }: Props) {
  const { id, host, account } = transfer
  const go = useGo()
  const form = useForm(async () => {
    const answer = await call(acceptTransfer, { params: { transferId: id } })
    if (answer.status !== 200) {
      refreshQueries(listTransfers)
      return answer
    }
    toastSuccess(() => m.hosts_offered_accepted({ host: host.name }))
    putHost(answer, answer.body)
    void reloadHost(host.id)
    onClose()
    void go(paths.host(host.id))
    refreshQueries(listTransfers)
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.hosts_offered_title({ host: host.name })}
      description={m.hosts_offered_text({ name: account?.name ?? '' })}
      form={form}
      act={m.hosts_offered_accept()}
      back={<Decline id={id} onDone={onClose} />}
    >
      <div className="text-sm">
        <p className="font-medium">{useLicence(transfer)}</p>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-muted">
          <li>{m.hosts_offered_licence()}</li>
          <li>{m.hosts_offered_agent()}</li>
          <li>{m.hosts_offered_renewal()}</li>
        </ul>
      </div>
    </FormDialog>
  )
}

/** Returns the plan and the end of its paid time, in words. */
function useLicence({ host: { plan, paid_until } }: Transfer): string {
  const locale = useLocale()
  if (!plan || paid_until === null) return m.hosts_licence_free()
  return `${plan[locale]} · ${m.hosts_paid_until({ time: formatDate(paid_until) })}`
}

function Decline({ id, onDone }: { id: string; onDone: () => void }) {
  const decline = useAct(async () => {
    const answer = await call(declineTransfer, { params: { transferId: id } })
    const [error] = answer.errors
    if (error) toast({ type: 'error', message: () => errorText(error), closeable: true })
    else toastSuccess(m.hosts_offered_declined)
    onDone()
    refreshQueries(listTransfers)
  })
  return (
    <Button pending={decline.pending} onClick={decline.run}>
      {m.hosts_offered_decline()}
    </Button>
  )
}
