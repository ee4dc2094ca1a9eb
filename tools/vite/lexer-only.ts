import type { Plugin } from 'vite'

/**
 * The browser uses only the lexer of `marked`, yet the bundler keeps all of it: the module ends with an instance that is made as it
 * loads, and with properties that are set on a function. This plugin marks the first as free to drop and removes the second, and
 * with them go the parser and the renderer.
 */
export function lexerOnly(): Plugin {
  return {
    name: 'hostdesk:lexer-only',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/marked\/lib\/marked\.esm\.js$/u },
      handler(code) {
        const edits = this.parse(code).body.flatMap((statement) => {
          if (statement.type === 'ExpressionStatement') return [{ ...statement, text: '' }]
          if (statement.type !== 'VariableDeclaration') return []
          return statement.declarations.flatMap(({ init }) =>
            init && LOADING.has(init.type)
              ? [
                  {
                    start: init.start,
                    end: init.end,
                    text: `/*#__PURE__*/(()=>${code.slice(init.start, init.end)})()`,
                  },
                ]
              : [],
          )
        })
        // The edits are made from the end, so that the positions of earlier ones stay true.
        const stripped = edits
          .toReversed()
          .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code)
        return { code: stripped, map: null }
      },
    },
  }
}

/** Expressions that do something when the module loads. */
const LOADING = new Set(['NewExpression', 'MemberExpression'])
