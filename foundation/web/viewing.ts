/** The `sessionStorage` key of a tab that shows another account: as its customer sees it, to staff, or to a helper (acting.ts). */
export const VIEWING = 'view'

export const isViewing = (): boolean => sessionStorage.getItem(VIEWING) !== null
