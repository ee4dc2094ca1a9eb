import { useQuery } from '@tanstack/react-query'
import { listTransfers } from '#features/hosts/transfer-contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'

/** The open offer of one's own server, if there is one. */
export const useTransferOf = (host_id: string) =>
  useQuery(queryFor(listTransfers, { query: { side: 'given', host_id } }))

/** The open offers that others have made to this account. */
export const useOffered = () => useQuery(queryFor(listTransfers, { query: { side: 'received' } }))
