export type WrittenPayment = {
  /** Minor units of a currency with two digits, negative where the money left. */
  amount: number
  text?: string
  name?: string
  iban?: string
  day?: string
  /** The bank's own reference; without one the product recognises the payment by its content. */
  bank_ref?: string
  /** The single payments of an entry that the bank shows as one. */
  batch?: readonly WrittenPayment[]
  status?: 'BOOK' | 'PDNG'
}

type Written = {
  iban?: string
  currency?: string
  opening?: number
  closing?: number
  id?: string
  version?: string
}

export const OUR_IBAN = 'DE02120300000000202051'

/** Returns a statement as banks write it, in CAMT.053 (ISO 20022), by default in version 001.08. */
export function bankStatement(payments: readonly WrittenPayment[], written: Written = {}): string {
  const { iban = OUR_IBAN, currency = 'EUR', opening = 100_000, id = 'STMT-1', version = '001.08' } = written
  const booked = payments.filter(({ status = 'BOOK' }) => status === 'BOOK')
  const { closing = opening + booked.reduce((sum, { amount }) => sum + amount, 0) } = written
  const money = (amount: number) => `<Amt Ccy="${currency}">${(Math.abs(amount) / 100).toFixed(2)}</Amt>
    <CdtDbtInd>${amount < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`
  const balance = (code: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(amount)}<Dt><Dt>2026-11-20</Dt></Dt></Bal>`
  const isOld = Number(version.slice(4)) < 8
  const detail = ({ amount, text = '', name = '', iban: from = '' }: WrittenPayment) => {
    const [party, account] = amount > 0 ? ['Dbtr', 'DbtrAcct'] : ['Cdtr', 'CdtrAcct']
    const person = isOld ? `<Nm>${escaped(name)}</Nm>` : `<Pty><Nm>${escaped(name)}</Nm></Pty>`
    return `<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>${money(amount)}
      <RltdPties><${party}>${person}</${party}><${account}><Id><IBAN>${from}</IBAN></Id></${account}></RltdPties>
      <RmtInf><Ustrd>${escaped(text)}</Ustrd></RmtInf></TxDtls>`
  }
  const entry = (payment: WrittenPayment) => {
    const { status = 'BOOK', day = '2026-11-20', bank_ref, batch = [payment] } = payment
    return `<Ntry>${money(payment.amount)}<Sts>${isOld ? status : `<Cd>${status}</Cd>`}</Sts>
      <BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>
      ${bank_ref === undefined ? '' : `<AcctSvcrRef>${bank_ref}</AcctSvcrRef>`}
      <NtryDtls>${batch.map((one) => detail(one)).join('')}</NtryDtls></Ntry>`
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.${version}"><BkToCstmrStmt>
<GrpHdr><MsgId>1</MsgId><CreDtTm>2026-11-20T20:00:00</CreDtTm></GrpHdr>
<Stmt><Id>${id}</Id><FrToDt><FrDtTm>2026-11-20T00:00:00</FrDtTm><ToDtTm>2026-11-20T23:59:59</ToDtTm></FrToDt>
<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balance('OPBD', opening)}${balance('CLBD', closing)}${payments.map(entry).join('\n')}</Stmt></BkToCstmrStmt></Document>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
