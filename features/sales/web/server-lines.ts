import { isIpv4, isPrintable, NAME_LENGTH } from '#features/hosts/rules.ts'

/** A typed server, or a program, which has no address, with the number of its line in the text, counted from 0. */
type Typed = { name?: string; ipv4?: string; line: number }
type WrongLine = { line: number; text: string }

/**
 * Reads new servers, one a line: the address, with a name before or after it, separated by spaces, tabs, commas or semicolons, as in a list
 * or a table. Empty lines are skipped. `wrong` has the lines without an address, or with a name that is not allowed.
 */
export function serversIn(text: string): { servers: Typed[]; wrong: WrongLine[] } {
  const servers: Typed[] = []
  const wrong: WrongLine[] = []
  for (const [line, typed] of text.split('\n').entries()) {
    const words = typed.split(/[\s,;]+/).filter(Boolean)
    if (words.length === 0) continue
    const ipv4 = words.find(isIpv4)
    const name = words.filter((word) => word !== ipv4).join(' ')
    if (ipv4 === undefined || [...name].length > NAME_LENGTH || !isPrintable(name))
      wrong.push({ line, text: typed.trim() })
    else servers.push({ ...(name === '' ? {} : { name }), ipv4, line })
  }
  return { servers, wrong }
}

/** Reads licences of a program, one a line: its name. Empty lines are skipped; `wrong` has the lines whose name is not allowed. */
export function programsIn(text: string): ReturnType<typeof serversIn> {
  const typed = text
    .split('\n')
    .flatMap((each, line) => (each.trim() === '' ? [] : [{ name: each.trim(), line }]))
  const isName = ({ name }: { name: string }) => [...name].length <= NAME_LENGTH && isPrintable(name)
  return {
    servers: typed.filter(isName),
    wrong: typed.filter((each) => !isName(each)).map(({ name, line }) => ({ line, text: name })),
  }
}
