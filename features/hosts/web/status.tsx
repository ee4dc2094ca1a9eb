import type { Host } from '#features/hosts/contract.ts'
import { formatDate, formatDateTime, formatDuration, relativeTime } from '#foundation/web/i18n/format.ts'
import { Badge, StatusDot } from '#foundation/web/ui/badge.tsx'
import type { Tone } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

type StatusProps = { host: Pick<Host, 'connected' | 'last_seen_at'>; isShort?: boolean }

/** The connection status of the agent, with the time of its last check-in as a tooltip. In a narrow column only the tooltip says never. */
export function ConnectionStatus({ host, isShort = false }: StatusProps) {
  const { connected, last_seen_at } = host
  const never = m.hosts_never_connected()
  if (last_seen_at === null)
    return (
      <StatusDot tone="neutral" title={isShort ? never : undefined}>
        {isShort ? connectionTexts.no() : never}
      </StatusDot>
    )
  return (
    <StatusDot
      tone={connected ? 'success' : 'warning'}
      title={m.hosts_last_seen({ time: formatDateTime(last_seen_at) })}
    >
      {connectionTexts[connected ? 'yes' : 'no']()}
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
          {licenceTexts[status]()}
        </Badge>
      )}
      {suspended ? (
        <>
          {' '}
          <Suspended />
        </>
      ) : null}
    </>
  )
}

/** The time left ('noch 28 Tage') or the end ('endete letzte Woche'); undefined for a licence that was never paid. */
export function timeLeft({ status, remaining_s, paid_until }: Host['licence']): string | undefined {
  if (status === 'active') return m.hosts_time_left({ time: formatDuration(remaining_s) })
  if (status !== 'expired' || paid_until === null) return undefined
  return m.hosts_licence_ended({ time: relativeTime(paid_until) })
}

/** Less than a week before the end the licence is shown as a warning. */
const SOON_s = 7 * 86_400

function toneOf({ status, remaining_s }: Host['licence']): Tone {
  if (status === 'free') return 'neutral'
  if (status === 'expired') return 'danger'
  return remaining_s < SOON_s ? 'warning' : 'success'
}

/** The mark of a suspended server, whose licence is not valid. */
export const Suspended = () => <Badge tone="danger">{m.hosts_suspended()}</Badge>

/** The end of a licence in a line of a list of staff. */
export function licenceEnd({ licence, paid_until }: Summary): string {
  if (licence === 'free' || paid_until === null) return licenceTexts.free()
  const time = formatDate(paid_until)
  return licence === 'active' ? m.hosts_paid_until({ time }) : m.sales_ended({ time })
}

type Summary = { licence: keyof typeof licenceTexts; paid_until: string | null }

/** The words of each state, for customers and staff alike, also in filters. */
export const licenceTexts = {
  active: () => m.hosts_licence_active(),
  expired: () => m.hosts_licence_expired(),
  free: () => m.hosts_licence_free(),
} as const
export const connectionTexts = { yes: () => m.hosts_connected(), no: () => m.hosts_not_connected() } as const
