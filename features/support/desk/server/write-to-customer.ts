import { transaction } from '#foundation/server/database/transaction.ts'
import { HttpError, notFound } from '#foundation/server/http/http-error.ts'
import { handler } from '#foundation/server/http/handler.ts'
import { keepUser } from '#foundation/server/session/session.ts'
import * as contract from '#features/support/desk/contract.ts'
import { writeTicket } from '#features/support/tickets/server/tickets.ts'

/**
 * Answers `POST …/customers/{userId}/tickets/`. The ticket belongs to the customer, waits for their reply, and is assigned to its author.
 */
export const writeToCustomer = handler(
  contract.writeToCustomer,
  async ({ app, actor, caller, params: { userId: user_id }, body }) => {
    return transaction(app, 'system', async (tx) => {
      const customer = await keepUser(tx, user_id)
      if (!customer) throw notFound()
      if (!customer.is_active) throw new HttpError(409, [{ code: 'deactivated' }])
      return writeTicket(app, tx, { user_id, actor, caller, body })
    })
  },
)
