import type { System } from '#features/operations/contract.ts'
import { paths } from '#features/paths.ts'
import { m } from '#texts/messages.js'

type Text = typeof m.operations_setup
type Texts = {
  title: Text
  text: Text
  link?: { to: string; text: Text }
  /** The settings by which it is done where no page does it. */
  settings?: readonly string[]
}

/** The texts of each item of the set-up list, and the page or the settings by which it is done. */
export const setupTexts: Readonly<Record<System['setup'][number]['name'], Texts>> = {
  seller: {
    title: m.operations_setup_seller,
    text: m.operations_setup_seller_text,
    link: { to: paths.company(), text: m.operations_setup_company_link },
  },
  vat: {
    title: m.operations_setup_vat,
    text: m.operations_setup_vat_text,
    link: { to: paths.company(), text: m.operations_setup_company_link },
    settings: ['SMALL_BUSINESS'],
  },
  payment: {
    title: m.operations_setup_payment,
    text: m.operations_setup_payment_text,
    link: { to: paths.company(), text: m.operations_setup_company_link },
    settings: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'MOLLIE_API_KEY'],
  },
  plan: {
    title: m.operations_setup_plan,
    text: m.operations_setup_plan_text,
    link: { to: paths.catalogue(), text: m.operations_setup_plan_link },
  },
  mail: {
    title: m.operations_setup_mail,
    text: m.operations_setup_mail_text,
    settings: ['SMTP_URL'],
  },
  backup: {
    title: m.operations_setup_backup,
    text: m.operations_setup_backup_text,
    settings: ['BACKUP_DIR'],
  },
  second_factor: {
    title: m.operations_setup_factor,
    text: m.operations_setup_factor_text,
    link: { to: paths.security(), text: m.operations_setup_factor_link },
  },
  second_member: {
    title: m.operations_setup_member,
    text: m.operations_setup_member_text,
    link: { to: paths.team(), text: m.operations_setup_member_link },
  },
  first_sale: {
    title: m.operations_setup_sale,
    text: m.operations_setup_sale_text,
    link: { to: paths.customers(), text: m.operations_setup_sale_link },
  },
}
