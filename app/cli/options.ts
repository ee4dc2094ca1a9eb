/** The options of a command by their name in camelCase. The value is the text that was typed behind the option, or true for a switch. */
export type Options = Record<string, string | boolean>
