// The import rules of the architecture, and more, as lint rules. Every import in the repository is checked against the tables below.

import { textsRule } from './lint-texts.js'

// The allowed imports. `$1` is the feature's own name, or a part's: `support/tickets`.
const publicApi = [
  'features/paths\\.ts$',
  'features/(support/)?[^/]+/(contract|rules|slots|texts)\\.ts$',
  'features/(support/)?[^/]+/web/words\\.ts$',
  'features/(?:support/)?([^/]+)/(?:server|web)/\\1\\.ts$',
]
const layers = [
  { from: /^foundation\//, may: ['foundation/', 'texts/'] },
  // These files gather what the parts of `support` register, and their pages.
  { from: /^features\/support\/(?:server|web)\//, may: ['foundation/', 'features/support/'] },
  {
    from: /^features\/(support\/[^/]+)\//,
    may: [
      'foundation/',
      'features/$1/',
      'features/support/[^/]+/((contract|rules|shapes|slots)\\.ts$|web/)',
      'features/support/([^/]+)/server/\\1\\.ts$',
      ...publicApi,
      'texts/',
    ],
  },
  { from: /^features\/([^/]+)\//, may: ['foundation/', 'features/$1/', ...publicApi, 'texts/'] },
  { from: /^app\//, may: ['app/', 'features/', 'foundation/', 'database/', 'texts/'] },
  { from: /^agent\//, may: ['agent/'] },
  { from: /^clients\//, may: ['clients/', 'foundation/[^/]+\\.ts$'] },
  { from: /^database\//, may: ['database/'] },
]

// Narrower rules. `from` is matched against the path of a file, `never` against the paths of its imports.
const boundaries = [
  {
    from: /\/server\//,
    never: /^(react|react-dom|@base-ui|@tanstack)(\/|$)|\/web\//,
    say: 'A path with /server/ runs in Node: nothing of the browser may be imported here.',
  },
  {
    from: /\/web\//,
    never: /^(node:|pg$|fastify|kysely)|\/server\//,
    say: 'A path with /web/ runs in the browser: nothing of the server may be imported here.',
  },
  {
    from: /^(app|features)\//,
    never: /^foundation\/web\/ui\/(error-state|load-more)\.tsx$/,
    say: 'Loaded, LoadedPage and LoadedList of foundation/web/ui show a query in each of its states.',
  },
  {
    from: /^agent\/[^/]+\.mjs$/,
    never: /^(?!node:|agent\/)/,
    say: 'The agent is copied to machines without packages: only node: and its own files may be imported.',
  },
  {
    from: /^(foundation|features\/(?:support\/(?!server\/|web\/))?[^/]+)\/[^/]+\.ts$/,
    never: /^node:|\/(server|web)\//,
    say: 'A file on both sides touches neither: it may import only what runs in both.',
  },
]

const ours = /^(app|features|foundation|database|tests|texts|agent|clients)\//

const layersRule = onImports((file, to, written, say) => {
  if (isTest(file)) return
  const layer = layers.find((candidate) => candidate.from.test(file))
  if (!layer) return
  if (written.startsWith('../../')) say('Leave the folder by its name (#features/…), not by climbing.')
  const own = layer.from.exec(file)?.[1] ?? ''
  if (ours.test(to) && !layer.may.some((pattern) => new RegExp('^' + pattern.replaceAll('$1', own)).test(to)))
    say(`${file} may not import ${to}: ${reason(file, to)}`)
  for (const boundary of boundaries)
    if (boundary.from.test(file) && boundary.never.test(to)) say(boundary.say)
})

function reason(file, to) {
  if (file.startsWith('foundation/')) return 'the foundation knows nothing of features or app.'
  if (to.startsWith('features/'))
    return 'a feature is entered only by contract.ts, rules.ts, slots.ts, texts.ts, server/<its name>.ts or web/<its name>.ts; the way back is an event.'
  return 'see the table in tools/lint-rules.js.'
}

// The methods of kysely that start a statement, on a database or on a transaction.
const statements = new Set([
  'selectFrom',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'executeQuery',
])

const queriesRule = {
  create(context) {
    const file = pathOf(context)
    if (!/^(app|features|foundation)\//.test(file)) return {}
    if (isTest(file) || isQueries(file)) return {}
    const say = (node) =>
      context.report({
        node,
        message: 'Only queries.ts speaks SQL: give this statement a name there and call it.',
      })
    return {
      ImportDeclaration(node) {
        if (node.source.value !== 'kysely') return
        for (const part of node.specifiers) if (part.imported?.name === 'sql') say(part)
      },
      MemberExpression(node) {
        if (!node.computed && statements.has(node.property.name)) say(node.property)
      },
      CallExpression(node) {
        const [first] = node.arguments
        const text = first?.type === 'Literal' ? first.value : first?.quasis?.[0]?.value.raw
        if (
          node.callee.property?.name === 'query' &&
          /^\s*(select|insert|update|delete|with)\s/i.test(text ?? '')
        )
          say(node)
      },
    }
  },
}

// The ways to another server. Only foundation/server/egress uses them for addresses that somebody gave.
const clients = /^(node:)?(https|http2|tls|dgram)$|^undici$/
const connects = { http: ['request', 'get', 'Agent'], net: ['connect', 'createConnection'] }
const mayConnect = /^foundation\/server\/(egress|database\/embedded)\b/

// Rules 24 and 26: no text is pasted into SQL, and the server requests no address but by egress, since somebody else may have written it.
const serverRule = {
  create(context) {
    const file = pathOf(context)
    if (!/^(app|features|foundation)\/.*server\//.test(file) || isTest(file)) return {}
    const isEgress = mayConnect.test(file)
    const sayClient = (node) =>
      context.report({
        node,
        message:
          'The server asks other servers by foundation/server/egress alone: an address in a request would open the inner network.',
      })
    return {
      ImportDeclaration(node) {
        if (isEgress || node.importKind === 'type') return
        const source = node.source.value.replace('node:', '')
        const named = namesOf(node).some((name) => connects[source]?.includes(name))
        if (clients.test(source) || named) sayClient(node)
      },
      CallExpression(node) {
        const { name, object, property } = node.callee
        const isClient = name === 'fetch' || connects[object?.name]?.includes(property?.name)
        if (isClient && !isEgress) sayClient(node)
        if (object?.name === 'sql' && (property?.name === 'raw' || property?.name === 'lit'))
          context.report({ node, message: 'Text pasted into SQL is how injection begins: use a parameter.' })
      },
    }
  },
}

// Browsers lack these functions in a page that comes over plain HTTP from another machine (no secure context).
const secureOnly = new Map([
  ['randomUUID', 'newId() of foundation/web/new-id.ts makes ids'],
  ['subtle', 'let the server compute it'],
])

const browserRule = {
  create(context) {
    const file = pathOf(context)
    if (!/^(app|features|foundation)\/.*web\//.test(file) || isTest(file)) return {}
    return {
      ImportDeclaration(node) {
        if (file.startsWith('foundation/') || !/\/form\/(edit-)?form\.tsx$/.test(node.source.value)) return
        const opens = namesOf(node.parent.body.find(isOfDialog)).includes('Dialog')
        if (opens && namesOf(node).some((name) => name.endsWith('Form')))
          context.report({
            node,
            message: 'A form in a dialog is FormDialog, or DialogForm beside its steps.',
          })
      },
      JSXOpeningElement(node) {
        if (node.name.name === 'form' && file !== 'foundation/web/form/form.tsx')
          context.report({
            node,
            message: 'A form is a Form with useForm: it keeps what was typed when the session ends.',
          })
      },
      VariableDeclarator({ id, init }) {
        const isOwn = init?.callee?.name === 'useState' && id.elements?.[0]?.name === 'pending'
        if (isOwn && !file.startsWith('foundation/'))
          context.report({ node: id, message: 'A button that acts takes `pending` and `run` of useAct.' })
      },
      MemberExpression(node) {
        if (/^setQuer(y|ies)Data$/.test(node.property.name) && file !== 'foundation/web/api/keep.ts')
          context.report({
            node,
            message: 'keepAnswer of foundation/web/api/keep.ts keeps it from what came meanwhile (rule 57).',
          })
        const isCrypto = node.object.name === 'crypto' || node.object.property?.name === 'crypto'
        const reason = isCrypto && !node.computed && secureOnly.get(node.property.name)
        if (reason)
          context.report({
            node,
            message: `crypto.${node.property.name} is missing over plain HTTP: ${reason}.`,
          })
      },
    }
  },
}

const isOfDialog = (node) => node.type === 'ImportDeclaration' && node.source.value.endsWith('/ui/dialog.tsx')
const namesOf = (node) => node?.specifiers.map(({ imported }) => imported?.name) ?? []

// Rule 6: a float cannot hold money, so nothing named after money goes through one.
const money = /amount|price|balance|total|net\b|vat|money|cents|minor/i

const moneyRule = {
  create(context) {
    return {
      CallExpression(node) {
        const name = node.callee.name ?? node.callee.property?.name
        if (name !== 'Number' && name !== 'parseFloat' && name !== 'parseInt') return
        const written = context.sourceCode.getText(node)
        if (money.test(written))
          context.report({
            node,
            message: `${written}: money is bigint minor units from end to end, use BigInt.`,
          })
      },
    }
  },
}

// Rule 54: the digits of a currency come from foundation/currencies.ts. `Intl` knows how prices are written, and differs between browsers.
const digitNames = ['minimumFractionDigits', 'maximumFractionDigits']

const currencyRule = {
  create(context) {
    const say = (node) =>
      context.report({
        node,
        message: 'Intl does not know minor units: take the digits from fractionOf() of foundation/money.ts.',
      })
    return {
      ObjectExpression(node) {
        const keys = node.properties.map((part) => part.key?.name ?? part.key?.value)
        const style = node.properties[keys.indexOf('style')]
        if (style?.value.value !== 'currency') return
        const spreads = node.properties.some((part) => part.argument?.callee?.name === 'fractionOf')
        if (!spreads && !digitNames.every((name) => keys.includes(name))) say(node)
      },
      MemberExpression(node) {
        const name = node.property.name ?? node.property.value
        if (digitNames.includes(name)) say(node)
      },
      Property(node) {
        if (node.parent.type === 'ObjectPattern' && digitNames.includes(node.key.name ?? node.key.value))
          say(node)
      },
      CallExpression(node) {
        const isList = node.callee.property?.name === 'supportedValuesOf'
        if (isList && node.arguments[0]?.value === 'currency') say(node)
      },
    }
  },
}

function onImports(check) {
  return {
    create(context) {
      const file = pathOf(context)
      const visit = (node) => {
        const written = node.source?.value
        if (typeof written !== 'string') return
        check(file, target(file, written), written, (message) => context.report({ node, message }))
      }
      return {
        ImportDeclaration: visit,
        ExportNamedDeclaration: visit,
        ExportAllDeclaration: visit,
        ImportExpression: visit,
      }
    },
  }
}

function pathOf(context) {
  return context.filename.replace(context.cwd + '/', '')
}

function target(file, written) {
  if (written.startsWith('#')) return written.slice(1)
  if (written.startsWith('.')) return new URL(written, `file:///${file}`).pathname.slice(1)
  return written
}

function isTest(file) {
  return /\.(test|e2e)\.tsx?$/.test(file)
}

// foundation/server/database is the SQL layer itself; everywhere else SQL is in files called queries.
function isQueries(file) {
  return /\/([a-z-]+-)?queries\.ts$/.test(file) || file.startsWith('foundation/server/database/')
}

export default {
  meta: { name: 'hostdesk' },
  rules: {
    layers: layersRule,
    queries: queriesRule,
    money: moneyRule,
    currency: currencyRule,
    server: serverRule,
    browser: browserRule,
    texts: textsRule,
  },
}
