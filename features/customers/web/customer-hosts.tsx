import type { CustomerCard } from '#features/support/desk/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { StatusDot } from '#foundation/web/ui/badge.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useCustomerHosts } from './hooks.ts'
import { Pages } from '#foundation/web/ui/pages.tsx'

/** All servers of a customer, the newest first. */
export function CustomerHosts({ card }: { card: CustomerCard }) {
  const pages = useCustomerHosts(card.id)
  return (
    <Pages pages={pages} failed={m.customers_hosts_failed()} none={m.customers_no_hosts()}>
      {(hosts) => <HostLines hosts={hosts} />}
    </Pages>
  )
}

type HostLine = CustomerCard['hosts']['items'][number]

export function HostLines({ hosts }: { hosts: readonly HostLine[] }) {
  return (
    <List label={m.shell_servers()}>
      {hosts.map((host) => (
        <ListRow
          key={host.id}
          title={<bdi>{host.name}</bdi>}
          detail={
            <>
              {host.ipv4 ? <span className="font-mono">{host.ipv4}</span> : m.customers_no_ipv4()} ·{' '}
              {licenceText(host)}
            </>
          }
          actions={
            <StatusDot tone={host.connected ? 'success' : 'neutral'}>
              {host.connected ? m.customers_connected() : m.customers_not_connected()}
            </StatusDot>
          }
        />
      ))}
    </List>
  )
}

function licenceText({ licence, paid_until }: HostLine): string {
  if (licence === 'free' || paid_until === null) return m.customers_licence_free()
  const date = formatDate(paid_until)
  return licence === 'active' ? m.customers_licence_active({ date }) : m.customers_licence_expired({ date })
}
