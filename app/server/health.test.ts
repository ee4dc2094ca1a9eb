import { expect, it } from 'vitest'
import { startTestApp } from '#tests/harness/test-app.ts'

const token = 'a-token-for-the-figures'
const { api, app } = await startTestApp({ settings: { METRICS_TOKEN: token } })

it('says that it lives and that it is ready', async () => {
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

it('shows its figures to this machine, and to others with the token alone', async () => {
  await api.get('/api/nowhere')
  const figures = await api.get<string>('/metrics')
  expect(figures.body).toMatch(/^http_requests_total\{method="GET",route="none",status="404"\} 1$/m)
  expect(figures.body).toMatch(/^hostdesk_database_connections \d+$/m)
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
