import { HOTP, Secret } from 'otpauth'
import { expect } from 'vitest'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { createUser } from '#foundation/server/session/session.ts'
import { AUTH } from '#foundation/session-contract.ts'
import * as auth from '#features/auth/contract.ts'
import { insertAddress, createProfile } from '#features/profile/server/profile.ts'
import { hashPassword, setPassword, type PasswordHash } from '#features/security/server/security.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import type { Client } from '#tests/harness/client.ts'

export const password = 'lively-otter-42'
let hash: Promise<PasswordHash> | undefined

export type Account = { user_id: string; email: string }

/** Makes an account with a password, as if its owner had signed up; its address is proven by default. */
export async function makeAccount(app: App, { verified = true, email = anyEmail() } = {}): Promise<Account> {
  // Hashing is slow on purpose, so all accounts share one hash.
  const known = await (hash ??= hashPassword(password))
  return transaction(app, 'system', async (tx) => {
    const user_id = await createUser(tx, { email, locale: 'en' })
    await createProfile(tx, user_id)
    await insertAddress(tx, { user_id, email, is_primary: true, verified })
    await setPassword(app, tx, user_id, known)
    return { user_id, email }
  })
}

/** Signs in with the password alone; expects 200. */
export async function signIn(client: Client, { email }: Account): Promise<void> {
  const reply = await client.call(auth.login, { body: { email, password } })
  expect(reply.status).toBe(200)
}

/** Switches the authenticator app on for the signed-in user. Returns its secret. */
export async function switchOnTotp(client: Client): Promise<string> {
  const path = `${AUTH}/account/authenticators/totp`
  const { body } = await client.get<{ meta: { secret: string } }>(path)
  const reply = await client.post(path, { code: totpCode(body.meta.secret) })
  expect(reply.status).toBe(200)
  return body.meta.secret
}

/** Returns the code of an authenticator app for the 30 s period that lies `steps` periods from now. */
export const totpCode = (secret: string, steps = 0) =>
  HOTP.generate({
    secret: Secret.fromBase32(secret),
    counter: Math.floor(Date.now() / 30_000) + steps,
    digits: 6,
    algorithm: 'SHA1',
  })

/** Returns the value of this parameter from the first link of a mail that has it: `?verify=…`, `?reset=…` or `?invite=…`. */
export function keyIn(text: string | undefined, name: 'verify' | 'reset' | 'invite'): string {
  const link = /https?:\/\/\S+/g
  for (const [url] of (text ?? '').matchAll(link)) {
    const key = new URL(url).searchParams.get(name)
    if (key) return key
  }
  throw new Error(`no link with ${name} in: ${text}`)
}
