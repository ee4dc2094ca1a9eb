import { useQuery } from '@tanstack/react-query'
import { paths } from '#features/paths.ts'
import { listEndpoints, type Endpoint } from '#features/webhooks/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { Link } from '#foundation/web/navigation.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { hostOf, lastOkText, rateText, titleOf } from './endpoint-text.ts'
import { StateBadge } from './state.tsx'

/** The endpoints of an account, each leading to its page. */
export function EndpointList() {
  const query = useQuery(queryFor(listEndpoints))
  return (
    <LoadedList query={query} failed={m.webhooks_failed()} waiting="h-16" none={m.webhooks_none()}>
      {(endpoints) => (
        <List label={m.webhooks_title()}>
          {endpoints.map((endpoint) => (
            <ListRow
              key={endpoint.id}
              title={
                <Link to={paths.webhook(endpoint.id)} className="text-accent-text hover:underline">
                  {titleOf(endpoint)}
                </Link>
              }
              badge={<StateBadge endpoint={endpoint} />}
              detail={factsOf(endpoint).join(' · ')}
            />
          ))}
        </List>
      )}
    </LoadedList>
  )
}

function factsOf(endpoint: Endpoint): string[] {
  const host = endpoint.description === '' ? [] : [hostOf(endpoint.url)]
  const rate = rateText(endpoint)
  const waiting = endpoint.waiting > 0 ? [m.webhooks_waiting({ count: endpoint.waiting })] : []
  return [...host, lastOkText(endpoint), ...(rate === undefined ? [] : [rate]), ...waiting]
}
