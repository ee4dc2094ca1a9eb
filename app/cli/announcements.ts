import { announcementsBefore, publish } from '#features/announcements/server/announcements.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

const MOST = 100

/** `announcement list`: the newest 100 at most. */
export async function listAnnouncements(surroundings: CommandEnvironment): Promise<Answer> {
  return await withApp(surroundings, async (app) => {
    const rows = await announcementsBefore(app.db, { before: undefined, limit: MOST })
    const announcements = rows.map(({ id, kind, status, revision, title, starts_at, ends_at, mail }) => ({
      id,
      kind,
      status,
      revision,
      title: title.en,
      starts_at: starts_at?.toISOString() ?? null,
      ends_at: ends_at?.toISOString() ?? null,
      mail,
    }))
    const lines = announcements.map(
      ({ id, kind, status, title, starts_at }) => `${id}  ${kind}  ${status}  ${starts_at ?? '-'}  ${title}`,
    )
    return { lines: lines.length > 0 ? lines : ['There is none.'], data: { announcements } }
  })
}

/**
 * `announcement publish ID`. No second person is asked, because a user of the shell can write to the database anyway. Throws
 * NotFound, and Refused with what the announcement lacks.
 */
export async function publishBy(surroundings: CommandEnvironment, id: string): Promise<Answer> {
  return await withApp(surroundings, async (app) => {
    if (!isUuid(id.toLowerCase())) throw unknown(id)
    const { title, revision } = await transaction(app, 'system', (tx) =>
      publish(app, tx, { announcement_id: id }, { by: 'command line' }),
    ).catch((error: unknown) => {
      throw error instanceof HttpError ? refusalOf(error, id) : error
    })
    return { lines: [`'${title.en}' is published, revision ${revision}.`], data: { id, revision } }
  })
}

const unknown = (id: string) => new NotFound(`There is no announcement '${id}'. Run: announcement list`)

function refusalOf({ status, errors }: HttpError, id: string): Error {
  if (status === 404) return unknown(id)
  const reasons = errors.map(({ code, param }) => (param === undefined ? code : `${param}: ${code}`))
  return new Refused(`It cannot be published: ${reasons.join(', ')}.`)
}
