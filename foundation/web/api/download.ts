import type { InputOf, Route } from '#foundation/contract.ts'
import type { AnswerStatus } from './answer.ts'
import { readAnswer } from './answer.ts'
import { callText } from './call.ts'

/**
 * Fetches a file with the access token, and lets the browser save it. A plain link does not work, because the server refuses a
 * request without the token. `name` is the name of the file if the server sends none.
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

/** Lets the browser save a file. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads the file a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Lets the browser save a table; `name` is without the ending. */
export const saveCsv = (csv: string, name: string): void =>
  saveFile(new Blob([csv], { type: 'text/csv;charset=utf-8' }), `${name}.csv`)

const nameIn = (disposition: string | null): string | undefined =>
  /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
