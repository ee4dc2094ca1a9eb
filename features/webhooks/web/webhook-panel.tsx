import type { ReactNode } from 'react'
import type { Endpoint } from '#features/webhooks/contract.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { AttemptList } from './attempt-list.tsx'
import type { Side } from './calls.ts'
import { hostOf, typesText } from './endpoint-text.ts'
import { StateBadge } from './state.tsx'
import { WebhookActions } from './webhook-actions.tsx'

type Props = { side: Side; endpoint: Endpoint }

/** Everything about an endpoint: its state, what its owner may do, and the last attempts. */
export function WebhookPanel({ side, endpoint }: Props) {
  return (
    <>
      <Card
        title={
          <span className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
            {hostOf(endpoint.url)}
            <StateBadge endpoint={endpoint} />
          </span>
        }
      >
        <div className="flex flex-col gap-5">
          {noticesOf(endpoint).map(([key, tone, text]) => (
            <Alert key={key} tone={tone}>
              {text}
            </Alert>
          ))}
          <Facts facts={factsOf(endpoint)} />
          <WebhookActions side={side} endpoint={endpoint} />
        </div>
      </Card>
      <AttemptList side={side} endpoint={endpoint} />
    </>
  )
}

type Notice = readonly [key: string, tone: 'neutral' | 'warning' | 'danger', text: string]

function noticesOf(endpoint: Endpoint): Notice[] {
  const { state, disabled_why, failing_since, next_at, missed_at, skipped, old_secret_until } = endpoint
  const all: (Notice | undefined)[] = [
    disabled_why === null
      ? undefined
      : [
          'disabled',
          'danger',
          disabled_why === 'gone' ? m.webhooks_disabled_gone() : m.webhooks_disabled_failing(),
        ],
    state === 'paused' ? ['paused', 'neutral', m.webhooks_is_paused()] : undefined,
    state === 'enabled' && failing_since !== null && next_at !== null
      ? [
          'failing',
          'warning',
          m.webhooks_is_failing({ since: formatDateTime(failing_since), next: relativeTime(next_at) }),
        ]
      : undefined,
    missed_at === null
      ? undefined
      : ['missed', 'warning', m.webhooks_missed({ time: formatDateTime(missed_at) })],
    skipped.length === 0
      ? undefined
      : ['skipped', 'warning', m.webhooks_skipped({ numbers: skipped.join(', ') })],
    old_secret_until === null
      ? undefined
      : ['secret', 'neutral', m.webhooks_secret_both({ time: formatDateTime(old_secret_until) })],
  ]
  return all.filter((notice) => notice !== undefined)
}

function factsOf(endpoint: Endpoint): { name: string; value: ReactNode }[] {
  const { url, host_ids, last_ok_at, recent, waiting } = endpoint
  const all = recent.succeeded + recent.failed
  const servers = host_ids.length === 0 ? [] : [m.webhooks_hosts_count({ count: host_ids.length })]
  return [
    { name: m.webhooks_url(), value: <code className="font-mono text-xs">{url}</code> },
    { name: m.webhooks_types(), value: [typesText(endpoint), ...servers].join(' · ') },
    {
      name: m.webhooks_last_success(),
      value: last_ok_at === null ? m.webhooks_never_ok() : relativeTime(last_ok_at),
    },
    {
      name: m.webhooks_succeeded(),
      value: m.webhooks_succeeded_of({ succeeded: recent.succeeded, all }),
    },
    { name: m.webhooks_waiting_head(), value: waiting },
  ]
}
