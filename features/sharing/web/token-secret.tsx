import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Copyable } from '#foundation/web/ui/copyable.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'

type Props = {
  secret: string
  /** The path of a read that the token may make, for a line that tries it. */
  path: string
  onClose: () => void
}

/** The secret of a token that was just made, in a dialog: it is shown this once. */
export function TokenSecret({ secret, path, onClose }: Props) {
  const line = `curl -H 'Authorization: Bearer ${secret}' ${window.location.origin}${path}`
  return (
    <div className="flex flex-col gap-4 text-sm">
      <Copyable label={m.sharing_token_secret()} text={secret} />
      <Copyable label={m.sharing_token_try()} text={line} />
      <Alert tone="warning">{m.sharing_token_once()}</Alert>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {m.sharing_token_kept()}
        </Button>
      </DialogActions>
    </div>
  )
}
