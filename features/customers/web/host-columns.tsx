import Ellipsis from 'lucide-react/icons/ellipsis'
import type { StaffHost } from '#features/customers/host-contract.ts'
import type { HostSort } from '#features/customers/rules.ts'
import { addressText } from '#features/hosts/rules.ts'
import {
  ConnectionStatus,
  connectionTexts,
  licenceEnd,
  licenceTexts,
  Suspended,
} from '#features/hosts/web/hosts.ts'
import { paths } from '#features/paths.ts'
import { inLanguage, type Locale } from '#foundation/locale.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'

type Act = ((row: StaffHost) => void) | undefined
type HostColumn = Column<StaffHost, HostSort>

/** The columns of the list of all servers; an act that this member may not do is undefined. */
export const hostColumns = (locale: Locale, acts: { onHelp: Act; onSuspend: Act }): HostColumn[] => [
  {
    name: 'name',
    head: m.shell_server(),
    isText: true,
    value: ({ host }) => host.name,
    cell: ({ host, customer }) => (
      <RowLink to={paths.customer(customer.id, { tab: 'hosts' })} text={host.name} />
    ),
  },
  {
    name: 'customer',
    head: m.customers_customer(),
    isText: true,
    value: ({ customer }) => customer.name,
    cell: ({ customer }) => (
      <TextLink to={paths.customer(customer.id)}>
        <bdi>{customer.name}</bdi>
      </TextLink>
    ),
  },
  {
    name: 'address',
    head: m.customers_servers_address(),
    value: ({ host }) => addressText(host) || m.customers_no_ipv4(),
    cell: ({ host, wrong_address }) => (
      <>
        {addressText(host) ? (
          <span className="font-mono">{addressText(host)}</span>
        ) : (
          <span>{m.customers_no_ipv4()}</span>
        )}
        {wrong_address ? (
          <span
            title={m.customers_servers_wrong_address({ address: wrong_address })}
            className="block font-mono text-warning-text"
          >{`→ ${wrong_address}`}</span>
        ) : null}
      </>
    ),
  },
  {
    name: 'plan',
    head: m.customers_servers_plan(),
    isText: true,
    isSpare: true,
    value: ({ plan }) => plan && inLanguage(plan, locale),
  },
  {
    name: 'licence',
    head: m.hosts_licence(),
    isText: true,
    sort: { ascending: 'ends_first', descending: 'ends_last' },
    value: ({ host }) => host.paid_until ?? licenceEnd(host),
    cell: ({ host }) => (host.suspended ? <Suspended /> : licenceEnd(host)),
  },
  {
    name: 'agent',
    head: m.hosts_connection(),
    isSpare: true,
    value: ({ host }) => connectionTexts[host.connected ? 'yes' : 'no'](),
    cell: ({ host }) => <ConnectionStatus host={host} isShort />,
  },
  {
    name: 'since',
    head: m.customers_servers_since(),
    isSpare: 'first',
    isNamed: true,
    sort: { descending: 'newest', ascending: 'oldest' },
    value: ({ host }) => host.created_at,
    cell: ({ host }) => formatDate(host.created_at),
  },
  {
    name: 'state',
    head: m.invoices_status(),
    isFileOnly: true,
    value: ({ host }) => (host.suspended ? m.hosts_suspended() : licenceTexts[host.licence]()),
  },
  {
    name: 'wrong_address',
    head: m.customers_servers_wrong_machine(),
    isFileOnly: true,
    value: (row) => row.wrong_address,
  },
  ...(acts.onHelp || acts.onSuspend ? [actsColumn(acts)] : []),
]

const actsColumn = ({ onHelp, onSuspend }: { onHelp: Act; onSuspend: Act }): HostColumn => ({
  name: 'acts',
  head: m.ui_table_acts(),
  cell: (row) => (
    <Menu
      label={m.customers_servers_acts({ name: row.host.name })}
      trigger={<Ellipsis size={18} aria-hidden="true" />}
      triggerClass={iconButtonClass}
      align="end"
    >
      {onHelp ? <MenuItem onSelect={() => onHelp(row)}>{m.customers_help_host()}</MenuItem> : null}
      {onSuspend ? (
        <MenuItem onSelect={() => onSuspend(row)}>
          {row.host.suspended ? m.customers_resume_host() : m.customers_suspend_host()}
        </MenuItem>
      ) : null}
    </Menu>
  ),
})
