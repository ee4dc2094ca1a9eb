export { exportByCommand } from './exports/by-command.ts'
export { pageOfAllInvoices } from './invoices.ts'
