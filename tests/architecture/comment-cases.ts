import type { Case } from './small-trees.ts'

/** Small trees with a comment that begins with a relative clause, in each form that a comment has (rules.test.ts). */
export const comments: Case[] = [
  { word: 'Who', comment: '// Who pays.' },
  { word: 'Whether', comment: '/** Whether it is paid. */' },
  { word: 'What', comment: '/**\n * What a host costs.\n */' },
  { word: 'Those', comment: '{/* Those paid. */}' },
  { word: 'Whoever', comment: '/** It is paid. Whoever pays is asked. */', what: 'a sentence of a comment' },
  { word: 'Of', comment: '// One pays. Of two the first.', what: 'a sentence of a comment' },
].map(({ word, comment, what = 'a comment' }) => ({
  rule: 'a comment begins with the thing it speaks of',
  broken: { 'features/hosts/rules.ts': `const first = 1\n${comment}\n` },
  says: `features/hosts/rules.ts:2 begins ${what} with ${word}: begin with the thing (The …, A …, True if …).`,
  mended: { 'features/hosts/rules.ts': '// The payer of a host:\n// who pays.\nconst first = 1 // What.\n' },
}))
