// Each file below breaks a rule of the compiler on purpose. The path of a file says where it runs (server, browser or both), and the
// TypeScript project of that path allows only the imports and globals that exist there.
import { afterAll, expect, it } from 'vitest'
import { brokenTree } from './broken-tree.ts'

const tree = brokenTree({
  'foundation/both.ts': 'export const both = 1\n',
  'foundation/server/secret.ts':
    "import { readFileSync } from 'node:fs'\nexport const secret = () => readFileSync('/key')\n",
  'foundation/web/page.tsx': 'export const page = () => document.title\n',
  'foundation/web/sees-server.ts':
    "import { secret } from '#foundation/server/secret.ts'\nexport const seen = secret\n",
  'foundation/web/sees-process.ts': 'export const seen = process.env\n',
  'foundation/server/sees-web.ts':
    "import { page } from '#foundation/web/page.tsx'\nexport const seen = page\n",
  'foundation/server/sees-window.ts': 'export const seen = window.location\n',
  'foundation/sees-process.ts': 'export const seen = process.env\n',
  'foundation/sees-window.ts': 'export const seen = document.title\n',
  'foundation/sees-server.ts':
    "import { secret } from '#foundation/server/secret.ts'\nexport const seen = secret\n",
  'clients/hostdeskctl/sees-server.ts':
    "import { secret } from '#foundation/server/secret.ts'\nexport const seen = secret\n",
  'clients/hostdeskctl/sees-window.ts': 'export const seen = document.title\n',
  'foundation/loose-index.ts': 'export const first = (list: string[]): string => list[0]\n',
  'foundation/loose-option.ts': 'export const o: { name?: string } = { name: undefined }\n',
  'foundation/not-erasable.ts': 'export enum Colour { red }\n',
  'features/hosts/sound.ts': "import { both } from '#foundation/both.ts'\nexport const fine = both\n",
  'features/hosts/server/sound.ts':
    "import { fine } from '#features/hosts/sound.ts'\nexport const alsoFine = fine\n",
  'features/hosts/web/sound.tsx':
    "import { fine } from '#features/hosts/sound.ts'\nexport const alsoFine = fine\n",
  'features/hosts/server/sound.test.ts':
    "import { alsoFine } from '#features/hosts/server/sound.ts'\nexport const told: number = alsoFine\n",
})
afterAll(tree.remove)
const said = tree.run('tsc', '-b', '--pretty', 'false')

it.each([
  ['web never sees server', 'foundation/web/sees-server.ts', /File .*secret\.ts' is not listed/],
  ['web has no process', 'foundation/web/sees-process.ts', /Cannot find name 'process'/],
  [
    'server never sees web',
    'foundation/server/sees-web.ts',
    /File .*page\.tsx' is not listed|was resolved to .*page/,
  ],
  ['server has no window', 'foundation/server/sees-window.ts', /Cannot find name 'window'/],
  ['a shared file has no process', 'foundation/sees-process.ts', /Cannot find name 'process'/],
  ['a shared file has no document', 'foundation/sees-window.ts', /Cannot find name 'document'/],
  ['a shared file never sees server', 'foundation/sees-server.ts', /is not listed/],
  ['a client never sees server', 'clients/hostdeskctl/sees-server.ts', /is not listed/],
  ['a client has no document', 'clients/hostdeskctl/sees-window.ts', /Cannot find name 'document'/],
  ['an element of a list may be missing', 'foundation/loose-index.ts', /Type 'string \| undefined'/],
  ['an option is left out, not undefined', 'foundation/loose-option.ts', /exactOptionalPropertyTypes/],
  ['types can be stripped', 'foundation/not-erasable.ts', /erasableSyntaxOnly/],
])('%s', (_law, path, sentence) => {
  const about = said.split('\n').filter((line) => line.startsWith(path))
  expect(about.join('\n'), said).toMatch(sentence)
})

it('lets a feature use what is shared from both sides and from its tests', () => {
  expect(said).not.toContain('sound')
})
