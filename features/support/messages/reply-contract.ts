import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { multilineText } from '#foundation/fields.ts'
import { staff } from '#foundation/roles.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import {
  actErrors,
  acts,
  attachmentIds,
  clientId,
  deskPermission,
  message,
  ticketParams as params,
} from '#features/support/tickets/shapes.ts'

export const replyWithActs = route({
  id: 'replyWithActs',
  tag: 'Staff tickets',
  method: 'POST',
  path: '/api/staff/tickets/{chatId}/replies/',
  access: staff(deskPermission, 'any'),
  summary: 'Reply and do acts after it',
  description:
    'Send a reply and do acts after it, as a macro does: both or neither. The same client_id is the same reply, whose acts are done once',
  limits: ['message'],
  params,
  body: z.strictObject({
    client_id: clientId,
    text: multilineText(lengths.message),
    attachment_ids: attachmentIds,
    acts,
  }),
  replies: { 201: message, 200: message },
  errors: {
    400: ['unknown_attachment', 'too_many_attachments', ...actErrors[400]],
    409: actErrors[409],
    413: ['quota_exceeded'],
  },
})
