import type { BulkPreview } from '#features/sales/bulk-orders.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { Line, NetAndVat } from './price-summary.tsx'
import type { Bulk } from './use-bulk.ts'

type Refused = BulkPreview['refused'][number]

type Props = {
  act: 'order' | 'renew' | 'upgrade' | 'auto_renew' | 'renewal_plan'
  bulk: Pick<Bulk, 'query' | 'before'>
  onTakeOut: (refused: readonly Refused[]) => void
}

/** Each server with its price, the payment of each account, and the refused servers with the reason and a button to take them out. */
export function BulkSummary({ act, bulk, onTakeOut }: Props) {
  return (
    <Loaded query={bulk.query} failed={m.sales_bulk_failed()} waiting="h-40">
      {(shown) => <Known act={act} shown={shown} before={bulk.before} onTakeOut={onTakeOut} />}
    </Loaded>
  )
}

type KnownProps = Pick<Props, 'act' | 'onTakeOut'> & { shown: BulkPreview; before: Bulk['before'] }

function Known({ act, shown, before, onTakeOut }: KnownProps) {
  return (
    <>
      <RefusedServers refused={shown.refused} onTakeOut={onTakeOut} />
      {shown.servers.length > 0 ? <Servers act={act} servers={shown.servers} /> : null}
      {shown.payments.map((payment) => (
        <Payment key={payment.payer ?? ''} payment={payment} />
      ))}
      {act === 'auto_renew' || shown.servers.length === 0 ? null : (
        <dl aria-live="polite" className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
          {before ? (
            <Line name={m.sales_price_before()}>
              <s>{formatMoney(before)}</s>
            </Line>
          ) : null}
          <Line name={act === 'renewal_plan' ? m.sales_bulk_renewals() : m.sales_upgrade_now()} strong>
            {formatMoney(shown.expected_total)}
          </Line>
        </dl>
      )}
    </>
  )
}

function RefusedServers({
  refused,
  onTakeOut,
}: {
  refused: readonly Refused[]
  onTakeOut: Props['onTakeOut']
}) {
  if (refused.length === 0) return null
  return (
    <Alert tone="warning">
      <p className="font-medium">{m.sales_bulk_refused({ count: refused.length })}</p>
      <ul className="mt-2 flex flex-col gap-2">
        {refused.map((server) => (
          <li key={server.place} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
            <span className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
              <bdi className="font-medium">{server.name}</bdi>: {REASONS[server.code]()}
            </span>
            <Button size="small" onClick={() => onTakeOut([server])}>
              {m.sales_bulk_take_out({ name: server.name })}
            </Button>
          </li>
        ))}
      </ul>
      {refused.length > 1 ? (
        <div className="mt-3">
          <Button size="small" onClick={() => onTakeOut(refused)}>
            {m.sales_bulk_take_all_out()}
          </Button>
        </div>
      ) : null}
    </Alert>
  )
}

// The common table of error texts is loaded by the first refused call only, but a preview with refused servers is a successful call.
const REASONS = {
  ipv4_required: m.error_ipv4_required,
  ipv4_licensed: m.error_ipv4_licensed,
  ipv6_licensed: m.error_ipv6_licensed,
  host_suspended: m.error_host_suspended,
  unknown_plan: m.error_unknown_plan,
  plan_required: m.error_plan_required,
  not_an_upgrade: m.error_not_an_upgrade,
  too_little_left: m.error_too_little_left,
  licence_not_running: m.error_licence_not_running,
} as const

function Servers({ act, servers }: { act: Props['act']; servers: BulkPreview['servers'] }) {
  const locale = useLocale()
  return (
    <ul
      aria-label={m.sales_bulk_servers()}
      // Focusable, so that keys scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-64 ruled overflow-y-auto rounded-md border border-line text-sm"
    >
      {servers.map(({ place, name, plan, starts_at, ends_at, credit, price }) => (
        <li key={place} className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <bdi className="font-medium">{name}</bdi>{' '}
            <span className="text-muted">
              {act === 'renewal_plan'
                ? m.sales_bulk_from({ plan: plan[locale], date: formatDate(ends_at) })
                : m.sales_upgrade_period({
                    plan: plan[locale],
                    from: formatDate(starts_at),
                    until: formatDate(ends_at),
                  })}
            </span>
          </span>
          <span>
            {amountOf(credit) > 0n ? (
              <span className="mr-3 text-muted">
                {m.sales_bulk_credit({ amount: formatMoney(toMoney(-amountOf(credit), credit.currency)) })}
              </span>
            ) : null}
            <span>{formatMoney(price)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

function Payment({ payment }: { payment: BulkPreview['payments'][number] }) {
  const { payer, net, credit, charge, pay_now, balance_after, refusal } = payment
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">
        {payer === null ? m.sales_bulk_own() : m.sales_bulk_payer({ name: payer })}
      </h3>
      <dl className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
        <NetAndVat of={payment} net={net} />
        <Line name={m.sales_total()} strong>
          {formatMoney(charge)}
        </Line>
        {amountOf(credit) > 0n ? (
          <>
            <Line name={m.sales_bulk_credits()}>
              {formatMoney(toMoney(-amountOf(credit), credit.currency))}
            </Line>
            <Line name={m.sales_upgrade_now()}>{formatMoney(pay_now)}</Line>
          </>
        ) : null}
        {balance_after ? (
          <Line
            name={m.sales_balance_after()}
            apart
            tone={amountOf(balance_after) < 0n ? 'danger' : undefined}
          >
            {formatMoney(balance_after)}
          </Line>
        ) : null}
      </dl>
      {refusal !== null && payer !== null ? (
        <Alert tone="warning">{m.sales_bulk_payer_short({ name: payer })}</Alert>
      ) : null}
    </section>
  )
}
