import { paths } from '#features/paths.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import type { Host } from '#features/hosts/contract.ts'
import { listTickets } from '#features/support/tickets/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { ButtonLink, TextLink } from '#foundation/web/navigation.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { TicketList } from './ticket-list.tsx'

/** The latest tickets about a server, open or closed, and a button for a new one. */
export function HostTickets({ host }: { host: Host }) {
  return (
    <Card
      title={m.tickets_of_host()}
      actions={
        <ButtonLink to={paths.tickets({ tab: 'open', new: '', host: host.id })} size="small">
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
  const query = { host_id, limit: String(MOST) }
  const { data, error, refetch } = useQuery(queryFor(listTickets, { query }))
  if (data?.items.length === 0) return <p className="text-sm text-muted">{m.tickets_of_host_none()}</p>
  if (data)
    return (
      <div className="flex flex-col gap-3">
        <TicketList tickets={data.items} label={m.tickets_of_host()} isOfHost />
        {data.next_cursor === null ? null : (
          <p className="text-sm">
            <TextLink to={paths.tickets()}>{m.tickets_all()}</TextLink>
          </p>
        )}
      </div>
    )
  if (error)
    return <ErrorState title={m.tickets_fetch_failed()} error={error} onRetry={() => void refetch()} />
  return (
    <Loading>
      <Skeleton className="h-16 rounded-lg" />
    </Loading>
  )
}
