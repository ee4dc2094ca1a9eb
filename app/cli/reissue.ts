import { reissueInvoice } from '#features/invoices/contract.ts'
import { findByNumber, previewByCommand, reissueByCommand } from '#features/invoices/server/invoices.ts'
import { decimalText } from '#foundation/money.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused, WrongUse } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import type { Options } from './options.ts'
import { withApp } from './with-app.ts'

/** `invoice reissue NUMBER`. Throws NotFound, WrongUse, and Refused if nothing is left of the invoice or its total would rise. */
export const reissueBy = (surroundings: CommandEnvironment, number: string, options: Options) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const found = await findByNumber(app, number.trim()).catch(explain)
    const body = bodyFrom(options, found.buyer)
    const { before, after, difference, refusal } = await previewByCommand(app, found, body)
    if (refusal) throw new Refused(`${REFUSALS[refusal] ?? refusal} Nothing was changed.`)
    const [was, becomes, back] = [before.total, after?.total ?? before.total, difference].map(decimalText)
    const { currency } = difference
    const amounts = `before ${was} ${currency}, after ${becomes} ${currency}, back to the balance ${back} ${currency}`
    const data = { before, after, difference }
    if (options['dryRun'] === true)
      return { lines: [`${number}: ${amounts}. Nothing was changed.`], data: { ...data, dry_run: true } }
    const expected_total = after?.total
    const done = await reissueByCommand(app, found, {
      ...body,
      ...(expected_total && { expected_total }),
    }).catch(explain)
    const { credit_note, invoice } = done
    return {
      lines: [
        `${number} is cancelled by ${credit_note.number} and reissued as ${invoice.number}: ${amounts}.`,
      ],
      data: { ...data, credit_note: credit_note.number, invoice: invoice.number },
    }
  })

const FIELDS = {
  name: 'name',
  company: 'company',
  street: 'street',
  apartment: 'apartment',
  zip: 'zip',
  city: 'city',
  state: 'state',
  country: 'country',
  vat_id: 'vatId',
} as const

/** Returns the body of the reissue, validated as by the call of staff. Throws WrongUse. */
function bodyFrom(options: Options, printed: Record<keyof typeof FIELDS, string>) {
  const typed = Object.entries(FIELDS).flatMap(([field, option]): [string, string][] => {
    const given = options[option]
    return typeof given === 'string' ? [[field, given]] : []
  })
  const { reason, vat = 'keep' } = options
  if (options['dryRun'] !== true && (typeof reason !== 'string' || reason.trim() === ''))
    throw new WrongUse('Say the reason in at most 200 characters, by --reason: the customer reads it.')
  const buyer = typed.length === 0 ? 'profile' : { ...printed, ...Object.fromEntries<string>(typed) }
  const read = reissueInvoice.body.safeParse({ buyer, vat, reason: reason ?? 'only tried' })
  if (read.success) return read.data
  const path = read.error.issues[0]?.path ?? []
  const wrong = String(path.at(-1) ?? 'buyer').replaceAll('_', '-')
  throw new WrongUse(`--${wrong} has a value that is not possible.`)
}

const REFUSALS: Readonly<Record<string, string>> = {
  nothing_left: 'Nothing is left of this invoice: it was refunded or replaced.',
  total_would_rise:
    'The new invoice would come to more than was paid: refund the order and have it placed again.',
  total_changed: 'The amounts have changed meanwhile.',
  deactivated: 'The account was deleted.',
  buyer_incomplete:
    'The profile lacks a name or address that this invoice must show: say the buyer by options.',
  required: 'The buyer lacks what this invoice must show.',
}

function explain(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  if (error.status === 404) throw new NotFound('There is no invoice of this number. A credit note is none.')
  const [first] = error.errors
  const field = first?.param ? ` (${first.param})` : ''
  throw new Refused(
    `${REFUSALS[first?.code ?? ''] ?? first?.code ?? 'Refused.'}${field} Nothing was changed.`,
  )
}
