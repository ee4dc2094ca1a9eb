import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { postSecret } from '#features/support/messages/contract.ts'
import { secretIn } from '#features/support/messages/looks-secret.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import type { SendSecret } from '#features/support/tickets/slots.ts'
import { call } from '#foundation/web/api/call.ts'
import { newId } from '#foundation/web/new-id.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The mark in the message where the secret was. */
const GAP = '…'

type Props = { message: string; onReady: (send: SendSecret) => void }

/**
 * Below the message of a new ticket: the offer to send as a secret what looks like a password or a key. Taken, it leaves the message for a field
 * of its own in the same form.
 */
export function NewTicketSecret({ message, onReady }: Props) {
  const [client_id] = useState(newId)
  useEffect(
    () => onReady((chat_id, secret) => sendSecret(chat_id, { client_id, secret })),
    [onReady, client_id],
  )
  const place = useRef<HTMLDivElement>(null)
  const [taken, setTaken] = useState<string>()
  const [declined, setDeclined] = useState<string>()
  const found = secretIn(useDeferredValue(message))
  const isOffered = found !== undefined && found !== declined && message.includes(found)
  const inMessage = (old: string, value: string) => {
    const field = place.current?.closest('form')?.elements.namedItem('message')
    if (!(field instanceof HTMLTextAreaElement)) return
    field.value = field.value.replace(old, () => value)
    // The form keeps what it has as a draft; the draft forgets the secret.
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const take = (secret: string) => {
    inMessage(secret, GAP)
    setTaken(secret)
  }
  const putBack = (secret: string) => {
    inMessage(GAP, secret)
    setDeclined(secret)
    setTaken(undefined)
  }
  return (
    <div ref={place} className="flex flex-col gap-2 empty:hidden">
      {taken === undefined ? (
        <p role="status" className="flex flex-wrap items-center gap-2 text-xs empty:sr-only">
          {isOffered ? (
            <>
              <span>{m.messages_secret_offer()}</span>
              <Button size="small" onClick={() => take(found)}>
                {m.messages_secret_apart()}
              </Button>
              <Button size="small" look="quiet" onClick={() => setDeclined(found)}>
                {m.messages_secret_no()}
              </Button>
            </>
          ) : null}
        </p>
      ) : (
        <>
          <TextAreaField
            name="secret"
            label={m.messages_secret_field()}
            hint={m.messages_secret_text()}
            defaultValue={taken}
            most={lengths.secret}
            rows={2}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
          />
          <div>
            <Button size="small" look="quiet" onClick={() => putBack(taken)}>
              {m.messages_secret_back()}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/** Sends the secret of a ticket that was opened just now; false if it was refused. The same client_id sends it once. */
async function sendSecret(chatId: string, content: { client_id: string; secret: string }): Promise<boolean> {
  const answer = await call(postSecret, { params: { chatId }, body: { ...content, text: '' } })
  if (answer.status === 201 || answer.status === 200) return true
  toastError(m.messages_secret_not_sent, answer)
  return false
}
