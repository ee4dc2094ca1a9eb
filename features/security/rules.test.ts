import { expect, it } from 'vitest'
import { actorOf, messageIn, shownActs } from './rules.ts'

const row = { user_id: 'ann', act: 'password.changed', ip: '203.0.113.9', detail: {} }

it.each([
  ['one’s own account', row, { kind: 'self', id: 'ann' }],
  ['a colleague', { ...row, detail: { by: 'olivia' } }, { kind: 'staff', id: 'olivia' }],
  ['a member who leaves', { ...row, detail: { by: 'ann' } }, { kind: 'self', id: 'ann' }],
  ['the command line', { ...row, ip: null, detail: { by: 'command line' } }, { kind: 'cli', id: null }],
  ['a job', { ...row, ip: null }, { kind: 'system', id: null }],
  ['a wrong password', { ...row, act: 'login.refused' }, { kind: 'stranger', id: null }],
])('knows who acted: %s', (_what, recorded, actor) => expect(actorOf(recorded)).toEqual(actor))

it('a customer reads the message of a block and why money moved, and no other reason', () => {
  const detail = { reason: 'for staff', message: 'Please call.' }
  expect(messageIn('customer.blocked', detail)).toBe('Please call.')
  expect(messageIn('factor_reset.requested', { reason: 'for staff' })).toBeNull()
  expect(messageIn('finance.refunded', { reason: 'Outage' })).toBe('Outage')
})

it('neither notes nor what was refused to staff is shown', () => {
  for (const hidden of ['customer.note_deleted', 'ticket.noted', 'staff.refused', 'approval.proposed'])
    expect(shownActs).not.toContain(hidden)
})
