import { expect, it } from 'vitest'
import { withConnection } from '#foundation/server/database/with-connection.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const token = 'a-token-for-the-figures'
const { api, app } = await startTestApp({ settings: { METRICS_TOKEN: token }, isHurried: true })

it('a running server answers 200 to /healthz and /readyz', async () => {
  expect(await api.get('/healthz')).toMatchObject({ status: 200, body: 'ok' })
  expect(await api.get('/readyz')).toMatchObject({ status: 200, body: 'ok' })
})

it('is not ready while a migration is missing', async () => {
  const owner = await import('pg').then(
    ({ default: pg }) => new pg.Client({ connectionString: app.ownerUrl }),
  )
  await owner.connect()
  try {
    const taken = await owner.query<{ name: string; hash: string }>(
      'delete from migrations returning name, hash',
    )
    expect(await api.get('/readyz')).toMatchObject({ status: 503, body: 'migrations pending' })
    for (const { name, hash } of taken.rows) {
      await owner.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
    }
    expect((await api.get('/readyz')).status).toBe(200)
  } finally {
    await owner.end()
  }
})

it('says that writes are refused while the disk of the database is full, and people read that nothing can be saved', async () => {
  // The trigger raises the error of PostgreSQL for a disk without room.
  await withConnection(app.ownerUrl, (client) =>
    client.query(`create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger no_room before insert on users for each row execute function no_room()`),
  )
  const refused = await api.post('/api/allauth/app/v1/auth/signup', {
    email: 'nora@example.com',
    password: 'a long password of somebody',
  })
  expect(refused).toMatchObject({
    status: 503,
    body: {
      errors: [{ code: 'cannot_save', message: expect.stringContaining('can’t save anything right now') }],
    },
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await api.get('/readyz')).toMatchObject({
    status: 200,
    body: 'writes are refused: the disk is full',
  })
})

it('shows its figures to this machine, and to others with the token alone', async () => {
  await api.get('/api/nowhere')
  const figures = await api.get<string>('/metrics')
  expect(figures.body).toMatch(/^http_requests_total\{method="GET",route="none",status="404"\} 1$/m)
  expect(figures.body).toMatch(/^hostdesk_database_connections \d+$/m)
  expect(figures.body).toMatch(/^hostdesk_mails_owed 0$/m)
  expect(figures.body).toMatch(/^hostdesk_passwords_waiting 0$/m)
  expect(figures.body).toMatch(/^hostdesk_build_info\{version="[\d.]+",node="v\d[\d.]+",role="all"\} 1$/m)
  for (const figure of ['database_up 1', 'streams_open 0', 'workers 0', 'mails_oldest_seconds 0'])
    expect(figures.body).toMatch(new RegExp(`^hostdesk_${figure}$`, 'm'))
  expect(figures.body).toMatch(/^hostdesk_database_statement_duration_seconds_count \d+$/m)
  expect(figures.body).not.toContain(token)
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  expect((await api.get('/metrics', { headers: forwarded })).status).toBe(404)
  expect(
    (await api.get('/metrics', { headers: { ...forwarded, authorization: 'Bearer wrong' } })).status,
  ).toBe(404)
  expect(
    (await api.get('/metrics', { headers: { ...forwarded, authorization: `Bearer ${token}` } })).status,
  ).toBe(200)
})

it('rule 33: answers 503 with Retry-After when no database connection is to be had', async () => {
  const taken = await Promise.all(Array.from({ length: app.pool.options.max }, () => app.pool.connect()))
  const started_ms = performance.now()
  const refused = await api.get('/api/users/detail/', { headers: { authorization: 'Bearer nonsense' } })
  const waiting = await api.get('/api/allauth/app/v1/auth/session', {
    session_token: 'nobody-has-this-token',
  })
  for (const connection of taken) connection.release()
  expect(refused.status).toBe(401)
  expect(waiting.status).toBe(503)
  expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(performance.now() - started_ms).toBeLessThan(8000)
  expect(
    (await api.get('/api/allauth/app/v1/auth/session', { session_token: 'nobody-has-this-token' })).status,
  ).not.toBe(503)
})
