import { paths } from '#features/paths.ts'
import { Suspense, useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import type { PaidPeriod } from '#features/sales/contract.ts'
import { PayerCard } from '#features/payers/web/payers.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useHistory } from './hooks.ts'

const Withdraw = lazyPart(() => import('./withdraw.tsx').then((file) => file.Withdraw))

/** The payer of the host, which only the owner sees, and the payments for the host. */
export function History({ host }: { host: Host }) {
  return (
    <>
      {host.licence.status === 'free' ? null : <Paid host={host} />}
      {host.account ? null : (
        <Suspense fallback={<Coming />}>
          <PayerCard host={host} />
        </Suspense>
      )}
    </>
  )
}

const SHOWN = 3

/** The payments for the host, the newest first, each with its invoice: the latest ones, and all of them on request. */
function Paid({ host }: { host: Host }) {
  const pages = useHistory(host.id)
  const [all, setAll] = useState(false)
  const periods = itemsOf(pages)
  const { error, refetch } = pages
  const latest = { data: periods && { items: periods.slice(0, SHOWN) }, error, refetch }
  return (
    <Card title={m.sales_history()}>
      <LoadedList query={all ? pages : latest} failed={m.sales_history_failed()} waiting="h-16" none={null}>
        {(shown) => (
          <ul className="-my-2.5 ruled">
            {shown.map((period) => (
              <Row key={period.id} host={host} period={period} />
            ))}
          </ul>
        )}
      </LoadedList>
      {!all && periods && periods.length > SHOWN ? (
        <div className="mt-4">
          <Button size="small" onClick={() => setAll(true)}>
            {m.sales_history_all()}
          </Button>
        </div>
      ) : null}
    </Card>
  )
}

function Row({ host, period }: { host: Host; period: PaidPeriod }) {
  const locale = useLocale()
  const { starts_at, ends_at, plan, kind, ended, total, invoice_id, ordered_at, withdrawal } = period
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2.5 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        <span title={`${formatDateTime(starts_at)} – ${formatDateTime(ends_at)}`}>
          {formatDate(starts_at)} – {formatDate(ends_at)}
        </span>
        {withdrawal?.declared ? (
          <Badge>{m.sales_withdrawn()}</Badge>
        ) : ended ? (
          <Badge>{ENDED[ended]()}</Badge>
        ) : null}
      </p>
      <p className="text-right font-medium">
        {kind === 'trial' ? m.sales_trial_free() : total === null ? null : formatMoney(total)}
      </p>
      <p className="text-muted">
        {plan[locale]} · {KINDS[kind]()} {formatDate(ordered_at)}
      </p>
      <p className="text-right">
        {kind === 'trial' ? null : invoice_id === null ? (
          m.sales_paid_by_other()
        ) : (
          <TextLink to={paths.invoice(invoice_id)}>{m.sales_invoice()}</TextLink>
        )}
      </p>
      {withdrawal && !host.account ? (
        <Withdrawal host={host} period={period} withdrawal={withdrawal} />
      ) : null}
    </li>
  )
}

type Withdrawable = { host: Host; period: PaidPeriod; withdrawal: NonNullable<PaidPeriod['withdrawal']> }

/** The withdrawal from a consumer's order: the declaration that was made, or the button for it while the time limit runs. */
function Withdrawal({ host, period, withdrawal }: Withdrawable) {
  const dialog = useLazyDialog(Withdraw)
  const [now] = useState(() => Date.now())
  const { declared, until } = withdrawal
  if (declared) {
    const said = { date: formatDateTime(declared.declared_at), amount: formatMoney(declared.proposed_refund) }
    return <p className="col-span-2 text-muted">{m.sales_withdrawn_at(said)}</p>
  }
  if (period.ended || Date.parse(until) <= now) return null
  return (
    <div className="col-span-2 pt-1.5">
      <Button size="small" {...dialog.opener}>
        {m.sales_withdraw()}
      </Button>
      {dialog.open ? (
        <Withdraw host={host} period={period} withdrawal={withdrawal} {...dialog.dialog} />
      ) : null}
    </div>
  )
}

const KINDS = {
  order: () => m.sales_kind_order(),
  renewal: () => m.sales_kind_renewal(),
  auto_renewal: () => m.sales_kind_auto_renewal(),
  upgrade: () => m.sales_kind_upgrade(),
  trial: () => m.sales_kind_trial(),
} as const
const ENDED = {
  refunded: () => m.sales_ended_refunded(),
  deleted: () => m.sales_ended_deleted(),
  upgraded: () => m.sales_ended_upgraded(),
} as const
