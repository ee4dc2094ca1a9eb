import { hostOf, lockHost, noteKeyChecked } from '#features/hosts/server/hosts.ts'
import { displayNames } from '#features/profile/server/profile.ts'
import * as contract from '#features/sharing/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { formerHelpers } from './former-queries.ts'

/** Answers `GET /api/sharing/hosts/{hostId}/former/`: what a person has read they may have kept. */
export const listFormerHelpers = handler(
  contract.listFormerHelpers,
  async ({ app, actor: { user_id: owner_id }, params }) => {
    const host = await hostOf(app.db, owner_id, params.hostId)
    const rows = await formerHelpers(app.db, { owner_id, host_id: host.id, since: host.key_checked_at })
    const names = await displayNames(
      app,
      app.db,
      rows.map(({ grantee_id }) => grantee_id),
    )
    const items = rows.map(({ grantee_id, ended_at }) => ({
      account: must(names.of(grantee_id)),
      ended_at: ended_at.toISOString(),
    }))
    return { status: 200, body: { items } }
  },
)

/** Answers `DELETE /api/sharing/hosts/{hostId}/former/`: the owner lets the key stay, and is not asked again about these people. */
export const keepLicenceKey = handler(
  contract.keepLicenceKey,
  async ({ app, actor: { user_id }, params }) => {
    await transaction(app, { userId: user_id }, async (tx) => {
      const host = await lockHost(tx, user_id, params.hostId)
      await noteKeyChecked(tx, host.id)
    })
    return { status: 204 } as const
  },
)
