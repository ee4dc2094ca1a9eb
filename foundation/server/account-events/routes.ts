import { mayActAs } from '#foundation/capability.ts'
import { listEvents } from './contract.ts'
import type { AnyPublished } from '#foundation/published.ts'
import type { Acting } from '#foundation/server/acting.ts'
import type { App } from '#foundation/server/app.ts'
import { badRequest, HttpError } from '#foundation/server/http/http-error.ts'
import { handler, type Handler } from '#foundation/server/http/handler.ts'
import { envelopeOf, eventsAfter, type AccountEventRow } from './account-events.ts'
import { hostsOpened } from './queries.ts'
import { becomeReader } from './reading.ts'

/**
 * Answers `GET /api/events/history/`. Reading makes the account a reader. A helper gets the kinds of the role, about the servers of the
 * grant; one with some servers gets nothing that is about none.
 */
const list = handler(listEvents, async ({ app, actor: { user_id }, query }) => {
  const { after, type, limit } = query
  const { acting } = app
  const types = typesOf(app, type, acting)
  const hosts = acting && !acting.all_hosts ? await hostsOpened(app.db, acting.grant_id) : undefined
  await becomeReader(app, user_id)
  const found = await eventsAfter(app.db, user_id, after, { types, hosts, limit })
  const { begins, newest, isComplete, hasMore, seq } = found
  if (!isComplete) throw new HttpError(410, [{ code: 'events_gone', param: 'after' }], undefined, { begins })
  const items = found.events.flatMap((event) => reducedFor(app, event, acting)).map(envelopeOf)
  return { status: 200, body: { items, next_after: seq, has_more: hasMore, begins, newest } }
})

/** The kinds that a reader asks for and may read; undefined for all. Throws 400 for a kind that does not exist. */
function typesOf({ published }: App, asked: string | undefined, acting: Acting | undefined) {
  if (asked === undefined && !acting) return undefined
  const wanted = asked?.split(',')
  const unknown = wanted?.find((name) => !published.some((kind) => isNamed(kind, name)))
  if (unknown !== undefined) throw badRequest('unknown_event_type', 'type')
  return published
    .filter((kind) => !wanted || wanted.some((name) => isNamed(kind, name)))
    .filter(({ opens }) => !acting || mayActAs(acting.role, opens))
    .map(({ type }) => type)
}

const isNamed = ({ type }: AnyPublished, name: string): boolean =>
  type === name || (name.endsWith('.*') && type.startsWith(name.slice(0, -1)))

function reducedFor(
  { published }: App,
  event: AccountEventRow,
  acting: Acting | undefined,
): AccountEventRow[] {
  if (!acting) return [event]
  const kind = published.find(({ type }) => type === event.type)
  if (!kind?.reduced) return [event]
  const data = kind.reduced(event.data, acting.role)
  return data ? [{ ...event, data }] : []
}

export const routes: readonly Handler[] = [list]
