// Helpers of an account: its owner invites them, and they accept; or the owner makes a token for a program.
import { randomUUID } from 'node:crypto'
import * as contract from '#features/sharing/contract.ts'
import { createToken, endToken } from '#features/sharing/token-contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { signedInCustomer, type Customer } from './customer.ts'
import { bodyOf } from './hosts.ts'
import type { TestApp } from './test-app.ts'

export type Terms = Partial<Omit<InputOf<typeof contract.createGrant>['body'], 'email' | 'all_hosts'>>

export type Helper = Customer & { grantId: string }

/** Makes a helper of the owner's account: `grantee`, or a new customer. */
export async function helperOf(
  test: Pick<TestApp, 'app' | 'client'>,
  owner: Pick<Customer, 'api'>,
  { role = 'technical', host_ids, ...terms }: Terms = {},
  grantee?: Customer,
): Promise<Helper> {
  const person = grantee ?? (await signedInCustomer(test))
  const body = { email: person.email, role, all_hosts: !host_ids, ...(host_ids && { host_ids }), ...terms }
  const { id } = bodyOf(await owner.api.call(contract.createGrant, { body }), 201)
  bodyOf(await person.api.call(contract.acceptGrant, { params: { grantId: id } }), 200)
  return { ...person, grantId: id }
}

/** Makes a token of the owner's account. Its program calls as a helper does; its `email` is the name of the token. */
export async function programOf(
  test: Pick<TestApp, 'client'>,
  owner: Pick<Customer, 'api' | 'address'>,
  { role = 'technical', host_ids, month_limit }: Terms = {},
  ends: '30' | 'unused' = '30',
): Promise<Helper> {
  const name = `Script ${randomUUID().slice(0, 8)}`
  const scope = { all_hosts: !host_ids, ...(host_ids && { host_ids }), ...(month_limit && { month_limit }) }
  const { id, secret } = bodyOf(
    await owner.api.call(createToken, { body: { name, role, ends, ...scope } }),
    201,
  )
  const api = test.client()
  api.access_token = secret
  return { user_id: id, grantId: id, email: name, address: owner.address, api }
}

/** Ends a token, as its owner. */
export const endProgram = ({ api }: Pick<Customer, 'api'>, tokenId: string) =>
  api.call(endToken, { params: { tokenId } })

/** Ends a grant, as its owner or as the helper. */
export const endGrant = ({ api }: Pick<Customer, 'api'>, grantId: string) =>
  api.call(contract.deleteGrant, { params: { grantId } })
