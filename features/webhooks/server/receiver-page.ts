import type { FastifyInstance } from 'fastify'
import type { App } from '#foundation/server/app.ts'
import { brand, plainStyles } from '#foundation/server/http/plain-page.ts'
import { escapeHtml } from '#foundation/server/mail/escape-html.ts'
import { hasReceiver, receivedBy, type Received } from './demo-receiver.ts'

/**
 * Shows what the receiver of the demo got, at /dev/webhooks/, as a developer's own program would print it. The address exists
 * in a demo alone.
 */
export function serveReceiver(server: FastifyInstance, app: App): void {
  if (!hasReceiver(app)) return
  server.get('/dev/webhooks', (_request, reply) => reply.redirect('/dev/webhooks/', 308))
  server.get('/dev/webhooks/style.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(styles),
  )
  server.get('/dev/webhooks/', (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(pageOf(app, receivedBy(app))),
  )
}

const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const pageOf = (
  { config: { operator, publicOrigin } }: App,
  received: readonly Received[],
): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Webhooks received</title><link rel="stylesheet" href="/dev/webhooks/style.css"></head>
<body><header>${brand(operator.name)}</header><main><h1>Webhooks received</h1>
<p class="muted">A receiver that comes with the demo. Webhooks of example accounts to <code>${escapeHtml(publicOrigin)}/dev/webhooks/NAME</code>
arrive here; <code>/dev/webhooks/broken</code> answers 500. The same events can be pulled: <code>GET /api/events/history/?after=0</code>.</p>
${received.length === 0 ? '<p class="empty">Nothing yet. Send a test from Settings → API, or do something with the account.</p>' : received.map(entry).join('\n')}
</main></body></html>
`

const entry = ({
  at,
  path,
  headers,
  body,
  status,
}: Received): string => `<article><h2>${escapeHtml(path)} → ${status}</h2>
<p class="muted"><time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time></p>
<pre tabindex="0">${escapeHtml(
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
)}

${escapeHtml(indented(body))}</pre></article>`

const indented = (body: string): string => JSON.stringify(JSON.parse(body), undefined, 2)

const styles = `${plainStyles}header{padding:1rem 1.5rem;border-bottom:1px solid var(--line)}
main{max-width:48rem;margin:0 auto;padding:2rem 1rem}h1+.muted{margin:.375rem 0 1.5rem}
article{margin:0 0 1.5rem}h2{font-size:.9375rem;margin:0;overflow-wrap:anywhere}.muted{color:var(--muted);font-size:.875rem}
.empty{padding:3.5rem 1.5rem;border:1px dashed var(--line);border-radius:10px;text-align:center;color:var(--muted)}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 0;padding:1rem;border:1px solid var(--line);border-radius:6px;background:var(--sunken);font:.8125rem/1.6 ui-monospace,monospace}
`
