import type { Endpoint } from '#features/webhooks/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { resultText } from './attempt-text.ts'
import { callsOf, refreshWebhooks, type Side } from './calls.ts'

const ChangeWebhook = lazyPart(() => import('./change-webhook.tsx').then((file) => file.ChangeWebhook))
const ReplaceSecret = lazyPart(() => import('./replace-secret.tsx').then((file) => file.ReplaceSecret))
const ReplayEvents = lazyPart(() => import('./replay-events.tsx').then((file) => file.ReplayEvents))
const DeleteWebhook = lazyPart(() => import('./delete-webhook.tsx').then((file) => file.DeleteWebhook))

type Props = { side: Side; endpoint: Endpoint }

/** All that an owner does to an endpoint. */
export function WebhookActions({ side, endpoint }: Props) {
  const [change, secret] = [useLazyDialog(ChangeWebhook), useLazyDialog(ReplaceSecret)]
  const [replay, removal] = [useLazyDialog(ReplayEvents), useLazyDialog(DeleteWebhook)]
  return (
    <div className="flex flex-wrap gap-2">
      <TestButton side={side} endpoint={endpoint} />
      <StateButton side={side} endpoint={endpoint} />
      <Button {...change.opener}>{m.webhooks_change()}</Button>
      <Button {...replay.opener}>{m.webhooks_replay()}</Button>
      <Button {...secret.opener}>{m.webhooks_secret_replace()}</Button>
      <Button look="outline" {...removal.opener}>
        {m.webhooks_delete()}
      </Button>
      {change.open ? <ChangeWebhook {...change.dialog} side={side} endpoint={endpoint} /> : null}
      {secret.open ? <ReplaceSecret {...secret.dialog} side={side} endpoint={endpoint} /> : null}
      {replay.open ? <ReplayEvents {...replay.dialog} side={side} endpoint={endpoint} /> : null}
      {removal.open ? <DeleteWebhook {...removal.dialog} side={side} endpoint={endpoint} /> : null}
    </div>
  )
}

function TestButton({ side, endpoint: { id } }: Props) {
  const test = useAct(async () => {
    const answer = await call(callsOf(side).test, { params: { endpointId: id } })
    if (answer.status !== 200) return toastError(m.webhooks_not_done, answer)
    const { body } = answer
    refreshWebhooks(side)
    if (body.is_ok && body.answer)
      return toastSuccess(m.webhooks_test_ok({ status: body.answer.status, ms: body.took_ms }))
    return toastError(m.webhooks_test_failed({ result: resultText(body) }))
  })
  return (
    <Button look="primary" pending={test.pending} onClick={test.run}>
      {m.webhooks_test()}
    </Button>
  )
}

function StateButton({ side, endpoint: { id, state, version } }: Props) {
  const isEnabled = state === 'enabled'
  const set = useAct(async () => {
    const body = { state: isEnabled ? 'paused' : 'enabled', version } as const
    const answer = await call(callsOf(side).change, { params: { endpointId: id }, body })
    refreshWebhooks(side)
    if (answer.status !== 200) return toastError(m.webhooks_not_done, answer)
    return toastSuccess(isEnabled ? m.webhooks_paused : m.webhooks_enabled)
  })
  return (
    <Button pending={set.pending} onClick={set.run}>
      {isEnabled ? m.webhooks_pause() : m.webhooks_enable()}
    </Button>
  )
}
