import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { rolling } from './rules/migrations.ts'
import { treeOf } from './rules/tree.ts'

const saidOf = (text: string, version = '0.2.0') =>
  rolling(
    treeOf({ 'package.json': JSON.stringify({ version }), 'database/migrations/0001_b.sql': text }),
  ).join('\n')

it.each([
  ['alter table hosts add column size bigint not null, add a text;', 'adds without a default size'],
  ['alter table hosts rename column name to title;', 'renames title'],
  ['alter table hosts rename to servers;', 'renames servers'],
  ['alter table hosts alter column name type varchar(9);', 'changes the type of name'],
  ['alter table hosts alter column ipv4 set not null;', 'demands ipv4'],
  ['drop table hosts;', 'drops a table hosts'],
  ['drop function if exists take_job(uuid, text[]);', 'drops a function take_job'],
  ['create index hosts_name on hosts (name);', 'locks hosts while it makes an index'],
])('complains of: %s', (text, said) => expect(saidOf(text)).toContain(said))

it.each([
  'alter table hosts add column size bigint not null default 0, add a text;',
  'create table racks (id int not null);\ncreate index racks_id on racks (id);',
  '-- outside a transaction\ncreate index concurrently hosts_name on hosts (name);',
  'alter table racks rename to racks_rest;\ncreate table racks (id int) partition by list (id);',
  '-- Says drop table in a comment.\ncreate table racks (id int);',
])('is content with: %s', (text) => expect(saidOf(text)).toBe(''))

// A migration once left all profiles as they were, without an error.
it('knows that nobody changes no row that has an owner', () => {
  const table = "create table racks (id int, user_id uuid);\nselect protect_rows('racks', 'user_id');\n"
  expect(saidOf(`${table}update racks set id = 0;`)).toContain('changes no row of racks')
  expect(saidOf(`${table}select set_config('app.actor', 'system', true);\nupdate racks set id = 0;`)).toBe('')
})

it('lets go what nobody has read since an earlier release', () => {
  const text = '-- contract: take_job is read no more since 0.2.0\ndrop function take_job(uuid, text[]);'
  expect(saidOf(text)).toContain('drops a function take_job')
  expect(saidOf(text, '0.3.0')).toBe('')
})

it('the baseline is that of 0.1.0: a change is a migration, database/migrations/NNNN_what_it_adds.sql', () => {
  const hash = createHash('sha256')
  for (const file of globSync('database/baseline/*').toSorted())
    hash.update(`${file}\n${readFileSync(file, 'utf8')}`)
  expect(hash.digest('hex')).toBe('c99eb9910c0eea39e3905c307fa93c9ec9df7e0bcf56b59220b156b024425632')
})
