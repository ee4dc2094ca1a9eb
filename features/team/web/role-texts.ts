import type { Role } from '#foundation/roles.ts'
import { m } from '#texts/messages.js'

export const roleTexts: Readonly<Record<Role, () => string>> = {
  support: m.team_role_support_text,
  billing: m.team_role_billing_text,
  admin: m.team_role_admin_text,
  owner: m.team_role_owner_text,
}

const permissionTexts: Readonly<Record<string, () => string>> = {
  'tickets.desk': m.team_may_tickets_desk,
  'answers.edit': m.team_may_answers_edit,
  'customers.read': m.team_may_customers_read,
  'customers.note': m.team_may_customers_note,
  'customers.contact': m.team_may_customers_contact,
  'customers.sign_out': m.team_may_customers_sign_out,
  'customers.view': m.team_may_customers_view,
  'customers.reset_factor': m.team_may_customers_reset_factor,
  'customers.move': m.team_may_customers_move,
  'customers.merge': m.team_may_customers_merge,
  'customers.confirm_address': m.team_may_customers_confirm_address,
  'customers.block': m.team_may_customers_block,
  'customers.help': m.team_may_customers_help,
  'hosts.suspend': m.team_may_hosts_suspend,
  'customers.export': m.team_may_customers_export,
  'customers.erase': m.team_may_customers_erase,
  'invoices.read': m.team_may_invoices_read,
  'vat.override': m.team_may_vat_override,
  'invoices.reissue': m.team_may_invoices_reissue,
  'finance.read': m.team_may_finance_read,
  'finance.credit': m.team_may_finance_credit,
  'finance.refund': m.team_may_finance_refund,
  'finance.charge_back': m.team_may_finance_charge_back,
  'auto_top_ups.pause': m.team_may_auto_top_ups_pause,
  'banking.read': m.team_may_banking_read,
  'banking.import': m.team_may_banking_import,
  'banking.book': m.team_may_banking_book,
  'catalogue.read': m.team_may_catalogue_read,
  'plans.edit': m.team_may_plans_edit,
  'vouchers.make': m.team_may_vouchers_make,
  'books.read': m.team_may_books_read,
  'books.export': m.team_may_books_export,
  'approvals.read': m.team_may_approvals_read,
  'approvals.decide': m.team_may_approvals_decide,
  'team.read': m.team_may_team_read,
  'team.manage': m.team_may_team_manage,
  'announcements.publish': m.team_may_announcements_publish,
  'today.read': m.team_may_today_read,
  'system.read': m.team_may_system_read,
  'system.retry': m.team_may_system_retry,
  'company.read': m.team_may_company_read,
  'company.change': m.team_may_company_change,
  'audit.read': m.team_may_audit_read,
  'webhooks.manage': m.team_may_webhooks_manage,
}

/** Returns the text of a permission; its name if a newer server has a permission that this page does not know. */
export const permissionText = (name: string): string => permissionTexts[name]?.() ?? name
