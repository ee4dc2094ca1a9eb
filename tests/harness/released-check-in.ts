import { readFileSync } from 'node:fs'

/** The check-in as the last release promised it (docs/api/released): the fields that it took, those that it needed, and those of its answer. */
export function releasedCheckIn(): { takes: string[]; needs: string[]; answers: string[] } {
  const lines = readFileSync('docs/api/released/0.1.0.txt', 'utf8').split('\n')
  const begin = lines.indexOf('POST /api/agent/check-in/') + 1
  const end = lines.findIndex((line, place) => place >= begin && !line.startsWith('\t'))
  const facts = lines.slice(begin, end)
  const all = (pattern: RegExp) => facts.flatMap((fact) => pattern.exec(fact)?.[1] ?? [])
  return {
    takes: all(/^\t body\.(\w+) takes /),
    needs: all(/^\t needs body\.(\w+)$/),
    answers: all(/^\t 200 always has (\w+)$/),
  }
}
