/** Stands in for the router's own functions that read and write a query as JSON: app/web/router.tsx gives the router ours. */
export const defaultParseSearch = undefined
export const defaultStringifySearch = undefined
export const parseSearchWith = undefined
export const stringifySearchWith = undefined
