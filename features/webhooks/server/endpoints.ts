import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import {
  becomeReader,
  numberAt,
  OPERATOR,
  settleReading,
} from '#foundation/server/account-events/account-events.ts'
import { recordAction, type Origin } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { assertRecent } from '#foundation/server/http/assert-recent.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import { changedTo } from '#foundation/versions.ts'
import type { Endpoint } from '#features/webhooks/contract.ts'
import { MOST_ENDPOINTS, OLD_SECRET_H, OPERATOR_LANES } from '#features/webhooks/rules.ts'
import { judgeEndpoint } from './judge-endpoint.ts'
import { publishChange } from './publish-change.ts'
import * as queries from './queries.ts'
import { endpointReplies } from './replies.ts'
import { settleAttention } from './settle-attention.ts'
import { newSecret, sealSecret, signingSecrets } from './secrets.ts'
import { urlHost } from './url-host.ts'

/**
 * The account whose endpoints a call is about, or the operator, and who acts: a person with a session, or the command line, which has neither
 * origin nor actor.
 */
export type By = { owner: queries.Owner; person: string; origin?: Origin; actor?: Actor }

const authorOf = ({ owner }: Pick<By, 'owner'>) => (owner === null ? 'system' : ({ userId: owner } as const))
const listOf = ({ owner }: Pick<By, 'owner'>): string => owner ?? OPERATOR

type Act =
  | 'webhook.made'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'webhook.secret_replaced'
  | 'webhook.replayed'

type About = Pick<queries.EndpointRow, 'id' | 'url'>

/** Writes an act into the audit. Members of staff read it, and the URL itself may hold a key of the receiver, so it names the host alone. */
async function noteAct(tx: Tx, by: By, act: Act, { id, url }: About, more: object = {}): Promise<void> {
  const { owner, person, origin } = by
  const detail = { ...(owner !== person && { by: person }), endpoint_id: id, url_host: urlHost(url), ...more }
  await recordAction(tx, { user_id: owner, act, ...origin, detail })
  await publishChange(tx, owner)
}

export async function endpointReply(db: App['db'], owner: queries.Owner, id: string): Promise<Endpoint> {
  const row = await queries.findEndpoint(db, owner, id)
  const [reply] = row ? await endpointReplies(db, owner, [row]) : []
  if (!reply) throw notFound()
  return reply
}

type New = Omit<queries.NewEndpoint, 'id' | 'user_id' | 'secret_sealed'>

/** Makes an endpoint that reads what happens from now on. */
export async function makeEndpoint(app: App, by: By, wish: New): Promise<Endpoint & { secret: string }> {
  await becomeReader(app, listOf(by))
  return transaction(app, authorOf(by), async (tx) => {
    await judgeEndpoint(app, tx, by.owner, wish)
    await lockByName(tx, `webhooks of ${listOf(by)}`)
    if ((await queries.endpointsOf(tx, by.owner)).length >= MOST_ENDPOINTS)
      throw new HttpError(409, [{ code: 'too_many_webhooks' }])
    const [id, secret] = [randomUUID(), newSecret()]
    const made = { ...wish, id, user_id: by.owner, secret_sealed: sealSecret(app, id, secret) }
    await queries.insertEndpoint(tx, made)
    const { last } = await settleReading(tx, listOf(by), async () => true)
    const lanes = by.owner === null ? OPERATOR_LANES : 1
    await queries.insertLanes(tx, { id, user_id: by.owner, lanes, seq: last })
    await noteAct(tx, by, 'webhook.made', made)
    return { ...(await endpointReply(tx, by.owner, id)), secret }
  })
}

type Changed = { status: 200; body: Endpoint } | ReturnType<typeof changedTo<Endpoint>>
type Wish = queries.Changes & { state?: 'enabled' | 'paused' | undefined; version?: number }

/** Changes, pauses or enables an endpoint; 409 with what there is now if it was edited meanwhile. */
export const changeEndpoint = (
  app: App,
  by: By,
  id: string,
  { state, version, ...changes }: Wish,
): Promise<Changed> =>
  transaction(app, authorOf(by), async (tx) => {
    const endpoint = await lock(tx, by, id)
    if (version !== undefined && version !== endpoint.version)
      return changedTo(await endpointReply(tx, by.owner, id))
    const { url = endpoint.url } = changes
    const isMoved = url !== endpoint.url
    // The attack is somebody at a screen that was left open, who leads what happens to a program of their own.
    if (isMoved && by.actor) assertRecent(app, by.actor)
    await judgeEndpoint(app, tx, by.owner, changes, endpoint.host_ids)
    await queries.changeEndpoint(tx, id, changes)
    if (isMoved) await queries.retryNow(tx, id)
    if (state === 'paused' && endpoint.state !== 'paused') await queries.pauseEndpoint(tx, id)
    if (state === 'enabled' && endpoint.state !== 'enabled') await queries.enableEndpoint(tx, id)
    if (endpoint.state === 'disabled') await settleAttention(tx, by.owner)
    await noteAct(tx, by, 'webhook.changed', { id, url }, { ...(state && { state }) })
    return { status: 200, body: await endpointReply(tx, by.owner, id) }
  })

export const deleteEndpoint = (app: App, by: By, id: string): Promise<void> =>
  transaction(app, authorOf(by), async (tx) => {
    const endpoint = await lock(tx, by, id)
    await queries.deleteEndpoint(tx, id)
    if (endpoint.state === 'disabled') await settleAttention(tx, by.owner)
    await settleReading(tx, listOf(by), () => queries.hasEndpoints(tx, by.owner))
    await noteAct(tx, by, 'webhook.deleted', endpoint)
  })

/** Gives an endpoint another secret. Both sign for a day, so that a receiver that checks by either refuses nothing. */
export const replaceSecret = (app: App, by: By, id: string): Promise<Endpoint & { secret: string }> =>
  transaction(app, authorOf(by), async (tx) => {
    const endpoint = await lock(tx, by, id)
    const secret = newSecret()
    const [present] = signingSecrets(app, endpoint, new Date())
    await queries.setSecret(
      tx,
      {
        id,
        secret_sealed: sealSecret(app, id, secret),
        old_secret_sealed: present === undefined ? null : sealSecret(app, id, present),
      },
      OLD_SECRET_H,
    )
    await noteAct(tx, by, 'webhook.secret_replaced', endpoint)
    return { ...(await endpointReply(tx, by.owner, id)), secret }
  })

/** Sets the cursor back, so that what happened since `from` is sent again, in order and with the same ids. */
export const replay = (app: App, by: By, id: string, from: Date): Promise<Endpoint> =>
  transaction(app, authorOf(by), async (tx) => {
    const endpoint = await lock(tx, by, id)
    await queries.moveBack(tx, id, await numberAt(tx, listOf(by), from))
    await noteAct(tx, by, 'webhook.replayed', endpoint, { from: from.toISOString() })
    return endpointReply(tx, by.owner, id)
  })

async function lock(tx: Tx, { owner }: By, id: string): Promise<queries.EndpointRow> {
  const endpoint = await queries.lockEndpoint(tx, owner, id)
  if (!endpoint) throw notFound()
  return endpoint
}
