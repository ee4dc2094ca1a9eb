import * as z from 'zod/mini'
import type { Route } from '#foundation/contract.ts'
import { commonErrors } from '#foundation/errors.ts'
import { gone, unauthenticated } from '#foundation/session-contract.ts'

const errorBody = z.strictObject({
  status: z.number(),
  errors: z.optional(
    z
      .array(z.strictObject({ code: z.string(), param: z.optional(z.string()), message: z.string() }))
      .check(z.minLength(1)),
  ),
})

/**
 * What is wrong with an answer, or undefined: it must be a reply that the contract declares, or a refusal in the
 * one error shape with codes that the contract or foundation/errors.ts names. Without a contract only refusals fit.
 */
export function misfitOf(contract: Route | undefined, status: number, body: unknown): string | undefined {
  const declared = contract?.replies[status]
  if (declared === null && body === undefined) return undefined
  if (declared && z.safeParse(declared, body).success) return undefined
  // What the policy itself answers on the account calls stands in no contract, because it is the same for all.
  if (contract?.style === 'auth' && status === 410 && z.safeParse(gone, body).success) return undefined
  if (
    contract?.style === 'auth' &&
    status === 401 &&
    contract.who !== 'anyone' &&
    z.safeParse(unauthenticated, body).success
  )
    return undefined
  const refusal = z.safeParse(errorBody, body)
  if (!refusal.success)
    return `neither a declared reply nor a refusal: ${JSON.stringify(body)?.slice(0, 200)}`
  if (refusal.data.status !== status) return `the body says ${refusal.data.status}`
  if (status < 400) return `an error body with status ${status}`
  const codes: readonly string[] = [
    ...(commonErrors[status as 400] ?? []),
    ...(contract?.errors?.[status] ?? []),
  ]
  const undeclared = refusal.data.errors?.find(({ code }) => !codes.includes(code))
  return undeclared && `${undeclared.code} is no declared code of ${status}`
}
