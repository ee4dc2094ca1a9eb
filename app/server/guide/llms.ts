import { addressOf, guidePages, readDoc } from './pages.ts'

/** Returns llms.txt (llmstxt.org): where programs that read for people find the guide as plain Markdown. */
export function llmsText(origin: string, name: string): string {
  const pages = guidePages.map((page) => {
    const [, line = ''] = /^# .*\n+([^\n]+(?:\n[^\n#|`[-]+)?)/.exec(readDoc(page.file)) ?? []
    return `- [${page.title}](${origin}${addressOf(page)}index.md): ${line.replaceAll(/\s+/g, ' ').trim()}`
  })
  return `# ${name} API

> The API of a customer account area of a hosting service: servers with alerts, licences and products, orders and payments, balance,
> invoices, statements, tickets with ratings, the help centre, events and webhooks.
> JSON over HTTPS at ${origin}/api/, with a token in \`Authorization: Bearer hdp_…\`.

## Guide
${pages.join('\n')}

## Reference
- [OpenAPI 3.1](${origin}/api/openapi.json): every call with its fields, answers, error codes and examples
- [Licence keys](${origin}/.well-known/jwks.json): the public keys of licence documents
`
}
