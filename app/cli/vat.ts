import { checkByCommand } from '#features/invoices/server/invoices.ts'
import { HttpError } from '#foundation/server/http/http-error.ts'
import { NotFound, Refused } from '#foundation/server/operator-errors.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withCustomer } from './with-customer.ts'

/** `vat check ID`: exit code 1 unless the VAT ID is confirmed. Throws NotFound, and Refused if there is no VAT ID to ask about. */
export const checkVat = (surroundings: CommandEnvironment, parameters: readonly string[]): Promise<Answer> =>
  withCustomer(surroundings, parameters, {}, async (app, { user_id }) => {
    const { vat_id, state, asked_since, checked_at } = await checkByCommand(app, user_id).catch(explain)
    return {
      lines: [`${vat_id}: ${sentences[state]}`],
      data: { user_id, vat_id, state, asked_since, checked_at },
      failed: state !== 'verified',
    }
  })

const sentences = {
  verified: 'confirmed. No VAT is charged (reverse charge).',
  asking: 'no answer yet; it is asked again by itself. VAT is charged until then.',
  waiting: 'nobody is asked (VAT_CHECK=off). VAT is charged.',
  invalid: 'not valid. VAT is charged.',
  other_country: 'of another country than the address. VAT is charged.',
  consumer: 'VAT is charged, as staff have decided.',
  not_needed: 'makes no difference.',
} as const

function explain(error: unknown): never {
  if (!(error instanceof HttpError)) throw error
  if (error.status === 404) throw new NotFound('There is no such customer.')
  throw new Refused(
    'This customer has no VAT ID of another EU country that fits the address. Nobody was asked.',
  )
}
