import type { Host } from '#features/hosts/contract.ts'
import { listTransfers, offerTransfer } from '#features/hosts/transfer-contract.ts'
import { isProgram } from '#features/hosts/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { EmailField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { TypedName } from './typed-name.tsx'

/** Lists what goes to the new owner and what stays, and asks for the new owner's email address and the name of the server. */
export function TransferDialog({ host, open, onClose }: DialogProps & { host: Host }) {
  const { name } = host
  const { withProof, dialog } = useReauthentication()
  const form = useForm(
    async (fields) => {
      const email = fields.text('email')
      const body = { email, name: fields.text('name').trim() }
      const answer = await withProof(() =>
        call(offerTransfer, { params: { hostId: host.id }, headers: {}, body }),
      )
      refreshQueries(listTransfers)
      if (!answer) return undefined
      if (answer.status !== 201) return answer
      toastSuccess(() => m.hosts_transfer_sent({ email }))
      onClose()
      return undefined
    },
    { about: host.id },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.hosts_transfer_title({ name })}
      form={form}
      act={m.hosts_transfer_send()}
      label={m.hosts_transfer()}
      proof={dialog}
    >
      <div className="text-sm">
        <p className="font-medium">{m.hosts_transfer_effects()}</p>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-muted">
          <li>{m.hosts_transfer_goes()}</li>
          {isProgram(host) ? null : <li>{m.hosts_transfer_agent()}</li>}
          <li>{m.hosts_transfer_renewal()}</li>
          <li>{m.hosts_transfer_stays()}</li>
        </ul>
      </div>
      <EmailField
        name="email"
        label={m.hosts_transfer_email()}
        hint={m.hosts_transfer_email_hint()}
        autoComplete="off"
        required
      />
      <TypedName name={name} />
    </FormDialog>
  )
}
