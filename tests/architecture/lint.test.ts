// Each file below breaks one rule of the linter on purpose, and the linter must report it.
import { afterAll, expect, it } from 'vitest'
import { brokenTree } from './broken-tree.ts'

type Sin = { rule: string; path: string; text: string; says: string }

const sins: Sin[] = [
  {
    rule: 'rule 56: a text beside something that comes and goes stands in an element',
    path: 'foundation/web/beside-1.tsx',
    text: 'export const Shown = ({ on, text }: { on: boolean; text: string }) => (\n  <p>\n    Texts {on && <b>more</b>}\n  </p>\n)\n',
    says: 'A translator replaces this text',
  },
  {
    rule: 'rule 56: also beside one of two elements',
    path: 'foundation/web/beside-2.tsx',
    text: 'export const Shown = ({ on, text }: { on: boolean; text: string }) => (\n  <p>\n    {text} {on ? <b>one</b> : <i>other</i>}\n  </p>\n)\n',
    says: 'A translator replaces this text',
  },
  {
    rule: 'rule 56: also beside a list',
    path: 'foundation/web/beside-3.tsx',
    text: 'export const Shown = ({ on, text }: { on: boolean; text: string }) => (\n  <p>\n    {text}\n    {[text].map((one) => (\n      <b key={one}>{one}</b>\n    ))}\n  </p>\n)\n',
    says: 'A translator replaces this text',
  },
  {
    rule: 'rule 56: also where the text itself comes and goes',
    path: 'foundation/web/beside-4.tsx',
    text: 'export const Shown = ({ on, text }: { on: boolean; text: string }) => (\n  <p>\n    <b>name</b> {on ? text : null}\n  </p>\n)\n',
    says: 'A translator replaces this text',
  },
  {
    rule: 'rule 56: also in a constant',
    path: 'foundation/web/beside-5.tsx',
    text: 'export function Shown({ on, text }: { on: boolean; text: string }) {\n  const maybe = on ? text : null\n  return (\n  <p>\n    <b>name</b> {maybe}\n  </p>\n  )\n}\n',
    says: 'A translator replaces this text',
  },
  {
    rule: 'rule 56: also in a fragment, whose place nobody knows',
    path: 'foundation/web/beside-6.tsx',
    text: 'export const Shown = ({ on, text }: { on: boolean; text: string }) => (\n  <>\n    {text} <b>more</b>\n  </>\n)\n',
    says: 'A translator replaces this text',
  },
  {
    rule: 'rule 54: money is written with the digits of the kept table',
    path: 'foundation/digits-1.ts',
    text: "export const writes = new Intl.NumberFormat('en', { style: 'currency', currency: 'HUF' })\n",
    says: 'Intl does not know minor units: take the digits from fractionOf() of foundation/money.ts.',
  },
  {
    rule: 'rule 54: nobody asks Intl for the digits of a currency',
    path: 'foundation/digits-2.ts',
    text: 'export const asks = (format: Intl.NumberFormat) => format.resolvedOptions().maximumFractionDigits\n',
    says: 'Intl does not know minor units: take the digits from fractionOf() of foundation/money.ts.',
  },
  {
    rule: 'rule 54: nor by taking them apart',
    path: 'foundation/digits-3.ts',
    text: 'export function asks(format: Intl.NumberFormat) {\n  const { maximumFractionDigits } = format.resolvedOptions()\n  return maximumFractionDigits\n}\n',
    says: 'Intl does not know minor units: take the digits from fractionOf() of foundation/money.ts.',
  },
  {
    rule: 'rule 54: nobody asks Intl for the currencies',
    path: 'foundation/digits-4.ts',
    text: "export const asks = Intl.supportedValuesOf('currency')\n",
    says: 'Intl does not know minor units: take the digits from fractionOf() of foundation/money.ts.',
  },
  {
    rule: 'the foundation knows nothing of features',
    path: 'foundation/server/leans.ts',
    text: "import { seen } from '#features/hosts/contract.ts'\nexport const leans = seen\n",
    says: 'the foundation knows nothing of features or app.',
  },
  {
    rule: 'a feature is imported only through its public API',
    path: 'features/chat/server/climbs.ts',
    text: "import { rows } from '#features/hosts/server/queries.ts'\nexport const climbs = rows\n",
    says: 'a feature is entered only by contract.ts, rules.ts, slots.ts, texts.ts, server/<its name>.ts or web/<its name>.ts; the way back is an event.',
  },
  {
    rule: 'a feature does not lean on app',
    path: 'features/chat/server/leans.ts',
    text: "import { made } from '#app/server/made.ts'\nexport const leans = made\n",
    says: 'see the table in tools/lint-rules.js.',
  },
  {
    rule: 'no React on the server',
    path: 'features/hosts/server/renders.ts',
    text: "import { useState } from 'react'\nexport const renders = useState\n",
    says: 'A path with /server/ runs in Node',
  },
  {
    rule: 'a form in a dialog is made by FormDialog',
    path: 'features/hosts/web/hand-made.tsx',
    text: "import { Form } from '#foundation/web/form/form.tsx'\nimport { Dialog } from '#foundation/web/ui/dialog.tsx'\nexport const made = [Form, Dialog]\n",
    says: 'A form in a dialog is FormDialog',
  },
  {
    rule: 'a button that acts is made by useAct',
    path: 'features/hosts/web/acts.tsx',
    text: "import { useState } from 'react'\nexport function useOwn() {\n  const [pending, setPending] = useState(false)\n  return { pending, setPending }\n}\n",
    says: 'A button that acts takes `pending` and `run` of useAct.',
  },
  {
    rule: 'no Node in the browser',
    path: 'features/hosts/web/reads.ts',
    text: "import { readFileSync } from 'node:fs'\nexport const reads = readFileSync\n",
    says: 'A path with /web/ runs in the browser',
  },
  {
    rule: 'no page draws the states of a query by hand',
    path: 'features/hosts/web/fails.tsx',
    text: "import { ErrorState } from '#foundation/web/ui/error-state.tsx'\nexport const fails = ErrorState\n",
    says: 'Loaded, LoadedPage and LoadedList of foundation/web/ui show a query in each of its states.',
  },
  {
    rule: 'the agent needs no packages',
    path: 'agent/packs.mjs',
    text: "import { SignJWT } from 'jose'\nexport const packs = SignJWT\n",
    says: 'The agent is copied to machines without packages',
  },
  {
    rule: 'the agent stands alone',
    path: 'agent/leans.mjs',
    text: "import { event } from '../foundation/contract.ts'\nexport const leans = event\n",
    says: 'The agent is copied to machines without packages',
  },
  {
    rule: 'the command line of customers never sees the server',
    path: 'clients/hostdeskctl/leans.ts',
    text: "import { root } from '#foundation/server/release.ts'\nexport const leans = root\n",
    says: 'may not import foundation/server/release.ts',
  },
  {
    rule: 'no ids that need a secure connection',
    path: 'features/hosts/web/numbers.ts',
    text: 'export const made = (): string => crypto.randomUUID()\n',
    says: 'crypto.randomUUID is missing over plain HTTP: newId() of foundation/web/new-id.ts makes ids.',
  },
  {
    rule: 'no digests that need a secure connection',
    path: 'features/hosts/web/digests.ts',
    text: 'export const digests = (): SubtleCrypto => globalThis.crypto.subtle\n',
    says: 'crypto.subtle is missing over plain HTTP',
  },
  {
    rule: 'rule 45: a written answer is not undone by an older reading',
    path: 'features/hosts/web/keeps.ts',
    text: "import { queryClient } from '#foundation/web/api/query.ts'\nexport const keeps = () => queryClient.setQueryData(['a'], 1)\n",
    says: 'keepAnswer of foundation/web/api/keep.ts keeps it from what came meanwhile (rule 57).',
  },
  {
    rule: 'no climbing',
    path: 'features/hosts/web/parts/deep/climbs.ts',
    text: "import { seen } from '../../../contract.ts'\nexport const climbs = seen\n",
    says: 'Leave the folder by its name (#features/…), not by climbing.',
  },
  {
    rule: 'SQL only in queries.ts, built',
    path: 'features/hosts/server/builds.ts',
    text: "type Db = { selectFrom: (table: string) => string }\nexport const builds = (db: Db) => db.selectFrom('hosts')\n",
    says: 'Only queries.ts speaks SQL',
  },
  {
    rule: 'SQL only in queries.ts, written',
    path: 'features/hosts/server/writes.ts',
    text: "import { sql } from 'kysely'\nexport const writes = sql`select 1`\n",
    says: 'Only queries.ts speaks SQL',
  },
  {
    rule: 'SQL only in queries.ts, sent',
    path: 'features/hosts/server/sends.ts',
    text: "type Client = { query: (text: string) => string }\nexport const sends = (client: Client) => client.query('select 1')\n",
    says: 'Only queries.ts speaks SQL',
  },
  {
    rule: 'rule 24: no text is pasted into SQL',
    path: 'features/hosts/server/paste-queries.ts',
    text: "import { sql } from 'kysely'\nexport const paste = (name: string) => sql.raw(`select '${name}'`)\n",
    says: 'Text pasted into SQL is how injection begins',
  },
  {
    rule: 'rule 26: the server asks no address of others',
    path: 'features/hosts/server/asks.ts',
    text: 'export const asks = (address: string) => fetch(address)\n',
    says: 'The server asks other servers by foundation/server/egress alone',
  },
  {
    rule: 'rule 26: the server asks no address of others, nor by a client of Node',
    path: 'features/hosts/server/connects.ts',
    text: "import https from 'node:https'\nexport const connects = (address: string) => https.get(address)\n",
    says: 'The server asks other servers by foundation/server/egress alone',
  },
  {
    rule: 'rule 6: money is no float',
    path: 'features/hosts/server/pays.ts',
    text: 'export const pays = (amount: string) => Number(amount)\n',
    says: 'Number(amount): money is bigint minor units from end to end, use BigInt.',
  },
  {
    rule: 'no import cycles',
    path: 'foundation/server/one.ts',
    text: "import { other } from '#foundation/server/other.ts'\nexport const one = () => other\n",
    says: 'no-cycle',
  },
  {
    rule: 'no default exports',
    path: 'foundation/server/default.ts',
    text: 'export default 1\n',
    says: 'no-default-export',
  },
  {
    rule: 'no any',
    path: 'foundation/server/any.ts',
    text: 'export const loose = (value: any) => value as string\n',
    says: 'no-explicit-any',
  },
  {
    rule: 'names in kebab-case',
    path: 'foundation/server/CamelCase.ts',
    text: 'export const camel = 1\n',
    says: 'filename-case',
  },
  {
    rule: 'promises are awaited',
    path: 'foundation/server/floats.ts',
    text: 'const later = async () => {}\nexport const floats = () => {\n  later()\n}\n',
    says: 'no-floating-promises',
  },
  {
    rule: 'a promise is not a yes',
    path: 'foundation/server/misuses.ts',
    text: 'const may = async () => true\nexport const misuses = () => (may() ? 1 : 2)\n',
    says: 'no-misused-promises',
  },
  {
    rule: 'every case is handled',
    path: 'foundation/server/forgets.ts',
    text: "export const forgets = (side: 'a' | 'b') => {\n  switch (side) {\n    case 'a':\n      return 1\n  }\n  return 2\n}\n",
    says: 'switch-exhaustiveness-check',
  },
  {
    rule: 'every form keeps what was typed',
    path: 'foundation/web/own-form.tsx',
    text: 'export const Own = () => <form />\n',
    says: 'A form is a Form with useForm',
  },
  {
    rule: 'no markup made of text',
    path: 'foundation/web/markup.tsx',
    text: 'export const Markup = ({ text }: { text: string }) => <p dangerouslySetInnerHTML={{ __html: text }} />\n',
    says: 'no-danger',
  },
  {
    rule: 'no console',
    path: 'foundation/server/prints.ts',
    text: "export const prints = () => console.log('here')\n",
    says: 'no-console',
  },
  {
    rule: 'nothing left for later',
    path: 'foundation/server/later.ts',
    text: '// FIXME this is slow\nexport const later = 1\n',
    says: 'no-warning-comments',
  },
  {
    rule: 'words in full',
    path: 'foundation/server/shortens.ts',
    text: 'export const shortens = (req: string) => req\n',
    says: 'id-denylist',
  },
  {
    rule: 'no code made of text',
    path: 'foundation/server/evals.ts',
    text: 'export const evals = (text: string) => eval(text) as string\n',
    says: 'no-eval',
  },
  {
    rule: 'a file has at most 300 lines',
    path: 'foundation/server/long-file.ts',
    text: 'export const a = 1\n' + '// line\n'.repeat(300),
    says: 'max-lines',
  },
  {
    rule: 'a function has at most 70 lines',
    path: 'foundation/server/long-function.ts',
    text: `export const long = () => {\n${'  void 0\n'.repeat(70)}}\n`,
    says: 'max-lines-per-function',
  },
  {
    rule: 'a component has at most 120 lines',
    path: 'foundation/web/long-component.tsx',
    text: `export const Long = () => {\n${'  void 0\n'.repeat(120)}  return <p />\n}\n`,
    says: 'max-lines-per-function',
  },
]

const tree = brokenTree({
  'features/hosts/contract.ts': 'export const seen = 1\n',
  'features/hosts/server/queries.ts': "import { sql } from 'kysely'\nexport const rows = sql`select 1`\n",
  'features/hosts/server/hosts.ts': "import { rows } from './queries.ts'\nexport const hosts = rows\n",
  'features/chat/server/fine.ts':
    "import { hosts } from '#features/hosts/server/hosts.ts'\nexport const fine = hosts\n",
  'features/chat/web/fine.tsx':
    "import { seen } from '#features/hosts/contract.ts'\nexport const Fine = () => <p>{seen}</p>\n",
  'foundation/web/fine.tsx':
    'export function Fine({ on, text }: { on: boolean; text: string }) {\n  const more = on ? <b>more</b> : null\n  return (\n    <p>\n      <span>{on ? text : null}</span> <b>{text}</b> {on ? <i>{text}</i> : null} {more}\n      <i>\n        {text} <b>always</b>\n      </i>\n    </p>\n  )\n}\n',
  'foundation/server/other.ts':
    "import { one } from '#foundation/server/one.ts'\nexport const other = () => one\n",
  'app/server/made.ts': 'export const made = 1\n',
  'app/server/unformatted.ts': 'export const made = "1";\n',
  ...Object.fromEntries(sins.map(({ path, text }) => [path, text])),
})
afterAll(tree.remove)
const said = tree.run('oxlint', '--type-aware', '--format=unix').split('\n')

it.each(sins)('$rule', ({ path, says }) => {
  const about = said.filter((line) => line.startsWith(`${path}:`))
  expect(about.join('\n'), said.join('\n')).toContain(says)
})

it('allows imports of the public API of a feature', () => {
  expect(said.filter((line) => /^[\w/]+\/(fine|hosts|queries|made)\.tsx?:/.test(line))).toEqual([])
})

it('the formatter reports a file that is not formatted', () => {
  expect(tree.run('oxfmt', '--list-different')).toContain('unformatted.ts')
})
