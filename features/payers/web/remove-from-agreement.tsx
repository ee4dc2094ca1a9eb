import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import type { Agreement } from '#features/payers/contract.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { removeHost } from './change-hosts.ts'
import { otherSide } from './names.ts'

type Props = DialogProps & { agreement: Agreement; host: Host }

/** The dialog that removes one server from an agreement, which goes on for its other servers. */
export function RemoveFromAgreement({ agreement, host, open, onClose }: Props) {
  const [pending, setPending] = useState(false)
  const { withProof, dialog } = useReauthentication()
  const remove = async () => {
    setPending(true)
    await removeHost(agreement, host, { withProof })
    setPending(false)
    onClose()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={onClose}
        title={m.payers_remove_title({ host: host.name, name: otherSide(agreement) })}
        description={m.payers_remove_text()}
      >
        <DialogActions>
          <Button onClick={onClose}>{m.ui_cancel()}</Button>
          <Button look="danger" pending={pending} onClick={() => void remove()}>
            {m.payers_remove()}
          </Button>
        </DialogActions>
      </Dialog>
      {dialog}
    </>
  )
}
