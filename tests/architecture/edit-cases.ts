import type { Case } from './small-trees.ts'

/** Small trees in which an edit does not say what it changes from (rules.test.ts). */
export const edits: Case[] = [
  {
    rule: 'an edit names the version it changes',
    broken: { 'features/hosts/contract.ts': "export const updateHost = route({\n  method: 'PATCH',\n})" },
    says: 'features/hosts/contract.ts: updateHost takes a version and answers 409 with changedReply(…) (rule 45).',
    mended: {
      'features/hosts/contract.ts':
        "export const updateHost = route({\n  method: 'PATCH',\n  version,\n  replies: { 409: changedReply(host) },\n})",
    },
  },
  {
    rule: 'an edit names the version it changes',
    broken: { 'features/hosts/contract.ts': "export const setBlock = route({\n  method: 'PUT',\n})" },
    says: 'features/hosts/contract.ts: setBlock takes what was seen as from, and answers 409 where that is another (rule 45).',
    mended: {
      'features/hosts/contract.ts':
        "export const setBlock = route({\n  method: 'PUT',\n  body: z.strictObject({ from: level }),\n  errors: { 409: ['changed'] },\n})",
    },
  },
]
