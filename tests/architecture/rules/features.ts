import { featureOf } from '#tools/features.ts'
import { featuresInOrder, featuresOnDisk, isSource } from './tree.ts'
import type { Rule, Tree } from './tree.ts'

/** The list in features/README.md names exactly the folders on disk. */
export const listed: Rule = (tree) => {
  const order = featuresInOrder(tree)
  const disk = featuresOnDisk(tree)
  return [
    ...disk.filter((name) => !order.includes(name)).map((name) => `List ${name} in features/README.md.`),
    ...order
      .filter((name) => !disk.includes(name))
      .map((name) => `features/README.md lists ${name}, which is gone.`),
  ]
}

/** A feature imports only from the features above it in the list. An import of a type counts too. */
export const leaning: Rule = (tree) => {
  const order = featuresInOrder(tree)
  return tree.paths.filter(isSource).flatMap((path) => {
    const own = featureOf(path)
    if (!own) return []
    const imported = tree.read(path).matchAll(/'#(features\/[^']+)'/g)
    return [...new Set([...imported].map(([, to = '']) => featureOf(to) ?? ''))]
      .filter((other) => other !== own && order.indexOf(other) >= order.indexOf(own))
      .map(
        (other) =>
          `${path} leans on ${other}, which stands below ${own}: send an event, or change the order on purpose.`,
      )
  })
}

/** Every feature is complete: a README, a contract, a test beside its public API, and is mounted on both sides. */
export const complete: Rule = (tree) =>
  featuresOnDisk(tree).flatMap((name) => [...docs(tree, name), ...sides(tree, name)])

function docs({ paths, read }: Tree, name: string): string[] {
  const folder = `features/${name}`
  const isInParts = paths.some((path) => featureOf(path)?.startsWith(`${name}/`))
  const missing = [
    `${folder}/README.md`,
    `${folder}/server/feature.ts`,
    ...(isInParts ? [] : [`${folder}/contract.ts`]),
  ]
    .filter((path) => !paths.includes(path))
    .map((path) => `Write ${path}.`)
  const long =
    paths.includes(`${folder}/README.md`) && lines(read(`${folder}/README.md`)) > 40
      ? [`${folder}/README.md has more than 40 lines: keep the words, the states, the public API.`]
      : []
  return [...missing, ...long]
}

function sides({ paths, read }: Tree, name: string): string[] {
  const complaints: string[] = []
  const isInParts = paths.some((path) => featureOf(path)?.startsWith(`${name}/`))
  const api = `features/${name}/server/${name.split('/').at(-1)}.ts`
  const entries = paths.filter((path) => path === api || path === `features/${name}/rules.ts`)
  if (!isInParts && !entries.includes(api))
    complaints.push(`Write ${api}: it is what other features may import.`)
  // A rules.ts with constants only has nothing to test.
  for (const path of entries.filter((path) => /=>|function/.test(read(path)) || !path.endsWith('/rules.ts')))
    if (!paths.includes(path.replace('.ts', '.test.ts')))
      complaints.push(`Write a test beside the public API ${path}.`)
  const [feature = '', part] = name.split('/')
  const lists = part
    ? [`features/${feature}/server/feature.ts`]
    : ['app/server/features.ts', 'app/web/features.ts']
  const mounts = (list: string) => paths.includes(list) && read(list).includes(`'#features/${name}/`)
  for (const list of lists)
    // A feature that staff alone see is in app/web/staff-features.ts.
    if (!mounts(list) && !(list === 'app/web/features.ts' && mounts('app/web/staff-features.ts')))
      complaints.push(`Mount ${name} in ${list}.`)
  return complaints
}

/**
 * Every route that a contract declares has a handler, in its feature or in one below, which knows more of what is asked: the browser might
 * call a route without one.
 */
export const served: Rule = ({ paths, read }) => {
  const handlers = paths
    .filter((path) => /^features\/.*\/server\//.test(path))
    .flatMap((path) => [...read(path).matchAll(/\bhandler\(\s*(?:\w+\.)?(\w+)/g)].map((match) => match[1]))
  const answered = new Set(handlers)
  return paths
    .filter((path) => /^features\/([^/]+\/){1,2}contract\.ts$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/^export const (\w+) = route\(/gm)]
        .map((match) => match[1] ?? '')
        .filter((name) => !answered.has(name))
        .map((name) => `${path} declares ${name}, which no handler answers.`),
    )
}

const lines = (text: string): number => text.trimEnd().split('\n').length
