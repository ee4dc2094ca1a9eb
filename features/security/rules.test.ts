import { expect, it } from 'vitest'
import { messageIn, shownActs } from './rules.ts'

it('a customer reads the message of a block and why money moved, and no other reason', () => {
  const detail = { reason: 'for staff', message: 'Please call.' }
  expect(messageIn('customer.blocked', detail)).toBe('Please call.')
  expect(messageIn('factor_reset.requested', { reason: 'for staff' })).toBeNull()
  expect(messageIn('finance.refunded', { reason: 'Outage' })).toBe('Outage')
})

it('the activity shows a customer no notes of staff, no refusals to staff and no proposals for approval', () => {
  for (const hidden of ['customer.note_deleted', 'ticket.noted', 'staff.refused', 'approval.proposed'])
    expect(shownActs).not.toContain(hidden)
})
