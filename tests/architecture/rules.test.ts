// Each rule runs on a small tree that breaks it and must report this, and on the corrected tree, where it must report nothing.
import { describe, expect, it } from 'vitest'
import { addresses } from './address-cases.ts'
import { beforeTexts } from './before-texts-cases.ts'
import { charges } from './charge-cases.ts'
import { comments } from './comment-cases.ts'
import { documents } from './document-cases.ts'
import { edits } from './edit-cases.ts'
import { glossaries } from './glossary-cases.ts'
import { lateParts } from './late-part-cases.ts'
import { pauses } from './pause-cases.ts'
import { memory } from './memory-cases.ts'
import { states, stored } from './stored-cases.ts'
import { verdicts } from './verdict-cases.ts'
import { rules } from './rules/rules.ts'
import { treeOf } from './rules/tree.ts'
import { type Case, list, texts, namedCall, hosts, users, readsUsers, without } from './small-trees.ts'

const cases: Case[] = [
  {
    rule: 'commands for operators were tried',
    broken: { 'docs/operate/a.md': 'Run\n```sh\nhostdesk dance\n```\nNow.\n' },
    says: "no test of operate-commands.ts runs 'hostdesk dance'",
    mended: { 'docs/operate/a.md': 'Run\n```sh\nhostdesk dance\n```\n*(not tried here: no music)*\n' },
  },
  {
    rule: 'a live region is there before its text',
    broken: { 'features/hosts/web/a.tsx': '<p role="status" className="mt-1 empty:hidden">{note}</p>' },
    says: 'features/hosts/web/a.tsx: a live region that is hidden while it is empty comes up together with its text',
    mended: { 'features/hosts/web/a.tsx': '<p role="status" className="mt-1 empty:sr-only">{note}</p>' },
  },
  {
    rule: 'a part takes the room that is left',
    broken: { 'features/hosts/web/a.tsx': '<div className="flex h-[calc(100dvh-5rem)] min-h-96" />' },
    says: 'features/hosts/web/a.tsx: a height is counted from the window',
    mended: {
      'features/hosts/web/a.tsx': '<div className="flex min-h-[60dvh] flex-1" />',
      'app/web/shell/a.tsx': '<div className="flex h-dvh" />',
    },
  },
  {
    rule: 'the list in features/README.md is the folders on disk',
    broken: { 'features/README.md': list, 'features/hosts/contract.ts': '', 'features/chat/contract.ts': '' },
    says: 'List chat in features/README.md.',
    mended: {
      'features/README.md': list,
      'features/hosts/contract.ts': '',
      'features/profile/contract.ts': '',
    },
  },
  {
    rule: 'a feature leans only on those above it',
    broken: {
      'features/README.md': list,
      'features/profile/rules.ts': "import { a } from '#features/hosts/rules.ts'",
    },
    says: 'features/profile/rules.ts leans on hosts, which stands below profile',
    mended: {
      'features/README.md': list,
      'features/hosts/rules.ts': "import { a } from '#features/profile/rules.ts'",
    },
  },
  {
    rule: 'the foundation knows no product',
    broken: { 'foundation/server/config.ts': "const invoice = 'HD'" },
    says: 'foundation/server/config.ts:1 says invoice: the foundation knows no product',
    mended: { 'foundation/server/config.ts': '// such as the number of an invoice\nconst first = 1' },
  },
  {
    rule: 'a feature is whole and mounted on both sides',
    broken: { ...hosts, 'features/hosts/README.md': 'line\n'.repeat(41) },
    says: 'features/hosts/README.md has more than 40 lines',
    mended: hosts,
  },
  {
    rule: 'a feature is whole and mounted on both sides',
    broken: without(hosts, 'features/hosts/server/hosts.test.ts'),
    says: 'Write a test beside the public API features/hosts/server/hosts.ts.',
    mended: hosts,
  },
  {
    rule: 'a feature is whole and mounted on both sides',
    broken: { ...hosts, 'app/web/features.ts': '' },
    says: 'Mount hosts in app/web/features.ts.',
    mended: hosts,
  },
  {
    rule: 'a feature is whole and mounted on both sides',
    broken: without(hosts, 'features/hosts/contract.ts'),
    says: 'Write features/hosts/contract.ts.',
    mended: hosts,
  },
  {
    rule: 'every declared route is served',
    broken: { ...hosts, 'features/hosts/server/hosts.ts': 'export const listHosts = 1' },
    says: 'features/hosts/contract.ts declares listHosts, which no handler answers.',
    mended: hosts,
  },
  {
    rule: 'every call has its name and a short summary',
    broken: { 'features/hosts/contract.ts': namedCall('getHosts', 'All hosts') },
    says: "features/hosts/contract.ts: the id of listHosts is 'listHosts'.",
    mended: { 'features/hosts/contract.ts': namedCall('listHosts', 'All hosts') },
  },
  {
    rule: 'every call has its name and a short summary',
    broken: {
      'features/chat/contract.ts': namedCall('listHosts', 'All hosts'),
      'features/hosts/contract.ts': namedCall('listHosts', 'All hosts'),
    },
    says: 'features/hosts/contract.ts: features/chat/contract.ts has a call of the name listHosts too.',
    mended: { 'features/hosts/contract.ts': namedCall('listHosts', 'All hosts') },
  },
  {
    rule: 'every call has its name and a short summary',
    broken: { 'features/hosts/contract.ts': namedCall('listHosts', 'All hosts (row H-01)') },
    says: 'features/hosts/contract.ts: the summary of listHosts names a row.',
    mended: { 'features/hosts/contract.ts': namedCall('listHosts', 'All hosts') },
  },
  {
    rule: 'every call has its name and a short summary',
    broken: { 'features/hosts/contract.ts': namedCall('listHosts', 'x'.repeat(61)) },
    says: 'features/hosts/contract.ts: the summary of listHosts has 61 characters, at most 60',
    mended: { 'features/hosts/contract.ts': namedCall('listHosts', 'x'.repeat(60)) },
  },
  {
    rule: 'every text is there in three languages',
    broken: texts('features/hosts', '{"hosts_title": "Servers"}', '{"hosts_title": "Server"}', '{}'),
    says: 'features/hosts/messages/ru.json lacks hosts_title.',
    mended: texts(
      'features/hosts',
      '{"hosts_title": "Servers"}',
      '{"hosts_title": "Server"}',
      '{"hosts_title": "Серверы"}',
    ),
  },
  {
    rule: 'every text is there in three languages',
    broken: texts(
      'foundation',
      '{"left": "{days} left"}',
      '{"left": "noch {tage}"}',
      '{"left": "ещё {days}"}',
    ),
    says: 'foundation/messages/de.json: left fills tage, in English days.',
    mended: texts(
      'foundation',
      '{"left": "{days} left"}',
      '{"left": "noch {days}"}',
      '{"left": "ещё {days}"}',
    ),
  },
  {
    rule: 'a text key says whose it is',
    broken: texts('features/hosts', '{"title": "Servers"}', '{}', '{}'),
    says: 'features/hosts/messages: title must start with hosts_, error_ or act_.',
    mended: texts('features/hosts', '{"hosts_title": "Servers"}', '{}', '{}'),
  },
  {
    rule: 'every error code has its text',
    broken: {
      'features/hosts/contract.ts': "errors: { 400: ['name_taken'] }",
      ...texts('features/hosts', '{"error_name_taken": "Taken"}', '{"error_name_taken": "Vergeben"}', '{}'),
    },
    says: 'features/hosts/contract.ts may answer name_taken: write error_name_taken in ru.',
    mended: {
      'features/hosts/contract.ts': "errors: { 400: ['name_taken'] }",
      ...texts(
        'features/hosts',
        '{"error_name_taken": "1"}',
        '{"error_name_taken": "2"}',
        '{"error_name_taken": "3"}',
      ),
    },
  },
  {
    rule: 'every error code has its text',
    broken: { 'features/hosts/server/hosts.ts': "throw new HttpError(409, [{ code: 'too_late' }])" },
    says: 'features/hosts/server/hosts.ts may answer too_late',
    mended: { 'features/hosts/server/hosts.ts': '' },
  },
  {
    rule: 'every text is read',
    broken: texts('features/hosts', '{"hosts_title": "Servers"}', '{}', '{}'),
    says: 'features/hosts/messages: nothing reads hosts_title.',
    mended: {
      ...texts('features/hosts', '{"hosts_title": "Servers"}', '{}', '{}'),
      'features/hosts/web/host-page.tsx': 'm.hosts_title()',
    },
  },
  {
    rule: 'a quotation mark is part of a text',
    broken: { 'features/hosts/web/filter-text.ts': 'const words = q && `“${q}”`' },
    says: 'features/hosts/web/filter-text.ts:1 writes a quotation mark: m.ui_quoted({ text })',
    mended: {
      'features/hosts/web/filter-text.ts': '// As in “web-1”.\nconst words = q && m.ui_quoted({ text: q })',
    },
  },
  ...glossaries,
  {
    rule: 'files are small',
    broken: { 'features/hosts/contract.ts': 'line\n'.repeat(401) },
    says: 'features/hosts/contract.ts has 401 lines: at most 400.',
    mended: { 'foundation/long.ts': 'line\n'.repeat(60) },
  },
  {
    rule: 'files are small',
    broken: { 'foundation/long.ts': 'line\n'.repeat(301) },
    says: 'foundation/long.ts has 301 lines: at most 300.',
    mended: { 'foundation/long.ts': 'line\n'.repeat(60) },
  },
  {
    rule: 'files are small',
    broken: { 'foundation/one.ts': 'line\n'.repeat(61) },
    says: 'The median file has 61 lines: at most 60.',
    mended: { 'foundation/one.ts': 'line\n'.repeat(60) },
  },
  {
    rule: 'names are plain words',
    broken: { 'features/hosts/server/letters.ts': '' },
    says: "features/hosts/server/letters.ts: instead of 'letters' write mail template, character.",
    mended: { 'features/hosts/server/mails.ts': '' },
  },
  {
    rule: 'names are plain words',
    broken: { 'features/hosts/server/hosts.ts': 'export async function giveBack(tx: Tx) {}' },
    says: "features/hosts/server/hosts.ts exports giveBack: instead of 'give back' write release, refund, unassign.",
    mended: { 'features/hosts/server/hosts.ts': 'export async function release(tx: Tx) {}' },
  },
  {
    rule: 'a thing has one name',
    broken: { 'features/hosts/server/hosts.ts': "export { insertHost as addHost } from './queries.ts'" },
    says: 'features/hosts/server/hosts.ts exports insertHost as addHost: rename it where it is defined.',
    mended: { 'features/hosts/server/hosts.ts': "export { addHost } from './queries.ts'" },
  },
  {
    rule: 'a thing has one name',
    broken: { 'features/hosts/server/hosts.ts': 'export const addHost = queries.insertHost\n' },
    says: 'features/hosts/server/hosts.ts exports queries.insertHost again as addHost: write export { … } from.',
    mended: { 'features/hosts/server/hosts.ts': "export { addHost } from './queries.ts'" },
  },
  {
    rule: 'a table has one owner',
    broken: {
      ...users,
      'features/hosts/server/queries.ts': readsUsers,
      'features/auth/server/queries.ts': readsUsers,
    },
    says: 'users is named in the queries of features/auth and features/hosts',
    mended: { ...users, 'features/auth/server/queries.ts': readsUsers },
  },
  {
    rule: 'a table has one owner',
    broken: {
      ...users,
      'features/a/server/queries.ts': 'sql`update users set name = 1`',
      'features/b/server/queries.ts': readsUsers,
    },
    says: 'users is named in the queries of features/a and features/b',
    mended: { ...users, 'features/a/server/queries.ts': 'sql`update users set name = 1`' },
  },
  ...addresses,
  {
    rule: 'no table is without an owner',
    broken: users,
    says: 'users is named by no feature and not by the foundation: drop it, or give it an owner.',
    mended: { ...users, 'features/auth/server/queries.ts': readsUsers },
  },
  {
    rule: 'migrations are numbered',
    broken: { 'database/migrations/0001_a.sql': '', 'database/migrations/0001_b.sql': '' },
    says: 'database/migrations/0001_b.sql: its number is taken.',
    mended: { 'database/migrations/0001_a.sql': '', 'database/migrations/0002_b.sql': '' },
  },
  {
    rule: 'a migration leaves the release before running',
    broken: {
      'package.json': '{"version":"0.2.0"}',
      'database/migrations/0001_b.sql': 'alter table hosts drop column name;',
    },
    says: 'database/migrations/0001_b.sql drops a column name: the release before still uses it.',
    mended: {
      'package.json': '{"version":"0.3.0"}',
      'database/migrations/0001_b.sql':
        '-- contract: name is read no more since 0.2.0\nalter table hosts drop column name;',
    },
  },
  {
    rule: 'banned words',
    broken: { 'database/baseline/01_foundation.sql': '-- FIXME index' },
    says: 'database/baseline/01_foundation.sql:1 says FIXME: do it now',
    mended: users,
  },
  {
    rule: 'banned words',
    broken: { 'features/hosts/server/hosts.ts': "\nconsole.log('here')" },
    says: 'features/hosts/server/hosts.ts:2 says console.log(: write to the log.',
    mended: { 'tools/schema.ts': "console.log('here')" },
  },
  {
    rule: 'banned words',
    broken: { 'features/hosts/server/hosts.ts': 'await hostOf({ ...app, db: tx }, id)' },
    says: 'features/hosts/server/hosts.ts:1 says { ...app, db: tx: hand over `tx` as the parameter `db`',
    mended: { 'features/hosts/server/hosts.ts': 'await hostOf(app, tx, id)' },
  },
  {
    rule: 'banned words',
    broken: {
      'features/hosts/server/hosts.ts':
        'async function get(call: Call<typeof contract.getHost>): Promise<ReplyOf<typeof contract.getHost>> {',
    },
    says: 'features/hosts/server/hosts.ts:1 says call: Call<typeof: write handler(contract.x, async (call) => …)',
    mended: { 'features/hosts/server/hosts.ts': 'const get = handler(contract.getHost, async (call) => {' },
  },
  {
    rule: 'banned words',
    broken: { 'foundation/web/ui/text.tsx': '<p dangerouslySetInnerHTML={{ __html: text }} />' },
    says: 'foundation/web/ui/text.tsx:1 says dangerouslySetInnerHTML: render elements',
    mended: { 'foundation/web/ui/text.tsx': '<p>{text}</p>' },
  },
  {
    rule: 'banned words',
    broken: { 'foundation/web/ui/text.tsx': '<script src="https://cdn.hostdesk.net/a.js" />' },
    says: 'the browser loads nothing from elsewhere',
    mended: { 'foundation/web/ui/text.tsx': '<a href={legal.imprint} />' },
  },
  {
    rule: 'banned words',
    broken: { 'features/hosts/web/rename.tsx': '<TextField name="name" maxLength={100} />' },
    says: 'features/hosts/web/rename.tsx:1 says maxLength=: give the field `most`',
    mended: { 'features/hosts/web/rename.tsx': '<TextField name="name" most={100} />' },
  },
  ...[
    'void go(`/tickets/${id}`)',
    "link('/account/finances')",
    '<Link to="/else" />',
    "link('/staff-racks')",
  ].map((line) => ({
    rule: 'banned words',
    broken: { 'features/hosts/web/rename.tsx': line },
    says: 'take the address of a page from features/paths.ts',
    mended: { 'features/hosts/web/rename.tsx': '// `/tickets/17`\n<Link to={paths.ticket(id)} />' },
  })),
  ...comments,
  ...lateParts,
  ...beforeTexts,
  {
    rule: 'a plain form sends no edit',
    broken: {
      'features/hosts/contract.ts': "export const updateHost = route({\n  method: 'PATCH',\n})",
      'features/hosts/web/hooks.ts': 'export const saveHost = (body) => call(updateHost, { body })',
      'features/hosts/web/rename.tsx': 'const form = useForm((fields) => saveHost(fields.text("name")))',
    },
    says: 'features/hosts/web/rename.tsx: send saveHost from useEditForm (rule 45).',
    mended: {
      'features/hosts/contract.ts': "export const updateHost = route({\n  method: 'PATCH',\n})",
      'features/hosts/web/hooks.ts': 'export const saveHost = (body) => call(updateHost, { body })',
      'features/hosts/web/rename.tsx': 'const form = useEditForm({ saved: host, save: saveHost })',
    },
  },
  {
    rule: 'every form that edits is opened in two tabs',
    broken: { 'features/hosts/web/rename.tsx': 'const form = useEditForm({ saved: host })' },
    says: 'features/hosts/web/rename.tsx: list it in tests/stories/two-tabs.e2e.ts',
    mended: {
      'features/hosts/web/rename.tsx': 'const form = useEditForm({ saved: host })',
      'tests/stories/two-tabs.e2e.ts': "// 'features/hosts/web/rename.tsx'",
    },
  },
  {
    rule: 'file names say what they hold',
    broken: { 'foundation/web/date-utils.ts': '' },
    says: 'foundation/web/date-utils.ts: call it after what it holds.',
    mended: { 'foundation/web/dates.ts': '' },
  },
  {
    rule: 'what both sides share is used by both',
    broken: {
      'foundation/dates.ts': '',
      'foundation/web/clock.ts': "import { day } from '#foundation/dates.ts'",
    },
    says: 'foundation/dates.ts is used by one side only',
    mended: {
      'foundation/dates.ts': '',
      'features/hosts/contract.ts': "import { day } from '#foundation/dates.ts'",
    },
  },
  ...[pauses, states, stored, memory, verdicts, charges, edits].flat(),
  {
    rule: 'versions are exact',
    broken: { 'package.json': '{"dependencies": {"fastify": "^5.12.8"}}' },
    says: 'package.json: fastify is ^5.12.8; write one exact version.',
    mended: { 'package.json': '{"dependencies": {"fastify": "5.12.8"}}' },
  },
  {
    rule: 'every promise is shown by a test',
    broken: { 'docs/rows.md': '| R-07 | guard |', 'app/web/router.test.tsx': '// R-07 comes later' },
    says: 'No test names R-07.',
    mended: {
      'docs/rows.md': '| R-07 | guard |',
      'app/web/router.test.tsx': "it('R-07 leads to the sign-in')",
    },
  },
  {
    rule: 'every rule is shown by a test',
    broken: { 'docs/rules.md': '16. A half-finished login', 'app/a.test.ts': "it('rule 1: a policy')" },
    says: 'No test names rule 16.',
    mended: {
      'docs/rules.md': '16. A half',
      'app/a.test.ts': "it('rule 16: half')",
    },
  },
  ...documents,
]

describe.each(cases)('$rule', ({ rule, broken, says, mended }) => {
  it(`says: ${says}`, () => expect(rules[rule]?.(treeOf(broken)).join('\n')).toContain(says))
  it('reports nothing on the corrected tree', () => expect(rules[rule]?.(treeOf(mended))).toEqual([]))
})

it('has a broken tree for every rule', () => {
  expect(Object.keys(rules).filter((rule) => !cases.some((one) => one.rule === rule))).toEqual([])
})
