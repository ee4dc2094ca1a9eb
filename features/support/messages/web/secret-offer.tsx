import KeyRound from 'lucide-react/icons/key-round'
import { useDeferredValue, useState } from 'react'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'
import { secretIn } from '#features/support/messages/looks-secret.ts'

const SecretDialog = lazyPart(() => import('./secret-dialog.tsx').then((file) => file.SecretDialog))

type Props = { chat_id: string; text: string; onSent: () => void }

/** The button that sends a secret. */
export function SecretButton({ chat_id, text, onSent }: Props) {
  const dialog = useLazyDialog(SecretDialog)
  return (
    <>
      <IconButton
        label={m.messages_secret_send()}
        icon={<KeyRound size={16} aria-hidden="true" />}
        onClick={dialog.opener.onClick}
        onPointerEnter={dialog.opener.onPointerEnter}
        onFocus={dialog.opener.onFocus}
      />
      {dialog.open ? (
        <SecretDialog
          chat_id={chat_id}
          text={text}
          secret={secretIn(text)}
          onSent={onSent}
          {...dialog.dialog}
        />
      ) : null}
    </>
  )
}

/** The offer to send as a secret what looks like a password or a key, until it is declined for this very word. */
export function SecretOffer({ chat_id, text, onSent }: Props) {
  const dialog = useLazyDialog(SecretDialog)
  const [declined, setDeclined] = useState<string>()
  const secret = secretIn(useDeferredValue(text))
  const isOffered = secret !== undefined && secret !== declined
  return (
    <>
      <p role="status" className="flex flex-wrap items-center gap-2 px-3.5 text-xs empty:sr-only">
        {isOffered ? (
          <>
            <span>{m.messages_secret_offer()}</span>
            <Button size="small" {...dialog.opener}>
              {m.messages_secret_send()}
            </Button>
            <Button size="small" look="quiet" onClick={() => setDeclined(secret)}>
              {m.messages_secret_no()}
            </Button>
          </>
        ) : null}
      </p>
      {dialog.open ? (
        <SecretDialog chat_id={chat_id} text={text} secret={secret} onSent={onSent} {...dialog.dialog} />
      ) : null}
    </>
  )
}
