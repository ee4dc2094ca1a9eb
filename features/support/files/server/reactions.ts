import { userDeactivated } from '#features/profile/contract.ts'
import { attaching } from '#features/support/tickets/contract.ts'
import { on } from '#foundation/server/events.ts'
import { attach } from './attach.ts'
import { deleteAttachmentsOf } from './file-queries.ts'

export const reactions = [
  on(attaching, attach),
  on(userDeactivated, (_app, tx, { user_id }) => deleteAttachmentsOf(tx, user_id)),
]
