import { ShownOnce } from '#foundation/web/ui/shown-once.tsx'
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
    <ShownOnce
      lines={[
        { label: m.sharing_token_secret(), text: secret },
        { label: m.sharing_token_try(), text: line },
      ]}
      warning={m.sharing_token_once()}
      kept={m.sharing_token_kept()}
      onClose={onClose}
    />
  )
}
