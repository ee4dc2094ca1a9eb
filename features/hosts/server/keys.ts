import type { App } from '#foundation/server/app.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { count } from '#foundation/server/limits/limits.ts'
import { enqueueMail } from '#foundation/server/mail/outbox.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/hosts/key-contract.ts'
import * as queries from './key-queries.ts'
import { keyRenewed } from './mail-templates.ts'
import { hostOf, lockHost } from './own-host.ts'
import { publishHostChanged } from './publish.ts'
import type { HostRow } from './queries.ts'
import { randomLicenceKey } from './random-words.ts'
import { hostReplyTo } from './reply.ts'

/** Answers `POST /api/hosts/{hostId}/licence-key/` (docs/decisions/136). */
export const renewKey = handler(contract.renewLicenceKey, async ({ app, actor, params, body, caller }) => {
  return transaction(app, { userId: actor.user_id }, async (tx) => {
    const host = await lockHost(tx, actor.user_id, params.hostId)
    const { id, user_id, public_id, name } = host
    // Each renewal is an entry of the list of void documents, which all verifiers fetch.
    const { allowed, retry_after_s } = await count(app, tx, 'renew_key', public_id)
    if (!allowed) throw new HttpError(429, [{ code: 'too_many_requests' }], retry_after_s)
    if (body.at_once) await queries.dropKeys(tx, id)
    else await queries.keepKey(tx, id)
    await queries.setKey(tx, id, randomLicenceKey())
    const detail = { host_id: public_id, host: name, at_once: body.at_once }
    await recordAction(tx, { user_id, act: 'host.key_renewed', ...originOf(caller), detail })
    if (app.acting) await mailOwner(app, tx, host, app.acting.person_id, body.at_once)
    await publishHostChanged(tx, user_id, public_id)
    return { status: 200, body: hostReplyTo(app.acting)(await hostOf(tx, user_id, public_id)) } as const
  })
})

/** Mails the owner of a host that a helper has renewed its key. */
async function mailOwner(app: App, tx: Tx, host: HostRow, by: string, at_once: boolean): Promise<void> {
  const user = await findUser(tx, host.user_id)
  if (!user?.is_active) return
  const { name } = (await displayNames(app, tx, [by])).of(by)
  const values = { name, host: host.name, host_id: host.public_id, at_once }
  const { id: user_id, email: to, locale } = user
  await enqueueMail(app, tx, { user_id, to, locale, template: keyRenewed, values })
}

/** Ends the keys that were renewed a day ago. They answer no more from that second on; this brings it into the list of void documents. */
export const endFormerKeys = (app: App): Promise<void> => transaction(app, 'system', queries.endKeys)
