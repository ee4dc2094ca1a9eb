import * as contract from '#features/help/section-contract.ts'
import { languageOf, MOST_SECTIONS } from '#features/help/rules.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { isLocale } from '#foundation/server/http/preferred-locale.ts'
import { withIdempotencyKey } from '#foundation/server/idempotency/with-idempotency-key.ts'
import { changedTo } from '#foundation/versions.ts'
import * as queries from './section-queries.ts'
import type { SectionRow } from './section-queries.ts'
import { inEach } from './words.ts'

/** Answers `POST /api/staff/help/sections/`. */
export const createHelpSection = handler(contract.createHelpSection, (call) => {
  const { body } = call
  const work = async (tx: Tx) =>
    ({
      status: 201,
      body: toSection(await addSection(tx, { ...body, title: inEach(NONE, body.title) })),
    }) as const
  return withIdempotencyKey(contract.createHelpSection, call, work, 'system')
})

const NONE = { en: '', de: '', ru: '' }

/** Adds a section. Throws 409 `help_address_taken` and `help_full`. */
export async function addSection(
  tx: Tx,
  given: Pick<SectionRow, 'slug' | 'rank' | 'title'>,
): Promise<SectionRow> {
  await lockByName(tx, 'help')
  const known = await queries.sections(tx)
  if (known.length >= MOST_SECTIONS) throw new HttpError(409, [{ code: 'help_full' }])
  judge(given.slug, known, undefined)
  return queries.insertSection(tx, given)
}

/** An address is taken by another section, or by the pages in a language. */
function judge(slug: string, known: readonly SectionRow[], id: string | undefined): void {
  if (isLocale(slug) || known.some((other) => other.slug === slug && other.id !== id))
    throw new HttpError(409, [{ code: 'help_address_taken', param: 'slug' }])
}

/** Answers `PATCH /api/staff/help/sections/{sectionId}/`. */
export const updateHelpSection = handler(contract.updateHelpSection, ({ app, params, body }) =>
  transaction(app, 'system', async (tx) => {
    await lockByName(tx, 'help')
    const row = await queries.lockSection(tx, params.sectionId)
    if (!row) throw notFound()
    if (row.version !== body.version) return changedTo(toSection(row))
    const slug = body.slug ?? row.slug
    judge(slug, await queries.sections(tx), row.id)
    const title = inEach(row.title, body.title)
    const saved = await queries.updateSection(tx, { ...row, slug, rank: body.rank ?? row.rank, title })
    return { status: 200, body: toSection(saved) } as const
  }),
)

/** Answers `DELETE /api/staff/help/sections/{sectionId}/`. */
export const deleteHelpSection = handler(contract.deleteHelpSection, ({ app, actor, caller, params }) =>
  transaction(app, 'system', async (tx) => {
    const row = await queries.lockSection(tx, params.sectionId)
    if (!row) throw notFound()
    if (!(await queries.deleteSection(tx, params.sectionId)))
      throw new HttpError(409, [{ code: 'help_section_in_use' }])
    const title = row.title[languageOf(row.title, 'en')] || row.slug
    const detail = { by: actor.user_id, section_id: row.id, title }
    await recordAction(tx, { user_id: null, act: 'help.section_deleted', ...originOf(caller), detail })
    return { status: 204 } as const
  }),
)

export const toSection = ({ id, slug, rank, title, version }: SectionRow): contract.HelpSection => ({
  id,
  slug,
  rank,
  title,
  version,
})
