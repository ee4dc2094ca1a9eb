import * as z from 'zod/mini'
import { waitingReply } from '#foundation/approvals.ts'
import { liveEvent, route } from '#foundation/contract.ts'
import { opaqueText, requiredText } from '#foundation/fields.ts'
import { idempotencyKey } from '#foundation/idempotency.ts'
import { money } from '#foundation/money.ts'
import { byTimeOrAmount, pageOf, pageQuery } from '#foundation/paging.ts'
import { count, day, emailText, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { bankBookPermission, bankReadPermission } from '#features/finance/contract.ts'
import { csvForm, csvGuess, csvQuestions } from './csv-profile.ts'
import { causes, lineStates, matches, oddKinds, oddReasons, oddStates } from './rules.ts'

/** Bank statements: their payments, matched with announced transfers and booked. */

const importPermission = permission('banking.import', ['billing', 'admin'])
const publicId = z.string().check(z.regex(/^[\w-]{22}$/))

const customer = z.strictObject({ id: uuidText(), email: emailText() })

/** A transfer that a payment may be for. */
const candidate = z.strictObject({
  id: z.string(),
  reference: z.string(),
  amount: money,
  announced_at: time(),
  paid: z.boolean(),
  customer,
})
named('BankCandidate', candidate)
export type BankCandidate = z.infer<typeof candidate>

const line = z.strictObject({
  id: uuidText(),
  booked_on: day(),
  /** The amount that the account gained, or (negative) lost. */
  amount: money,
  /** The payer or the payee; empty if the bank names nobody. */
  name: z.string(),
  iban: z.string(),
  text: z.string(),
  match: z.enum(matches),
  /** Null unless ambiguous. */
  cause: z.nullable(z.enum(causes)),
  state: z.enum(lineStates),
  /** The earlier payment that this payment probably repeats, with its `line` in its statement. */
  same_as: z.nullable(
    z.strictObject({
      line: count(),
      /** Empty if the statement has no name, as in CSV. */
      statement_id: z.string(),
      imported_at: time(),
      state: z.enum(lineStates),
    }),
  ),
  /** The customer to whom the payment is booked; null in the other states. */
  customer: z.nullable(customer),
  /** The transfers that the payment may be for, the likeliest first; for a booked payment, the transfer that it paid. */
  candidates: z.array(candidate),
})
named('BankLine', line)
export type BankLine = z.infer<typeof line>

const file = z.strictObject({
  id: uuidText(),
  statement_id: z.string(),
  iban: z.string(),
  opened_on: z.nullable(day()),
  closed_on: z.nullable(day()),
  imported_at: time(),
})
named('BankFile', file)

const imported = z.strictObject({
  /** The statements of the file that were not imported before. */
  files: z.array(file),
  /** The numbers of payments; the `known` ones had been imported before, from this statement or another. */
  counts: z.strictObject({ exact: count(), ambiguous: count(), unknown: count(), known: count() }),
  /** The parts that could not be read with certainty and are on the list since this import. */
  odd: count(),
  /** The payments that the bank has not booked yet; they come again in a later file. */
  pending: count(),
})
named('BankImport', imported)
export type BankImport = z.infer<typeof imported>

export const importStatement = route({
  id: 'importStatement',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-files/',
  access: staff(importPermission, 'none'),
  summary: 'Import a bank statement',
  description:
    'Import a bank statement (multipart/form-data, at most 20 MB): CAMT.052, .053 or .054, CSV with the `profile` of its bank, or a ZIP of such files. What is not certain is set aside for staff, and the rest is taken; a file of which nothing can be taken is refused. The same file again answers 200 and adds nothing; of one that overlaps with others the new payments are added.',
  requestType: 'file',
  query: z.strictObject({ profile: z.optional(z.uuid()) }),
  replies: { 201: imported, 200: imported },
  errors: {
    400: ['empty_file', 'one_file', 'too_many_lines', 'unknown_profile', ...oddReasons],
  },
})

const profile = z.strictObject({ id: uuidText(), name: z.string(), form: csvForm })
named('BankProfile', profile)
export type BankProfile = z.infer<typeof profile>

export const listBankProfiles = route({
  id: 'listBankProfiles',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/bank-profiles/',
  access: staff(bankReadPermission),
  summary: 'How banks write their CSV statements',
  replies: { 200: z.strictObject({ items: z.array(profile) }) },
})
named('BankProfiles', listBankProfiles.replies[200])

export const addBankProfile = route({
  id: 'addBankProfile',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-profiles/',
  access: staff(importPermission, 'none'),
  summary: 'Save how a bank writes its CSV statements',
  description: 'The same name again replaces the former form',
  body: z.strictObject({ name: requiredText(60), form: csvForm }),
  replies: { 201: profile },
})

export const previewCsv = route({
  id: 'previewCsv',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-files/preview/',
  access: staff(importPermission, 'none'),
  summary: 'The first five payments of a CSV statement',
  description: 'Reads the file in the form (a `CsvForm` as JSON); nothing is kept',
  requestType: 'file',
  /** A `CsvForm` as JSON. */
  query: z.strictObject({ form: opaqueText(2000) }),
  replies: {
    200: z.strictObject({
      lines: count(),
      /** The rows that are not certain, and would be on the list. */
      odd: count(),
      pending: count(),
      first: z.array(
        z.strictObject({
          booked_on: day(),
          amount: money,
          name: z.string(),
          iban: z.string(),
          text: z.string(),
        }),
      ),
    }),
  },
  errors: {
    400: ['invalid', 'empty_file', 'one_file', 'too_many_lines', ...oddReasons],
  },
})
named('CsvPreview', previewCsv.replies[200])
export type CsvPreview = z.infer<(typeof previewCsv)['replies'][200]>

export const inspectCsv = route({
  id: 'inspectCsv',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-files/inspection/',
  access: staff(importPermission, 'none'),
  summary: 'The columns of a CSV statement and its probable form',
  description:
    'Reads which columns a CSV statement has and guesses its form; `asked` names what the file leaves open. Nothing is kept',
  requestType: 'file',
  replies: {
    200: z.strictObject({
      columns: z.array(z.strictObject({ name: z.string(), samples: z.array(z.string()) })),
      form: csvGuess,
      asked: z.array(z.enum(csvQuestions)),
    }),
  },
  errors: { 400: ['empty_file', 'one_file', 'unreadable_file'] },
})
named('CsvInspection', inspectCsv.replies[200])
export type CsvInspection = z.infer<(typeof inspectCsv)['replies'][200]>

export const listBankLines = route({
  id: 'listBankLines',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/bank-lines/',
  access: staff(bankReadPermission),
  summary: 'Payments on bank statements',
  description: 'Payments on bank statements, by day or amount, by state, match and a part of their text',
  query: z.strictObject({
    ...pageQuery,
    state: z._default(z.enum([...lineStates, 'any']), 'open'),
    match: z.optional(z.enum(matches)),
    q: z.optional(opaqueText(100)),
    sort: byTimeOrAmount,
  }),
  replies: {
    200: z.strictObject({
      ...pageOf(line).shape,
      /** The counts of all open payments, whatever the query asks for. */
      open: z.strictObject({ exact: count(), ambiguous: count(), unknown: count() }),
    }),
  },
})
named('BankLines', listBankLines.replies[200])

export const bookExactLines = route({
  id: 'bookExactLines',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-lines/booking/',
  access: staff(bankBookPermission, 'found'),
  summary: 'Book all payments that can only mean one transfer',
  description:
    'Book all open payments that are exact, one after the other; what cannot be booked by then becomes ambiguous. Asking again books nothing twice.',
  replies: { 202: z.strictObject({ lines: count() }) },
})

const params = z.strictObject({ lineId: z.uuid() })
const reason = requiredText(200)

export const assignBankLine = route({
  id: 'assignBankLine',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-lines/{lineId}/assignment/',
  access: staff(bankBookPermission, 'body'),
  summary: 'Book a payment to a customer',
  description:
    'Book a payment to a customer, for one of their transfers or (`top_up` left out) for none; one that the bank took back is booked as the chargeback of the transfer it returned. For a customer who shares an address or a browser with you it waits for a second person: 202',
  params,
  headers: idempotencyKey,
  body: z.strictObject({ user_id: z.uuid(), top_up: z.optional(publicId), reason }),
  replies: { 201: line, 202: waitingReply },
  errors: {
    403: ['own_account'],
    404: ['not_found'],
    409: ['line_not_open', 'top_up_not_pending', 'nothing_to_charge_back', 'already_proposed'],
    422: ['idempotency_key_reused'],
  },
})

export const ignoreBankLine = route({
  id: 'ignoreBankLine',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-lines/{lineId}/ignoring/',
  access: staff(bankBookPermission),
  summary: 'Put a payment aside that is no customer’s',
  params,
  body: z.strictObject({ reason }),
  replies: { 200: line },
  errors: { 403: ['own_account'], 409: ['line_not_open'] },
})

export const reopenBankLine = route({
  id: 'reopenBankLine',
  tag: 'Staff finances',
  method: 'DELETE',
  path: '/api/staff/bank-lines/{lineId}/ignoring/',
  access: staff(bankBookPermission),
  summary: 'Open a payment again that was put aside',
  params,
  replies: { 200: line },
  errors: { 403: ['own_account'], 409: ['line_not_ignored'] },
})

export const reverseBankLine = route({
  id: 'reverseBankLine',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-lines/{lineId}/reversal/',
  access: staff(bankBookPermission),
  summary: 'Reverse a payment that was booked to the wrong customer',
  description:
    'Take a payment back from the customer that it was booked to, as a chargeback, and open it again; the customer reads the reason. Above your allowance it waits for a second person: 202',
  params,
  headers: idempotencyKey,
  body: z.strictObject({ reason }),
  replies: { 201: line, 202: waitingReply },
  errors: {
    403: ['own_account'],
    409: ['line_not_booked', 'nothing_to_charge_back', 'already_proposed'],
    422: ['idempotency_key_reused'],
  },
})

const oddPart = z.strictObject({
  id: uuidText(),
  kind: z.enum(oddKinds),
  reason: z.enum(oddReasons),
  /** The name of the file as it was sent; empty if it came by the command line. */
  file_name: z.string(),
  /** The name of the file within a ZIP, or of the statement. */
  source: z.string(),
  /** The number of the entry or row; null if the part has none. */
  place: z.nullable(count()),
  /** The part as the bank wrote it. */
  shown: z.string(),
  state: z.enum(oddStates),
  noticed_at: time(),
})
named('BankOddPart', oddPart)
export type BankOddPart = z.infer<typeof oddPart>

export const listBankOddParts = route({
  id: 'listBankOddParts',
  tag: 'Staff finances',
  method: 'GET',
  path: '/api/staff/bank-odd-parts/',
  access: staff(bankReadPermission),
  summary: 'Parts of bank files that could not be read with certainty',
  description:
    'Parts of bank files of which nothing was booked, because they are not certain, the newest first',
  query: z.strictObject({ ...pageQuery, state: z._default(z.enum(oddStates), 'open') }),
  replies: { 200: z.strictObject({ ...pageOf(oddPart).shape, open: count(), done: count() }) },
})
named('BankOddParts', listBankOddParts.replies[200])

const oddParams = z.strictObject({ partId: z.uuid() })

export const finishBankOddPart = route({
  id: 'finishBankOddPart',
  tag: 'Staff finances',
  method: 'POST',
  path: '/api/staff/bank-odd-parts/{partId}/done/',
  access: staff(bankBookPermission, 'none'),
  summary: 'Mark an odd part of a bank file as dealt with',
  params: oddParams,
  replies: { 200: oddPart },
  errors: { 404: ['not_found'], 409: ['odd_part_changed'] },
})

export const reopenBankOddPart = route({
  id: 'reopenBankOddPart',
  tag: 'Staff finances',
  method: 'DELETE',
  path: '/api/staff/bank-odd-parts/{partId}/done/',
  access: staff(bankBookPermission, 'none'),
  summary: 'Put an odd part of a bank file on the list again',
  params: oddParams,
  replies: { 200: oddPart },
  errors: { 404: ['not_found'], 409: ['odd_part_changed'] },
})

/** Payments were imported, booked or put aside: pages that show payments load them again. */
export const BANK_LINES_CHANGED = liveEvent('bank_lines.changed')
