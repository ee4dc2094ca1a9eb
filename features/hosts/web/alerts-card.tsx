import { useState } from 'react'
import type { Alert, AlertsOfHost } from '#features/hosts/alert-contract.ts'
import type { Host } from '#features/hosts/contract.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { formatDateTime, formatDuration } from '#foundation/web/i18n/format.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'
import { useHostAlerts } from './alert-hooks.ts'
import { alertText, limitText, minutesText } from './alert-texts.ts'

const AlertValues = lazyPart(() => import('./alert-values.tsx').then((file) => file.HostAlertValues))

/** The alerts of a server, and when they open. */
export function AlertsCard({ host }: { host: Host }) {
  const query = useHostAlerts(host.id)
  const change = useLazyDialog(AlertValues)
  const role = host.account?.role
  const mayChange = role !== 'billing' && !onlyReads(role) && !isViewing()
  return (
    <Card
      title={m.hosts_alerts()}
      description={host.account ? m.hosts_alerts_text_of({ name: host.account.name }) : m.hosts_alerts_text()}
      end={
        mayChange && query.data ? (
          <Button size="small" {...change.opener}>
            {m.hosts_alerts_change()}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} failed={m.hosts_alerts_failed()} waiting="h-32">
        {(data) => (
          <div className="flex flex-col gap-5">
            <Facts facts={valuesOf(data)} />
            <Latest items={data.items} />
            {change.open ? <AlertValues host={host} saved={data} {...change.dialog} /> : null}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function valuesOf({ own, account }: AlertsOfHost) {
  const usual = (value: string, chosen: number | null) =>
    chosen === null ? m.hosts_alerts_usual({ value }) : value
  return [
    {
      name: m.hosts_alerts_offline(),
      value: usual(minutesText(own.offline_minutes ?? account.offline_minutes), own.offline_minutes),
    },
    {
      name: m.hosts_alerts_disk(),
      value: usual(limitText(own.disk_percent ?? account.disk_percent), own.disk_percent),
    },
  ]
}

const SHOWN = 3

function Latest({ items }: { items: readonly Alert[] }) {
  const [all, setAll] = useState(false)
  if (items.length === 0) return <p className="text-sm text-muted">{m.hosts_alerts_none()}</p>
  return (
    <div>
      <ul className="ruled border-t border-line">
        {(all ? items : items.slice(0, SHOWN)).map((alert) => (
          <Row key={alert.id} alert={alert} />
        ))}
      </ul>
      {!all && items.length > SHOWN ? (
        <Button size="small" onClick={() => setAll(true)}>
          {m.hosts_alerts_show_all()}
        </Button>
      ) : null}
    </div>
  )
}

/** The length of an alert, up to now if it is open; a minute at least, as its words tell. */
const lasted_s = ({ since, closed_at }: Alert): number =>
  Math.max(60, ((closed_at ? Date.parse(closed_at) : Date.now()) - Date.parse(since)) / 1000)

function Row({ alert }: { alert: Alert }) {
  const { since, closed_at, kind } = alert
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1 py-2.5 text-sm">
      <span>
        <Badge tone={closed_at ? 'neutral' : kind === 'disk' ? 'danger' : 'warning'}>
          <span className="whitespace-normal wrap-anywhere">{alertText(alert)}</span>
        </Badge>
      </span>
      <span className="text-right text-muted">{formatDuration(lasted_s(alert))}</span>
      <span className="col-span-2 text-muted">
        {formatDateTime(since)} – {closed_at ? formatDateTime(closed_at) : m.hosts_alerts_now()}
      </span>
    </li>
  )
}
