// Rule 56: translators of browsers put an element of their own in the place of each text. React then removes a text, or inserts beside
// one, that is no longer there, which ends the page. A text that is the only child of its element is safe: React sets it anew.

/** A text beside something that comes and goes, or that itself comes and goes beside something, stands in an element of its own. */
export const textsRule = {
  create(context) {
    if (context.filename.endsWith('.test.tsx')) return {}
    const check = (node) => {
      const valueOf = (name) => constant(context.sourceCode.getScope(node), name)
      const children = node.children
        .map((child) => ({ child, ...kindOf(child, valueOf) }))
        .filter(({ is }) => is)
      for (const { child, is, comes } of children) {
        const others = children.filter((other) => other.child !== child)
        const moves = comes ? others.length > 0 : others.some((other) => other.comes)
        if (is.text && (moves || node.type === 'JSXFragment'))
          context.report({
            node: child,
            message:
              'A translator replaces this text, and React then fails beside it (rule 56): give it an element of its own, <span>…</span>.',
          })
      }
    }
    return { JSXElement: check, JSXFragment: check }
  },
}

const nothing = { is: undefined, comes: false }
const text = { is: { text: true }, comes: false }
const element = { is: { text: false }, comes: false }
const list = { is: { text: false }, comes: true }

/** Tells of a child whether it may be a text, and whether it comes and goes. `is` is undefined where nothing is drawn. */
function kindOf(child, valueOf) {
  switch (child.type) {
    case 'JSXText':
      return child.value.trim() === '' ? nothing : text
    case 'JSXExpressionContainer':
    case 'JSXSpreadChild':
      return kindOfValue(child.expression, valueOf)
    default:
      return element
  }
}

function kindOfValue(value, valueOf) {
  const of = (part) => kindOfValue(part, valueOf)
  switch (value?.type) {
    case 'JSXEmptyExpression':
      return nothing
    case 'Literal':
      return typeof value.value === 'boolean' || String(value.value ?? '').trim() === '' ? nothing : text
    case 'JSXElement':
    case 'JSXFragment':
      return element
    case 'ConditionalExpression':
      return either(of(value.consequent), of(value.alternate))
    case 'LogicalExpression':
      return either(value.operator === '&&' ? nothing : of(value.left), of(value.right))
    case 'CallExpression':
      if (value.callee.property?.name === 'map') return list
      return drawing.has(value.callee.name) ? element : text
    case 'MemberExpression':
      return drawn.has(value.property.name) ? element : text
    case 'Identifier':
      if (value.name === 'undefined') return nothing
      if (drawn.has(value.name)) return element
      return valueOf(value.name) ? of(valueOf(value.name)) : text
    default:
      return text
  }
}

// Names that hooks and properties have for elements. A property `children` that is called draws those of a list or a field.
const drawn = new Set(['back', 'dialog', 'icon', 'choice', 'proof', 'section'])
const drawing = new Set(['children', 'createPortal'])

/** The value of a constant that is seen from a scope; undefined for a parameter, and for what is taken apart. */
function constant(scope, name) {
  for (let seen = scope; seen; seen = seen.upper) {
    const [definition] = seen.set.get(name)?.defs ?? []
    if (definition)
      return definition.parent?.kind === 'const' && definition.node.id.name === name
        ? definition.node.init
        : undefined
  }
  return undefined
}

/** One of two: it comes and goes, unless both are texts, of which React changes the letters only. */
function either(one, other) {
  if (!one.is && !other.is) return nothing
  const isText = Boolean(one.is?.text || other.is?.text)
  const bothTexts = Boolean(one.is?.text && other.is?.text)
  return { is: { text: isText }, comes: one.comes || other.comes || !bothTexts }
}
