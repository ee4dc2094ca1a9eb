/** Options of a command by their name in camelCase: true, or what was typed behind them. */
export type Options = Record<string, string | boolean>
