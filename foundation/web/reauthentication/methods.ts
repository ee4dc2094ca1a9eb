import { call } from '#foundation/web/api/call.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { listAuthenticators } from '#foundation/reauthentication-contract.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'

/** The methods by which a user can prove who they are. */
export type Method = 'password' | 'code' | 'passkey'

/** The ways that are offered to somebody who is asked for a proof, and the function that takes the answer. */
export type Asking = { ways: readonly Method[]; settle: (proven: boolean) => void }

type Flow = { id: string; types?: readonly string[] }

/** Returns the methods that an answer R401, 'prove again who you are', lists (auth contract section 2); undefined for other answers. */
export function methodsRequested({ status, body }: AnswerStatus): readonly Method[] | undefined {
  const { meta, data } = (body ?? {}) as { meta?: { is_authenticated?: boolean }; data?: { flows?: Flow[] } }
  if (status !== 401 || !meta?.is_authenticated) return undefined
  return (data?.flows ?? []).flatMap(({ id, types }) =>
    id === 'reauthenticate' ? ['password' as const] : methodsOfFactors(types ?? []),
  )
}

/** Loads the methods of the signed-in user, for calls whose answer asks for a proof and does not list them. */
export async function findMethods(): Promise<readonly Method[]> {
  const password: readonly Method[] = storedSession.user()?.has_usable_password === false ? [] : ['password']
  const answer = await call(listAuthenticators)
  const types = answer.status === 200 ? answer.body.data.map(({ type }) => type) : []
  return [...password, ...methodsOfFactors(types)]
}

/** Loads the methods besides the password: staff with a second factor must prove who they are with it. */
export const findFactors = async (): Promise<readonly Method[]> =>
  (await findMethods()).filter((method) => method !== 'password')

function methodsOfFactors(types: readonly string[]): Method[] {
  const code = types.includes('totp') || types.includes('recovery_codes')
  const passkey = types.includes('webauthn') && 'PublicKeyCredential' in window
  return [...(code ? ['code' as const] : []), ...(passkey ? ['passkey' as const] : [])]
}
