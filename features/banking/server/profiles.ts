import * as contract from '#features/banking/contract.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lockByName, transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { allProfiles, putProfile } from './queries.ts'

/** Answers `GET /api/staff/bank-profiles/`. */
export const listProfiles = handler(contract.listBankProfiles, async ({ app }) => {
  const profiles = await allProfiles(app.db)
  return { status: 200, body: { items: profiles } }
})

/** Answers `POST /api/staff/bank-profiles/`. */
export const addProfile = handler(contract.addBankProfile, ({ app, actor, caller, body }) => {
  const { name, form } = body
  return transaction(app, 'system', async (tx) => {
    // Requests take turns: without this lock the second of two with the same name would fail, since names are unique.
    await lockByName(tx, 'bank_profiles')
    const { id } = await putProfile(tx, { name, form, made_by: actor.user_id })
    const detail = { by: actor.user_id, profile_id: id, name }
    await recordAction(tx, { user_id: null, act: 'bank.profile_saved', ...originOf(caller), detail })
    return { status: 201, body: { id, name, form } } as const
  })
})
