import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { touchedRows } from '#tests/harness/scans.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'
import { insertMessage } from './message-queries.ts'
import { ticketOf } from './queries.ts'

const test = await startTestApp()
const admin = await superuserOf(test)
afterAll(() => admin.end())

// This test failed while PostgreSQL was asked if there is any unread message: a tenth of all messages seemed to be one, so it read them all.
it('writing into a long ticket reads none of the messages that its author has seen', async () => {
  const [customer, olivia] = [await signedInCustomer(test), await signedInStaff(test)]
  const { id } = await opened(customer)
  const ticket = must(await ticketOf(test.app.db, id, { user_id: customer.user_id, any: false }))
  await admin.query(
    `insert into ticket_messages (ticket_id, seq, customer_seq, user_id, author_id, by_staff, kind, client_id, text)
    select $1, n, n, $2, case when n % 10 = 0 then $3::uuid else $2 end, n % 10 = 0, 'comment', gen_random_uuid(), 'Hello' from generate_series(2, 3000) n`,
    [ticket.id, customer.user_id, olivia.user_id],
  )
  await admin.query('update tickets set staff_seq = 3000, customer_seq = 3000 where id = $1', [ticket.id])
  await admin.query('update ticket_readers set seq = 3000 where ticket_id = $1', [ticket.id])
  await admin.query('analyze')
  const { read, touched } = await transaction(test.app, 'system', async (tx) => {
    const before = await touchedRows(tx, 'ticket_messages')
    const written = await insertMessage(tx, {
      ticket_id: ticket.id,
      author_id: customer.user_id,
      by_staff: false,
      kind: 'comment',
      client_id: randomUUID(),
      text: 'The server is slow.',
    })
    return { read: written.read, touched: (await touchedRows(tx, 'ticket_messages')) - before }
  })
  expect(read).toBe(true)
  expect(touched).toBeLessThan(10)
})
