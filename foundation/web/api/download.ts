import type { InputOf, Route } from '#foundation/contract.ts'
import type { AnswerStatus } from './answer.ts'
import { readAnswer } from './answer.ts'
import { callText } from './call.ts'

/**
 * Fetches a file that only this customer may have, and hands it to the browser to keep. A link could not: the address
 * alone, without the access token, is worth nothing. `name` is for a server that sends none.
 */
export async function download<const R extends Route>(
  route: R,
  input: InputOf<R>,
  name: string,
): Promise<AnswerStatus> {
  return callText(route, input, async (response) => {
    if (response.status !== 200) return readAnswer(response)
    saveFile(await response.blob(), nameIn(response.headers.get('Content-Disposition')) ?? name)
    const requestId = response.headers.get('X-Request-Id') ?? undefined
    return { status: 200, body: undefined, errors: [], requestId }
  })
}

/** Hands a file to the browser to keep. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser takes the file a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

const nameIn = (disposition: string | null): string | undefined =>
  /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
