import { balanceRose } from '#features/finance/contract.ts'
import { askToRenewNow, refusedSchedules } from '#features/licences/server/licences.ts'
import { hostsPaidBy } from '#features/payers/server/payers.ts'
import { accessChanged } from '#features/profile/contract.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import { everyItem } from '#foundation/server/paging/paging.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { pageOfPeriods } from './history.ts'

export const reactions = [
  on(balanceRose, (_app, tx, { user_id }) => renewRefused(tx, user_id)),
  on(accessChanged, async (_app, tx, { user_id, access }) => {
    if (access === 'open') await renewRefused(tx, user_id)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'licences.json': () => everyItem((cursor) => pageOfPeriods(app, { user_id }, { limit: 100, cursor })),
})

async function renewRefused(tx: Tx, user_id: string): Promise<void> {
  const paid = await hostsPaidBy(tx, user_id)
  for (const host_id of await refusedSchedules(tx, user_id, paid)) await askToRenewNow(tx, host_id)
}
