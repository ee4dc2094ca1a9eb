import { on } from '#foundation/server/events.ts'
import { accessChanged, userDeactivated } from '#features/profile/contract.ts'
import { lockedOut } from '#features/auth/contract.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import { suspensionChanged } from '#features/licences/contract.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { mailLockedAgain } from './blocks.ts'
import { factorsChanged, factorUsed } from '#features/security/contract.ts'
import { endPendingReset } from './factor-resets.ts'
import { blocksOf } from './block-queries.ts'
import { resetsOf } from './factor-reset-queries.ts'
import { deleteNotesOf } from './queries.ts'
import { endViewsOfLocked, endViewsWithoutFactor } from './views.ts'

export const reactions = [
  // The notes about a customer are deleted with the account.
  on(userDeactivated, (_app, tx, { user_id }) => deleteNotesOf(tx, user_id)),
  on(lockedOut, mailLockedAgain),
  on(suspensionChanged, (_app, tx, { user_id }) =>
    publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id }, { hidden_from: user_id }),
  ),
  on(factorUsed, (_app, tx, { user_id }) => endPendingReset(tx, user_id, { by_use: true })),
  on(userDeactivated, (_app, tx, { user_id }) => endPendingReset(tx, user_id, {})),
  on(accessChanged, endViewsOfLocked),
  on(factorsChanged, endViewsWithoutFactor),
]

/** The copy leaves out reasons, causes and notes, which are for staff only. */
export const personalData: PersonalData = ({ db }, _tx, user_id) => ({
  'blocks.json': async () =>
    (await blocksOf(db, user_id)).map(({ level, message, at }) => ({ level, message, at })),
  'second-factor-resets.json': () => resetsOf(db, user_id),
})
