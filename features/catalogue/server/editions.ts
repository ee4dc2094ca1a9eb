import { originOf } from '#foundation/server/audit/audit.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import * as licences from '#features/licences/server/licences.ts'
import * as contract from '#features/catalogue/contract.ts'
import { savedOrPresent } from './saved.ts'

/** Answers `GET /api/staff/editions/`. */
export const list = handler(contract.listEditions, async ({ app }) => {
  const items = (await licences.allEditions(app.db)).map(editionReply)
  return { status: 200, body: { items } }
})

/** Answers `POST /api/staff/editions/`. */
export const add = handler(contract.addEdition, async ({ app, actor, caller, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const edition = await transaction(app, 'system', (tx) => licences.makeEdition(tx, body, who))
  return { status: 201, body: editionReply(edition) }
})

/** Answers `PATCH /api/staff/editions/{slug}/`. */
export const change = handler(contract.changeEdition, async ({ app, actor, caller, params, body }) => {
  const who = { by: actor.user_id, origin: originOf(caller) }
  const saving = transaction(app, 'system', (tx) => licences.changeEdition(tx, params.slug, body, who))
  return savedOrPresent(saving, licences.EditionHasChanged, editionReply)
})

function editionReply(row: licences.EditionRow): contract.Edition {
  const { slug, product, name, description, features, entitlements, rank, trial_days, is_active, version } =
    row
  return { slug, product, name, description, features, entitlements, rank, trial_days, is_active, version }
}
