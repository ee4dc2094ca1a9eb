import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import type { Actor } from '#foundation/server/session/session.ts'
import * as contract from '#features/support/tickets/contract.ts'
import type { TicketRow } from './queries.ts'
import { personOf } from './ticket-scope.ts'

type Writing = {
  ticket: TicketRow
  actor: Actor
  kind: 'comment' | 'note'
  written: { attachment_ids?: readonly string[] | undefined }
}

/** Ties the uploaded files of a message to its ticket. Throws 400 `unknown_attachment` if one of the files is no longer available. */
export async function attach(
  app: App,
  tx: Tx,
  { ticket, actor, kind, written }: Writing,
  staff: boolean,
): Promise<contract.Attachment[]> {
  const ids = written.attachment_ids ?? []
  const attachments: contract.Attachment[] = []
  if (ids.length === 0) return attachments
  await emit(app, tx, contract.attaching, {
    uploader_id: personOf(app, actor),
    customer_id: ticket.user_id,
    ticket_id: ticket.id,
    note: staff && kind === 'note',
    by_helper: app.acting !== undefined,
    ids,
    add: (attachment) => attachments.push(attachment),
  })
  if (attachments.length !== ids.length) throw badRequest('unknown_attachment', 'attachment_ids')
  return attachments
}
