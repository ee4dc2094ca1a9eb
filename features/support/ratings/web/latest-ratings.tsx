import { useQuery } from '@tanstack/react-query'
import { paths } from '#features/paths.ts'
import { listRatings, type Rating } from '#features/support/ratings/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { FaceMark } from './faces.tsx'

/** The latest ratings of all customers, with their words. */
export function LatestRatings() {
  const query = useQuery(queryFor(listRatings, { query: {} }))
  return (
    <Card title={m.ratings_latest()}>
      <Loaded query={query} failed={m.ratings_list_failed()} waiting={<Skeleton className="h-40" />}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-muted">{m.ratings_none()}</p>
          ) : (
            <Ratings items={items} />
          )
        }
      </Loaded>
    </Card>
  )
}

/** The ratings of one customer, on their card; nothing without any. */
export function RatingsOfCustomer({ customer }: { customer: string }) {
  const { data } = useQuery(queryFor(listRatings, { query: { customer, limit: '3' } }))
  if (!data || data.items.length === 0) return null
  return (
    <section aria-label={m.ratings_ratings()}>
      <h3 className="mb-2 text-sm font-semibold">{m.ratings_ratings()}</h3>
      <Ratings items={data.items} />
    </section>
  )
}

function Ratings({ items }: { items: readonly Rating[] }) {
  return (
    <ul className="flex flex-col gap-3 text-sm">
      {items.map(({ face, word, rated_at, ticket, customer }) => (
        <li key={ticket.id} className="flex flex-col gap-0.5">
          <p className="flex flex-wrap items-center gap-x-3">
            <FaceMark face={face} />
            <TextLink to={paths.deskTicket(ticket.id)}>
              #{ticket.number} <bdi>{ticket.subject}</bdi>
            </TextLink>
          </p>
          {word ? (
            <p dir="auto" className="text-left [overflow-wrap:anywhere] whitespace-pre-wrap">
              {word}
            </p>
          ) : null}
          <p className="text-xs text-muted">
            <bdi>{customer.name}</bdi> · {formatDateTime(rated_at)}
          </p>
        </li>
      ))}
    </ul>
  )
}
