import { balanceOverdrawn, balanceRose } from '#features/finance/contract.ts'
import { addressesChanged, autoRenewChanged, hostDeleted, hostTransferred } from '#features/hosts/contract.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { on } from '#foundation/server/events.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { debtsOf } from './debt-queries.ts'
import { beginDebt, settleDebt } from './debts.ts'
import { machinesFile } from './machines.ts'
import { endDeleted, leaveOwner, moveAddresses } from './periods.ts'
import { askToRenewNow, scheduleNextStep } from './renewal-schedule.ts'
import { suspensionsOf } from './suspension-queries.ts'
import { scheduleOf } from './renewal-queries.ts'

export const reactions = [
  on(hostDeleted, (_app, tx, { id }) => endDeleted(tx, id)),
  on(hostTransferred, (_app, tx, { id }) => leaveOwner(tx, id)),
  on(addressesChanged, (_app, tx, host) => moveAddresses(tx, host)),
  on(autoRenewChanged, async (_app, tx, { id, auto_renew }) => {
    if (auto_renew) await askToRenewNow(tx, id)
    else await forgetRefusal(tx, id)
  }),
  on(balanceOverdrawn, (app, tx, { user_id }) => beginDebt(app, tx, user_id)),
  on(balanceRose, async (app, tx, { user_id, balance }) => {
    if (balance >= 0n) await settleDebt(app, tx, user_id)
  }),
]

export const personalData: PersonalData = (app, _tx, user_id) => ({
  'suspensions.json': () => suspensionsOf(app.db, user_id),
  'machines.json': () => machinesFile(app, user_id),
  'debts.json': () => debtsOf(app.db, user_id),
})

async function forgetRefusal(tx: Tx, host_id: bigint): Promise<void> {
  const watch = await scheduleOf(tx, host_id)
  if (watch?.refusal) await scheduleNextStep(tx, { ...watch, refusal: null })
}
