import type { Readable } from 'node:stream'
import { afterAll, expect, it, vi } from 'vitest'
import { askForExport } from '#features/books/contract.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { makeExport } from './exports/make.ts'

const test = await startTestApp({ isHurried: true })
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const billing = await signedInStaff(test, { roles: ['billing'] })

// Seen red: the file stayed open for as long as the process lived.
it('rule 44: a file of the books whose fetching cannot be recorded is not sent, and is closed', async () => {
  const body = { kind: 'invoices', from: '2024-01-01', to: '2024-01-31' } as const
  const { id } = bodyOf(await billing.api.call(askForExport, { body }), 202)
  await makeExport(test.app, { id })
  await superuser.query('begin')
  await superuser.query('lock table audit in access exclusive mode')
  const opening = vi.spyOn(test.app.storage, 'open')
  const fetched = () =>
    fetch(`${test.url}/api/staff/books/exports/${id}/file`, {
      headers: { authorization: `Bearer ${billing.api.access_token}` },
    })
  expect((await fetched()).status).toBe(503)
  const opened: (Readable | undefined)[] = await Promise.all(
    opening.mock.results.map(({ value }) => value as Promise<Readable | undefined>),
  )
  opening.mockRestore()
  expect(opened.map((content) => content?.destroyed)).toEqual([true])
  await superuser.query('rollback')
  const answer = await fetched()
  expect(answer.status).toBe(200)
  await answer.arrayBuffer()
})
