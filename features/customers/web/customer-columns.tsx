import { paths } from '#features/paths.ts'
import type { CustomerRow } from '#features/customers/contract.ts'
import type { MatchKind, Sort } from '#features/customers/rules.ts'
import { formatDate, formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { addressTexts } from '#features/profile/texts.ts'
import { m } from '#texts/messages.js'
import { levelTexts } from './access-texts.ts'
import type { CustomerFilter } from './filter.ts'

type CustomerColumn = Column<CustomerRow, Sort>

/** The columns of the list of customers. The largest debt comes first among debts. */
export const customerColumns = ({ debt }: CustomerFilter): CustomerColumn[] => [
  {
    name: 'name',
    head: m.customers_customer(),
    isText: true,
    value: nameOf,
    cell: (customer) => <Name customer={customer} />,
  },
  {
    name: 'email',
    head: m.customers_email(),
    isText: true,
    isSpare: true,
    value: ({ email }) => email,
    cell: found,
  },
  {
    name: 'hosts',
    isNamed: true,
    head: m.shell_servers(),
    value: ({ hosts }) => hosts,
    cell: ({ hosts }) => counted(hosts),
  },
  {
    name: 'tickets',
    isNamed: true,
    head: m.customers_open(),
    value: (row) => row.open_tickets,
    cell: (row) => counted(row.open_tickets),
  },
  {
    name: 'since',
    isNamed: true,
    head: m.customers_since(),
    isSpare: true,
    sort: { descending: 'created_at', ascending: 'created_at_asc' },
    value: (row) => row.created_at,
    cell: (row) => formatDate(row.created_at),
  },
  {
    name: 'login',
    isNamed: true,
    head: m.customers_last_login(),
    sort: { descending: 'last_login_at', ascending: 'last_login_at_asc' },
    value: (row) => row.last_login_at ?? m.customers_never(),
    cell: ({ last_login_at: at }) =>
      at === null ? (
        m.customers_never()
      ) : (
        <time dateTime={at} title={formatDateTime(at)}>
          {relativeTime(at)}
        </time>
      ),
  },
  ...(debt ? debtColumns() : []),
  {
    name: 'balance',
    head: m.customers_balance(),
    align: 'right',
    sort: debt
      ? { ascending: 'balance_asc', descending: 'balance' }
      : { descending: 'balance', ascending: 'balance_asc' },
    value: ({ balance }) => balance,
  },
  {
    name: 'state',
    head: m.invoices_status(),
    isFileOnly: true,
    value: ({ state }) => (state === 'active' ? null : stateText(state)),
  },
  {
    name: 'staff',
    head: m.customers_staff(),
    isFileOnly: true,
    value: ({ is_staff }) => (is_staff ? m.customers_staff() : null),
  },
  { name: 'company', head: m.profile_company(), isFileOnly: true, value: ({ company }) => company },
]

const stateText = (state: Exclude<CustomerRow['state'], 'active'>): string =>
  state === 'unconfirmed' ? addressTexts.unconfirmed() : levelTexts[state]()

const debtColumns = (): CustomerColumn[] => [
  {
    name: 'owes_since',
    isNamed: true,
    head: m.customers_owes_since(),
    value: ({ owes }) => owes?.since ?? null,
    cell: ({ owes }) => (owes ? formatDate(owes.since) : null),
  },
  {
    name: 'owes_days',
    isNamed: true,
    head: m.customers_owes_days(),
    align: 'right',
    value: ({ owes }) => owes?.days ?? null,
    cell: ({ owes }) => (owes ? String(owes.days) : null),
  },
]

const nameOf = ({ name, email }: CustomerRow): string => name || email

function Name({ customer }: { customer: CustomerRow }) {
  const { id, company, state, is_staff } = customer
  return (
    <>
      <span data-cut title={company || undefined}>
        <RowLink to={paths.customer(id)} text={nameOf(customer)} />{' '}
        {company ? <bdi className="font-normal text-muted">{company}</bdi> : null}
      </span>
      {state === 'active' ? null : (
        <Badge tone={state === 'unconfirmed' ? 'warning' : 'danger'}>{stateText(state)}</Badge>
      )}
      {is_staff ? <Badge tone="accent">{m.customers_staff()}</Badge> : null}
    </>
  )
}

/** The thing by which the search found the customer, else the address. */
const found = ({ matched, name, email }: CustomerRow) =>
  matched ? `${MATCHED[matched.kind]()}: ${matched.text}` : name ? email : null

const counted = (count: number) => (count > 0 ? String(count) : null)

const MATCHED: Readonly<Record<MatchKind, () => string>> = {
  host: m.shell_server,
  invoice: m.customers_matched_invoice,
  ticket: m.customers_matched_ticket,
  transfer: m.customers_matched_transfer,
  iban: m.customers_matched_iban,
  vat_id: m.customers_matched_vat_id,
  street: m.customers_matched_street,
}
