import { envelopeOf, type AccountEventRow } from '#foundation/server/account-events/account-events.ts'
import { OPERATOR_LANES } from '#features/webhooks/rules.ts'
import type { EndpointRow } from './queries.ts'
import type { Message } from './send.ts'

/** The kinds and servers that an endpoint gets; undefined for all. */
export const filterOf = ({ types, host_ids }: Pick<EndpointRow, 'types' | 'host_ids'>) => ({
  types: types.length > 0 ? types : undefined,
  hosts: host_ids.length > 0 ? host_ids : undefined,
})

/** True for an event that the endpoint gets by what is set for it now. */
export function isWanted(
  endpoint: Pick<EndpointRow, 'types' | 'host_ids'>,
  { type, host_id }: Pick<AccountEventRow, 'type' | 'host_id'>,
): boolean {
  const { types, hosts } = filterOf(endpoint)
  return (
    (types?.includes(type) ?? true) && (hosts === undefined || (host_id !== null && hosts.includes(host_id)))
  )
}

/** The message of an event: the same bytes each time. */
export function messageOf(event: AccountEventRow): Message {
  const envelope = envelopeOf(event)
  return { id: envelope.id, seq: event.seq, type: event.type, body: JSON.stringify(envelope) }
}

/** The lane of an event: all events of a customer go by one, so that they come in order. */
export function laneOf(
  { user_id }: Pick<EndpointRow, 'user_id'>,
  { customer_id }: Pick<AccountEventRow, 'customer_id'>,
): number {
  if (user_id !== null || customer_id === null) return 0
  return Number.parseInt(customer_id.slice(-4), 16) % OPERATOR_LANES
}
