import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { ownHosts } from '#features/hosts/server/hosts.ts'
import { isOwnReceiver } from './demo-receiver.ts'
import type { Changes, Owner } from './queries.ts'

const REFUSALS = { url: 'invalid_url', https: 'https_required', address: 'address_not_allowed' } as const

/**
 * Throws 400 for a URL that nothing may be sent to, a kind that does not exist, or a server of somebody else. Servers that the endpoint has
 * already may be gone meanwhile, and stay.
 */
export async function judgeEndpoint(
  app: App,
  tx: Tx,
  owner: Owner,
  { url, types, host_ids }: Changes,
  before: readonly string[] = [],
): Promise<void> {
  const refusal = url === undefined || isOwnReceiver(app, url) ? undefined : app.config.egress.refusalOf(url)
  if (refusal) throw badRequest(REFUSALS[refusal], 'url')
  const known = new Set(typesFor(app, owner))
  if (types?.some((type) => !known.has(type))) throw badRequest('unknown_event_type', 'types')
  const wanted = new Set(host_ids?.filter((id) => !before.includes(id)))
  if (owner === null || wanted.size === 0) return
  if ((await ownHosts(tx, owner, [...wanted])).length < wanted.size)
    throw badRequest('unknown_host', 'host_ids')
}

/** The kinds of events that an owner may choose from, in the order of their names. */
export const typesFor = ({ published }: App, owner: Owner): string[] =>
  published
    .filter(({ isForOperator, type }) => (owner === null || !isForOperator) && type !== 'webhook.test')
    .map(({ type }) => type)
    .toSorted()
