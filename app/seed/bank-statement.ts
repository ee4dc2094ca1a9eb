import { createHash } from 'node:crypto'
import { keepStatements } from '#features/banking/server/banking.ts'
import { ownIban, transfersOf } from '#features/finance/server/finance.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { lastPaidTransfer, markBooked } from './invoice-queries.ts'

type People = { anna: string; mikhail: string; olivia: string }
type Payment = { amount: bigint; name: string; iban: string; text: string }

const ACCOUNTS = { anna: 'DE75512108001245126199', mikhail: 'LV80BANK0000435195001' } as const

/**
 * Adds two statements of the operator's bank: an older one whose payments are booked, and one of yesterday with nine open payments. One
 * of these can be booked at once, six need a look, each for another reason, and two concern no customer.
 */
export async function seedStatement(app: App, tx: Tx, { anna, mikhail, olivia }: People): Promise<void> {
  const waiting = await transfersOf(tx, [anna, mikhail])
  const [hers, his] = [anna, mikhail].map((id) => waiting.find(({ user_id }) => user_id === id))
  const [herLast, hisLast] = [await lastPaidTransfer(tx, anna), await lastPaidTransfer(tx, mikhail)]
  if (ownIban(app) === undefined || !hers || !his || !herLast || !hisLast) return
  const [fromAnna, fromMikhail] = [
    { name: 'Anna Berger', iban: ACCOUNTS.anna },
    { name: 'MIHAILS SOKOLOVS', iban: ACCOUNTS.mikhail },
  ]
  const booked = [
    { ...fromAnna, amount: herLast.amount, text: herLast.reference },
    { ...fromMikhail, amount: hisLast.amount, text: hisLast.reference },
  ]
  await keep(app, tx, olivia, { id: '2026-112', day: dayBefore(90), payments: booked })
  for (const { text } of booked) await markBooked(tx, text)
  const nine: Payment[] = [
    { ...fromMikhail, amount: his.amount, text: his.reference.replaceAll('-', ' ') },
    { ...fromAnna, amount: hers.amount - 10_00n, text: `Guthaben ${hers.reference}` },
    {
      name: 'Theater am Hafen',
      iban: 'DE02500105170137075030',
      amount: hers.amount,
      text: mistyped(hers.reference),
    },
    { ...fromAnna, amount: herLast.amount, text: `Guthaben ${herLast.reference}` },
    { ...fromMikhail, amount: his.amount + hers.amount, text: `${his.reference} ${hers.reference}` },
    { ...fromMikhail, amount: his.amount, text: 'Servers' },
    { ...fromAnna, amount: -herLast.amount, text: 'Lastschriftrückgabe' },
    { amount: 49_90n, name: 'Nordlicht Film GmbH', iban: 'DE89370400440532013000', text: 'Rechnung 2026-17' },
    { amount: -2_90n, name: '', iban: '', text: 'Kontoführung' },
  ]
  await keep(app, tx, olivia, { id: '2026-217', day: dayBefore(1), payments: nine })
}

/** Returns the reference with another last digit, as a person may mistype it. */
const mistyped = (reference: string): string =>
  reference.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function keep(
  app: App,
  tx: Tx,
  by: string,
  { id, day, payments }: { id: string; day: string; payments: readonly Payment[] },
): Promise<void> {
  const { currency } = app.config
  const lines = payments.map((payment, place) => ({
    ...payment,
    booked_on: day,
    currency,
    end_to_end: '',
    bank_ref: '',
    batch_amount: null,
    place: place + 1,
    doubt: null,
  }))
  const statement = {
    kind: 'camt.053' as const,
    page: null,
    id,
    iban: must(ownIban(app)),
    currency,
    opened_on: day,
    closed_on: day,
    opening: null,
    closing: null,
    lines,
  }
  const origin = { ip: '127.0.0.1', user_agent: '', request_id: '' }
  const delivery = { statements: [statement], odd: [], pending: 0 }
  await keepStatements(tx, delivery, { by, sha256: digestOf(`the example statement ${id}`), origin })
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()
