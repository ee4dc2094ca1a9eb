import type { HelperRole } from '#foundation/capability.ts'
import { m } from '#texts/messages.js'

/** The rights of a role, in a few words. */
export const roleText = (role: HelperRole): string => TEXTS[role]()

const TEXTS: Readonly<Record<HelperRole, () => string>> = {
  technical: () => m.sharing_role_technical(),
  billing: () => m.sharing_role_billing(),
  full: () => m.sharing_role_full(),
  read: () => m.sharing_role_read(),
}

export const roleName = (role: HelperRole): string => NAMES[role]()

const NAMES: Readonly<Record<HelperRole, () => string>> = {
  technical: () => m.sharing_role_technical_name(),
  billing: () => m.sharing_role_billing_name(),
  full: () => m.sharing_role_full_name(),
  read: () => m.sharing_role_read_name(),
}
