import * as contract from '#features/hosts/transfer-contract.ts'
import type { Customer } from './customer.ts'
import { getHost, bodyOf } from './hosts.ts'

export const offer = (
  { api }: Pick<Customer, 'api'>,
  hostId: string,
  { email, name, key }: { email: string; name: string; key?: string },
) =>
  api.call(contract.offerTransfer, {
    params: { hostId },
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: { email, name },
  })
export const accept = ({ api }: Pick<Customer, 'api'>, transferId: string) =>
  api.call(contract.acceptTransfer, { params: { transferId } })
export const decline = ({ api }: Pick<Customer, 'api'>, transferId: string) =>
  api.call(contract.declineTransfer, { params: { transferId } })
export const withdraw = ({ api }: Pick<Customer, 'api'>, hostId: string) =>
  api.call(contract.withdrawTransfer, { params: { hostId } })
export const transfersOf = async ({ api }: Pick<Customer, 'api'>, side: contract.Transfer['side']) =>
  bodyOf(await api.call(contract.listTransfers, { query: { side } }), 200).items

/** Offers a server to another account. Returns the transfer. */
export async function offered(
  owner: Pick<Customer, 'api'>,
  receiver: Pick<Customer, 'email'>,
  hostId: string,
): Promise<contract.Transfer> {
  const { name } = bodyOf(await getHost(owner.api, hostId), 200)
  return bodyOf(await offer(owner, hostId, { email: receiver.email, name }), 201)
}

/** Transfers a server from one account to another. */
export async function transferred(
  owner: Pick<Customer, 'api'>,
  receiver: Pick<Customer, 'api' | 'email'>,
  hostId: string,
) {
  const { id } = await offered(owner, receiver, hostId)
  return bodyOf(await accept(receiver, id), 200)
}
