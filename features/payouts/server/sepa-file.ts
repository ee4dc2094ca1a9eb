import { decimalText, toMoney } from '#foundation/money.ts'
import { element, writeXml } from '#foundation/server/xml.ts'
import { sepaText } from '#features/payouts/rules.ts'

type Payer = { name: string; iban: string; bic: string }
type Transfer = { reference: string; amount: bigint; iban: string; holder: string }
type Batch = {
  id: string
  created_at: Date
  /** The day on which the bank is to pay: 2026-12-01. */
  day: string
  payer: Payer
  transfers: readonly Transfer[]
}

/**
 * Returns a file of SEPA credit transfers: ISO 20022 pain.001.001.09, as the European Payments Council asks for it (EPC132-08). The schema
 * prescribes the order of the elements. The file of a batch is the same bytes each time.
 */
export function writeSepaFile({ id, created_at, day, payer, transfers }: Batch): string {
  const sum = euros(transfers.reduce((all, { amount }) => all + amount, 0n))
  const counted = [element('NbOfTxs', String(transfers.length)), element('CtrlSum', sum)]
  const name = element('Nm', sepaText(payer.name) ?? 'NOTPROVIDED')
  const agent =
    payer.bic === '' ? element('Othr', [element('Id', 'NOTPROVIDED')]) : element('BICFI', payer.bic)
  const root = element(
    'Document',
    [
      element('CstmrCdtTrfInitn', [
        element('GrpHdr', [
          element('MsgId', id),
          element('CreDtTm', created_at.toISOString()),
          ...counted,
          element('InitgPty', [name]),
        ]),
        element('PmtInf', [
          element('PmtInfId', `${id}-1`),
          element('PmtMtd', 'TRF'),
          ...counted,
          element('PmtTpInf', [element('SvcLvl', [element('Cd', 'SEPA')])]),
          element('ReqdExctnDt', [element('Dt', day)]),
          element('Dbtr', [name]),
          element('DbtrAcct', [element('Id', [element('IBAN', payer.iban)])]),
          element('DbtrAgt', [element('FinInstnId', [agent])]),
          element('ChrgBr', 'SLEV'),
          ...transfers.map(transferElement),
        ]),
      ]),
    ],
    { xmlns: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' },
  )
  return writeXml(root)
}

const transferElement = ({ reference, amount, iban, holder }: Transfer) =>
  element('CdtTrfTxInf', [
    element('PmtId', [element('EndToEndId', reference)]),
    element('Amt', [element('InstdAmt', euros(amount), { Ccy: 'EUR' })]),
    element('Cdtr', [element('Nm', sepaText(holder) ?? 'NOTPROVIDED')]),
    element('CdtrAcct', [element('Id', [element('IBAN', iban)])]),
    element('RmtInf', [element('Ustrd', reference)]),
  ])

const euros = (amount: bigint): string => decimalText(toMoney(amount, 'EUR'))
