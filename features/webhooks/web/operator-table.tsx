import { useQuery } from '@tanstack/react-query'
import { paths } from '#features/paths.ts'
import type { Endpoint } from '#features/webhooks/contract.ts'
import { listOperatorEndpoints } from '#features/webhooks/staff-contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { relativeTime } from '#foundation/web/i18n/format.ts'
import { DataTable, RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { m } from '#texts/messages.js'
import { titleOf, typesText } from './endpoint-text.ts'
import { StateBadge, stateText } from './state.tsx'

/** The endpoints of the operator, for staff, each leading to its page. */
export function OperatorTable() {
  const query = useQuery(queryFor(listOperatorEndpoints))
  const readPages = async () => ({ pages: [{ items: query.data?.items ?? [], next_cursor: null }] })
  return (
    <DataTable
      name="webhooks"
      label={m.webhooks_title()}
      list={{ query, readPages }}
      failed={m.webhooks_failed()}
      none={m.webhooks_none()}
      idOf={({ id }) => id}
      columns={operatorColumns()}
    />
  )
}

/** The kinds in few words, as a line of the table has little room. */
const eventsOf = (endpoint: Endpoint): string =>
  endpoint.types.length === 0 ? m.webhooks_every_type() : typesText(endpoint)

export const operatorColumns = (): readonly Column<Endpoint>[] => [
  {
    name: 'webhook',
    head: m.webhooks_webhook(),
    value: titleOf,
    cell: (endpoint) => <RowLink to={paths.operatorWebhook(endpoint.id)} text={titleOf(endpoint)} />,
    isText: true,
  },
  {
    name: 'state',
    head: m.webhooks_state(),
    value: stateText,
    cell: (endpoint) => <StateBadge endpoint={endpoint} />,
  },
  { name: 'url', head: m.webhooks_url(), value: ({ url }) => url, isText: true, isSpare: true },
  { name: 'types', head: m.webhooks_types(), value: eventsOf, isSpare: true },
  {
    name: 'last_ok',
    head: m.webhooks_last_success(),
    value: ({ last_ok_at }) => last_ok_at ?? m.webhooks_never_ok(),
    cell: ({ last_ok_at }) => (last_ok_at === null ? m.webhooks_never_ok() : relativeTime(last_ok_at)),
    isNamed: true,
  },
  {
    name: 'succeeded',
    head: m.webhooks_succeeded(),
    value: ({ recent: { succeeded, failed } }) =>
      succeeded + failed === 0 ? '' : m.webhooks_succeeded_of({ succeeded, all: succeeded + failed }),
    isNamed: true,
  },
  {
    name: 'waiting',
    head: m.webhooks_waiting_head(),
    value: ({ waiting }) => waiting,
    align: 'right',
    isNamed: true,
  },
]
