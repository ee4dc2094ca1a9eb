import type { Attempt } from '#features/webhooks/contract.ts'

/** The request of an attempt as a command of a shell. A quote within a text ends it, stands alone, and begins it again. */
export function curlOf({ request: { url, headers, body } }: Attempt): string {
  const parts = [
    `curl -X POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
