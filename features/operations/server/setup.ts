import type { Kysely } from 'kysely'
import * as contract from '#features/operations/contract.ts'
import { allPlans, hasSold } from '#features/licences/server/licences.ts'
import { originOf, recordAction } from '#foundation/server/audit/audit.ts'
import { lastBackup } from '#foundation/server/backup/queries.ts'
import type { Config } from '#foundation/server/config.ts'
import type { Database } from '#foundation/server/database/tables.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { staffMembers } from '#foundation/server/session/session.ts'
import { putWaived, waivedItems } from './setup-queries.ts'

type Item = contract.System['setup'][number]

/**
 * Returns what an installation needs before it sells, each with its state, for the pages of staff and for `hostdesk doctor`. A demo needs
 * nothing: [].
 */
export async function setupOf(config: Config, db: Kysely<Database>): Promise<Item[]> {
  const members = await staffMembers(db)
  if (members.some(({ is_example }) => is_example)) return []
  const owners = members.filter(({ staff_roles }) => staff_roles.includes('owner'))
  const [waived, plans, backup, sold] = await Promise.all([
    waivedItems(db),
    allPlans(db),
    lastBackup(db),
    hasSold(db),
  ])
  const done: Record<Item['name'], boolean> = {
    seller: !config.company.isMadeUp && !config.company.isIncomplete && config.missing.length === 0,
    vat: !config.company.isMadeUp && config.company.vatId + config.company.taxNumber !== '',
    payment: config.payments.some((way) => way !== 'test'),
    plan: plans.some((plan) => plan.is_sold),
    mail: config.smtpUrl !== undefined,
    backup: backup !== undefined,
    second_factor: owners.length > 0 && owners.every(({ factors }) => factors.length > 0),
    second_member: members.length > 1,
    first_sale: sold,
  }
  const stateOf = (name: Item['name']) => (waived.has(name) ? 'waived' : 'open')
  return contract.setupNames.map((name) => ({ name, state: done[name] ? 'done' : stateOf(name) }))
}

/** Answers `POST /api/staff/system/setup/{name}/`. */
export const waive = handler(
  contract.waiveSetup,
  ({ app, actor, caller, params: { name }, body: { waived } }) =>
    transaction(app, 'system', async (tx) => {
      const isNew = await putWaived(tx, name, waived)
      const detail = { by: actor.user_id, name, waived }
      if (isNew) await recordAction(tx, { user_id: null, act: 'setup.waived', ...originOf(caller), detail })
      return { status: 204 } as const
    }),
)
