import { userDeactivated } from '#features/profile/contract.ts'
import { attaching } from '#features/tickets/contract.ts'
import { on } from '#foundation/server/events.ts'
import { attach } from './attach.ts'
import { deleteAttachmentsOf } from './queries.ts'

export const reactions = [
  on(attaching, attach),
  on(userDeactivated, (_app, tx, { user_id }) => deleteAttachmentsOf(tx, user_id)),
]
