import { useQuery } from '@tanstack/react-query'
import { listTransfers } from '#features/hosts/transfer-contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'

/** The open offer of a server of one's own, if any. */
export const useTransferOf = (host_id: string) =>
  useQuery(queryFor(listTransfers, { query: { side: 'given', host_id } }))

/** Open offers of others. */
export const useOffered = () => useQuery(queryFor(listTransfers, { query: { side: 'received' } }))
