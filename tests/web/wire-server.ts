import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Plugin } from 'vite'

/** One scripted reply; `hold_ms` keeps the caller waiting, status 0 cuts the connection. */
export type Reply = { status: number; body?: unknown; headers?: Record<string, string>; hold_ms?: number }

/** A request that the server has received, for the test to check. */
export type Received = { method: string; path: string; headers: Record<string, string>; body: string }

/**
 * Answers the requests of browser tests to `/api/…` with the replies that the test has scripted, over real HTTP: so the tests see the
 * requests that are really sent, not the calls of a mock of `fetch`. The last reply of a path repeats.
 */
export function wire(): Plugin {
  const scripts = new Map<string, Reply[]>()
  let received: Received[] = []
  const answering = new Set<ServerResponse>()

  const control = (path: string, body: string): unknown => {
    if (path === '/wire/script') {
      const { route, replies } = JSON.parse(body) as { route: string; replies: Reply[] }
      scripts.set(route, replies)
    }
    if (path === '/wire/reset') {
      scripts.clear()
      received = []
    }
    if (path === '/wire/cut') for (const response of answering) response.destroy()
    return received
  }

  const next = (route: string): Reply => {
    const replies = scripts.get(route) ?? [{ status: 404 }]
    return (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 404 }
  }

  const serve = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    const body = await bodyOf(request)
    if (path.startsWith('/wire/')) return answer(response, { status: 200, body: control(path, body) })
    const method = request.method ?? 'GET'
    received.push({
      method,
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body,
    })
    answering.add(response)
    await answer(response, next(`${method} ${path}`))
    answering.delete(response)
  }

  return {
    name: 'hostdesk:wire',
    configureServer(server) {
      server.middlewares.use((request, response, pass) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname
        if (path.startsWith('/api/') || path.startsWith('/wire/')) void serve(request, response, path)
        else pass()
      })
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  return body
}

async function answer(response: ServerResponse, { status, body, headers, hold_ms }: Reply): Promise<void> {
  if (hold_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, hold_ms))
  if (response.destroyed) return
  if (status === 0) return void response.destroy()
  response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'request-1', ...headers })
  response.end(body === undefined ? '' : JSON.stringify(body))
}
