import { paths } from '#features/paths.ts'
import FileKey from 'lucide-react/icons/file-key'
import { leaseSeconds } from '#features/licences/rules.ts'
import type { Host } from '#features/hosts/contract.ts'
import { isProgram } from '#features/hosts/rules.ts'
import { LicenceStatus } from '#features/hosts/web/hosts.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { useQueryAction } from '#foundation/web/use-query-action.ts'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatTerm,
  relativeTime,
} from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { AutoRenew } from './auto-renew.tsx'
import { LicenceKey } from './licence-key.tsx'
import { lengthOf, RemainingBar } from './remaining-bar.tsx'
import { SuspendedNotice } from './suspended-notice.tsx'

const MachineDocument = lazyPart(() => import('./machine-document.tsx').then((file) => file.MachineDocument))
const LicenceDocument = lazyPart(() => import('./licence-document.tsx').then((file) => file.LicenceDocument))
const ChangePlan = lazyPart(() => import('./change-plan.tsx').then((file) => file.ChangePlan))
const OrderLicence = lazyPart(() => import('./order-licence.tsx').then((file) => file.OrderLicence))

/** The licence of a host: its plan, its paid end, and renewing it (rows H-01, H-02). */
export function LicenceCard({ host }: { host: Host }) {
  const { licence } = host
  // A trial was never paid: its button says to order, not to renew.
  const isTried = licence.trial_until !== null && licence.trial_until === licence.paid_until
  const order = useLazyDialog(OrderLicence)
  const change = useLazyDialog(ChangePlan)
  useQueryAction('renew', paths.host(host.id), order.show)
  useQueryAction('upgrade', paths.host(host.id), change.show)
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span>{m.sales_licence()}</span>
          <LicenceStatus licence={licence} />
          {licence.trial_until === null ? null : <Badge>{m.sales_trial()}</Badge>}
        </span>
      }
      actions={
        licence.suspended || onlyReads(host.account?.role) ? null : (
          <>
            {licence.status === 'active' ? <Button {...change.opener}>{m.sales_change_plan()}</Button> : null}
            <Button look="primary" {...order.opener}>
              {licence.status === 'free' || isTried ? m.sales_order() : m.sales_renew()}
            </Button>
          </>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {licence.suspended ? <SuspendedNotice suspended={licence.suspended} /> : null}
        {licence.status === 'free' ? <p className="text-sm text-muted">{m.sales_free_text()}</p> : null}
        <Remaining licence={licence} />
        <Facts facts={useFacts(host)} />
        {licence.status === 'free' ? null : (
          <>
            {isProgram(host) && onlyReads(host.account?.role) ? null : <Document host={host} />}
            {onlyReads(host.account?.role) ? null : <AutoRenew host={host} />}
          </>
        )}
      </div>
      {order.open ? <OrderLicence host={host} {...order.dialog} /> : null}
      {change.open ? <ChangePlan host={host} {...change.dialog} /> : null}
    </Card>
  )
}

function Remaining({ licence }: Pick<Host, 'licence'>) {
  const { status, remaining_s, paid_until, term, trial_until, ordered_at } = licence
  if (paid_until === null || term === null) return null
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="text-lg font-semibold">
          {status === 'active'
            ? m.hosts_time_left({ time: formatDuration(remaining_s) })
            : m.sales_ended({ time: relativeTime(paid_until) })}
        </p>
        <p className="text-sm text-muted">
          <time dateTime={paid_until}>{m.hosts_paid_until({ time: formatDateTime(paid_until) })}</time>
        </p>
      </div>
      <RemainingBar
        remaining_s={remaining_s}
        whole_s={
          trial_until !== null && ordered_at !== null
            ? (Date.parse(trial_until) - Date.parse(ordered_at)) / 1000
            : lengthOf(term)
        }
      />
    </div>
  )
}

/** The button for the licence file; that of a program is made for one machine (decision 199). */
function Document({ host }: { host: Host }) {
  const Shown = isProgram(host) ? MachineDocument : LicenceDocument
  const document = useLazyDialog(Shown)
  // A machine gets the document of its floating seat from the network.
  if (leaseSeconds(host.licence.entitlements) !== undefined) return null
  return (
    <>
      <div>
        <Button size="small" icon={<FileKey size={15} aria-hidden="true" />} {...document.opener}>
          {m.sales_document()}
        </Button>
      </div>
      {document.open ? <Shown host={host} {...document.dialog} /> : null}
    </>
  )
}

function useFacts(host: Host) {
  const { licence, auto_renew } = host
  const locale = useLocale()
  const { plan, price, term, ordered_at, renewal_plan, paid_until, trial_until } = licence
  const isPaid = trial_until === null
  const chosen =
    auto_renew && renewal_plan && paid_until ? { plan: renewal_plan, starts_at: paid_until } : null
  const ahead = licence.next ?? chosen
  const next = ahead?.plan.slug === plan?.slug ? null : ahead
  return [
    ...(plan ? [{ name: m.sales_plan(), value: plan.name[locale] }] : []),
    ...(next
      ? [
          {
            name: m.sales_next_plan(),
            value: m.sales_plan_from({ plan: next.plan.name[locale], date: formatDate(next.starts_at) }),
          },
        ]
      : []),
    ...(trial_until
      ? [{ name: m.sales_price(), value: m.sales_trial_until({ date: formatDate(trial_until) }) }]
      : []),
    ...(price && isPaid ? [{ name: m.sales_price(), value: formatMoney(price) }] : []),
    ...(term && isPaid ? [{ name: m.sales_duration(), value: formatTerm(term) }] : []),
    ...(ordered_at ? [{ name: m.sales_ordered_at(), value: formatDate(ordered_at) }] : []),
    {
      name: m.sales_key(),
      value: <LicenceKey host={host} />,
    },
  ]
}
