import { userDeactivated } from '#features/profile/contract.ts'
import { on } from '#foundation/server/events.ts'
import { deleteAttachmentsOf } from './file-queries.ts'

export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => deleteAttachmentsOf(tx, user_id))]
