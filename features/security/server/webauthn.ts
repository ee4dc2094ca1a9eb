import * as z from 'zod/mini'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { badRequest } from '#foundation/server/http/http-error.ts'
import { emit } from '#foundation/server/events.ts'
import { factorUsed } from '#features/security/contract.ts'
import { countRefusedPasskey } from './attempts.ts'
import * as queries from './passkey-queries.ts'

// EdDSA, ES256, RS256 (COSE numbers). Without this list the library would try algorithms that Node calls experimental.
const algorithms = [-8, -7, -257]

/** The browser's options for asking for a passkey, and the challenge to keep until it answers. */
type PasskeyRequest = { publicKey: Record<string, unknown>; challenge: string }

/** Asks for one of a user's passkeys; without a user, for any passkey that may sign in alone. */
export async function passkeyRequest(app: App, user_id?: string): Promise<PasskeyRequest> {
  const known = user_id === undefined ? [] : await queries.passkeysOf(app.db, user_id)
  const options = await (
    await library()
  ).generateAuthenticationOptions({
    rpID: party(app).id,
    allowCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    // A passkey alone counts as both factors, so it must itself ask for a finger or a PIN.
    userVerification: user_id === undefined ? 'required' : 'preferred',
  })
  return { publicKey: plain(options), challenge: options.challenge }
}

export type UsedPasskey = { id: number; user_id: string; type: 'webauthn'; passwordless: boolean }

/**
 * Checks the answer of a passkey to `challenge`, which the caller has removed from its store (single use).
 * With a `user_id` the passkey must be that user's; without, it must be one that may sign in alone. Returns
 * undefined if the answer is wrong; throws 400 `invalid` at `credential` if the value has not the form of an answer.
 */
export async function usePasskey(
  app: App,
  tx: Tx,
  asked: { credential: unknown; challenge: string; user_id?: string },
): Promise<UsedPasskey | undefined> {
  const used = await judgePasskey(app, tx, asked)
  if (!used) countRefusedPasskey()
  return used
}

async function judgePasskey(
  app: App,
  tx: Tx,
  { credential, challenge, user_id }: { credential: unknown; challenge: string; user_id?: string },
): Promise<UsedPasskey | undefined> {
  const answer = readCredential(credential, 'use')
  const passkey = await queries.passkeyByCredential(tx, answer.id)
  if (!passkey) return undefined
  const alone = user_id === undefined
  if (alone ? !passkey.is_passwordless : passkey.user_id !== user_id) return undefined
  const counter = await verifiedCounter(app, passkey, answer, { challenge, requireUserVerification: alone })
  if (counter === undefined || !(await queries.advanceCounter(tx, passkey.id, counter))) return undefined
  await emit(app, tx, factorUsed, { user_id: passkey.user_id })
  return { id: passkey.id, user_id: passkey.user_id, type: 'webauthn', passwordless: alone }
}

async function verifiedCounter(
  app: App,
  passkey: queries.PasskeyRow,
  response: AuthenticationResponseJSON,
  { challenge, requireUserVerification }: { challenge: string; requireUserVerification: boolean },
): Promise<bigint | undefined> {
  const { id, origin } = party(app)
  try {
    const { verified, authenticationInfo } = await (
      await library()
    ).verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
      },
    })
    return verified ? BigInt(authenticationInfo.newCounter) : undefined
  } catch {
    // The library throws if the challenge, the origin, the signature or the counter is wrong.
    return undefined
  }
}

/** Asks for a new passkey. `passwordless` makes one that may sign in alone. */
export async function registrationRequest(
  app: App,
  user: { user_id: string; email: string },
  passwordless: boolean,
): Promise<PasskeyRequest> {
  const known = await queries.passkeysOf(app.db, user.user_id)
  const options = await (
    await library()
  ).generateRegistrationOptions({
    rpName: app.config.operator.name,
    rpID: party(app).id,
    userName: user.email,
    userDisplayName: user.email,
    supportedAlgorithmIDs: algorithms,
    userID: new TextEncoder().encode(user.user_id),
    excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: passwordless
      ? { residentKey: 'required', userVerification: 'required' }
      : { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  return { publicKey: plain(options), challenge: options.challenge }
}

type Registered = Pick<queries.NewPasskey, 'credential_id' | 'public_key' | 'counter' | 'transports'>

/** Checks the answer of a new passkey to `challenge`; undefined if it does not match. */
export async function verifyRegistration(
  app: App,
  credential: unknown,
  { challenge, passwordless }: { challenge: string; passwordless: boolean },
): Promise<Registered | undefined> {
  const response = readCredential(credential, 'registration')
  const { id, origin } = party(app)
  try {
    const { verified, registrationInfo } = await (
      await library()
    ).verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: passwordless,
    })
    if (!verified) return undefined
    const { credential: made } = registrationInfo
    return {
      credential_id: made.id,
      public_key: Buffer.from(made.publicKey),
      counter: BigInt(made.counter),
      transports: (made.transports ?? []).filter((transport) => /^[a-z-]{1,20}$/.test(transport)).slice(0, 8),
    }
  } catch {
    return undefined
  }
}

/** The relying party is the host of PUBLIC_ORIGIN, regardless of the request's Host header. */
function party({ config }: App): { id: string; origin: string } {
  return { id: new URL(config.publicOrigin).hostname, origin: config.publicOrigin }
}

/** The parts of an answer that must be there; the library judges all others. */
const parts = {
  use: ['clientDataJSON', 'authenticatorData', 'signature'],
  registration: ['clientDataJSON', 'attestationObject'],
} as const

/** Refuses values without the shape of a credential, before the library parses them. */
function readCredential(value: unknown, of: 'use'): AuthenticationResponseJSON
function readCredential(value: unknown, of: 'registration'): RegistrationResponseJSON
function readCredential(value: unknown, of: keyof typeof parts): object {
  const { data: read } = credentialShape.safeParse(value)
  const wellFormed =
    read && read.rawId === read.id && parts[of].every((part) => typeof read.response[part] === 'string')
  if (!wellFormed) throw badRequest('invalid', 'credential')
  return { clientExtensionResults: {}, ...read }
}

const credentialShape = z.looseObject({
  id: z.string().check(z.maxLength(2_000)),
  rawId: z.string(),
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
})

// Leaves out undefined values, as JSON does; the replies' schemas allow no undefined.
const plain = (options: object): Record<string, unknown> =>
  z.record(z.string(), z.unknown()).parse(JSON.parse(JSON.stringify(options)))

/** The library loads at the first passkey: its ASN.1 and CBOR would cost every start a tenth of a second. */
const library = () => import('@simplewebauthn/server')
