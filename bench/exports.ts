import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { contentOf } from '#features/books/server/exports/content.ts'
import { lastDayOf } from '#features/books/rules.ts'
import { prepareDocuments } from '#features/invoices/server/invoices.ts'
import { startInstallation, type Installation } from '#tests/faults/installation.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addMoney } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import type { Figure } from '#tools/figures/table.ts'

const ROWS = 40_000
const DOCUMENTS = 10_000

/** Measures a DATEV file of 40,000 postings, which must agree with the ledger, and the memory for an archive of 10,000 documents. */
export async function measureExports(): Promise<Figure[]> {
  const installation = await startInstallation({ DATEV: '1001/7' })
  try {
    await plant(installation)
    return [await measureDatev(installation), ...(await measureArchive(installation))]
  } finally {
    await installation.close()
  }
}

/** Makes a payment and a sale through the product, then copies of both without the triggers, which would take an hour. */
async function plant(installation: Installation): Promise<void> {
  const { app } = installation
  const { user_id } = await signedInCustomer(installation)
  await addMoney(app, user_id, 1_190n)
  const { public_id } = await sell(app, { user_id, nets: [1_000n] })
  await prepareDocuments(app, user_id, public_id)
  const superuser = new pg.Client({ connectionString: app.ownerUrl })
  await superuser.connect()
  try {
    await superuser.query('begin')
    await superuser.query('set local session_replication_role = replica')
    await superuser.query(copies('spend', DOCUMENTS - 1))
    await superuser.query(copies('fill_balance', ROWS - DOCUMENTS - 1))
    for (const statement of documents) await superuser.query(statement)
    await superuser.query('commit')
    await superuser.query('analyze')
  } finally {
    await superuser.end()
  }
}

const copies = (type: string, count: number): string => `
  with given as (select * from transactions where type = '${type}' limit 1),
  fresh as (select gen_random_uuid() as fresh_id, n, g.* from given g, generate_series(1, ${count}) n),
  made as (
    insert into transactions (id, type, user_id, currency, host_id, description, created_at)
    select fresh_id, type, user_id, currency, host_id, description, created_at from fresh)
  insert into entries (transaction_id, account_id, currency, amount, type, user_id, seq, balance_after, created_at, is_vat)
  select f.fresh_id, e.account_id, e.currency, e.amount, e.type, e.user_id,
    e.seq + 100000 * (case e.type when 'spend' then 1 else 2 end) + f.n, e.balance_after, e.created_at, e.is_vat
  from fresh f join entries e on e.transaction_id = f.id`

const documents = [
  `insert into invoices (public_id, user_id, year, place, number, kind, transaction_id, issued_at, locale, currency, net, vat, total,
     vat_kind, vat_country, vat_rate_bp, keep_until)
   select lpad(n::text, 22, 'A'), i.user_id, i.year, i.place + n, i.number || '-' || n, i.kind, t.id, i.issued_at, i.locale,
     i.currency, i.net, i.vat, i.total, i.vat_kind, i.vat_country, i.vat_rate_bp, i.keep_until
   from (select * from invoices limit 1) i, (
     select id, row_number() over () as n from transactions where type = 'spend' and id not in (select transaction_id from invoices)) t`,
  `insert into invoice_snapshots (invoice_id, user_id, seller, buyer, notes, evidence)
   select i.id, i.user_id, s.seller, s.buyer, s.notes, s.evidence from invoices i, (select * from invoice_snapshots limit 1) s
   where i.id <> s.invoice_id`,
  `insert into invoice_documents (invoice_id, format, user_id, content)
   select i.id, d.format, i.user_id, d.content from invoices i, (select * from invoice_documents) d where i.id <> d.invoice_id`,
]

function wanted<Kind extends 'datev' | 'documents'>(kind: Kind) {
  const month = new Date().toISOString().slice(0, 7)
  return {
    kind,
    first_day: `${month}-01`,
    last_day: lastDayOf(month),
    locale: 'en',
    created_at: new Date(),
  } as const
}

/** Reads the content of an export to its end, with a pause after each piece, as there is when a file is written. */
async function read(content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; took_s: number }> {
  let bytes = 0
  const begun = performance.now()
  await pipeline(
    content,
    new Writable({
      write(piece: Uint8Array, _, done) {
        bytes += piece.length
        setImmediate(done)
      },
    }),
  )
  return { bytes, took_s: (performance.now() - begun) / 1000 }
}

async function measureDatev({ app }: Installation): Promise<Figure> {
  const { content, outcome } = contentOf(app, wanted('datev'))
  const { took_s } = await read(content)
  if (outcome.rows !== ROWS || outcome.agrees !== true) throw new Error(`made so: ${JSON.stringify(outcome)}`)
  return { name: `a DATEV file of ${ROWS} rows`, value: took_s, unit: 's', most: 10 }
}

async function measureArchive({ app }: Installation): Promise<Figure[]> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 10)
  const { content, outcome } = contentOf(app, wanted('documents'))
  const { bytes, took_s } = await read(content)
  clearInterval(watch)
  if (outcome.rows !== DOCUMENTS) throw new Error(`made so: ${JSON.stringify(outcome)}`)
  const note = `${Math.round(bytes / 1e6)} MB in ${took_s.toFixed(1)} s`
  const memory = (most - before) / 1024 ** 2
  return [
    {
      name: `memory that an archive of ${DOCUMENTS} documents takes`,
      value: memory,
      unit: 'MiB',
      most: 96,
      note,
    },
  ]
}
