import { paths } from '#features/paths.ts'
import type { ReactNode } from 'react'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { addressText } from '#features/hosts/rules.ts'
import { ConnectionStatus, licenceEnd, Suspended } from '#features/hosts/web/hosts.ts'
import { statusText, statusTone } from '#features/support/tickets/web/words.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { Link, TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

type HostsProps = {
  hosts: CustomerCard['hosts']
  /** The id of the server that the ticket is about; null if there is none. */
  asked: string | null
}

/** The customer's servers: the one that the ticket is about bears a mark. */
export function CardHosts({ hosts: { items, more }, asked }: HostsProps) {
  return (
    <Section title={m.desk_card_hosts()} empty={m.desk_card_no_hosts()} isEmpty={items.length === 0}>
      <ul className="flex flex-col gap-3">
        {items.map((host) => (
          <li key={host.id} className="text-sm">
            <div className="flex flex-wrap items-center justify-between gap-x-3">
              <span className="flex min-w-0 items-center gap-2 font-medium">
                <span dir="auto" className="truncate">
                  {host.name}
                </span>
                {host.suspended ? <Suspended /> : null}
                {host.id === asked ? <Badge tone="accent">{m.desk_card_this_host()}</Badge> : null}
              </span>
              <ConnectionStatus host={host} />
            </div>
            <p className="text-muted">
              {addressText(host) ? (
                <span className="font-mono">{addressText(host)}</span>
              ) : (
                <span>{m.customers_no_ipv4()}</span>
              )}{' '}
              <span>· {licenceEnd(host)}</span>
            </p>
          </li>
        ))}
      </ul>
      {more ? <p className="mt-2 text-sm text-muted">{m.desk_card_more()}</p> : null}
    </Section>
  )
}

type TicketsProps = {
  tickets: CustomerCard['tickets']
  customer_id: string
  /** The id of the ticket beside which the card is shown; the list leaves it out. */
  present: string
}

/** The customer's other tickets, and a link to all of them. */
export function CardTickets({ tickets: { items, more }, customer_id, present }: TicketsProps) {
  const others = items.filter(({ id }) => id !== present)
  return (
    <Section title={m.desk_card_tickets()} empty={m.desk_card_no_tickets()} isEmpty={others.length === 0}>
      <ul className="-mx-2 flex flex-col">
        {others.map(({ id, number, subject, status, last_message_at }) => (
          <li key={id}>
            <Link to={paths.deskTicket(id)} className="block rounded-md px-2 py-1.5 text-sm hover:bg-hover">
              <span dir="auto" className="line-clamp-2 text-left [overflow-wrap:anywhere]">
                {subject}
              </span>
              <span className="flex items-center justify-between gap-2 text-muted">
                <span>#{number}</span>
                <Badge tone={statusTone(status)} title={formatDateTime(last_message_at)}>
                  {statusText(status)}
                </Badge>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {others.length > 0 || more ? (
        <p className="mt-2 text-sm">
          <TextLink to={paths.desk({ tab: 'all', customer: customer_id })}>{m.desk_card_all()}</TextLink>
        </p>
      ) : null}
    </Section>
  )
}

type SectionProps = { title: string; empty: string; isEmpty: boolean; children: ReactNode }

const Section = ({ title, empty, isEmpty, children }: SectionProps) => (
  <section>
    <h3 className="mb-2 text-sm font-medium text-muted">{title}</h3>
    {isEmpty ? <p className="text-sm text-muted">{empty}</p> : <div className="contents">{children}</div>}
  </section>
)
