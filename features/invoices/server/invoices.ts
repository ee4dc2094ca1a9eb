export { loweredBy, sharesOf, totalsOf, type Amounts } from './amounts.ts'
export { invoicesGoTo } from './billing.ts'
export { requireParties, requireSeller } from './billing-address.ts'
export { creditNote, creditOf, lockCredited } from './credit.ts'
export { creditTotal, leftOfSale, lockSales } from './credit-together.ts'
export { namelessUpTo } from './nameless.ts'
export { prepareInvoice, type InvoiceLine, type PreparedInvoice } from './issue.ts'
export { prepareDocuments, redraw, sendDocument } from './download.ts'
export { findInvoice, issuedReply, pageOfInvoices, summaryReply } from './read.ts'
export {
  documentsAfter,
  numbersIn,
  storedDocuments,
  type DocumentRow,
  type NumberRange,
} from './exported-queries.ts'
export { isMerged, keptAccount, letRead, letReadNoMore, mergedAccounts } from './reader-queries.ts'
export { documentsWithHashes, newestInvoices, type HashedDocument } from './document-queries.ts'
export { drawStatement } from './statement.ts'
export type { Statement } from '#features/invoices/statement-contract.ts'
export { findByNumber, previewByCommand, reissueByCommand } from './reissue-by-command.ts'
export { reissueInvoice } from './reissue.ts'
export { checkByCommand } from './vat-by-command.ts'
export { invoicePaidBy, ownerOfNumber, ownersOfPlace } from './queries.ts'
export {
  chainOf,
  invoiceTotals,
  listInvoices,
  ownerOfInvoice,
  type ListedInvoice,
} from './staff-list-queries.ts'
export { deferredIncome, monthSums } from './revenue-queries.ts'
export { vatSums, type VatSum } from './vat-return-queries.ts'
export { keepRates, type EuroRate } from './rate-queries.ts'
export { presentRate } from './state-currency.ts'
export { sellerLimits } from './seller-limits.ts'
export { priceNote } from './small-business.ts'
export { isConsumerInTheEu } from './consumers.ts'
export { vatFor } from './vat-of-customer.ts'
export { rememberNetwork } from './first-network-queries.ts'
export { vatForStranger } from './vat-of-stranger.ts'
export { countryOfNetwork } from './network-country.ts'
export { vatOver, type VatDecision } from './vat-decision.ts'
export { askIfItMatters, keepRecordedAnswer } from './check-vat-id.ts'
