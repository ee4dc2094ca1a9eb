import { expect, it } from 'vitest'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { sendRaw } from '#tests/system/raw-request.ts'

const test = await startTestApp()
const { url } = test
const { api } = await signedInCustomer(test)
const headers = { authorization: `Bearer ${api.access_token}` }

const ask = async (target: string) => {
  const pairs = Object.entries({ host: new URL(url).host, connection: 'close', ...headers })
  const { status, body } = await sendRaw(url, { method: 'GET', target, headers: pairs })
  const { errors = [] } = JSON.parse(body) as { errors?: { code: string; param?: string }[] }
  return [status, ...errors.map(({ code, param = '' }) => `${code}@${param}`)]
}

it.each([
  ['bytes that are no UTF-8', '/api/hosts/?q=%FF', 'invalid@q'],
  ['half a letter', '/api/hosts/?q=%C3%28', 'invalid@q'],
  ['what is no escape', '/api/hosts/?q=50%', 'invalid@q'],
  ['a name that is no UTF-8', '/api/hosts/?%FF=1', 'invalid@'],
  ['a name that stands twice', '/api/hosts/?q=a&q=b', 'invalid@q'],
  ['the same, written in another way', '/api/hosts/?q=a&%71=b', 'invalid@q'],
  ['a path that is no UTF-8', '/api/hosts/%FF/', 'invalid@'],
  ['a call that takes no query', '/api/users/detail/?q=%FF', 'invalid@q'],
])('refuses an address with %s, as it refuses such a body', async (_, target, refusal) => {
  expect(await ask(target)).toEqual([400, refusal])
})

it.each(['/api/hosts/?q=%C3%BC+%25&', '/api/hosts/?', '/api/hosts/?&q=', '/api/users/detail/?q'])(
  'reads what is clear: %s',
  async (target) => {
    expect(await ask(target)).toEqual([200])
  },
)
