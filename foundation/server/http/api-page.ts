import type { Route } from '#foundation/contract.ts'
import { schemaOf } from './json-schema.ts'

/** All calls on one page without a script: for people who write against the API. */
export function apiPage(contracts: readonly Route[]): { html: string; css: string } {
  const groups = new Map<string, Route[]>()
  for (const contract of contracts) {
    const group = contract.path.split('/')[2] ?? ''
    groups.set(group, [...(groups.get(group) ?? []), contract])
  }
  const sections = [...groups].map(
    ([group, members]) => `<section><h2>${escape(group)}</h2>${members.map(callOf).join('')}</section>`,
  )
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Hostdesk API</title><link rel="stylesheet" href="/api/docs.css"></head><body><main><h1>Hostdesk API</h1>
<p>Printed from the contracts that the server itself checks. For machines: <a href="/api/openapi.json">openapi.json</a>.
Errors are <code>{"status", "errors": [{"code", "param", "message"}]}</code>; look texts up by <code>code</code>.</p>
${sections.join('')}</main></body></html>`,
    css,
  }
}

function callOf(contract: Route): string {
  const { method, path, who, summary, replies, errors, limits } = contract
  const inputs = (['params', 'query', 'headers', 'body'] as const).map((part) =>
    shape(part, contract[part], 'input'),
  )
  const answers = Object.entries(replies).map(([status, schema]) =>
    shape(status, schema ?? undefined, 'output'),
  )
  const codes = Object.entries(errors ?? {}).map(
    ([status, list]) =>
      `<p><b>${status}</b> ${list.map((code) => `<code>${escape(code)}</code>`).join(' ')}</p>`,
  )
  return `<details><summary><b>${method}</b> <code>${escape(path)}</code> <span>${escape(summary)}</span></summary>
<p>Who: ${who}${limits ? ` · limits: ${limits.join(', ')}` : ''}</p>${inputs.join('')}${answers.join('')}${codes.join('')}</details>`
}

function shape(
  title: string,
  schema: Parameters<typeof schemaOf>[0] | undefined,
  io: 'input' | 'output',
): string {
  if (!schema) return ''
  return `<h3>${escape(title)}</h3><pre tabindex="0">${escape(JSON.stringify(schemaOf(schema, io), null, 2))}</pre>`
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const css = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem}h2{margin-top:2rem;text-transform:capitalize}
details{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:6px;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}summary b{display:inline-block;min-width:4.5rem}summary span{opacity:.75}
pre{overflow:auto;padding:.75rem;border-radius:6px;background:color-mix(in srgb,currentColor 8%,transparent);font-size:13px}`
