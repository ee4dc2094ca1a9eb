import { expect } from 'vitest'
import * as auth from '#features/auth/contract.ts'
import { createHost } from '#features/hosts/server/hosts.ts'
import { listTransfers, offerTransfer } from '#features/hosts/transfer-contract.ts'
import * as payers from '#features/payers/contract.ts'
import * as profile from '#features/profile/contract.ts'
import * as sharing from '#features/sharing/contract.ts'
import type { Route } from '#foundation/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

type Step = [call: Route, input: object]
type Walk = { by: 'stranger' | 'customer'; steps: (email: string, host_id: string) => Step[] }

const [typed, other, third] = ['nimble-gecko-71', 'sleepy-heron-43', 'candid-badger-44']
const signUp = (email: string, password = typed): Step => [auth.signup, { body: { email, password } }]
const signIn = (email: string, password = typed): Step => [auth.login, { body: { email, password } }]
const again: Step = [auth.resendVerification, {}]
const session: Step = [auth.getSession, {}]

/** Sequences of calls by which a stranger, or a customer, could find out if somebody else has an account under an address. */
export const walks: Record<string, Walk> = {
  'sign up, sign in with the password': {
    by: 'stranger',
    steps: (email) => [signUp(email), session, signIn(email), again, signIn(email, other), signIn(email)],
  },
  'sign up twice with one password, then with another': {
    by: 'stranger',
    steps: (email) => [
      signUp(email),
      signUp(email),
      again,
      signUp(email, other),
      signIn(email),
      signIn(email, other),
      again,
    ],
  },
  'be locked out, sign up, sign in': {
    by: 'stranger',
    steps: (email) => [
      ...Array.from({ length: 6 }, () => signIn(email, third)),
      signUp(email),
      signIn(email),
      again,
    ],
  },
  'use up the mails': {
    by: 'stranger',
    steps: (email) => [
      ...Array.from({ length: 7 }, (_, index) => signUp(email, `${typed}-${index}`)),
      again,
      signIn(email, `${typed}-6`),
    ],
  },
  'ask for a new password or a code': {
    by: 'stranger',
    steps: (email) => [
      ...Array.from({ length: 6 }, (): Step => [auth.requestReset, { body: { email } }]),
      [auth.requestCode, { body: { email } }],
    ],
  },
  'add it to an own account': {
    by: 'customer',
    steps: (email) => [
      [profile.addAddress, { body: { email } }],
      [profile.resendConfirmation, { body: { email } }],
      [profile.makePrimary, { body: { email, primary: true } }],
      [profile.listAddresses, {}],
      [profile.removeAddress, { body: { email } }],
    ],
  },
  'ask for help, for payment, or offer a server': {
    by: 'customer',
    steps: (email, hostId) => [
      [sharing.createGrant, { body: { email, role: 'technical', all_hosts: true } }],
      [sharing.createGrant, { body: { email, role: 'technical', all_hosts: true } }],
      [sharing.listGrants, { query: { side: 'given' } }],
      [payers.createAgreement, { body: { email, side: 'owner', all_hosts: true, pays: 'renewals' } }],
      [payers.listAgreements, { query: {} }],
      [offerTransfer, { params: { hostId }, body: { email, name: 'mine' } }],
      [listTransfers, { query: { side: 'given' } }],
    ],
  },
}

let network = 0

/** Walks as somebody from a network of their own. Returns each status with the shape of its body: what differs by person or time is blank. */
export async function walk(test: TestApp, { by, steps }: Walk, email: string): Promise<string[]> {
  const from = { headers: { 'x-forwarded-for': `198.51.${(network += 1)}.9` } }
  const { api, user_id } =
    by === 'customer' ? await signedInCustomer(test) : { api: test.client(), user_id: undefined }
  const own =
    user_id &&
    (await test.app.db.selectFrom('users').select('email').where('id', '=', user_id).executeTakeFirst())
  const hostId = user_id
    ? (await transaction(test.app, 'system', (tx) => createHost(tx, { user_id, name: 'mine', ipv4: null })))
        .public_id
    : ''
  const seen: string[] = []
  for (const [call, input] of steps(email, hostId)) {
    const { status, body, headers } = await api.call(call, input, from)
    expect(status, `${call.id} ${JSON.stringify(body)}`).not.toBe(422)
    const text = JSON.stringify(body)
      .replaceAll(email, 'address')
      .replaceAll(own ? own.email : email, 'own')
      .replaceAll(hostId || email, 'host')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
      .replaceAll(/"session_token":"[^"]+"/g, '"session_token"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    seen.push(`${call.id} ${status} ${headers.has('retry-after') ? 'later ' : ''}${text}`)
  }
  return seen
}
