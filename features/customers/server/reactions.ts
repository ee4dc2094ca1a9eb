import { on } from '#foundation/server/events.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { lockedOut } from '#features/auth/contract.ts'
import { mailLockedAgain } from './blocks.ts'
import { factorUsed } from '#features/security/contract.ts'
import { endPendingReset } from './factor-resets.ts'
import { deleteNotesOf } from './queries.ts'

export const reactions = [
  // Notes about a customer go with the account.
  on(userDeactivated, (_app, tx, { user_id }) => deleteNotesOf(tx, user_id)),
  on(lockedOut, mailLockedAgain),
  on(factorUsed, endPendingReset),
  on(userDeactivated, endPendingReset),
]
