import { expect, it, vi } from 'vitest'
import { deactivate, updateProfile } from '#features/profile/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { renderInWorker } from './documents/worker.ts'
import { sampleInput } from '#tests/harness/billing-documents.ts'

const test = await startTestApp()
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
