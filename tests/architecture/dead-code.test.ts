// The tests run knip on a small product with an unused file, an unused export and unused packages.
import { afterAll, expect, it } from 'vitest'
import { brokenTree } from './broken-tree.ts'

const tree = brokenTree({
  'app/server/main.ts': "import { used } from '#foundation/used.ts'\nprocess.stdout.write(used)\n",
  'foundation/used.ts': "export const used = 'a'\nexport const unused = 'b'\n",
  'foundation/dead.ts': 'export const dead = 1\n',
})
afterAll(tree.remove)
const said = tree.run('knip', '--reporter', 'compact', '--no-config-hints')

it.each([
  ['a dead file', /Unused files.*\nfoundation\/dead\.ts/],
  ['a dead export', /foundation\/used\.ts: unused/],
  ['a package nobody imports', /package\.json: .*fastify/],
])('%s is found', (_sin, sentence) => expect(said).toMatch(sentence))

it('does not report a file that is used', () => expect(said).not.toMatch(/main\.ts/))
