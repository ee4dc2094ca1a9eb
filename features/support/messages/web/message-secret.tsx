import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { openSecret } from '#features/support/messages/contract.ts'
import type { Message } from '#features/support/tickets/contract.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { m } from '#texts/messages.js'

type Props = { message: Message; chat_id: string; by_staff: boolean }

/**
 * The secret of a message: its state, and for the other side the button that opens it. The opened text stays until the page is left, and
 * nowhere else.
 */
export function MessageSecret({ message, chat_id, by_staff }: Props) {
  const { secret, seq, author } = message
  const [text, setText] = useState<string>()
  const opening = useAct(async () => {
    const answer = await call(openSecret, { params: { chatId: chat_id, seq: String(seq) } })
    if (answer.status === 200) setText(answer.body.secret)
    else toastError(m.messages_secret_failed, answer)
  })
  if (!secret) return null
  const isOurs = (author?.is_staff ?? true) === by_staff
  if (text !== undefined)
    return (
      <div className="mt-2 flex flex-col gap-1 rounded-md border border-line bg-surface p-2">
        <div className="flex items-start gap-1">
          <pre className="min-w-0 flex-1 py-2 font-mono text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">
            {text}
          </pre>
          <CopyButton text={text} />
        </div>
        <p role="status" className="text-xs text-muted">
          {m.messages_secret_shown()}
        </p>
      </div>
    )
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 rounded-md border border-line bg-surface px-2.5 py-2 text-sm first:mt-0">
      <KeyRound size={15} aria-hidden="true" className="text-muted" />
      <span>{stateText(secret, isOurs)}</span>
      {secret.state === 'waiting' && !isOurs && !onlyReads() ? (
        <Button size="small" pending={opening.pending} onClick={opening.run}>
          {m.messages_secret_open()}
        </Button>
      ) : null}
    </div>
  )
}

function stateText({ state, at }: NonNullable<Message['secret']>, isOurs: boolean): string {
  const time = formatDateTime(at)
  if (state === 'wiped') return m.messages_secret_wiped({ time })
  if (state === 'opened')
    return isOurs ? m.messages_secret_opened_by_others({ time }) : m.messages_secret_opened({ time })
  return isOurs ? m.messages_secret_waits_for_others({ time }) : m.messages_secret_waits({ time })
}
