import { paths } from '#features/paths.ts'
import type { Alert } from '#features/hosts/alert-contract.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { StatusDot } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'
import { alertText } from './alert-texts.ts'

type Props = { alerts: { items: readonly Alert[]; count: number } }

/** The servers that need attention now, above the list of all; nothing if none does. */
export function Attention({ alerts: { items, count } }: Props) {
  useLocale()
  if (items.length === 0) return null
  return (
    <section
      aria-labelledby="attention"
      className="overflow-hidden rounded-lg border border-line bg-warning-soft"
    >
      <h2 id="attention" className="px-5 pt-3 text-sm font-semibold text-warning-text">
        {m.hosts_attention()}
      </h2>
      <ul className="ruled pb-1">
        {items.map((alert) => (
          <li key={alert.id} className="flex flex-wrap items-baseline gap-x-5 gap-y-0.5 px-5 py-2 text-sm">
            <Link
              to={paths.host(alert.host.id)}
              dir="auto"
              className="min-w-0 basis-40 truncate py-0.5 font-medium hover:underline"
            >
              {alert.host.name}
            </Link>
            <StatusDot tone={alert.kind === 'disk' ? 'danger' : 'warning'}>
              {/* A mount may be long, and have no space. */}
              <span className="whitespace-normal wrap-anywhere">{alertText(alert)}</span>
            </StatusDot>
            <time
              dateTime={alert.since}
              title={formatDateTime(alert.since)}
              className="text-muted sm:ml-auto"
            >
              {relativeTime(alert.since)}
            </time>
          </li>
        ))}
      </ul>
      {count > items.length ? (
        <p className="px-5 pb-3 text-sm text-muted">
          {m.hosts_attention_more({ count: count - items.length })}
        </p>
      ) : null}
    </section>
  )
}
