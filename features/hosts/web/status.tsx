import type { Host } from '#features/hosts/contract.ts'
import { formatDateTime, formatDuration, relativeTime } from '#foundation/web/i18n/format.ts'
import { Badge, StatusDot } from '#foundation/web/ui/badge.tsx'
import type { Tone } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** The connection status of the agent, with the time of its last check-in as a tooltip. */
export function ConnectionStatus({ host }: { host: Pick<Host, 'connected' | 'last_seen_at'> }) {
  const { connected, last_seen_at } = host
  if (last_seen_at === null) return <StatusDot tone="neutral">{m.hosts_never_connected()}</StatusDot>
  return (
    <StatusDot
      tone={connected ? 'success' : 'warning'}
      title={m.hosts_last_seen({ time: formatDateTime(last_seen_at) })}
    >
      {connected ? m.hosts_connected() : m.hosts_not_connected()}
    </StatusDot>
  )
}

/** The status of the licence (row H-01), with its end as a tooltip. The licence of a suspended server is not called active: it is not valid. */
export function LicenceStatus({ licence }: Pick<Host, 'licence'>) {
  const { status, paid_until, suspended } = licence
  const title = paid_until ? m.hosts_paid_until({ time: formatDateTime(paid_until) }) : undefined
  return (
    <>
      {suspended && status === 'active' ? null : (
        <Badge tone={toneOf(licence)} title={title}>
          {STATUS[status]()}
        </Badge>
      )}
      {suspended ? (
        <>
          {' '}
          <Badge tone="danger">{m.hosts_suspended()}</Badge>
        </>
      ) : null}
    </>
  )
}

/** The time left ('noch 28 Tage') or the time since the end; undefined for a licence that was never paid. */
export function timeLeft({ status, remaining_s, paid_until }: Host['licence']): string | undefined {
  if (status === 'active') return m.hosts_time_left({ time: formatDuration(remaining_s) })
  return status === 'expired' && paid_until !== null ? relativeTime(paid_until) : undefined
}

/** Less than a week before the end the licence is shown as a warning. */
const SOON_s = 7 * 86_400

function toneOf({ status, remaining_s }: Host['licence']): Tone {
  if (status === 'free') return 'neutral'
  if (status === 'expired') return 'danger'
  return remaining_s < SOON_s ? 'warning' : 'success'
}

const STATUS = {
  free: () => m.hosts_licence_free(),
  active: () => m.hosts_licence_active(),
  expired: () => m.hosts_licence_expired(),
} as const
