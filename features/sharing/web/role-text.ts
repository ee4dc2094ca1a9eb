import type { HelperRole } from '#foundation/capability.ts'
import { m } from '#texts/messages.js'

/** What a role may do, in a few words. */
export const roleText = (role: HelperRole): string => TEXTS[role]()

const TEXTS = {
  technical: () => m.sharing_role_technical(),
} as const
