import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlOf } from './curl.ts'

it('O-13 a request as curl is what was sent, whatever stands in it', () => {
  const body = `{"name":"it's $HOME \`id\` \\\\ \\"x\\""}`
  const headers = { 'webhook-id': 'evt_1' }
  const request = { url: "https://hooks.example.com/?a='b'", headers, body }
  const rest = {
    number: 1,
    seq: 1,
    event_id: 'evt_1',
    type: 'x.y',
    at: '',
    took_ms: 1,
    is_ok: true,
    answer: null,
  }
  const command = curlOf({ ...rest, failure: null, request })
  const printed = execFileSync('sh', [
    '-c',
    `curl() { for one in "$@"; do printf '%s\\n' "$one"; done; }\n${command}`,
  ])
  expect(printed.toString().trimEnd().split('\n')).toEqual([
    '-X',
    'POST',
    request.url,
    '-H',
    'webhook-id: evt_1',
    '--data-binary',
    body,
  ])
})
