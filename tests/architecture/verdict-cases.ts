import type { Case } from './small-trees.ts'

/** Small trees in which a handler judges its caller (rules.test.ts). */
export const verdicts: Case[] = [
  {
    rule: 'a caller is judged by the contract',
    broken: {
      'features/hosts/server/hosts.ts': 'if (!mayDo(actor.staff_roles, seePermission)) throw notFound()',
    },
    says: 'features/hosts/server/hosts.ts: let the contract say who may',
    mended: { 'features/hosts/server/hosts.ts': 'if (!actor.is_staff) throw notFound()' },
  },
]
