import {
  announcementsBefore,
  newsReadersFile,
  publish,
  readersOf,
  write,
} from '#features/announcements/server/announcements.ts'
import { downloadNewsReaders, newAnnouncement } from '#features/announcements/contract.ts'
import { inAny } from '#features/announcements/rules.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import { isUuid } from '#foundation/uuid.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { readJson } from './json-file.ts'
import { inNewFile } from './new-file.ts'
import type { Options } from './options.ts'
import { linesOf, MOST, pageBy, rowsOf } from './pages.ts'
import { withApp } from './with-app.ts'

type Place = readonly [at: string, id: string]

/** `announcement list`: the newest 100, or all. */
export async function listAnnouncements(surroundings: CommandEnvironment, options: Options): Promise<Answer> {
  return await withApp(surroundings, async (app) => {
    const { rows, has_more } = await rowsOf(options, async (before: Place | undefined) =>
      pageBy(await announcementsBefore(app.db, { before, limit: MOST + 1 }), ({ created_at, id }): Place => [
        created_at.toISOString(),
        id,
      ]),
    )
    const announcements = rows.map(({ id, kind, status, revision, title, starts_at, ends_at, mail }) => ({
      id,
      kind,
      status,
      revision,
      title: inAny(title).en,
      starts_at: starts_at?.toISOString() ?? null,
      ends_at: ends_at?.toISOString() ?? null,
      mail,
    }))
    const lines = announcements.map(
      ({ id, kind, status, title, starts_at }) => `${id}  ${kind}  ${status}  ${starts_at ?? '-'}  ${title}`,
    )
    return { lines: linesOf(lines, 'There is none.', has_more), data: { announcements, has_more } }
  })
}

/** `announcement write FILE`: nobody reads it before it is published. Throws WrongUse. */
export async function writeFrom(surroundings: CommandEnvironment, file: string): Promise<Answer> {
  const content = await readJson(file, newAnnouncement, 'announcement')
  return await withApp(surroundings, async (app) => {
    const row = await transaction(app, 'system', (tx) => write(tx, content, null)).catch((error: unknown) => {
      throw error instanceof HttpError ? new WrongUse(`'${file}' ${faultOf(error)}`) : error
    })
    const { customers, mails } = await readersOf(app, app.db, row)
    const reach = `It would reach ${customers} customers, ${row.mail ? mails : 0} by mail.`
    return { lines: [reach, `Run: announcement publish ${row.id}`], data: { id: row.id, customers, mails } }
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
    return { lines: [`'${inAny(title).en}' is published, revision ${revision}.`], data: { id, revision } }
  })
}

/** `announcement news-readers FILE`. Only the user who runs the command can read the file. An existing file is not overwritten. Throws WrongUse. */
export async function exportNewsReaders(
  surroundings: CommandEnvironment,
  file: string,
  { language }: Options,
): Promise<Answer> {
  const query = downloadNewsReaders.query.safeParse({ language })
  if (!query.success) throw new WrongUse('--language is en, de or ru.')
  return await withApp(surroundings, (app) =>
    inNewFile(file, async (target) => {
      const made = await newsReadersFile(app, query.data.language, { by: 'command line' })
      await target.writeFile(made.file)
      return {
        lines: [`Wrote ${made.customers} customers who asked for news to ${file}.`],
        data: { file, customers: made.customers },
      }
    }),
  )
}

const faultOf = ({ errors }: HttpError): string =>
  errors.some(({ code }) => code === 'iban_in_filter')
    ? 'has a search in "scope" that may be the end of an IBAN, by which no letter finds customers. Write a ticket as #1234.'
    : 'needs readers of one kind in "scope".'

const unknown = (id: string) => new NotFound(`There is no announcement '${id}'. Run: announcement list`)

function refusalOf({ status, errors }: HttpError, id: string): Error {
  if (status === 404) return unknown(id)
  const reasons = errors.map(({ code, param }) => (param === undefined ? code : `${param}: ${code}`))
  return new Refused(`It cannot be published: ${reasons.join(', ')}.`)
}
