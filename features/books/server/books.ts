export { exportByCommand } from './exports/by-command.ts'
export { pageOfAllInvoices } from './invoices.ts'
export { debtors } from './balances.ts'
export { recurringOf } from './recurring.ts'
