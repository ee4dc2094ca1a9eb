import { Button } from '#foundation/web/ui/button.tsx'
import { Copyable } from '#foundation/web/ui/copyable.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'

export type ShownCode = {
  code: string
  /** True if a second person must approve the voucher first. */
  waits: boolean
}

/** Shows the code of a new voucher, once: nobody can read the code later. */
export const ShowCode = ({ made: { code, waits }, onClose }: { made: ShownCode; onClose: () => void }) => (
  <Dialog
    open
    dismissible={false}
    onClose={onClose}
    title={m.catalogue_code_title()}
    description={waits ? m.catalogue_code_waiting() : m.catalogue_code_text()}
  >
    <Copyable label={m.catalogue_code()} text={code} />
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        {m.catalogue_code_kept()}
      </Button>
    </DialogActions>
  </Dialog>
)
