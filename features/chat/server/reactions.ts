import { userDeactivated } from '#features/profile/contract.ts'
import { attaching, messageWritten } from '#features/tickets/contract.ts'
import { on } from '#foundation/server/events.ts'
import { attach } from './attach.ts'
import { mailAbout } from './mails.ts'
import { deleteAttachmentsOf } from './queries.ts'

export const reactions = [
  on(attaching, attach),
  on(messageWritten, mailAbout),
  on(userDeactivated, (_app, tx, { user_id }) => deleteAttachmentsOf(tx, user_id)),
]
