import { call } from '#foundation/web/api/call.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { resultText } from './attempt-text.ts'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'

/** Sends one event again, and says what the program answered. */
export function SendAgain({ side, endpointId, seq }: { side: Side; endpointId: string; seq: number }) {
  const send = useAct(async () => {
    const answer = await call(callsOf(side).again, { params: { endpointId, seq: String(seq) } })
    if (answer.status === 404) return toastError(m.webhooks_event_gone)
    if (answer.status !== 200) return toastError(m.webhooks_not_done, answer)
    const { body } = answer
    refreshWebhooks(side)
    if (body.is_ok && body.answer)
      return toastSuccess(m.webhooks_again_ok({ status: body.answer.status, ms: body.took_ms }))
    return toastError(m.webhooks_again_failed({ result: resultText(body) }))
  })
  return (
    <Button pending={send.pending} onClick={send.run}>
      {m.webhooks_again()}
    </Button>
  )
}
