import type * as z from 'zod/mini'
import type { Factor, unauthenticated } from '#foundation/session-contract.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'

/** The view that the URL of the page names. `key` is the key in the link of a mail, or ''. */
export type View = { name: string; key: string }

/** Goes to the step that an answer asks for; returns the error if it asks for none. */
export type TakeStep = (body: Parameters<typeof pendingStep>[0]) => FormError | undefined

/** The step that a half-finished login waits for. */
export type Step = { id: 'verify_email' | 'mfa_authenticate'; factors: readonly Factor[] }

/** Returns the pending step of a 401, if any. Undefined after the right password means that the account is switched off. */
export function pendingStep({ data }: z.output<typeof unauthenticated>): Step | undefined {
  const pending = data.flows.find((flow) => flow.is_pending)
  if (pending?.id !== 'verify_email' && pending?.id !== 'mfa_authenticate') return undefined
  return { id: pending.id, factors: pending.types ?? [] }
}
