import { paths } from '#features/paths.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import type { Host } from '#features/hosts/contract.ts'
import { listTickets } from '#features/support/tickets/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { ButtonLink, TextLink } from '#foundation/web/navigation.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { TicketList } from './ticket-list.tsx'

/** The latest tickets about a server, open or closed, and a button for a new one. */
export function HostTickets({ host }: { host: Host }) {
  return (
    <Card
      title={m.tickets_of_host()}
      actions={
        <ButtonLink to={paths.tickets({ tab: 'open', new: '', host: host.id })}>
          <Plus size={15} aria-hidden="true" />
          {m.tickets_about_host()}
        </ButtonLink>
      }
    >
      <Tickets host_id={host.id} />
    </Card>
  )
}

const MOST = 5

function Tickets({ host_id }: { host_id: string }) {
  const list = useQuery(queryFor(listTickets, { query: { host_id, limit: String(MOST) } }))
  return (
    <LoadedList query={list} failed={m.tickets_fetch_failed()} waiting="h-16" none={m.tickets_of_host_none()}>
      {(tickets) => (
        <div className="flex flex-col gap-3">
          <TicketList tickets={tickets} label={m.tickets_of_host()} isOfHost />
          {list.data?.next_cursor ? (
            <p className="text-sm">
              <TextLink to={paths.tickets()}>{m.tickets_all()}</TextLink>
            </p>
          ) : null}
        </div>
      )}
    </LoadedList>
  )
}
