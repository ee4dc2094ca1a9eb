import { expect, it } from 'vitest'
import { actorOf } from './rules.ts'

const row = { user_id: 'ann', act: 'password.changed', ip: '203.0.113.9', detail: {} }

it.each([
  ['one’s own account', row, { kind: 'self', id: 'ann' }],
  ['a colleague', { ...row, detail: { by: 'olivia' } }, { kind: 'staff', id: 'olivia' }],
  ['a member who leaves', { ...row, detail: { by: 'ann' } }, { kind: 'self', id: 'ann' }],
  ['the command line', { ...row, ip: null, detail: { by: 'command line' } }, { kind: 'cli', id: null }],
  ['a job', { ...row, ip: null }, { kind: 'system', id: null }],
  ['a wrong password', { ...row, act: 'login.refused' }, { kind: 'stranger', id: null }],
])('knows who acted: %s', (_what, recorded, actor) => expect(actorOf(recorded)).toEqual(actor))
