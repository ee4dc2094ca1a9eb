import { on } from '#foundation/server/events.ts'
import { accessChanged, addressChanged, userDeactivated } from '#features/profile/contract.ts'
import { passwordChanged } from '#features/security/contract.ts'
import { deleteResetKeys } from './queries.ts'

/** Reset links are void once the account has another password or other addresses, was locked, or is gone (auth contract section 10). */
export const reactions = [
  on(passwordChanged, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
  on(addressChanged, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
  on(accessChanged, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
  on(userDeactivated, (_app, tx, { user_id }) => deleteResetKeys(tx, user_id)),
]
