import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const guard = "require('./app/server/require-node.cjs')"
const run = (node: string, code: string) => {
  const { status, stdout, stderr } = spawnSync(node, ['-e', code], { encoding: 'utf8' })
  return { status, stdout, stderr }
}
const as = (version: string) =>
  run(
    process.execPath,
    `Object.defineProperty(process.versions, 'node', { value: '${version}' }); ${guard}; console.log('runs')`,
  )

it('a Node that is too old is refused in one line, and the right one goes on', () => {
  expect(as('22.19.0')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Hostdesk needs Node 24 or later, and this is 22\.19\.[^\n]*\n$/,
    ) as string,
  })
  expect(as('24.0.0')).toEqual({ status: 0, stdout: 'runs\n', stderr: '' })
})

it('npm start and npm run hostdesk ask it first', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  for (const name of ['start', 'hostdesk'])
    expect(scripts[name]).toMatch(/node .*--require \.\/app\/server\/require-node\.cjs /)
})

it('a command that ran before is read from the cache, without the reader of TypeScript and its 8 MB', () => {
  const report =
    'process.on("exit", () => console.log(process.moduleLoadList.filter((name) => /amaro/.test(name))))'
  const options = ['--require', './app/server/require-node.cjs', '--import', `data:text/javascript,${report}`]
  const again = () =>
    spawnSync(process.execPath, [...options, 'app/cli/main.ts', '--help'], { encoding: 'utf8' })
  again()
  expect(again().stdout).toMatch(/\n\[\]\n$/)
})

const old = '/usr/bin/node'
const isOld =
  existsSync(old) && Number(run(old, 'console.log(process.versions.node)').stdout.split('.')[0]) < 24

it.runIf(isOld)(
  'an installed Node older than 24 exits with 1 and prints in one line that Hostdesk needs Node 24',
  () => {
    const { status, stderr } = spawnSync(
      old,
      ['--require', './app/server/require-node.cjs', 'app/server/main.ts'],
      {
        encoding: 'utf8',
      },
    )
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Hostdesk needs Node 24 or later[^\n]*\n$/)])
  },
)
