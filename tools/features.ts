/** Features so large that they are in parts, each a folder with a contract, server, web and texts of its own. */
const IN_PARTS = ['support']

/** The feature that a file belongs to, or its part: `hosts`, `support/tickets`. Undefined outside of features/. */
export function featureOf(path: string): string | undefined {
  const [layer, name = '', part = '', ...rest] = path.split('/')
  if (layer !== 'features' || part === '') return undefined
  const isPart = IN_PARTS.includes(name) && rest.length > 0 && part !== 'server' && part !== 'web'
  return isPart ? `${name}/${part}` : name
}

/** Returns the features in the order of features/README.md, each after its parts in the order of its own README. */
export function featuresInOrder(read: (path: string) => string): string[] {
  return listed(read('features/README.md')).flatMap((name) => {
    const parts = IN_PARTS.includes(name) ? listed(read(`features/${name}/README.md`)) : []
    return [...parts.map((part) => `${name}/${part}`), name]
  })
}

const listed = (list: string): string[] =>
  [...list.matchAll(/^\d+\. \[([a-z-]+)\]/gm)].map(([, name = '']) => name)
