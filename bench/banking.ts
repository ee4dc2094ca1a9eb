import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keepStatements, bookExact, readFileStatements } from '#features/banking/server/banking.ts'
import { startTopUp } from '#features/finance/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { startInstallation, type Installation } from '#tests/faults/installation.ts'
import type { Figure } from '#tools/figures/table.ts'
import { forgetPeakOf, peakOf, residentOf } from './resident.ts'

const EXACT = 250
const LINES = 500
const BOOKED = 200

/** Measures the import and booking of 500 payments, the memory for a large statement, and the refusal of files that are no statements. */
export async function measureBanking(): Promise<Figure[]> {
  const installation = await startInstallation({ BANK_ACCOUNT: 'Bench, DE02 1203 0000 0000 2020 51' })
  try {
    const staff = await signedInStaff(installation)
    const references = await announced(installation)
    const figures = [await measureImport(staff, references), await measureBooking(installation)]
    return [...figures, await measureMemory(installation), ...(await measureRefusals(installation, staff))]
  } finally {
    await installation.close()
  }
}

const AT_ONCE = 20

async function announced(installation: Installation): Promise<string[]> {
  const references: string[] = []
  while (references.length < EXACT) {
    const { api } = await signedInCustomer(installation)
    for (let count = 0; count < AT_ONCE && references.length < EXACT; count += 1) {
      const headers = { 'idempotency-key': randomUUID() }
      const reply = await api.call(startTopUp, { headers, body: { amount: '2500', provider: 'bank' } })
      if (reply.status !== 201) throw new Error(`a transfer is answered ${String(reply.status)}`)
      references.push(must(reply.body.bank).reference)
    }
  }
  return references
}

async function measureImport(staff: Customer, references: readonly string[]): Promise<Figure> {
  const payments = Array.from({ length: LINES }, (_, place) => ({
    amount: 2500,
    // Half of the payments name a reference exactly, a quarter without its last character, and the rest name none.
    text: textOf(references, place),
    name: `Payer ${place}`,
  }))
  const { status, body, took_ms } = await send(staff, bankStatement(payments))
  const { counts } = body as { counts: { exact: number } }
  if (status !== 201 || counts.exact !== EXACT) throw new Error(`imported so: ${JSON.stringify(body)}`)
  return { name: `a statement of ${LINES} payments imported`, value: took_ms / 1000, unit: 's', most: 2 }
}

function textOf(references: readonly string[], place: number): string {
  const reference = references[place % EXACT] ?? ''
  if (place < EXACT) return `invoice ${reference.toLowerCase().replaceAll('-', ' ')}`
  return place < EXACT * 1.5 ? reference.slice(0, -1) : 'Thank you'
}

async function measureBooking({ app }: Installation): Promise<Figure> {
  const begun = performance.now()
  await bookExact(app, { by: null })
  const took_s = (performance.now() - begun) / 1000
  const note = `${EXACT} in ${took_s.toFixed(1)} s`
  return { name: `${BOOKED} payments booked`, value: (took_s / EXACT) * BOOKED, unit: 's', most: 10, note }
}

const LARGE_BYTES = 19_500_000

/** Measures the memory of this process, which reads and keeps the file as the product does. */
async function measureMemory({ app }: Installation): Promise<Figure> {
  const file = path.join(tmpdir(), `statement-${randomUUID()}.xml`)
  const one = bankStatement([{ amount: 100, text: 'Thank you', name: 'Payer' }]).length
  const none = bankStatement([]).length
  const count = Math.floor((LARGE_BYTES - none) / (one - none + 8))
  writeFileSync(
    file,
    bankStatement(
      Array.from({ length: count }, (_, place) => ({
        amount: 100,
        text: 'Thank you',
        name: `Payer ${place}`,
      })),
      { id: 'large' },
    ),
  )
  try {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 10)
    const statements = await readFileStatements(app, readFileSync(file))
    await transaction(app, 'system', (tx) =>
      keepStatements(tx, statements, { by: null, sha256: Buffer.from('large') }),
    )
    clearInterval(watch)
    const note = `${count.toLocaleString('en')} payments, read and kept`
    return {
      name: 'memory that a file of 20 MB takes',
      value: (most - before) / 1024 ** 2,
      unit: 'MiB',
      most: 128,
      note,
    }
  } finally {
    rmSync(file)
  }
}

async function measureRefusals({ app, pid }: Installation, staff: Customer): Promise<Figure[]> {
  const good = bankStatement([{ amount: 100, text: 'Bad', name: 'Bad' }])
  const nodes = '<a/>'.repeat(1_000_000)
  const bad: Readonly<Record<string, string | Buffer>> = {
    'an entity bomb': good.replace(
      '?>',
      `?><!DOCTYPE a [<!ENTITY b "${'c'.repeat(9000)}"><!ENTITY d "&b;&b;&b;">]>`,
    ),
    'a document type': good.replace('?>', '?><!DOCTYPE Document>'),
    'a million elements': good.replace('<Stmt>', `<Stmt><x>${nodes}</x>`),
    'a cut file': good.slice(0, -40),
    'a wrong balance': bankStatement([{ amount: 100 }], { closing: 1 }),
    zeros: Buffer.alloc(1_000_000),
    '21 MB': Buffer.alloc(21_000_000, 'a'),
  }
  const before = await linesIn(app)
  const figures: Figure[] = []
  const memory = { name: 'memory that a refused file takes', unit: 'MiB', most: 128 }
  for (const [name, content] of Object.entries(bad)) {
    const kept_kB = residentOf(pid)
    forgetPeakOf(pid)
    const { status, took_ms } = await send(staff, content)
    const value = (peakOf(pid) - kept_kB) / 1024
    figures.push({ ...memory, name: `${memory.name}, ${name}`, value })
    if (status !== 400 && status !== 413) throw new Error(`${name} is answered ${status}`)
    figures.push({ name: `${name} refused`, value: took_ms / 1000, unit: 's', most: 2, note: String(status) })
  }
  if ((await linesIn(app)) !== before) throw new Error('something of a refused file was kept')
  return figures
}

const linesIn = async ({ db }: Installation['app']): Promise<number> =>
  (await db.selectFrom('bank_lines').select('id').execute()).length

async function send({ api }: Customer, content: string | Buffer) {
  const form = new FormData()
  form.append('file', new Blob([content as BlobPart]), 'statement.xml')
  const begun = performance.now()
  const reply = await fetch(`${api.url}/api/staff/bank-files/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.access_token}` },
    body: form,
  })
  const body: unknown = await reply.json()
  return { status: reply.status, body, took_ms: performance.now() - begun }
}
