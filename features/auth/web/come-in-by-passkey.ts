import { getPasskeyLogin, loginByPasskey } from '#features/auth/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { askPasskey } from '#foundation/web/reauthentication/passkey.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { toFormError } from './hooks.ts'
import { offerPasskeys } from './passkey-autofill.ts'
import type { TakeStep } from './step.ts'

/** Signs in after a press of the button: the browser shows its own dialog. Returns the error, if any. */
export async function comeInByPasskey(takeStep: TakeStep): Promise<FormError | undefined> {
  const asked = await call(getPasskeyLogin, {}, { sessionToken: null })
  if (asked.status !== 200) return toFormError(asked, m.auth_login_failed)
  const credential = await askPasskey(asked.body.data.request_options.publicKey)
  // Closing the browser's own dialog needs no message.
  return credential ? answerWith(credential, asked.body.meta?.session_token, takeStep) : undefined
}

/** Offers passkeys in the field for the email, where the browser shows them beside passwords. Returns a function that stops it. */
export const offerToComeIn = (
  takeStep: TakeStep,
  tell: (errors: FormError['errors']) => void,
): (() => void) => offerPasskeys((credential, token) => answerWith(credential, token, takeStep), tell)

async function answerWith(
  credential: Record<string, unknown>,
  sessionToken: string | undefined,
  takeStep: TakeStep,
): Promise<FormError | undefined> {
  const answer = await call(loginByPasskey, { body: { credential } }, { sessionToken: sessionToken ?? null })
  if (answer.status === 401) return takeStep(answer.body)
  if (answer.status === 400) return { errors: [{ code: 'passkey_unknown' }] }
  if (answer.status !== 200) return toFormError(answer, m.auth_login_failed)
  toastSuccess(m.auth_signed_in)
  return undefined
}
