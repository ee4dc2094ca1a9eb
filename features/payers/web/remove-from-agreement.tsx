import type { Host } from '#features/hosts/contract.ts'
import type { Agreement } from '#features/payers/contract.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { m } from '#texts/messages.js'
import { removeHost } from './change-hosts.ts'
import { otherSide } from './names.ts'

type Props = DialogProps & { agreement: Agreement; host: Host }

/** The dialog that removes one server from an agreement, which goes on for its other servers. */
export function RemoveFromAgreement({ agreement, host, open, onClose }: Props) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async () => {
    await removeHost(agreement, host, { withProof })
    onClose()
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.payers_remove_title({ host: host.name, name: otherSide(agreement) })}
      description={m.payers_remove_text()}
      form={form}
      act={m.payers_remove()}
      look="danger"
      proof={dialog}
    />
  )
}
