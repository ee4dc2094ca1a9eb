import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import * as contract from '#features/invoices/contract.ts'
import { queryClient, reading, readingPages } from '#foundation/web/api/query.ts'

const invoice = (publicId: string) => reading(contract.getInvoice, { params: { publicId } })

/** An invoice as it was issued; 404 for a foreign id as for an unknown one. */
export const useInvoice = (publicId: string) => useQuery(invoice(publicId))

export const useInvoices = () => useInfiniteQuery(readingPages(contract.listInvoices, { query: {} }))

/** Fetches an invoice while the pointer is still on its way to the link. */
export const prefetchInvoice = (publicId: string): Promise<unknown> => queryClient.query(invoice(publicId))
