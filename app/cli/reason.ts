import { REASON_LENGTH } from '#features/customers/rules.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'
import type { Options } from './options.ts'

/** Returns the reason of an act of the operator, which need not be given. Throws WrongUse for one that is empty or too long. */
export function reasonIn({ reason = 'from the command line' }: Options): string {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > REASON_LENGTH)
    throw new WrongUse(`Say the reason in at most ${REASON_LENGTH} characters.`)
  return reason
}
