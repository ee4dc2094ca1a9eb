import { expect, it, vi } from 'vitest'
import { deactivate, updateProfile } from '#features/profile/contract.ts'
import { getCustomerStatement, getStatement } from '#features/invoices/statement-contract.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { move } from '#tests/harness/money.ts'
import { pdfText } from '#tests/harness/pdf-text.ts'
import { buyer, orderHost, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { renderInWorker } from './documents/worker.ts'
import { sampleInput } from '#tests/harness/billing-documents.ts'

const test = await startTestApp({ settings: { COMPANY_TIME_ZONE: 'Europe/Berlin' } })
await stockShop(test)
const { app, url } = test
vi.setConfig({ testTimeout: 60_000 })

async function get({ api }: Customer, path: string) {
  const response = await fetch(`${url}/api/invoices/${path}`, {
    headers: { authorization: `Bearer ${api.access_token}` },
  })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

it('F-02 hands out the PDF and the XML as downloads, to the owner alone', async () => {
  const customer = await signedInCustomer(test, { locale: 'ru' })
  await customer.api.call(updateProfile, {
    body: { name: 'Михаил', country: 'LV', address: 'Brīvības iela 118', zip: 'LV-1001', city: 'Rīga' },
  })
  const { public_id, number } = await issuedInvoice(app, customer.user_id)
  const pdf = await get(customer, `${public_id}/pdf`)
  const xml = await get(customer, `${public_id}/xrechnung.xml`)
  for (const { response } of [pdf, xml]) {
    expect(response.status).toBe(200)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; frame-ancestors 'none'",
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  expect(pdf.response.headers.get('content-type')).toBe('application/pdf')
  expect(pdf.response.headers.get('content-disposition')).toBe(`attachment; filename="${number}.pdf"`)
  expect(pdf.bytes.toString('latin1', 0, 5)).toBe('%PDF-')
  expect(xml.response.headers.get('content-disposition')).toBe(
    `attachment; filename="${number}-xrechnung.xml"`,
  )
  expect(xml.bytes.toString('utf8')).toContain('Михаил')
  const stranger = await signedInCustomer(test)
  for (const path of [`${public_id}/pdf`, `${public_id}/xrechnung.xml`, `${'A'.repeat(22)}/pdf`])
    expect((await get(stranger, path)).response.status).toBe(404)
})

it('rule 13: makes a document once: eight concurrent requests, and all later ones, get the same bytes', async () => {
  // Red while each request answered with its own documents: eight different PDFs, by their ids and times.
  const customer = await signedInCustomer(test)
  const { public_id, id } = await issuedInvoice(app, customer.user_id)
  const all = await Promise.all(Array.from({ length: 8 }, () => get(customer, `${public_id}/pdf`)))
  await customer.api.call(updateProfile, { body: { name: 'Somebody else' } })
  all.push(await get(customer, `${public_id}/pdf`))
  expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
  await expect(
    app.pool.query('update invoice_documents set content = $1 where invoice_id = $2', [Buffer.from('x'), id]),
  ).rejects.toThrow('denied')
})

it('makes them after the issue, without being asked', async () => {
  const customer = await signedInCustomer(test)
  await customer.api.call(updateProfile, {
    body: { name: 'Anna', address: 'Am Markt 1', zip: '20095', city: 'Hamburg', country: 'DE' },
  })
  const { id } = await issuedInvoice(app, customer.user_id)
  await test.startWorker()
  const formats = async () => {
    const { rows } = await app.pool.query<{ format: string }>(
      'select format from invoice_documents where invoice_id = $1 order by format',
      [id],
    )
    return rows.map(({ format }) => format)
  }
  await expect.poll(formats, { timeout: 40_000 }).toEqual(['pdf', 'xrechnung'])
})

it('P-04 makes the document of an invoice even if the account was deleted after the issue', async () => {
  const customer = await signedInCustomer(test)
  const { id } = await issuedInvoice(app, customer.user_id)
  expect((await customer.api.call(deactivate, { body: {} })).status).toBe(204)
  await test.startWorker()
  const count = async () =>
    (await app.pool.query('select from invoice_documents where invoice_id = $1', [id])).rowCount
  await expect.poll(count, { timeout: 40_000 }).toBe(1)
})

it('rule 33: a download is turned away with 503 and Retry-After while too many documents wait', async () => {
  const customer = await signedInCustomer(test)
  // The queue is full before the job for this invoice could make its documents, and stays full until the download is answered.
  let isAnswered = false
  const waiting = Array.from({ length: 50 }, async () => {
    while (!isAnswered) await renderInWorker(sampleInput())
  })
  const { public_id } = await issuedInvoice(app, customer.user_id)
  const { response } = await get(customer, `${public_id}/pdf`)
  isAnswered = true
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
  await Promise.all(waiting)
  expect((await get(customer, `${public_id}/pdf`)).response.status).toBe(200)
})

it('the thread continues after an input that no document can be made of', async () => {
  const broken = sampleInput()
  const failing = renderInWorker({ ...broken, invoice: { ...broken.invoice, total: undefined as never } })
  const next = renderInWorker(sampleInput())
  await expect(failing).rejects.toThrow('documents:')
  expect((await next).pdf.length).toBeGreaterThan(10_000)
})

it('B-19 tells a month between its balances, each equal to the sum of the entries to the cent, on the page, as CSV and PDF', async () => {
  const customer = await buyer(test, 200_000n, 'de')
  const { user_id } = customer
  const ordered = bodyOf(await orderHost(customer), 201)
  const spends = Array.from({ length: 12 }, (_, place) => BigInt(1 + place * 137))
  const description = { code: 'licence_order', params: { host: '=web', plan: 'Standard' } } as const
  for (const amount of spends) await move(app, { type: 'spend', user_id, amount, description })
  // Seen red with months in UTC: what was booked in the last hour before a month in Berlin belongs to that month.
  const times = [
    '2026-01-31T22:59:59.999999Z',
    '2026-01-31T23:00:00Z',
    '2026-02-28T22:59:59Z',
    '2026-03-31T21:59:59Z',
    '2026-03-31T22:00:00Z',
  ]
  const superuser = await superuserOf(test)
  await superuser.query('set session_replication_role = replica')
  await superuser.query(
    `update entries set created_at = ($2::timestamptz[])[least(1 + seq / 3, 5)] where user_id = $1 and seq is not null`,
    [user_id, times],
  )
  const { rows: kept } = await superuser.query<{ month: string; before: string; sum: string; count: number }>(
    `select to_char(m, 'YYYY-MM') as month, coalesce(sum(amount) filter (where at < m), 0)::text as before,
       coalesce(sum(amount) filter (where at < m + interval '1 month'), 0)::text as sum,
       (count(*) filter (where at >= m and at < m + interval '1 month'))::int as count
     from generate_series('2025-12-01'::timestamp, '2026-05-01', '1 month') m,
       (select amount, created_at at time zone 'Europe/Berlin' as at from entries where user_id = $1 and seq is not null) e group by m order by m`,
    [user_id],
  )
  await superuser.end()
  expect(kept.filter(({ count }) => count > 0)).toHaveLength(4)
  const staff = await signedInStaff(test)
  for (const { month, before, sum, count } of kept) {
    const told = bodyOf(await customer.api.call(getStatement, { params: { month } }), 200)
    expect([told.opening.amount, told.closing.amount, told.rows.length]).toEqual([before, sum, count])
    const moved = BigInt(told.received.amount) + BigInt(told.spent.amount)
    expect(String(BigInt(told.opening.amount) + moved)).toBe(told.closing.amount)
    const params = { userId: user_id, month }
    expect(bodyOf(await staff.api.call(getCustomerStatement, { params }), 200)).toEqual(told)
  }
  const month = '2026-01'
  const { number } = ordered.invoice
  const told = bodyOf(await customer.api.call(getStatement, { params: { month } }), 200)
  expect(told.rows.map((row) => row.number)).toContain(number)
  const fileOf = async (path: string, { api }: Customer) => {
    const response = await fetch(`${url}/api/${path}`, {
      headers: { authorization: `Bearer ${api.access_token}` },
    })
    expect(response.status).toBe(200)
    return Buffer.from(await response.arrayBuffer())
  }
  const csv = (await fileOf('finances/statements/2026-02/file?format=csv', customer))
    .toString('utf8')
    .trimEnd()
    .split('\r\n')
  const [{ before, sum } = { before: '', sum: '' }] = kept.filter((one) => one.month === '2026-02')
  const decimal = (minor: string) => minor.replace(/(\d\d)$/, '.$1')
  expect(csv[1]).toBe(`2026-02,Anfangsguthaben,,,${decimal(before)},EUR`)
  expect(csv.at(-1)).toBe(`2026-02,Endguthaben,,,${decimal(sum)},EUR`)
  const pdf = await fileOf(`staff/customers/${user_id}/statements/${month}/file?format=pdf`, staff)
  const text = pdfText(pdf).replaceAll(/\s+/g, ' ')
  for (const part of ['Kontoauszug', 'Januar', '2026', 'Anfangsguthaben', '1.976,32'])
    expect(text).toContain(part)
  expect(
    (
      await staff.api.call(getCustomerStatement, {
        params: { userId: '00000000-0000-4000-8000-000000000000', month },
      })
    ).status,
  ).toBe(404)
})
