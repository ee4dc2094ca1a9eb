import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type Balancer = {
  url: string
  /** Adds a process, which gets requests as soon as its /readyz answers 200. */
  add(url: string): void
  close(): Promise<void>
}

const LOOK_MS = 100

/** Starts a balancer: it sends requests by turns to the processes whose /readyz answers 200, and no request a second time. */
export async function startBalancer(): Promise<Balancer> {
  const known = new Set<string>()
  let ready: string[] = []
  let turn = 0
  const look = setInterval(() => {
    void Promise.all(
      [...known].map(async (url) => {
        const isReady = await fetch(`${url}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        )
        ready = isReady ? [...new Set([...ready, url])] : ready.filter((other) => other !== url)
      }),
    )
  }, LOOK_MS)
  const server = http.createServer((request, response) => {
    const target = ready[turn++ % Math.max(1, ready.length)]
    if (target === undefined) {
      response.writeHead(502).end('nobody is ready')
      return
    }
    const { method, headers, url } = request
    const onward = http.request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', (error) => response.headersSent || response.writeHead(502).end(String(error)))
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => void known.add(url),
    close: () =>
      new Promise((resolve) => {
        clearInterval(look)
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
