import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { Secret } from './secret.ts'

const lines: string[] = []
const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })

it('rule 35: prints no secret, however deep and under whatever spelling', () => {
  const planted = 'planted-9f8e7d'
  const inner = {
    newPassword: planted,
    api_key: planted,
    refresh_token: planted,
    list: [{ totp_secret: planted }],
  }
  log.info({ password: planted, code: planted, deep: { inner, cookies: { session: planted } } }, 'nested')
  log.info({
    hidden: new Secret(planted),
    headers: { authorization: `Bearer ${planted}`, 'x-session-token': planted },
  })
  log.warn({ err: Object.assign(new Error('refused', { cause: new Error('inner') }), { password: planted }) })
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain(planted)
  expect(lines.join('')).toContain('[redacted]')
})

it('logs what failed in a database error, but not whose row', () => {
  const error = new DatabaseError('duplicate key value violates unique constraint', 1, 'error')
  Object.assign(error, {
    code: '23505',
    constraint: 'users_email',
    detail: 'Key (email)=(anna@example.com) already exists.',
  })
  log.error({ err: error }, 'failed')
  const line = lines.at(-1) ?? ''
  expect(line).not.toContain('anna@example.com')
  expect(JSON.parse(line)).toMatchObject({
    level: 'error',
    msg: 'failed',
    err: { code: '23505', constraint: 'users_email' },
  })
})
