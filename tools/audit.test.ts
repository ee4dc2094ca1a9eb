import { execFile } from 'node:child_process'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'

// The registry of these tests knows one vulnerability, or none, or gives no answer.
let advisories: object | undefined
const registry = http.createServer((request, reply) => {
  if (request.method === 'POST' && request.url?.includes('advisories/bulk') && advisories)
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(advisories))
  else reply.writeHead(405).end()
})
await new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve))
afterAll(() => void registry.close())

function audit(): Promise<{ code: number; said: string }> {
  const { port } = registry.address() as AddressInfo
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` }
  return new Promise((resolve) => {
    execFile(process.execPath, ['tools/audit.ts'], { env, encoding: 'utf8' }, (error, said) =>
      resolve({ code: error ? 1 : 0, said }),
    )
  })
}

it('names a known vulnerability of a production package, and passes where there is none', async () => {
  advisories = {
    fastify: [
      {
        id: 1,
        url: 'https://github.com/advisories/GHSA-test-test-test',
        title: 'Anybody reads anything',
        severity: 'high',
        vulnerable_versions: '<99.0.0',
        cwe: [],
        cvss: { score: 9, vectorString: null },
      },
    ],
  }
  expect(await audit()).toEqual({
    code: 1,
    said: expect.stringContaining('audit: fastify: Anybody reads anything (high)') as string,
  })
  advisories = {}
  expect(await audit()).toEqual({ code: 0, said: '' })
})

it('says that nothing was checked where the registry does not tell, and passes', async () => {
  advisories = undefined
  expect(await audit()).toEqual({ code: 0, said: expect.stringContaining('audit: not checked') as string })
})
