import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import * as contract from '#features/invoices/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { pagedQueryFor, queryClient, queryFor } from '#foundation/web/api/query.ts'

const invoice = (publicId: string) => queryFor(contract.getInvoice, { params: { publicId } })

/** Loads an invoice as it was issued; 404 for an unknown id and for the id of another customer's invoice. */
export const useInvoice = (publicId: string) => useQuery(invoice(publicId))

export const useInvoices = () => useInfiniteQuery(pagedQueryFor(contract.listInvoices, { query: {} }))

/** Fetches an invoice while the pointer is still on its way to the link. */
export const prefetchInvoice = (publicId: string): Promise<unknown> => queryClient.query(invoice(publicId))

const billing = queryFor(contract.getBilling)
export const useBilling = () => useQuery(billing)

/** Saves the billing details for invoices from now on; the page shows the saved details at once. */
export async function saveBilling(body: InputOf<typeof contract.saveBilling>['body']) {
  const answer = await call(contract.saveBilling, { body })
  if (answer.status === 200) keepAnswer(answer, billing.queryKey, answer.body)
  return answer
}
