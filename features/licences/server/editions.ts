import { must } from '#foundation/must.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import * as queries from './edition-queries.ts'
import type { EditionRow } from './edition-queries.ts'

export type NewEdition = Omit<EditionRow, 'version' | 'is_active'>

/** Adds an edition; it is sold with its first plan. Throws 409 `slug_taken`. */
export async function addEdition(tx: Tx, edition: NewEdition): Promise<EditionRow> {
  if (!(await queries.insertEdition(tx, edition)))
    throw new HttpError(409, [{ code: 'slug_taken', param: 'slug' }])
  return must(await queries.editionBySlug(tx, edition.slug))
}
