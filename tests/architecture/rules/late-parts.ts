import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

/**
 * A part whose code comes later is waited for where it stands, or not shown until it is there: else the whole page waits, which is then
 * hidden, and whoever had the focus in it loses it.
 */
export const lateParts: Rule = ({ paths, read }) =>
  paths
    .filter((path) => isSource(path) && path.endsWith('.tsx'))
    .flatMap((path) => {
      const text = read(path)
      const late = [...text.matchAll(/^const (\w+) = lazyPage\(/gm)].map(([, name = '']) => name)
      return late
        .filter((name) => text.includes(`<${name} `) && !isWaitedFor(text, name))
        .map((name) => `${path}: put ${name} into a Suspense, or show it by useLoaded or useLazyDialog.`)
    })

const isWaitedFor = (text: string, name: string): boolean =>
  new RegExp(`\\b(?:useLoaded|useLazyDialog)\\(${name}\\b|<Suspense\\b[^]*?<${name} [^]*?</Suspense>`).test(
    text,
  )
