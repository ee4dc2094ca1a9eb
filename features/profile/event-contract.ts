import * as z from 'zod/mini'
import { capability } from '#foundation/capability.ts'
import { published } from '#foundation/published.ts'
import { emailText, uuidText } from '#foundation/printed.ts'

/** Events of accounts, in the list of the operator alone. */

const nobody = capability('events.of_operator', [])

export const customerCreated = published('customer.created', {
  summary: 'An account was made.',
  data: z.strictObject({ id: uuidText(), email: emailText() }),
  opens: nobody,
  isForOperator: true,
})
export const customerDeleted = published('customer.deleted', {
  summary: 'An account was deleted, and what the events said of it was erased.',
  data: z.strictObject({ id: uuidText() }),
  opens: nobody,
  isForOperator: true,
})
