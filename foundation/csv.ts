/** Begins a file of UTF-8, so that spreadsheets do not take it for the letters of their own country. */
export const UTF8_MARK = '\uFEFF'

/** One line of a file that spreadsheets open. RFC 4180: a cell is quoted if a comma, a quote or a line break would be read as structure. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`

/** A cell for what people typed. The attack is a host called `=HYPERLINK(…)`, which a spreadsheet would run as a formula. */
export const textCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
