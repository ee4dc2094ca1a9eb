import { randomUUID } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { seal, sealAnew, unseal } from '#foundation/server/keys.ts'
import type { MessageRow } from './message-queries.ts'
import type { TicketRow } from './queries.ts'
import * as queries from './secret-queries.ts'

/** Secrets of messages (docs/decisions/217): sealed from the first moment on, and never in a text that is searched, mailed or exported. */

/** Seals a secret for a message that is about to be written, and returns its id. */
export async function keepSecret(
  { keys }: Pick<App, 'keys'>,
  tx: Tx,
  { id: ticket_id, user_id }: Pick<TicketRow, 'id' | 'user_id'>,
  { text, by_staff }: { text: string; by_staff: boolean },
): Promise<string> {
  const id = randomUUID()
  await queries.insertSecret(tx, {
    id,
    ticket_id,
    user_id,
    by_staff,
    sealed: seal(keys, text, contextOf(id)),
  })
  return id
}

const contextOf = (id: string) => `ticket secret ${id}`

/**
 * Returns the secret of a message, which is wiped in the same transaction: of two who open it at once, one gets it. Throws 404 for a message
 * without one, 409 `own_secret` for the side that wrote it, and 409 `secret_gone` if it was opened or wiped.
 */
export async function takeSecret(
  { keys }: Pick<App, 'keys'>,
  tx: Tx,
  { secret_id, by_staff }: MessageRow,
  reader: { person_id: string; is_staff: boolean },
): Promise<string> {
  if (secret_id === null) throw notFound()
  if (by_staff === reader.is_staff) throw new HttpError(409, [{ code: 'own_secret' }])
  const held = await queries.lockSecret(tx, secret_id)
  if (!held) throw new HttpError(409, [{ code: 'secret_gone' }])
  await queries.noteOpened(tx, secret_id, reader.person_id)
  return unseal(keys, held.sealed, contextOf(secret_id))
}

export const secretJobs: readonly Job[] = [
  cronJob(jobKind('wipe_ticket_secrets', 'rest'), 3600, (app) =>
    transaction(app, 'system', queries.wipeExpired),
  ),
]

/** Secrets that wait are sealed anew when the key changes. */
export const sealed: Sealed = {
  what: 'secrets in tickets',
  async reseal(app, tx, limit) {
    const found = await queries.secretsOfOtherKeys(tx, app.keys.boxId, limit)
    for (const { id, sealed: text } of found)
      await queries.setSealed(tx, id, sealAnew(app.keys, text, contextOf(id)))
    return found.length
  },
}
