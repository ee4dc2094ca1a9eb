import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import type { Caller } from '#foundation/server/http/caller.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { mailTo } from '#foundation/server/mail/outbox.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/hosts/key-contract.ts'
import * as queries from './key-queries.ts'
import { keyRenewed } from './mails.ts'
import { hostOf, lockHost } from './own-host.ts'
import { publishHostChanged } from './publish.ts'
import { lockHostsById, ownHosts, type HostRow } from './queries.ts'
import { randomLicenceKey } from './random-words.ts'
import { hostReplyTo } from './reply.ts'

/** Answers `POST /api/hosts/{hostId}/licence-key/` (docs/decisions/136). */
export const renewKey = handler(contract.renewLicenceKey, async ({ app, actor, params, body, caller }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    const { licence_key, retry_after_s } = await renew(app, tx, host, body.at_once, caller)
    if (licence_key === null) throw new HttpError(429, [{ code: 'too_many_requests' }], retry_after_s)
    const { user_id, public_id } = host
    return { status: 200, body: hostReplyTo(app.acting)(await hostOf(tx, user_id, public_id)) } as const
  })
})

/** Answers `POST /api/hosts/licence-keys/`. The hosts are locked by row id (rule 9); one whose key was renewed too often holds up no other. */
export const renewKeys = handler(contract.renewLicenceKeys, async ({ app, actor, body, caller }) => {
  const { host_ids, at_once } = body
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const rows = await ownHosts(tx, actor.user_id, host_ids)
    const hosts = await lockHostsById(
      tx,
      rows.map(({ id }) => id),
    )
    if (hosts.length < host_ids.length || hosts.some(({ user_id }) => user_id !== actor.user_id))
      throw notFound()
    const keys = new Map<string, contract.RenewedKey>()
    for (const host of hosts.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const { public_id: host_id, name } = host
      const { licence_key } = await renew(app, tx, host, at_once, caller)
      keys.set(host_id, { host_id, name, licence_key })
    }
    return { status: 200, body: { servers: host_ids.map((id) => must(keys.get(id))) } } as const
  })
})

/** Renews the key of a locked host; `licence_key` is null where it was renewed too often. */
async function renew(app: App, tx: Tx, host: HostRow, at_once: boolean, caller: Caller) {
  const { id, user_id, public_id, name } = host
  // Each renewal is an entry of the list of void documents, which all verifiers fetch.
  const { allowed, retry_after_s } = await count(app, tx, 'renew_key', public_id)
  if (!allowed) return { licence_key: null, retry_after_s }
  if (at_once) await queries.dropKeys(tx, id)
  else await queries.keepKey(tx, id)
  const licence_key = randomLicenceKey()
  await queries.setKey(tx, id, licence_key)
  const detail = { host_id: public_id, host: name, at_once }
  await recordAction(tx, { user_id, act: 'host.key_renewed', ...originOf(caller), detail })
  if (app.acting) await mailOwner(app, tx, host, app.acting.person_id, at_once)
  await publishHostChanged(tx, user_id, public_id)
  return { licence_key, retry_after_s }
}

/** Mails the owner of a host that a helper has renewed its key. */
async function mailOwner(app: App, tx: Tx, host: HostRow, by: string, at_once: boolean): Promise<void> {
  const { name } = (await displayNames(app, tx, [by])).of(by)
  const values = { name, host: host.name, host_id: host.public_id, at_once }
  await mailTo(app, tx, host.user_id, keyRenewed, values)
}

/** Ends the keys that were renewed a day ago. They answer no more from that second on; this brings it into the list of void documents. */
export const endFormerKeys = (app: App): Promise<void> => transaction(app, 'system', queries.endKeys)
