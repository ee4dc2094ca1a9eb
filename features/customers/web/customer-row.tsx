import { paths } from '#features/paths.ts'
import type { CustomerRow as Customer } from '#features/customers/contract.ts'
import type { MatchKind } from '#features/customers/rules.ts'
import { amountOf } from '#foundation/money.ts'
import { formatDate, formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { levelTexts } from './access-texts.ts'

/** One customer: a line of a table on wide screens, a card on a phone. A click anywhere on it leads to the customer's page. */
export function CustomerRow({ customer }: { customer: Customer }) {
  const { id, name, company, email, state, is_staff, balance, hosts, open_tickets, matched } = customer
  const debt = amountOf(balance) < 0n
  return (
    <li className={rowClass}>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to={paths.customer(id)} data-row dir="auto" className={linkClass}>
            {name || email}
          </Link>
          {state === 'unconfirmed' ? <Badge tone="warning">{m.customers_unconfirmed()}</Badge> : null}
          {state === 'blocked' || state === 'locked' ? (
            <Badge tone="danger">{levelTexts[state]()}</Badge>
          ) : null}
          {is_staff ? <Badge tone="accent">{m.customers_staff()}</Badge> : null}
        </div>
        <p className="truncate text-sm text-muted">
          {name ? <span>{email}</span> : null}
          {name && company ? <span> · </span> : null}
          {company ? <bdi>{company}</bdi> : null}
        </p>
        {matched ? (
          <p className="mt-0.5 truncate text-xs text-muted">
            {MATCHED[matched.kind]()}: <bdi className="font-medium text-text">{matched.text}</bdi>
          </p>
        ) : null}
      </div>
      <p className="text-sm text-muted @max-3xl:col-span-full">
        <span>{m.customers_hosts({ count: hosts })}</span>
        {open_tickets > 0 ? <span> · {m.customers_open_tickets({ count: open_tickets })}</span> : null}
      </p>
      <LastLogin customer={customer} />
      <p
        className={classNames(
          'text-right font-medium whitespace-nowrap tabular-nums @max-3xl:col-start-2 @max-3xl:row-start-1',
          debt && 'text-danger-text',
        )}
      >
        <span className="sr-only">{m.customers_balance()}: </span>
        {formatMoney(balance)}
      </p>
    </li>
  )
}

function LastLogin({ customer: { last_login_at, created_at } }: { customer: Customer }) {
  if (last_login_at === null)
    return (
      <p className="text-sm text-muted @max-3xl:col-span-full" title={formatDateTime(created_at)}>
        {m.customers_never_here({ date: formatDate(created_at) })}
      </p>
    )
  return (
    <time
      dateTime={last_login_at}
      title={formatDateTime(last_login_at)}
      className="text-sm text-muted @max-3xl:col-span-full"
    >
      {m.customers_signed_in({ when: relativeTime(last_login_at) })}
    </time>
  )
}

const rowClass =
  'relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-5 gap-y-1 px-4 py-3 transition-colors duration-150 hover:bg-sunken ' +
  '@3xl:grid-cols-[minmax(0,1fr)_11rem_11rem_8rem] @3xl:items-center @3xl:px-5'

const linkClass =
  'min-w-0 truncate font-medium after:absolute after:inset-0 after:-outline-offset-2 focus-visible:outline-none ' +
  'focus-visible:after:outline-2 focus-visible:after:outline-accent-text'

const MATCHED: Readonly<Record<MatchKind, () => string>> = {
  host: m.shell_server,
  invoice: m.customers_matched_invoice,
  ticket: m.customers_matched_ticket,
  transfer: m.customers_matched_transfer,
}
