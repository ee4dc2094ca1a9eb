import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Copyable } from '#foundation/web/ui/copyable.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'

/** The secret of an endpoint, once. */
export const Secret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <div className="flex flex-col gap-4 text-sm">
    <Copyable label={m.webhooks_secret()} text={secret} />
    <Alert tone="warning">{m.webhooks_secret_once()}</Alert>
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        {m.webhooks_secret_kept()}
      </Button>
    </DialogActions>
  </div>
)
