import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const start = (version: string) => {
  const claim = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`
  const command = ['--import', claim, '--import', './app/server/require-node.js', '-e', 'console.log("runs")']
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

it('a Node that is too old is refused in one line, and the right one goes on', () => {
  expect(start('22.19.0')).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Hostdesk needs Node 24 or later, and this is 22\.19\.[^\n]*\n$/),
  })
  expect(start('24.0.0')).toEqual({ status: 0, stdout: 'runs\n', stderr: '' })
})
