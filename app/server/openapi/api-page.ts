import type { Access, Route } from '#foundation/contract.ts'
import { possibleErrors } from '#foundation/server/http/possible-errors.ts'
import { SchemaPrinter, type Json } from './schemas.ts'

/** Returns one page with all calls, which needs no script, for people who write programs against the API. */
export function apiPage(contracts: readonly Route[]): { html: string; css: string } {
  const groups = new Map<string, Route[]>()
  for (const contract of contracts) groups.set(contract.tag, [...(groups.get(contract.tag) ?? []), contract])
  const printer = new SchemaPrinter(false)
  const sections = [...groups].map(
    ([group, members]) =>
      `<section><h2>${escape(group)}</h2>${members.map((call) => callOf(call, printer)).join('')}</section>`,
  )
  const schemas = Object.entries(printer.components).map(
    ([name, schema]) => `<details><summary><b>${name}</b></summary>${shape('', schema)}</details>`,
  )
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Hostdesk API</title><link rel="stylesheet" href="/api/docs/reference/page.css"></head><body><main><p><a href="/api/docs/">Guide</a></p><h1>Hostdesk API</h1>
<p>Printed from the contracts that the server itself checks. For machines: <a href="/api/openapi.json">openapi.json</a>.
Errors are <code>{"status", "errors": [{"code", "param", "message"}]}</code>; look texts up by <code>code</code>.</p>
${sections.join('')}<section><h2>Schemas</h2>${schemas.join('')}</section></main></body></html>`,
    css,
  }
}

function callOf(contract: Route, printer: SchemaPrinter): string {
  const { method, path, access, summary, description = '', replies, limits } = contract
  const inputs = (['params', 'query', 'headers', 'body'] as const).map((part) => {
    const schema = contract[part]
    return schema ? shape(part, printer.input(schema)) : ''
  })
  const answers = Object.entries(replies).map(([status, schema]) =>
    schema ? shape(status, printer.output(schema)) : '',
  )
  const codes = [...possibleErrors(contract)].map(
    ([status, list]) =>
      `<p><b>${status}</b> ${list.map((code) => `<code>${escape(code)}</code>`).join(' ')}</p>`,
  )
  return `<details><summary><b>${method}</b> <code>${escape(path)}</code> <span>${escape(summary)}</span></summary>
<p>${escape(description)}</p><p>Who: ${whoOf(access)}${limits ? ` · limits: ${limits.join(', ')}` : ''}</p>
${inputs.join('')}${answers.join('')}${codes.join('')}</details>`
}

const whoOf = (access: Access): string =>
  access.who === 'staff' ? `staff, ${access.permission.name}` : access.who

const shape = (title: string, schema: Json): string =>
  `${title === '' ? '' : `<h3>${escape(title)}</h3>`}<pre tabindex="0">${escape(JSON.stringify(schema, null, 2))}</pre>`

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const css = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem}h2{margin-top:2rem;text-transform:capitalize}
details{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:6px;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}summary b{display:inline-block;min-width:4.5rem}summary span{opacity:.75}
pre{overflow:auto;padding:.75rem;border-radius:6px;background:color-mix(in srgb,currentColor 8%,transparent);font-size:13px}`
