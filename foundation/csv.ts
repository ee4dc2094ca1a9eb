/** The byte order mark that marks a file as UTF-8: without it, spreadsheets read the file in the code page of their country. */
export const UTF8_MARK = '\uFEFF'

/** Returns one line of a CSV file (RFC 4180). A cell is quoted if it holds a comma, a quote or a line break. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`

/** Returns a whole file, with the mark without which spreadsheets do not read it as UTF-8. `lines` are made by `csvLine`. */
export const csvFile = (headings: readonly string[], lines: readonly string[]): string =>
  `${UTF8_MARK}${csvLine(headings)}${lines.join('')}`

/** Returns a cell for text that people typed. The attack is a host called `=HYPERLINK(…)`, which a spreadsheet would run as a formula. */
export const textCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
